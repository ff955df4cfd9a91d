#include "widgets/plots/curve_plot.h"

#include <QEvent>
#include <QTimer>
#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>
#include <utility>

#include "widgets/controls/marks.h"
#include "widgets/plots/curve_canvas.h"
#include "widgets/plots/curve_drawn.h"
#include "widgets/plots/curve_table_model.h"

namespace sextant {
namespace {

constexpr int kRefreshMilliseconds = 66;

}  // namespace

CurvePlot::CurvePlot(QWidget* parent) : QWidget(parent), style_(PlotStyle::screen()) {
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Curve plot"));
    canvas_ = std::make_unique<CurveCanvas>(*this);
    plot_ = new QCustomPlot(this);
    plot_->setPlottingHint(QCP::phFastPolylines, true);
    plot_->setPlottingHint(QCP::phCacheLabels, true);
    plot_->setNoAntialiasingOnDrag(true);
    plot_->setFocusPolicy(Qt::NoFocus);
    plot_->setMouseTracking(true);
    plot_->setInteractions(QCP::Interactions());
    plot_->installEventFilter(this);
    plot_->setAutoAddPlottableToLegend(false);
    plot_->addLayer(QStringLiteral("bands"), plot_->layer(QStringLiteral("main")), QCustomPlot::limBelow);
    plot_->addLayer(QStringLiteral("marks"), plot_->layer(QStringLiteral("axes")), QCustomPlot::limAbove);
    plot_->addLayer(QStringLiteral("cursor"), plot_->layer(QStringLiteral("overlay")), QCustomPlot::limAbove);
    plot_->layer(QStringLiteral("bands"))->setMode(QCPLayer::lmBuffered);
    plot_->layer(QStringLiteral("cursor"))->setMode(QCPLayer::lmBuffered);
    new PaintLayer(plot_, QStringLiteral("bands"), [this](QCPPainter& painter) { canvas_->paintBelow(painter); });
    new PaintLayer(plot_, QStringLiteral("marks"), [this](QCPPainter& painter) { canvas_->paintAbove(painter); });
    new PaintLayer(plot_, QStringLiteral("cursor"), [this](QCPPainter& painter) { canvas_->paintCursor(painter); });
    plot_->xAxis->setTicker(QSharedPointer<QCPAxisTicker>(new ScaleTicker));
    plot_->yAxis->setTicker(QSharedPointer<QCPAxisTicker>(new ScaleTicker));
    plot_->axisRect()->setAutoMargins(QCP::msNone);
    plot_->plotLayout()->setAutoMargins(QCP::msNone);
    plot_->plotLayout()->setMargins(QMargins());
    timer_ = new QTimer(this);
    timer_->setSingleShot(true);
    timer_->setInterval(kRefreshMilliseconds);
    connect(timer_, &QTimer::timeout, this, &CurvePlot::replotNow);
    restyle();
}

CurvePlot::~CurvePlot() {
    // The painted layers call back into this object: they go first.
    delete plot_;
    plot_ = nullptr;
}

QSize CurvePlot::sizeHint() const {
    return {scaled(480), scaled(300)};
}

QSize CurvePlot::minimumSizeHint() const {
    return {scaled(140), scaled(90)};
}

void CurvePlot::setSeries(std::vector<CurveSeries> series) {
    states_.clear();
    states_.reserve(series.size());
    for (CurveSeries& one : series)
        states_.emplace_back(std::move(one));
    rebuildGraphs();
    if (table_ != nullptr) table_->refresh();
    scheduleReplot();
}

std::vector<CurveSeries> CurvePlot::series() const {
    std::vector<CurveSeries> result;
    result.reserve(states_.size());
    for (const SeriesState& state : states_)
        result.push_back(state.series());
    return result;
}

void CurvePlot::append(const QString& id, std::span<const double> x, std::span<const double> y) {
    for (SeriesState& state : states_) {
        if (state.series().id != id) continue;
        state.append(x, y);
        if (table_ != nullptr) table_->refresh();
        scheduleReplot();
        return;
    }
}

void CurvePlot::setSeriesVisible(const QString& id, bool visible) {
    for (SeriesState& state : states_)
        if (state.series().id == id) state.series().visible = visible;
    scheduleReplot();
}

void CurvePlot::setHalfLife(double halfLife) {
    for (SeriesState& state : states_)
        state.setHalfLife(halfLife);
    rebuildGraphs();
    scheduleReplot();
}

void CurvePlot::setXAxis(const AxisOptions& options) {
    const bool newKind = options.kind != xOptions_.kind || options.range != xOptions_.range;
    xOptions_ = options;
    if (newKind) xFitted_ = true;
    scheduleReplot();
}

void CurvePlot::setYAxis(const AxisOptions& options) {
    const bool newKind = options.kind != yOptions_.kind || options.range != yOptions_.range;
    yOptions_ = options;
    if (newKind) yFitted_ = true;
    scheduleReplot();
}

void CurvePlot::setLines(std::vector<IndexLine> lines) {
    lines_ = std::move(lines);
    scheduleReplot();
}

void CurvePlot::setRegions(std::vector<PlotRegion> regions) {
    regions_ = std::move(regions);
    scheduleReplot();
}

void CurvePlot::setNotes(std::vector<PlotNote> notes) {
    notes_ = std::move(notes);
    scheduleReplot();
}

void CurvePlot::setEndValues(bool shown, int digits) {
    endValues_ = shown;
    endDigits_ = digits;
    scheduleReplot();
}

void CurvePlot::setEmptyText(const QString& text) {
    emptyText_ = text;
    scheduleReplot();
}

void CurvePlot::setCursor(std::optional<double> x, const QString& text) {
    cursor_ = x;
    cursorText_ = text;
    plot_->layer(QStringLiteral("cursor"))->replot();
}

void CurvePlot::setInteractive(bool interactive) {
    interactive_ = interactive;
    setFocusPolicy(interactive ? Qt::StrongFocus : Qt::NoFocus);
}

namespace {

// The room around values near the largest double ends at it.
Range finiteRange(double low, double high) {
    constexpr double kLargest = std::numeric_limits<double>::max();
    return {std::clamp(low, -kLargest, kLargest), std::clamp(high, -kLargest, kLargest)};
}

}  // namespace

Range CurvePlot::xRange() const {
    return finiteRange(xScale_.inverse(x0_), xScale_.inverse(x1_));
}

Range CurvePlot::yRange() const {
    return finiteRange(yScale_.inverse(y0_), yScale_.inverse(y1_));
}

void CurvePlot::setXRange(double low, double high) {
    const double from = xScale_.forward(low);
    const double to = xScale_.forward(high);
    if (!(to > from)) return;
    xFitted_ = false;
    x0_ = from;
    x1_ = to;
    scheduleReplot();
}

void CurvePlot::setYRange(double low, double high) {
    const double from = yScale_.forward(low);
    const double to = yScale_.forward(high);
    if (!(to > from)) return;
    yFitted_ = false;
    y0_ = from;
    y1_ = to;
    scheduleReplot();
}

QVariantList CurvePlot::viewState() const {
    // A fitted view is the data's, not the user's: its numbers change with every point.
    return {xFitted_, yFitted_, xFitted_ ? 0.0 : x0_, xFitted_ ? 0.0 : x1_, yFitted_ ? 0.0 : y0_, yFitted_ ? 0.0 : y1_};
}

void CurvePlot::setViewState(const QVariantList& state) {
    if (state.size() != 6) return;
    xFitted_ = state[0].toBool();
    yFitted_ = state[1].toBool();
    const double x0 = state[2].toDouble(), x1 = state[3].toDouble();
    const double y0 = state[4].toDouble(), y1 = state[5].toDouble();
    if (!xFitted_ && x1 > x0) std::tie(x0_, x1_) = std::pair(x0, x1);
    if (!yFitted_ && y1 > y0) std::tie(y0_, y1_) = std::pair(y0, y1);
    scheduleReplot();
}

void CurvePlot::reset() {
    xFitted_ = yFitted_ = true;
    replotNow();
    const Range range = xRange();
    emit rangeChanged(range.first, range.second);
}

qint64 CurvePlot::pointCount() const {
    qint64 total = 0;
    for (const SeriesState& state : states_)
        if (state.series().visible) total += static_cast<qint64>(state.y().size());
    return total;
}

std::vector<CurveReading> CurvePlot::readings(double x) const {
    std::vector<CurveReading> result;
    double baseline = std::numeric_limits<double>::quiet_NaN();
    for (const SeriesState& state : states_) {
        const CurveSeries& series = state.series();
        if (!series.visible || series.role == SeriesRole::kPath) continue;
        const auto at = state.sampleAt(x);
        if (!at) continue;
        CurveReading reading;
        reading.id = series.id;
        reading.name = series.name;
        reading.x = state.x()[*at];
        reading.raw = state.y()[*at];
        reading.shown = state.shown()[*at];
        if (state.banded() && *at < state.low().size() && *at < state.high().size()) {
            reading.low = state.low()[*at];
            reading.high = state.high()[*at];
        }
        reading.n = series.n;
        reading.baseline = series.baseline;
        if (series.baseline) baseline = reading.shown;
        result.push_back(reading);
    }
    for (CurveReading& reading : result)
        reading.minusBaseline = reading.shown - baseline;
    return result;
}

QString CurvePlot::summary() const {
    QStringList parts;
    for (const CurveReading& reading : readings(xScale_.inverse(x1_)))
        parts.append(tr("%1 ends at %2").arg(reading.name, displayNumber(reading.shown)));
    if (parts.isEmpty()) return emptyText_.isEmpty() ? tr("Nothing to draw.") : emptyText_;
    constexpr int kSpoken = 8;
    const int more = static_cast<int>(parts.size()) - kSpoken;
    if (more > 0) parts = parts.mid(0, kSpoken);
    QString text = tr("%1 against %2: %3").arg(yOptions_.name, xOptions_.name, parts.join(QStringLiteral(", ")));
    if (more > 0) text += tr(" and %n more", nullptr, more);
    return text;
}

CurveTableModel* CurvePlot::table() {
    if (table_ == nullptr) table_ = new CurveTableModel(*this);
    return table_;
}

void CurvePlot::scheduleReplot() {
    dirty_ = true;
    if (!isVisible()) return;  // showEvent catches up
    if (!timer_->isActive()) timer_->start();
}

void CurvePlot::replotNow() {
    timer_->stop();
    dirty_ = false;
    layOut(std::max(width(), 40), std::max(height(), 30));
    setAccessibleDescription(summary());
    plot_->replot(QCustomPlot::rpQueuedReplot);
}

void CurvePlot::viewChanged() {
    replotNow();
    const Range range = xRange();
    emit rangeChanged(range.first, range.second);
}

void CurvePlot::setStyle(const PlotStyle& style) {
    style_ = style;
    ownStyle_ = true;
    restyle();
    scheduleReplot();
}

void CurvePlot::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange && !ownStyle_) {
        style_ = PlotStyle::screen();
        restyle();
        scheduleReplot();
    }
    QWidget::changeEvent(event);
}

void CurvePlot::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    plot_->setGeometry(rect());
    if (isVisible()) replotNow();
}

void CurvePlot::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    if (dirty_) replotNow();
}

void CurvePlot::focusInEvent(QFocusEvent* event) {
    QWidget::focusInEvent(event);
    plot_->layer(QStringLiteral("cursor"))->replot();
}

void CurvePlot::focusOutEvent(QFocusEvent* event) {
    QWidget::focusOutEvent(event);
    plot_->layer(QStringLiteral("cursor"))->replot();
}

void CurvePlot::paintFigure(QCPPainter& painter, const QSizeF& size, const PlotStyle& style) const {
    CurvePlot copy;
    copy.ownStyle_ = true;
    copy.style_ = style;
    copy.restyle();
    copy.plot_->setPlottingHint(QCP::phCacheLabels, false);
    copy.xOptions_ = xOptions_;
    copy.yOptions_ = yOptions_;
    copy.lines_ = lines_;
    copy.regions_ = regions_;
    copy.notes_ = notes_;
    copy.endValues_ = endValues_;
    copy.endDigits_ = endDigits_;
    copy.emptyText_ = emptyText_;
    copy.cursor_ = cursor_;
    copy.cursorText_ = cursorText_;
    copy.states_ = states_;
    copy.xFitted_ = xFitted_;
    copy.yFitted_ = yFitted_;
    copy.x0_ = x0_;
    copy.x1_ = x1_;
    copy.y0_ = y0_;
    copy.y1_ = y1_;
    copy.xScale_ = xScale_;
    copy.yScale_ = yScale_;
    copy.rebuildGraphs();
    const int width = static_cast<int>(std::lround(size.width()));
    const int height = static_cast<int>(std::lround(size.height()));
    copy.plot_->setGeometry(0, 0, width, height);
    copy.layOut(width, height);
    copy.plot_->toPainter(&painter, width, height);
}

}  // namespace sextant
