#pragma once
// The Attention page: one head's matrix large with its tokens, all heads as thumbnails, the row of the locked query and
// the terms a weight is made of, at the step the step bar shows. A and B are two runs or two steps; A minus B is drawn
// on a map centred at zero. The probes view asks what a matrix cannot show: later positions and tasks by distance.

#include "widgets/models/attention_model.h"
#include "widgets/pages/page.h"
#include "widgets/selection.h"

class QScrollArea;
class QComboBox;
class QLineEdit;
class QPushButton;
class QStackedWidget;

namespace sextant {

class ArmTable;
class Card;
class CurvePlot;
class HeatmapGrid;
class HeatmapView;
class IconButton;
class InlineBar;
class QuietLabel;
class Section;
class Segments;
class Session;
class TokenStrip;
struct RunSnapshot;

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
    [[nodiscard]] QComboBox* rangeBox() const { return range_; }
    [[nodiscard]] Segments* termSegments() const { return term_; }

    // A trained model from elsewhere: a Hugging Face folder or a llama2.c file. Empty: the runs of the project again.
    void openModel(const QString& path);
    // A passage of the corpus, `tokens` long.
    void showCorpus(std::int64_t sample, std::int64_t tokens);
    void setText(const QString& text);
    void showProbes(bool shown);
    void runProbes();

  protected:
    void showEvent(QShowEvent* event) override;

  private:
    using Side = AttentionModel::Side;
    using Steps = std::vector<std::pair<std::int64_t, AttentionSource>>;
    QWidget* makeControls();
    QWidget* makeMatrixView();
    QWidget* makeProbesView();
    void makeInspector();
    void takeText();
    void takeRun();
    void fillRuns();
    void refresh();
    void drawMatrix();
    void drawGrid();
    void drawRow();
    void drawHistory();
    void drawProbes();
    void fillInspector();
    void explain();
    void sayState();
    [[nodiscard]] QString term() const;
    [[nodiscard]] MatrixData matrixOf(AttentionModel::Side side, const QString& term);
    [[nodiscard]] const MatrixStatistics* rangeOf(AttentionModel::Side side, const QString& term) const;
    [[nodiscard]] Range weightRange(ColourRangeMode mode) const;
    [[nodiscard]] Steps stepsOf(const RunSnapshot* run) const;  // weights that are on the disk, by step
    [[nodiscard]] const RunSnapshot* runA() const;
    [[nodiscard]] QString label(const RunSnapshot* run, std::int64_t step) const;

    Session& session_;
    AttentionModel model_;
    QString foreign_;  // a model from elsewhere
    QComboBox *source_, *layer_, *head_, *other_, *otherStep_, *order_, *range_;
    QLineEdit *text_, *sample_, *tokens_;
    QWidget* corpusBox_;
    QPushButton* open_;
    Segments *term_, *side_, *scale_, *view_;
    IconButton* lock_;
    QuietLabel *count_, *rangeText_, *sidesText_;
    InlineBar* bar_;
    QStackedWidget* views_;
    Card *matrixCard_, *gridCard_, *rowCard_, *stripCard_, *shiftCard_, *taskCard_;
    HeatmapView* matrix_;
    HeatmapGrid* grid_;
    QuietLabel* headNote_;
    CurvePlot *row_, *history_, *sinks_, *shift_, *tasks_;
    ArmTable *rowTable_, *headTable_;
    TokenStrip* strip_;
    QScrollArea* stripArea_;
    QPushButton* runProbes_;
    QWidget* inspector_;
    Section *whySection_, *historySection_;
    QuietLabel *query_, *key_, *distance_, *content_, *bias_, *score_, *weight_, *shown_, *mode_, *masked_, *above_,
        *why_, *historyNote_;
    int compared_ = -1;  // second query, Shift-click
    std::int64_t stepA_ = -1, stepB_ = -1;
    std::size_t knownSteps_ = 0;
    // What the large view holds, so that it is counted and reduced once only.
    std::shared_ptr<const AttentionMapsOf> drawnA_, drawnB_;
    QString drawnOf_;
    bool filling_ = false;
    bool fresh_ = true;
};

}  // namespace sextant
