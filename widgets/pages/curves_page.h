#pragma once
// The Curves page: any quantity of all arms in one plot, two more of the chosen run beside it, and below them the
// values at the step, or under the pointer, as a table with the difference to the baseline.

#include <QVariantMap>

#include "widgets/models/curve_data_source.h"
#include "widgets/pages/page.h"
#include "widgets/plots/aggregate.h"
#include "widgets/plots/axis_scale.h"
#include "widgets/plots/curve_data.h"

class QComboBox;
class QLineEdit;
class QPushButton;
class QTimer;

namespace sextant {

class ArmTable;
class Card;
class CurvePlot;
class InlineBar;
class Segments;
class Session;

class CurvesPage : public Page {
    Q_OBJECT

  public:
    explicit CurvesPage(Session& session, QWidget* parent = nullptr);
    bool runCommand(const QString& id) override;
    [[nodiscard]] QString tableText() const override;
    [[nodiscard]] FigureSource* figure(const QString& kind) override;
    [[nodiscard]] CurvePlot* mainPlot() const { return main_; }
    [[nodiscard]] CurvePlot* trainPlot() const { return train_; }
    [[nodiscard]] CurvePlot* gradientPlot() const { return gradient_; }
    [[nodiscard]] ArmTable* values() const { return values_; }
    // Axes, quantities, smoothing, pins and the visible parts: what undo puts back and what is stored between sessions.
    [[nodiscard]] QVariantMap viewState() const;
    void setViewState(const QVariantMap& state);
    [[nodiscard]] const std::vector<std::int64_t>& pins() const { return pins_; }

  protected:
    void showEvent(QShowEvent* event) override;

  private:
    QWidget* makeControls();
    void refresh();
    void refreshMain(const ProjectSnapshot& snapshot);
    void refreshSide(const ProjectSnapshot& snapshot);
    void refreshValues();
    void refreshCursor();
    void schedule();
    void addArm(std::vector<CurveSeries>& series, const ProjectSnapshot& snapshot, const QString& arm,
                const CurveQuantity& quantity, bool overlay);
    void touched(const QString& what);  // the user changed the view
    void fillQuantities(const ProjectSnapshot& snapshot);
    void pinStep();
    void hover(double x);
    [[nodiscard]] std::int64_t shownStep() const;  // under the pointer, else the selected one
    [[nodiscard]] static QString keyOf(const QComboBox* box);
    [[nodiscard]] static std::optional<CurveQuantity> quantityOf(const QComboBox* box);  // nothing: both losses
    [[nodiscard]] static QString nameOf(const CurveQuantity& quantity);
    [[nodiscard]] static QString unitOf(const CurveQuantity& quantity);
    [[nodiscard]] CurveAxis axis() const;
    [[nodiscard]] AxisKind scale() const;
    [[nodiscard]] BandKind band() const;
    [[nodiscard]] bool byMean() const;
    [[nodiscard]] double halfLife() const;  // in x units; 0 without smoothing
    [[nodiscard]] QString axisName() const;
    [[nodiscard]] double axisFactor() const;
    [[nodiscard]] const RunSnapshot* shownRun(const ProjectSnapshot& snapshot) const;
    void plotClicked(double x);

    Session& session_;
    CurveDataSource data_;
    Segments *x_, *y_;
    QComboBox *seeds_, *band_, *smoothing_;
    QComboBox *mainQuantity_, *trainQuantity_, *gradientQuantity_;
    QPushButton* outliers_;
    QLineEdit* halfLife_;
    Card *mainCard_, *trainCard_, *gradientCard_, *valuesCard_;
    CurvePlot *main_, *train_, *gradient_;
    ArmTable* values_;
    InlineBar* advice_;
    QTimer* timer_;
    QTimer* hoverTimer_;
    double tokensPerStep_ = 1.0;
    QStringList tags_;
    std::vector<std::int64_t> pins_;
    std::optional<double> hovered_;
    bool restoring_ = false;
};

}  // namespace sextant
