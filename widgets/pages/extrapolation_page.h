#pragma once
// Which encoding survives longer texts: loss or perplexity against the evaluation length in both modes, the training
// length marked, bands over seeds; the loss by position; the table behind them.

#include "widgets/models/length_results.h"
#include "widgets/pages/page.h"

class QCheckBox;
class QComboBox;
class QPushButton;

namespace sextant {

class ArmTable;
class Card;
class CurvePlot;
class InlineBar;
class QuietLabel;
class Section;
class Segments;
class Session;

class ExtrapolationPage : public Page {
    Q_OBJECT

  public:
    explicit ExtrapolationPage(Session& session, QWidget* parent = nullptr);
    [[nodiscard]] QWidget* inspector() override { return inspector_; }
    [[nodiscard]] QString inspectorNote() const override;
    bool runCommand(const QString& id) override;
    [[nodiscard]] QString tableText() const override;
    [[nodiscard]] FigureSource* figure(const QString& kind) override;
    [[nodiscard]] const LengthResults& results() const { return results_; }
    [[nodiscard]] ArmTable* table() const { return table_; }
    [[nodiscard]] CurvePlot* plot(int mode) const { return mode == 0 ? plain_ : sliding_; }
    enum class Metric { kPerplexity, kLoss, kChange };
    void setMetric(Metric metric);
    void setPublished(bool shown);
    void chooseLength(std::int64_t length);
    [[nodiscard]] std::int64_t chosenLength() const { return chosenLength_; }

  Q_SIGNALS:
    void attentionRequested(qint64 tokens);

  protected:
    void showEvent(QShowEvent* event) override;

  private:
    void makeInspector();
    void refresh();
    void draw(CurvePlot* plot, Card* card, const std::string& mode, const QString& note);
    void drawPositions();
    void fillTable();
    void fillInspector();
    void compareModes();
    [[nodiscard]] bool perplexity() const;
    [[nodiscard]] bool change() const;
    [[nodiscard]] QString shownLoss(double loss) const;
    [[nodiscard]] QString encodingOf(const QString& arm) const;
    [[nodiscard]] BandKind band() const;

    Session& session_;
    LengthResults results_;
    QComboBox *metric_, *band_;
    Segments *scale_, *modes_;
    QCheckBox* published_;
    QPushButton* attention_;
    Card *plainCard_, *slidingCard_, *positionCard_, *tableCard_;
    CurvePlot *plain_, *sliding_, *position_;
    InlineBar* bar_;
    ArmTable* table_;
    QWidget* inspector_;
    QuietLabel *lengthText_, *plainText_, *slidingText_, *gapText_, *seedsText_, *seedValues_, *protocol_, *bandText_;
    std::int64_t chosenLength_ = 0;
};

}  // namespace sextant
