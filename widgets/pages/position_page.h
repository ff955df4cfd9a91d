#pragma once
// The Position page: what an encoding does before anything is trained, for every encoding of the catalog. Which cards
// are shown follows from its tables (bias, rotation, added vectors), not from its name. Two further views compare all
// encodings over distance and show what fewer bits do to one.

#include "widgets/models/position_view.h"
#include "widgets/pages/page.h"
#include "widgets/plots/matrix.h"

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
class MatrixTableModel;
class ParameterForm;
class PhaseWheel;
class QuietLabel;
class Section;
class Segments;
class Session;

class PositionPage : public Page {
    Q_OBJECT

  public:
    enum class Show { kEncoding, kPrecision, kAll };

    explicit PositionPage(Session& session, QWidget* parent = nullptr);
    [[nodiscard]] QWidget* inspector() override { return inspector_; }
    [[nodiscard]] QString inspectorNote() const override;
    bool runCommand(const QString& id) override;
    [[nodiscard]] QString tableText() const override;
    [[nodiscard]] FigureSource* figure(const QString& kind) override;

    void showEncoding(const EncodingConfig& encoding, const EncodingSite& site);
    void setShow(Show show);
    void setLength(std::int64_t length);
    void setHeads(std::int64_t heads);
    [[nodiscard]] const PositionView& view() const { return view_; }
    [[nodiscard]] const PrecisionView& precision() const { return precision_; }
    [[nodiscard]] const std::optional<PositionView>& kept() const { return before_; }
    [[nodiscard]] HeatmapGrid* headGrid() const { return grid_; }
    [[nodiscard]] QComboBox* encodingBox() const { return encoding_; }
    [[nodiscard]] ParameterForm* form() const { return form_; }
    [[nodiscard]] PositionRequest request() const;

  Q_SIGNALS:
    void redrawn();  // everything follows the parameters

  protected:
    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

  private:
    QWidget* makeControls();
    void makeCards();
    QWidget* makeWorkbench();
    void makeInspector();
    void takeArm();  // encoding and sizes of the selected arm
    void encodingChosen();
    void recompute();
    void arrange();
    void fitBias();
    void leaveOut();
    void drawBias();
    void drawSlopes();
    void drawReach();
    void drawKernels();
    void drawBuckets();
    void drawRotation();
    void drawWavelengths();
    void drawDecay();
    void drawTable();
    void drawAll();
    void drawPrecision();
    void fillInspector();
    void showReading();
    void showMessage();
    [[nodiscard]] QString headText(std::size_t head) const;
    [[nodiscard]] int chosenHead() const;
    [[nodiscard]] Show shown() const;
    [[nodiscard]] std::int64_t number(QLineEdit* edit, std::int64_t low, std::int64_t high,
                                      std::int64_t otherwise) const;

    Session& session_;
    PositionView view_;
    PrecisionView precision_;
    std::optional<PositionView> before_;  // kept for comparison while parameters move
    QComboBox* encoding_;
    Segments *show_, *factor_;
    QLineEdit *heads_, *headDim_, *length_, *position_;
    QWidget *headsBox_, *headDimBox_, *positionBox_;
    QWidget* body_;
    InlineBar* bar_;
    Card *biasCard_, *slopeCard_, *reachCard_, *kernelCard_, *bucketCard_, *phaseCard_, *wheelCard_, *rasterCard_,
        *waveCard_, *decayCard_, *parameterCard_, *tableCard_, *similarityCard_, *allCard_, *errorCard_, *distinctCard_,
        *lossCard_;
    HeatmapGrid* grid_;
    MatrixData headMatrix_;
    MatrixTableModel* headTable_ = nullptr;
    QuietLabel *reading_, *turned_, *workFormula_;
    CurvePlot *slopes_, *reach_, *kernels_, *buckets_, *phases_, *waves_, *decay_, *all_, *errors_, *distinct_;
    PhaseWheel* wheel_;
    HeatmapView *raster_, *tableView_, *similarity_;
    ArmTable* precisionTable_;
    ParameterForm* form_;
    QWidget* inspector_;
    QuietLabel *formula_, *numbers_, *words_, *reference_, *warnings_;
    ArmTable* rows_;
    Section *numbersSection_, *warningSection_;
    QTimer* timer_;
    std::string shownEncoding_;
    EncodingSite site_;
    std::shared_ptr<const nlohmann::json> trained_;  // learned values of the selected run
    QString trainedOf_;
    ParameterValues given_;
    int pair_ = 0;
    int hoverQuery_ = -1, hoverKey_ = -1;
    bool filling_ = false;
    bool fresh_ = true;
};

}  // namespace sextant
