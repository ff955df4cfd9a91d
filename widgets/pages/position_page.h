#pragma once
// The Position page: what an encoding does before anything is trained, for every encoding of the catalog. Which cards
// are shown follows from its tables (bias, rotation, added vectors), not from its name.

#include "widgets/models/position_view.h"
#include "widgets/pages/page.h"

class QComboBox;
class QLineEdit;
class QTimer;

namespace sextant {

class ArmTable;
class Card;
class CurvePlot;
class HeatmapGrid;
class HeatmapView;
class InlineBar;
class ParameterForm;
class PhaseWheel;
class QuietLabel;
class Section;
class Session;

class PositionPage : public Page {
    Q_OBJECT

  public:
    explicit PositionPage(Session& session, QWidget* parent = nullptr);
    [[nodiscard]] QWidget* inspector() override { return inspector_; }
    [[nodiscard]] QString inspectorNote() const override;
    bool runCommand(const QString& id) override;
    [[nodiscard]] QString tableText() const override;
    [[nodiscard]] FigureSource* figure(const QString& kind) override;

    void showEncoding(const EncodingConfig& encoding, const EncodingSite& site);
    [[nodiscard]] const PositionView& view() const { return view_; }
    [[nodiscard]] HeatmapGrid* headGrid() const { return grid_; }
    [[nodiscard]] QComboBox* encodingBox() const { return encoding_; }

  protected:
    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

  private:
    QWidget* makeControls();
    void makeCards();
    void makeInspector();
    void takeArm();  // encoding and sizes of the selected arm
    void encodingChosen();
    void recompute();
    void arrange();
    void drawBias();
    void drawSlopes();
    void drawReach();
    void drawKernels();
    void drawRotation();
    void drawWavelengths();
    void drawDecay();
    void drawTable();
    void drawAll();
    void fillInspector();
    void showReading();
    [[nodiscard]] QString headText(std::size_t head) const;
    [[nodiscard]] std::int64_t number(QLineEdit* edit, std::int64_t low, std::int64_t high,
                                      std::int64_t otherwise) const;

    Session& session_;
    PositionView view_;
    std::optional<PositionView> before_;  // kept for comparison while parameters move
    QComboBox* encoding_;
    QLineEdit *heads_, *headDim_, *length_, *position_;
    QWidget* positionBox_;
    QWidget* body_;
    InlineBar* bar_;
    Card *biasCard_, *slopeCard_, *reachCard_, *kernelCard_, *phaseCard_, *wheelCard_, *rasterCard_, *waveCard_,
        *decayCard_, *parameterCard_, *tableCard_, *similarityCard_, *allCard_;
    HeatmapGrid* grid_;
    QuietLabel* reading_;
    CurvePlot *slopes_, *reach_, *kernels_, *phases_, *waves_, *decay_, *all_;
    PhaseWheel* wheel_;
    HeatmapView *raster_, *tableView_, *similarity_;
    ParameterForm* form_;
    QWidget* inspector_;
    QuietLabel *formula_, *numbers_, *words_, *reference_, *warnings_;
    ArmTable* rows_;
    Section *numbersSection_, *warningSection_;
    QTimer* timer_;
    std::string shownEncoding_;
    EncodingSite site_;
    ParameterValues given_;
    int pair_ = 0;
    int hoverQuery_ = -1, hoverKey_ = -1;
    bool filling_ = false;
    bool fresh_ = true;
};

}  // namespace sextant
