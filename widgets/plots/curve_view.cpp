// The view of a curve plot: ranges, margins, ticks, and which samples are drawn at this size.
#include <algorithm>
#include <cmath>
#include <utility>

#include "widgets/controls/marks.h"
#include "widgets/plots/clip.h"
#include "widgets/plots/curve_canvas.h"
#include "widgets/plots/curve_drawn.h"

namespace sextant {
namespace {

constexpr std::size_t kDashedPoints = 600;  // dashed lines: the library is slow on long ones
constexpr std::ptrdiff_t kCrowd = 12;       // visible series
constexpr std::size_t kBandPoints = 300;    // an edge; translucent fills of more points take seconds
constexpr std::size_t kMarkerPoints = 400;

std::vector<double> edgesOf(const AxisScale& scale, double from, double to, std::size_t buckets) {
    std::vector<double> edges(buckets + 1);
    for (std::size_t i = 0; i <= buckets; ++i) {
        const double share = static_cast<double>(i) / static_cast<double>(buckets);
        edges[i] = scale.inverse(from * (1.0 - share) + to * share);
    }
    for (std::size_t i = 1; i < edges.size(); ++i)
        edges[i] = std::max(edges[i], edges[i - 1]);
    return edges;
}

// Room above and below; a constant gets a range around it.
std::pair<double, double> padded(double low, double high, double share) {
    if (!(high > low)) {
        const double half = low != 0.0 ? std::abs(low) * 0.1 : 1.0;
        return {low - half, high + half};
    }
    const double pad = (high - low) * share;
    return {low - pad, high + pad};
}

// Of a polyline with NaN breaks, what lies inside the view; the breaks are where it leaves.
QVector<QCPGraphData> clippedPoints(const QVector<QCPGraphData>& points, const QRectF& view) {
    QVector<QCPGraphData> kept;
    const double nan = std::numeric_limits<double>::quiet_NaN();
    for (qsizetype i = 0; i + 1 < points.size(); ++i) {
        if (!std::isfinite(points[i].value) || !std::isfinite(points[i + 1].value)) continue;
        const auto part =
            clippedLine(QLineF(points[i].key, points[i].value, points[i + 1].key, points[i + 1].value), view);
        if (!part) continue;
        if (kept.isEmpty() || kept.last().key != part->x1() || kept.last().value != part->y1()) {
            if (!kept.isEmpty()) kept.append(QCPGraphData(part->x1(), nan));
            kept.append(QCPGraphData(part->x1(), part->y1()));
        }
        kept.append(QCPGraphData(part->x2(), part->y2()));
    }
    return kept;
}

}  // namespace

QColor fainter(const QColor& color, const QColor& ground) {
    const auto mix = [](int a, int b) { return static_cast<int>(std::lround(a * 0.4 + b * 0.6)); };
    return {mix(color.red(), ground.red()), mix(color.green(), ground.green()), mix(color.blue(), ground.blue())};
}

void ScaleTicker::set(const std::vector<Tick>& ticks, const std::vector<double>& minor) {
    places_.clear();
    labels_.clear();
    for (const Tick& tick : ticks) {
        places_.append(tick.place);
        labels_.append(QString::fromStdString(tick.label));
    }
    minor_ = QVector<double>(minor.begin(), minor.end());
}

void ScaleTicker::generate(const QCPRange&, const QLocale&, QChar, int, QVector<double>& ticks,
                           QVector<double>* subTicks, QVector<QString>* tickLabels) {
    ticks = places_;
    if (subTicks != nullptr) *subTicks = minor_;
    if (tickLabels != nullptr) *tickLabels = labels_;
}

void CurvePlot::restyle() {
    const Theme& t = style_.theme;
    plot_->setBackground(QBrush(t.plot));
    plot_->axisRect()->setBackground(QBrush(t.plot));
    for (QCPAxis* axis : {plot_->xAxis, plot_->yAxis}) {
        axis->setBasePen(QPen(t.axis, style_.line(1)));
        axis->setTickPen(QPen(t.axis, style_.line(1)));
        axis->setSubTickPen(QPen(t.axis, style_.line(1)));
        axis->setTickLabelColor(t.text2);
        axis->setTickLabelFont(style_.font(TextRole::kAxis));
        axis->setTickLengthIn(0);
        axis->setTickLengthOut(style_.px(4));
        axis->setSubTickLengthIn(0);
        axis->setSubTickLengthOut(style_.px(3));
        axis->setTickLabelPadding(style_.px(4));
        axis->grid()->setPen(QPen(t.grid, style_.line(1)));
        axis->grid()->setSubGridVisible(false);
        axis->grid()->setZeroLinePen(Qt::NoPen);
    }
    plot_->xAxis2->setVisible(false);
    plot_->yAxis2->setVisible(false);
    rebuildGraphs();
}

void CurvePlot::rebuildGraphs() {
    plot_->clearGraphs();
    drawn_.clear();
    const Theme& t = style_.theme;
    for (const SeriesState& state : states_) {
        const CurveSeries& series = state.series();
        auto drawn = std::make_unique<Drawn>();
        drawn->style = series.style ? series.style.in(t) : t.series(series.slot);
        if (series.role == SeriesRole::kLine) {
            if (state.smoothed()) {
                drawn->raw = plot_->addGraph();
                drawn->raw->setPen(QPen(fainter(drawn->style.color, t.plot), style_.line(1)));
                drawn->raw->setAdaptiveSampling(true);
            }
            drawn->main = plot_->addGraph();
            QPen pen = drawn->style.pen(style_.line(drawn->style.width));
            if (series.raw && !state.smoothed()) pen = QPen(drawn->style.color, style_.line(1.2));
            if (series.faint) pen.setColor(fainter(drawn->style.color, t.plot));
            drawn->main->setPen(pen);
            drawn->main->setAdaptiveSampling(true);
        }
        drawn_.push_back(std::move(drawn));
    }
}

int CurvePlot::areaWidth() const {
    return std::max(plot_->axisRect()->width(), 10);
}

double CurvePlot::plotX(double pixel) const {
    const QRect area = plot_->axisRect()->rect();
    return x0_ + (pixel - area.left()) / std::max(area.width(), 1) * (x1_ - x0_);
}

double CurvePlot::plotY(double pixel) const {
    const QRect area = plot_->axisRect()->rect();
    const double share = (pixel - area.top()) / std::max(area.height(), 1);
    return yOptions_.descending ? y0_ + share * (y1_ - y0_) : y1_ - share * (y1_ - y0_);
}

void CurvePlot::fitRanges() {
    if (xFitted_) {
        std::optional<Range> range = xOptions_.range;
        bool markers = false;
        const bool positive = xOptions_.kind == AxisKind::kLog || xOptions_.kind == AxisKind::kLog2;
        if (!range) {
            for (const SeriesState& state : states_) {
                if (!state.series().visible) continue;
                markers = markers || state.series().markers || state.series().role == SeriesRole::kPoints;
                if (const auto part = finite_range(state.x(), positive))
                    range = range ? Range{std::min(range->first, part->first), std::max(range->second, part->second)}
                                  : *part;
            }
        }
        if (range && !xOptions_.range && xOptions_.includeZero && !positive)
            range = Range{std::min(range->first, 0.0), std::max(range->second, 0.0)};
        const Range found = range.value_or(positive ? Range{1.0, 10.0} : Range{0.0, 1.0});
        xScale_ = AxisScale::fitted(xOptions_.kind, found.first, found.second, xOptions_.symlogThreshold);
        const double low = xScale_.forward(found.first);
        const double high = xScale_.forward(found.second);
        std::tie(x0_, x1_) = std::isfinite(low) && std::isfinite(high) ? padded(low, high,
                                                                                xOptions_.range ? 0.0
                                                                                : markers       ? 0.04
                                                                                                : 0.0)
                                                                       : std::pair{0.0, 1.0};
    }
    if (yFitted_) {
        std::optional<Range> range = yOptions_.range;
        const bool positive = yOptions_.kind == AxisKind::kLog || yOptions_.kind == AxisKind::kLog2;
        if (!range) {
            const double from = xFitted_ ? -std::numeric_limits<double>::infinity() : xScale_.inverse(x0_);
            const double to = xFitted_ ? std::numeric_limits<double>::infinity() : xScale_.inverse(x1_);
            for (const SeriesState& state : states_) {
                if (!state.series().visible) continue;
                if (const auto part = state.valueRange(from, to, positive, yOptions_.outlierTail))
                    range = range ? Range{std::min(range->first, part->first), std::max(range->second, part->second)}
                                  : *part;
            }
        }
        const bool nothing = !range;
        if (range && !yOptions_.range && yOptions_.includeZero && !positive)
            range = Range{std::min(range->first, 0.0), std::max(range->second, 0.0)};
        const Range found = range.value_or(positive ? Range{0.1, 10.0} : Range{0.0, 1.0});
        yScale_ = AxisScale::fitted(yOptions_.kind, found.first, found.second, yOptions_.symlogThreshold);
        const double low = yScale_.forward(found.first);
        const double high = yScale_.forward(found.second);
        if (std::isfinite(low) && std::isfinite(high)) {
            std::tie(y0_, y1_) = padded(low, high, yOptions_.range || nothing ? 0.0 : 0.05);
            if (yOptions_.includeZero && !yOptions_.range && found.first == 0.0 && found.second > 0.0) y0_ = 0.0;
            if (yOptions_.includeZero && !yOptions_.range && found.second == 0.0 && found.first < 0.0) y1_ = 0.0;
        } else {
            y0_ = 0.0;
            y1_ = 1.0;
        }
    }
    // Below the resolution of doubles nothing can be told apart.
    for (const auto& [low, high] : {std::pair{&x0_, &x1_}, std::pair{&y0_, &y1_}}) {
        const double least = std::max(std::abs(*low), std::abs(*high)) * 1e-13;
        if (*high - *low < least || !(*high > *low)) std::tie(*low, *high) = padded(*low, *low, 0.0);
    }
}

void CurvePlot::layOut(int width, int height) {
    fitRanges();
    canvas_->measure(width, height);
    const QFontMetricsF metrics(style_.font(TextRole::kAxis));
    const double line = metrics.height();
    const bool xNamed = !xOptions_.name.isEmpty();
    const int bottom = static_cast<int>(line * (xNamed ? 2.0 : 1.0)) + style_.px(10);
    const int top = canvas_->top();
    const int plotHeight = std::max(height - top - bottom, 10);

    const auto fixed = [](const AxisOptions& options, const AxisScale& scale, double from, double to) {
        std::vector<Tick> ticks;
        for (const auto& [value, label] : options.fixedTicks) {
            const double place = scale.forward(value);
            if (place >= from - 1e-9 * (to - from) && place <= to + 1e-9 * (to - from))
                ticks.push_back({value, place, label.toStdString()});
        }
        return ticks;
    };
    std::vector<double> yMinor;
    const int yCount = std::clamp(static_cast<int>(plotHeight / (line * 2.6)), 2, 6);
    std::vector<Tick> yTicks = yOptions_.fixedTicks.empty() ? yScale_.ticks(y0_, y1_, yCount, yOptions_.factor, &yMinor)
                                                            : fixed(yOptions_, yScale_, y0_, y1_);
    double widest = 0.0;
    for (const Tick& tick : yTicks)
        widest = std::max(widest, metrics.horizontalAdvance(QString::fromStdString(tick.label)));
    const int left = static_cast<int>(std::ceil(widest)) + style_.px(12);
    const int plotWidth = std::max(width - left - canvas_->right(), 10);
    if (plotHeight < line * 0.95 * static_cast<double>(yTicks.size())) {
        std::vector<Tick> kept;
        const auto stride =
            static_cast<std::size_t>(std::ceil(line * 0.95 * static_cast<double>(yTicks.size()) / plotHeight));
        for (std::size_t i = 0; i < yTicks.size(); i += stride)
            kept.push_back(yTicks[i]);
        yTicks = kept;
    }

    std::vector<double> xMinor;
    std::vector<Tick> xTicks;
    // Fewer ticks until their labels stand apart.
    for (int count = std::clamp(static_cast<int>(plotWidth / (line * 3.4)), 2, 7); count >= 1; --count) {
        xTicks = xOptions_.fixedTicks.empty() ? xScale_.ticks(x0_, x1_, std::max(count, 2), xOptions_.factor, &xMinor)
                                              : fixed(xOptions_, xScale_, x0_, x1_);
        double end = -1e18;
        bool apart = true;
        for (const Tick& tick : xTicks) {
            const double half = metrics.horizontalAdvance(QString::fromStdString(tick.label)) / 2.0;
            const double at = (tick.place - x0_) / (x1_ - x0_) * plotWidth;
            if (at - half < end + line * 0.5) apart = false;
            end = at + half;
        }
        if (apart) break;
        if (!xOptions_.fixedTicks.empty() || count == 1) {
            std::vector<Tick> kept;
            double last = -1e18;
            for (const Tick& tick : xTicks) {
                const double half = metrics.horizontalAdvance(QString::fromStdString(tick.label)) / 2.0;
                const double at = (tick.place - x0_) / (x1_ - x0_) * plotWidth;
                if (at - half < last + line * 0.5) continue;
                kept.push_back(tick);
                last = at + half;
            }
            xTicks = kept;
            break;
        }
    }
    if (xScale_.kind() == AxisKind::kLinear) xMinor.clear();
    if (yScale_.kind() == AxisKind::kLinear) yMinor.clear();
    static_cast<ScaleTicker*>(plot_->xAxis->ticker().data())->set(xTicks, xMinor);
    static_cast<ScaleTicker*>(plot_->yAxis->ticker().data())->set(yTicks, yMinor);
    plot_->setViewport(QRect(0, 0, width, height));
    plot_->axisRect()->setMargins(QMargins(left, top, canvas_->right(), bottom));
    plot_->plotLayout()->update(QCPLayoutElement::upMargins);
    plot_->plotLayout()->update(QCPLayoutElement::upLayout);
    plot_->xAxis->setRange(x0_, x1_);
    plot_->yAxis->setRange(y0_, y1_);
    plot_->yAxis->setRangeReversed(yOptions_.descending);
    const bool anything = std::any_of(states_.begin(), states_.end(), [](const SeriesState& state) {
        return state.series().visible && !state.y().empty();
    });
    for (QCPAxis* axis : {plot_->xAxis, plot_->yAxis})
        axis->setVisible(anything);
    for (QCPAxis* axis : {plot_->xAxis, plot_->yAxis})
        axis->grid()->setVisible(anything);
    resample();
    canvas_->placeLabels();
}

void CurvePlot::resample() {
    const double pixels = areaWidth() / std::max(style_.figure() ? style_.unit / 2.0 : 1.0, 1.0);
    const auto columns = static_cast<std::size_t>(std::clamp(pixels, 20.0, 8000.0));
    // A bucket is two columns wide and keeps four points: at most two points a column.
    const std::vector<double> fine = edgesOf(xScale_, x0_, x1_, std::max<std::size_t>(columns / 2, 10));
    const std::vector<double> bandEdges =
        edgesOf(xScale_, x0_, x1_, std::min<std::size_t>(std::max<std::size_t>(columns / 2, 10), kBandPoints));
    hidden_ = 0;
    double worst = 1.0;
    // Dozens of faint raw lines are a haze: drawn with soft edges at each column they would be most of a frame. Their
    // buckets are wider then; each still keeps its smallest and largest value.
    const auto visible =
        std::count_if(states_.begin(), states_.end(), [](const SeriesState& state) { return state.series().visible; });
    const bool crowded = visible > kCrowd && !style_.figure();
    const std::vector<double> coarse =
        edgesOf(xScale_, x0_, x1_,
                std::min<std::size_t>(std::max<std::size_t>(columns / 2, 10), kDashedPoints / (crowded ? 12 : 4)));
    const std::vector<double> haze =
        crowded ? edgesOf(xScale_, x0_, x1_, std::max<std::size_t>(columns / 6, 10)) : fine;
    for (std::size_t s = 0; s < states_.size(); ++s) {
        const SeriesState& state = states_[s];
        const CurveSeries& series = state.series();
        Drawn& drawn = *drawn_[s];
        drawn.bands.clear();
        drawn.paths.clear();
        drawn.markers.clear();
        drawn.hidden.clear();
        if (drawn.raw != nullptr) {
            drawn.raw->setVisible(series.visible);
            drawn.raw->setAntialiased(!crowded);
        }
        if (drawn.main != nullptr) drawn.main->setVisible(series.visible);
        if (!series.visible) continue;
        hidden_ += static_cast<qint64>(state.droppedPoints());
        const auto xs = state.x();
        if (series.role == SeriesRole::kPath) {
            QPolygonF path;
            const auto ys = state.y();
            for (std::size_t i = 0; i < std::min(xs.size(), ys.size()); ++i) {
                const QPointF at(xScale_.forward(xs[i]), yScale_.forward(ys[i]));
                if (std::isfinite(at.x()) && std::isfinite(at.y())) {
                    path.append(at);
                    if (series.markers) drawn.markers.append(at);
                } else if (!path.isEmpty()) {
                    drawn.paths.push_back(std::exchange(path, {}));
                }
            }
            if (!path.isEmpty()) drawn.paths.push_back(path);
            continue;
        }
        const auto fill = [&](QCPGraph* graph, std::span<const double> values, const Pyramid& pyramid,
                              const std::vector<double>& edges, bool main) {
            const Decimated kept = decimate(pyramid, xs, values, edges);
            QVector<QCPGraphData> points;
            points.reserve(static_cast<qsizetype>(kept.samples.size()));
            double lastX = x0_;
            std::size_t finite = 0;
            for (const std::size_t i : kept.samples) {
                if (i == Decimated::kBreak) {
                    points.append(QCPGraphData(lastX, std::numeric_limits<double>::quiet_NaN()));
                    continue;
                }
                const double px = xScale_.forward(xs[i]);
                const double py = yScale_.forward(values[i]);
                if (!std::isfinite(px)) {
                    if (main) ++hidden_;
                    continue;
                }
                lastX = px;
                ++finite;
                if (!std::isfinite(py) && main) drawn.hidden.push_back(px);
                points.append(QCPGraphData(px, py));
                if (main && std::isfinite(py) && (series.markers || series.role == SeriesRole::kPoints) &&
                    kept.samples.size() <= kMarkerPoints && px >= x0_ - 1e-12 && px <= x1_ + 1e-12)
                    drawn.markers.append(QPointF(px, py));
            }
            // One point alone has no line: it gets a marker.
            if (main && finite == 1 && drawn.markers.isEmpty() && !points.isEmpty())
                for (const QCPGraphData& point : points)
                    if (std::isfinite(point.value)) drawn.markers.append(QPointF(point.key, point.value));
            if (style_.figure()) points = clippedPoints(points, QRectF(QPointF(x0_, y0_), QPointF(x1_, y1_)));
            if (graph != nullptr) graph->data()->set(points, true);
            if (kept.reduced && finite > 0)
                worst = std::max(worst, static_cast<double>(kept.visible) / static_cast<double>(finite));
        };
        if (drawn.raw != nullptr) fill(drawn.raw, state.y(), state.pyramid(), haze, false);
        const bool dashed = drawn.main != nullptr && drawn.main->pen().style() != Qt::SolidLine;
        if (series.role != SeriesRole::kHiddenLine)
            fill(drawn.main, state.shown(), state.shownPyramid(), dashed ? coarse : fine, true);
        // How many values of the data a logarithmic axis cannot show, counted on all of them.
        if (yScale_.kind() == AxisKind::kLog || yScale_.kind() == AxisKind::kLog2)
            for (const double value : state.y())
                hidden_ += std::isfinite(value) && !(value > 0.0) ? 1 : 0;

        if (state.banded()) {
            QPolygonF upper, lower;
            const auto close = [&] {
                if (upper.size() > 1) {
                    QPolygonF band = upper;
                    for (qsizetype i = lower.size(); i > 0; --i)
                        band.append(lower[i - 1]);
                    drawn.bands.push_back(band);
                }
                upper.clear();
                lower.clear();
            };
            const std::size_t count = std::min({xs.size(), state.low().size(), state.high().size()});
            const auto span = xs.first(count);
            const auto index = [&](auto at) { return static_cast<std::size_t>(at - span.begin()); };
            std::size_t from = index(std::lower_bound(span.begin(), span.end(), bandEdges.front()));
            std::size_t to = index(std::upper_bound(span.begin(), span.end(), bandEdges.back()));
            if (from > 0) --from;
            if (to < count) ++to;
            const std::size_t stride = std::max<std::size_t>((to - std::min(from, to)) / kBandPoints, 1);
            for (std::size_t i = from; i < to; i += stride) {
                const std::size_t end = std::min(i + stride, to);
                const Extremes low = state.lowPyramid().reduce(state.low(), i, end);
                const Extremes high = state.highPyramid().reduce(state.high(), i, end);
                const double px = xScale_.forward(span[i + (end - i) / 2]);
                if (low.finite == 0 || high.finite == 0 || !std::isfinite(px)) {
                    close();
                    continue;
                }
                double bottom = yScale_.forward(state.low()[low.smallest]);
                const double top = yScale_.forward(state.high()[high.largest]);
                if (!std::isfinite(bottom)) bottom = y0_ - (y1_ - y0_);  // reaches below a log axis
                if (!std::isfinite(top)) {
                    close();
                    continue;
                }
                upper.append(QPointF(px, top));
                lower.append(QPointF(px, bottom));
            }
            close();
        }
    }
    const QString badge = worst > 1.0 ? tr("decimated 1:%1").arg(std::max<qint64>(std::llround(worst), 2)) : QString();
    if (badge != badge_) {
        badge_ = badge;
        emit badgeChanged(badge_);
    }
}

}  // namespace sextant
