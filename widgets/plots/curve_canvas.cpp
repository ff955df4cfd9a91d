#include "widgets/plots/curve_canvas.h"

#include <QPainterPath>
#include <algorithm>
#include <cmath>

#include "widgets/controls/marks.h"
#include "widgets/plots/curve_drawn.h"
#include "widgets/theme/focus_style.h"

namespace sextant {
namespace {

constexpr std::size_t kLegendFrom = 7;  // series; below that names stand at the ends of the lines
constexpr double kLabelDistance = 13.0;

}  // namespace

void pushApart(std::vector<double>& centres, double distance, double low, double high) {
    const std::size_t count = centres.size();
    if (count == 0) return;
    std::vector<std::size_t> order(count);
    for (std::size_t i = 0; i < count; ++i)
        order[i] = i;
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return centres[a] < centres[b]; });
    // Least squares under the order (pool adjacent violators): blocks of labels that touch share one mean offset.
    struct Block {
        double sum;
        std::size_t count;
        [[nodiscard]] double mean() const { return sum / static_cast<double>(count); }
    };
    std::vector<Block> blocks;
    for (std::size_t i = 0; i < count; ++i) {
        blocks.push_back({centres[order[i]] - distance * static_cast<double>(i), 1});
        while (blocks.size() > 1 && blocks[blocks.size() - 2].mean() > blocks.back().mean()) {
            const Block top = blocks.back();
            blocks.pop_back();
            blocks.back().sum += top.sum;
            blocks.back().count += top.count;
        }
    }
    const double span = distance * static_cast<double>(count - 1);
    const double last = std::max(high - span, low);
    std::size_t i = 0;
    for (const Block& block : blocks) {
        const double base = std::clamp(block.mean(), low, last);
        for (std::size_t k = 0; k < block.count; ++k, ++i)
            centres[order[i]] = base + distance * static_cast<double>(i);
    }
}

QRectF CurveCanvas::area() const {
    return QRectF(p_.plot_->axisRect()->rect());
}

double CurveCanvas::pixelX(double value) const {
    const QRectF box = area();
    return box.left() + (p_.xScale_.forward(value) - p_.x0_) / (p_.x1_ - p_.x0_) * box.width();
}

double CurveCanvas::pixelY(double value) const {
    const QRectF box = area();
    const double share = (p_.yScale_.forward(value) - p_.y0_) / (p_.y1_ - p_.y0_);
    return p_.yOptions_.descending ? box.top() + share * box.height() : box.bottom() - share * box.height();
}

bool CurveCanvas::hasGaps() const {
    return std::any_of(p_.states_.begin(), p_.states_.end(), [](const SeriesState& state) {
        return state.series().visible && state.series().role == SeriesRole::kLine && !state.pyramid().gaps().empty();
    });
}

std::vector<EndLabel> CurveCanvas::labels() const {
    std::vector<EndLabel> result;
    for (std::size_t i = 0; i < p_.states_.size(); ++i) {
        const SeriesState& state = p_.states_[i];
        const CurveSeries& series = state.series();
        if (!series.visible || !series.labelled || series.name.isEmpty()) continue;
        const auto last = state.lastFinite(p_.xScale_.inverse(p_.x1_));
        if (!last) continue;
        // A series that ended in NaN is named at its strip.
        EndLabel label;
        label.name = series.name;
        label.style = p_.drawn_[i]->style;
        label.ink = label.style.ink;
        label.sortValue = state.shown()[*last];
        label.value = series.endText;
        if (!state.pyramid().gaps().empty() && state.pyramid().gaps().back().last + 1 == state.y().size() &&
            series.role == SeriesRole::kLine)
            continue;
        result.push_back(label);
    }
    if (p_.endValues_) {
        // The same decimals for all, so that they can be compared down the column.
        double largest = 0.0;
        for (const EndLabel& label : result)
            largest = std::max(largest, std::abs(label.sortValue));
        const int whole = largest > 0.0 ? static_cast<int>(std::floor(std::log10(largest))) + 1 : 1;
        const bool plain = largest < 1e4 && largest > 1e-3;
        const int decimals = std::max(p_.endDigits_ - std::max(whole, 1), 1);
        for (EndLabel& label : result)
            if (label.value.isEmpty())
                label.value =
                    plain ? QString::number(label.sortValue, 'f', decimals).replace(QLatin1Char('-'), QChar(0x2212))
                          : displayNumber(label.sortValue, p_.endDigits_);
    }
    return result;
}

void CurveCanvas::measure(int width, int) {
    const PlotStyle& s = p_.style_;
    const QFontMetricsF bold(s.font(TextRole::kAxisBold));
    const QFontMetricsF plain(s.font(TextRole::kAxis));
    labels_ = labels();
    legend_ = labels_.size() >= kLegendFrom;
    const double line = plain.height();
    double names = 0.0;
    double values = 0.0;
    for (const EndLabel& label : labels_) {
        names = std::max(names, bold.horizontalAdvance(label.name));
        values = std::max(values, label.value.isEmpty() ? 0.0 : plain.horizontalAdvance(label.value) + s.px(10));
    }
    if (hasGaps())
        for (const SeriesState& state : p_.states_)
            if (state.series().visible && !state.pyramid().gaps().empty() && state.series().role == SeriesRole::kLine)
                names = std::max(names, plain.horizontalAdvance(QWidget::tr("NaN, %1").arg(state.series().name)));
    const double most = width * 0.34;
    labelWidth_ = std::min(names, std::max(most - values, 24.0));
    right_ =
        legend_ || (labels_.empty() && names <= 0.0) ? s.px(14) : static_cast<int>(labelWidth_ + values) + s.px(14);
    // y name, then the flags, then the legend rows.
    bool flags = p_.cursor_.has_value();
    for (const IndexLine& index : p_.lines_)
        flags = flags || (index.orientation == Qt::Vertical && !index.secondary);
    top_ = static_cast<int>(p_.yOptions_.name.isEmpty() ? s.px(8) : line + s.px(6)) + (flags ? s.px(6) : 0);
    if (legend_) {
        std::stable_sort(labels_.begin(), labels_.end(),
                         [](const EndLabel& a, const EndLabel& b) { return a.sortValue > b.sortValue; });
        double x = s.px(8);
        int rows = 1;
        for (const EndLabel& label : labels_) {
            const double entry = s.px(28) + bold.horizontalAdvance(label.name) +
                                 (label.value.isEmpty() ? 0.0 : plain.horizontalAdvance(label.value) + s.px(5)) +
                                 s.px(14);
            if (x + entry > width - s.px(8) && x > s.px(8)) {
                x = s.px(8);
                ++rows;
            }
            x += entry;
        }
        top_ += static_cast<int>(rows * (line + s.px(2)));
    }
}

void CurveCanvas::placeLabels() {
    if (legend_) return;
    const QRectF box = area();
    std::vector<double> centres;
    centres.reserve(labels_.size());
    std::size_t k = 0;
    for (const EndLabel& label : labels_) {
        (void)k;
        centres.push_back(std::clamp(pixelY(label.sortValue), box.top() + 2, box.bottom() - 2));
    }
    for (double& centre : centres)
        if (!std::isfinite(centre)) centre = box.bottom();
    const double distance =
        std::max<double>(p_.style_.px(kLabelDistance), QFontMetricsF(p_.style_.font(TextRole::kAxis)).height() * 0.86);
    const double low = hasGaps() ? box.bottom() - p_.style_.px(18) : box.bottom();
    pushApart(centres, distance, box.top(), std::max(low, box.top() + 1));
    for (std::size_t i = 0; i < labels_.size(); ++i)
        labels_[i].y = centres[i];
}

void CurveCanvas::paintBelow(QCPPainter& painter) const {
    painter.save();
    painter.setClipRect(area().toAlignedRect());
    paintRegions(painter);
    paintBands(painter);
    painter.restore();
}

void CurveCanvas::paintAbove(QCPPainter& painter) const {
    painter.save();
    painter.setClipRect(
        area().toAlignedRect().adjusted(-p_.style_.px(6), -p_.style_.px(6), p_.style_.px(6), p_.style_.px(6)));
    paintMarkers(painter);
    paintHidden(painter);
    painter.restore();
    paintGaps(painter);
    paintLines(painter);
    paintNotes(painter);
    if (p_.plot_->xAxis->visible()) paintNames(painter);
    if (legend_) {
        paintLegend(painter);
    } else {
        paintLabels(painter);
    }
    paintEmpty(painter);
}

void CurveCanvas::haloText(QCPPainter& painter, const QRectF& rect, int flags, const QString& text,
                           const QColor& ink) const {
    const QRectF bounds = painter.boundingRect(rect, flags, text);
    QColor ground = p_.style_.theme.plot;
    ground.setAlpha(215);
    painter.fillRect(bounds.adjusted(-1, 0, 1, 0), ground);
    painter.setPen(ink);
    painter.drawText(rect, flags, text);
}

void CurveCanvas::paintCursor(QCPPainter& painter) const {
    const PlotStyle& s = p_.style_;
    const Theme& t = s.theme;
    const QRectF box = area();
    painter.save();
    const auto markers = [&](double x) {
        for (std::size_t i = 0; i < p_.states_.size(); ++i) {
            const SeriesState& state = p_.states_[i];
            const CurveSeries& series = state.series();
            if (!series.visible || (series.role != SeriesRole::kLine && series.role != SeriesRole::kPoints)) continue;
            const auto at = state.sampleAt(x);
            if (!at || state.x()[*at] < p_.xScale_.inverse(p_.x0_) || state.x().back() < x * (x > 0 ? 0.999999 : 1.0))
                continue;
            const QPointF place(pixelX(state.x()[*at]), pixelY(state.shown()[*at]));
            if (std::isfinite(place.x()) && std::isfinite(place.y()) && box.adjusted(-1, -1, 1, 1).contains(place))
                drawMarker(painter, p_.drawn_[i]->style.marker, place, s.px(8), p_.drawn_[i]->style.color, t.plot,
                           MarkerFill::kOpen);
        }
    };
    if (p_.hover_ && !s.figure()) {
        const double x = pixelX(*p_.hover_);
        painter.setPen(QPen(t.text2, 1, Qt::DotLine));
        painter.drawLine(QPointF(x, box.top()), QPointF(x, box.bottom()));
        markers(*p_.hover_);
    }
    if (p_.cursor_) {
        const double x = pixelX(*p_.cursor_);
        if (std::isfinite(x) && x >= box.left() - 1 && x <= box.right() + 1) {
            painter.setPen(QPen(t.index, s.line(1.5)));
            painter.drawLine(QPointF(x, box.top()), QPointF(x, box.bottom()));
            drawFlag(painter, QPointF(x, box.top()), s.px(9), t.index);
            if (!p_.cursorText_.isEmpty()) {
                painter.setFont(s.font(TextRole::kAxis));
                const double w = painter.fontMetrics().horizontalAdvance(p_.cursorText_);
                const bool left = x + w + s.px(10) > box.right();
                haloText(painter,
                         QRectF(left ? x - w - s.px(8) : x + s.px(8), box.top(), w + 2, painter.fontMetrics().height()),
                         Qt::AlignLeft | Qt::AlignVCenter, p_.cursorText_, t.index);
            }
            markers(*p_.cursor_);
        }
    }
    if (p_.drag_ == CurvePlot::Drag::kBox || p_.drag_ == CurvePlot::Drag::kXOnly) {
        QRectF rubber = QRectF(p_.dragFrom_, p_.dragTo_).normalized();
        if (p_.drag_ == CurvePlot::Drag::kXOnly) {
            rubber.setTop(box.top());
            rubber.setBottom(box.bottom());
        }
        QColor fill = t.select;
        fill.setAlpha(90);
        painter.setPen(QPen(t.edge, 1));
        painter.setBrush(fill);
        painter.drawRect(rubber.intersected(box));
    }
    if (!s.figure() && showsFocus(&p_)) drawFocusRing(painter, QRectF(p_.plot_->rect()));
    painter.restore();
}

}  // namespace sextant
