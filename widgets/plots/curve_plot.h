#pragma once
// Lines against an axis, told truthfully: every spike survives decimation (and a badge says that there was some), NaN
// is a marked strip, resumes are marked, bands name their type, values a log axis cannot show are counted. One
// component serves live curves, extrapolation, kernels, phases and figures.

#include <QElapsedTimer>
#include <QVariantList>
#include <QWidget>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "widgets/plots/curve_data.h"
#include "widgets/plots/plot_style.h"
#include "widgets/plots/series_state.h"

class QCustomPlot;
class QCPAxis;
class QCPGraph;
class QCPLayerable;
class QTimer;

namespace sextant {

class CurveCanvas;
class CurveTableModel;

class CurvePlot : public QWidget, public FigureSource {
    Q_OBJECT

  public:
    explicit CurvePlot(QWidget* parent = nullptr);
    ~CurvePlot() override;

    // Replaces all series. The view stays where the user zoomed to; reset() fits it.
    void setSeries(std::vector<CurveSeries> series);
    [[nodiscard]] std::vector<CurveSeries> series() const;
    [[nodiscard]] const std::vector<SeriesState>& states() const { return states_; }
    // Live points of one series; unknown ids are ignored. Replots at most 15 times a second.
    void append(const QString& id, std::span<const double> x, std::span<const double> y);
    void setSeriesVisible(const QString& id, bool visible);
    void setHalfLife(double halfLife);  // of all series; 0 switches smoothing off

    void setXAxis(const AxisOptions& options);
    void setYAxis(const AxisOptions& options);
    [[nodiscard]] const AxisOptions& xAxis() const { return xOptions_; }
    [[nodiscard]] const AxisOptions& yAxis() const { return yOptions_; }
    void setLines(std::vector<IndexLine> lines);
    void setRegions(std::vector<PlotRegion> regions);
    void setNotes(std::vector<PlotNote> notes);
    void setEndValues(bool shown, int digits = 4);
    // Shown at the top left while there is nothing to draw.
    void setEmptyText(const QString& text);
    // The persistent place of the reader: index line with a flag and open markers on every series.
    void setCursor(std::optional<double> x, const QString& text = {});
    [[nodiscard]] std::optional<double> cursorX() const { return cursor_; }
    [[nodiscard]] std::vector<CurveReading> readings(double x) const;
    // Zooming by mouse and keyboard; off for small pictures.
    void setInteractive(bool interactive);

    // In data units.
    [[nodiscard]] Range xRange() const;
    [[nodiscard]] Range yRange() const;
    void setXRange(double low, double high);  // no signal: for linked plots
    void setYRange(double low, double high);
    // Where the user stands, for undo and for saved views: fitted or not, and the visible part in plot coordinates.
    [[nodiscard]] QVariantList viewState() const;
    void setViewState(const QVariantList& state);
    void zoom(double factor, std::optional<QPointF> around = {}, bool xOnly = false);
    void pan(double xShare, double yShare);  // of the visible range
    void reset();

    // "decimated 1:24" while fewer points are drawn than are in view, else empty.
    [[nodiscard]] QString badge() const { return badge_; }
    [[nodiscard]] qint64 pointCount() const;
    // Points in view that the y axis cannot show (log: not positive), and points without a step.
    [[nodiscard]] qint64 hiddenCount() const { return hidden_; }
    [[nodiscard]] QString summary() const;  // what a screen reader says of the plot
    [[nodiscard]] CurveTableModel* table();
    void replotNow();

    void setStyle(const PlotStyle& style);
    void paintFigure(QCPPainter& painter, const QSizeF& size, const PlotStyle& style) const override;
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

  signals:
    void cursorMoved(double x);  // the user clicked: in data units
    void hovered(double x);      // NaN when the pointer leaves
    void rangeChanged(double low, double high);
    void viewTouched();  // the user zoomed, panned or fitted
    void badgeChanged(const QString& badge);
    void logToggled(bool vertical);  // Y or X was pressed
    void smoothingToggled();
    void seriesClicked(const QString& id, double x);

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

  private:
    friend class CurveCanvas;
    struct Drawn;  // graphs and cached geometry of one series

    void restyle();
    void rebuildGraphs();
    void fitRanges();
    void layOut(int width, int height);
    void resample();
    void updateAxes();
    void scheduleReplot();
    void viewChanged();
    [[nodiscard]] double plotX(double pixel) const;  // pixel to plot coordinate
    [[nodiscard]] double plotY(double pixel) const;
    [[nodiscard]] int areaWidth() const;

    QCustomPlot* plot_ = nullptr;
    PlotStyle style_;
    bool ownStyle_ = false;
    std::vector<SeriesState> states_;
    std::vector<std::unique_ptr<Drawn>> drawn_;
    std::unique_ptr<CurveCanvas> canvas_;
    AxisOptions xOptions_, yOptions_;
    AxisScale xScale_, yScale_;
    std::vector<IndexLine> lines_;
    std::vector<PlotRegion> regions_;
    std::vector<PlotNote> notes_;
    QString emptyText_, badge_, cursorText_;
    std::optional<double> cursor_, hover_;
    bool endValues_ = false;
    int endDigits_ = 4;
    bool interactive_ = true;
    bool xFitted_ = true, yFitted_ = true;              // follows the data
    double x0_ = 0.0, x1_ = 1.0, y0_ = 0.0, y1_ = 1.0;  // view, plot coordinates
    qint64 hidden_ = 0;
    QTimer* timer_ = nullptr;
    bool dirty_ = true;
    CurveTableModel* table_ = nullptr;
    // Mouse: box zoom, x zoom, pan.
    enum class Drag { kNone, kBox, kXOnly, kPan } drag_ = Drag::kNone;
    QPointF dragFrom_, dragTo_;
    double dragX0_ = 0, dragX1_ = 0, dragY0_ = 0, dragY1_ = 0;
};

}  // namespace sextant
