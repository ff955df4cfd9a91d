#pragma once
// The Attention page: one head's matrix large with its tokens, all heads as thumbnails, the row of the locked query,
// and the terms a weight is made of. A and B are two runs; A minus B is drawn on a map centred at zero.

#include "widgets/models/attention_model.h"
#include "widgets/pages/page.h"

class QComboBox;
class QLineEdit;

namespace sextant {

class ArmTable;
class Card;
class CurvePlot;
class HeatmapGrid;
class HeatmapView;
class InlineBar;
class QuietLabel;
class Section;
class Segments;
class Session;
class TokenStrip;

class AttentionPage : public Page {
    Q_OBJECT

  public:
    explicit AttentionPage(Session& session, QWidget* parent = nullptr);
    [[nodiscard]] QWidget* inspector() override { return inspector_; }
    [[nodiscard]] QString inspectorNote() const override;
    bool runCommand(const QString& id) override;
    [[nodiscard]] QString tableText() const override;
    [[nodiscard]] FigureSource* figure(const QString& kind) override;
    [[nodiscard]] AttentionModel& model() { return model_; }
    [[nodiscard]] HeatmapView* matrix() const { return matrix_; }
    [[nodiscard]] HeatmapGrid* grid() const { return grid_; }

  protected:
    void showEvent(QShowEvent* event) override;

  private:
    QWidget* makeControls();
    void makeInspector();
    void takeRun();
    void fillRuns();
    void refresh();
    void drawMatrix();
    void drawGrid();
    void drawRow();
    void fillInspector();
    [[nodiscard]] QString term() const;
    [[nodiscard]] MatrixData matrixOf(AttentionModel::Side side, const QString& term);
    [[nodiscard]] QString runFolder(const QString& folder) const;

    Session& session_;
    AttentionModel model_;
    QLineEdit* text_;
    QComboBox *layer_, *head_, *other_, *order_;
    Segments *term_, *side_, *scale_;
    QuietLabel* count_;
    InlineBar* bar_;
    Card *matrixCard_, *gridCard_, *rowCard_, *stripCard_;
    HeatmapView* matrix_;
    HeatmapGrid* grid_;
    QuietLabel* headNote_;
    CurvePlot* row_;
    ArmTable* rowTable_;
    TokenStrip* strip_;
    QWidget* inspector_;
    QuietLabel *query_, *key_, *distance_, *content_, *bias_, *score_, *weight_, *range_, *masked_;
    bool filling_ = false;
    bool fresh_ = true;
};

}  // namespace sextant
