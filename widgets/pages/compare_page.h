#pragma once
// The Compare page: one variant against the baseline, paired by seed, with its intervals, and what can be said from
// them. One seed never names a winner; only the declared endpoint carries a claim.

#include "widgets/models/comparison_model.h"
#include "widgets/pages/page.h"

class QComboBox;

namespace sextant {

class ArmTable;
class Card;
class CurvePlot;
class InlineBar;
class QuietLabel;
class Section;
class Session;

class ComparePage : public Page {
    Q_OBJECT

  public:
    explicit ComparePage(Session& session, QWidget* parent = nullptr);
    [[nodiscard]] QWidget* inspector() override { return inspector_; }
    [[nodiscard]] QString inspectorNote() const override;
    bool runCommand(const QString& id) override;
    [[nodiscard]] QString tableText() const override;
    [[nodiscard]] ComparisonModel& model() { return model_; }
    [[nodiscard]] QString claim() const;
    [[nodiscard]] ArmTable* pairs() const { return pairs_; }
    [[nodiscard]] ArmTable* allArms() const { return all_; }
    [[nodiscard]] ArmTable* measures() const { return measures_; }

  protected:
    void showEvent(QShowEvent* event) override;

  private:
    void makeInspector();
    void refresh();
    void fillPairs(const PairedResult& result, const QString& variant);
    void drawIntervals(const PairedResult& result, const QString& variant);
    void say(const PairedResult& result, const VariantComparison& variant);
    void fillAll();
    void fillMeasures(const VariantComparison& variant);
    [[nodiscard]] const VariantComparison* current() const;
    [[nodiscard]] const PairedResult* result() const;

    Session& session_;
    ComparisonModel model_;
    QComboBox *variant_, *measure_;
    QuietLabel* declared_;
    Card *pairsCard_, *intervalCard_, *sayCard_, *allCard_, *measuresCard_;
    ArmTable *pairs_, *all_, *measures_;
    CurvePlot* intervals_;
    QuietLabel *claim_, *detail_;
    InlineBar *advice_, *empty_;
    QWidget* body_;
    QWidget* inspector_;
    QuietLabel *needed_, *family_, *floor_, *sampling_, *notes_;
    bool filling_ = false;
};

}  // namespace sextant
