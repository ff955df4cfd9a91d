#pragma once
// The Curves page: validation and training loss of all arms in one plot, the chosen run's raw loss and gradient norm
// beside it, and below them the values at the step as a table with the difference to the baseline.

#include "widgets/models/curve_data_source.h"
#include "widgets/pages/page.h"
#include "widgets/plots/aggregate.h"
#include "widgets/plots/axis_scale.h"
#include "widgets/plots/curve_data.h"

class QComboBox;
class QLineEdit;
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
    [[nodiscard]] ArmTable* values() const { return values_; }

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
                CurveMetric metric, bool overlay);
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
    Segments *x_, *y_, *metric_;
    QComboBox *seeds_, *band_, *smoothing_;
    QLineEdit* halfLife_;
    Card *mainCard_, *trainCard_, *gradientCard_, *valuesCard_;
    CurvePlot *main_, *train_, *gradient_;
    ArmTable* values_;
    InlineBar* advice_;
    QTimer* timer_;
    double tokensPerStep_ = 1.0;
};

}  // namespace sextant
