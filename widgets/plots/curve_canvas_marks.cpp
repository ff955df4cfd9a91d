// The painted marks of a curve plot, one function a kind.
#include <algorithm>
#include <cmath>

#include "widgets/controls/marks.h"
#include "widgets/plots/clip.h"
#include "widgets/plots/curve_canvas.h"
#include "widgets/plots/curve_drawn.h"

namespace sextant {

void CurveCanvas::paintRegions(QCPPainter& painter) const {
    const QRectF box = area();
    painter.setPen(Qt::NoPen);
    const auto end = [](double value, double pixel, double border) { return std::isinf(value) ? border : pixel; };
    for (const PlotRegion& region : p_.regions_) {
        const bool down = p_.yOptions_.descending;
        const double x0 = end(region.x0, pixelX(region.x0), box.left());
        const double x1 = end(region.x1, pixelX(region.x1), box.right());
        const double y0 = end(region.y0, pixelY(region.y0), down ? box.top() : box.bottom());
        const double y1 = end(region.y1, pixelY(region.y1), down ? box.bottom() : box.top());
        if (std::isnan(x0) || std::isnan(x1) || std::isnan(y0) || std::isnan(y1)) continue;
        QColor fill = p_.style_.theme.indexFill;
        fill.setAlphaF(0.62F);
        painter.fillRect(QRectF(QPointF(x0, y1), QPointF(x1, y0)).normalized().intersected(box), fill);
    }
}

void CurveCanvas::paintBands(QCPPainter& painter) const {
    const QRectF box = area();
    painter.setPen(Qt::NoPen);
    for (std::size_t i = 0; i < p_.drawn_.size(); ++i) {
        QColor fill = p_.drawn_[i]->style.color;
        fill.setAlphaF(static_cast<float>(p_.style_.theme.bandAlpha));
        painter.setBrush(fill);
        for (const QPolygonF& band : p_.drawn_[i]->bands) {
            QPolygonF pixels;
            pixels.reserve(band.size());
            for (const QPointF& point : band) {
                const double share = (point.y() - p_.y0_) / (p_.y1_ - p_.y0_);
                const double y =
                    p_.yOptions_.descending ? box.top() + share * box.height() : box.bottom() - share * box.height();
                pixels.append({box.left() + (point.x() - p_.x0_) / (p_.x1_ - p_.x0_) * box.width(),
                               std::clamp(y, box.top() - 4 * box.height(), box.bottom() + 4 * box.height())});
            }
            painter.drawPolygon(p_.style_.figure() ? clippedPolygon(pixels, box) : pixels);
        }
    }
}

void CurveCanvas::paintMarkers(QCPPainter& painter) const {
    const QRectF box = area();
    const PlotStyle& s = p_.style_;
    const auto pixel = [&](const QPointF& point) {
        const double share = (point.y() - p_.y0_) / (p_.y1_ - p_.y0_);
        return QPointF(
            box.left() + (point.x() - p_.x0_) / (p_.x1_ - p_.x0_) * box.width(),
            p_.yOptions_.descending ? box.top() + share * box.height() : box.bottom() - share * box.height());
    };
    painter.save();
    painter.setClipRect(box.toAlignedRect());
    for (std::size_t i = 0; i < p_.drawn_.size(); ++i) {
        const CurveSeries& series = p_.states_[i].series();
        if (p_.drawn_[i]->paths.empty()) continue;
        const SeriesStyle& style = p_.drawn_[i]->style;
        QPen pen = style.pen(s.line(style.width));
        if (series.faint) pen.setColor(fainter(style.color, s.theme.plot));
        painter.setPen(pen);
        painter.setBrush(Qt::NoBrush);
        for (const QPolygonF& path : p_.drawn_[i]->paths) {
            QPolygonF pixels;
            for (const QPointF& point : path)
                pixels.append(pixel(point));
            if (!s.figure()) {
                painter.drawPolyline(pixels);
                continue;
            }
            for (qsizetype k = 0; k + 1 < pixels.size(); ++k)
                if (const auto part = clippedLine(QLineF(pixels[k], pixels[k + 1]), box)) painter.drawLine(*part);
        }
    }
    painter.restore();
    for (std::size_t i = 0; i < p_.drawn_.size(); ++i) {
        const CurveSeries& series = p_.states_[i].series();
        const SeriesStyle& style = p_.drawn_[i]->style;
        const QColor color = series.faint ? fainter(style.color, s.theme.plot) : style.color;
        for (const QPointF& point : p_.drawn_[i]->markers) {
            const QPointF at = pixel(point);
            if (!box.adjusted(-2, -2, 2, 2).contains(at)) continue;
            drawMarker(painter, style.marker, at, s.px(8), color, s.theme.plot,
                       series.openMarkers ? MarkerFill::kOpen : MarkerFill::kSlot);
        }
    }
}

void CurveCanvas::paintHidden(QCPPainter& painter) const {
    const QRectF box = area();
    const PlotStyle& s = p_.style_;
    for (const auto& drawn : p_.drawn_) {
        double last = -1e18;
        for (const double place : drawn->hidden) {
            const double x = box.left() + (place - p_.x0_) / (p_.x1_ - p_.x0_) * box.width();
            if (x - last < s.px(6) || x < box.left() - 1 || x > box.right() + 1) continue;
            last = x;
            painter.setPen(Qt::NoPen);
            painter.setBrush(drawn->style.color);
            const double r = s.px(3.5);
            painter.drawPolygon(
                QPolygonF({{x - r, box.bottom() - 2 * r}, {x + r, box.bottom() - 2 * r}, {x, box.bottom()}}));
        }
    }
}

void CurveCanvas::paintGaps(QCPPainter& painter) const {
    const QRectF box = area();
    const PlotStyle& s = p_.style_;
    const Theme& t = s.theme;
    const double strip = s.px(7);
    painter.setFont(s.font(TextRole::kAxis));
    const double line = QFontMetricsF(painter.font()).height();
    double labelY = box.bottom() - strip / 2;
    // Below the names of vertical lines, where there are any.
    const bool named = !p_.lines_.empty() || !p_.cursorText_.isEmpty() ||
                       std::any_of(p_.states_.begin(), p_.states_.end(),
                                   [](const SeriesState& state) { return !state.series().resumes.empty(); });
    const double textTop = box.top() + line * (named ? 1.3 : 0.2);
    for (const SeriesState& state : p_.states_) {
        const CurveSeries& series = state.series();
        if (!series.visible || series.role != SeriesRole::kLine || state.pyramid().gaps().empty()) continue;
        const auto xs = state.x();
        const auto ys = state.y();
        double firstBad = 0.0;
        bool drawn = false;
        double lastEnd = -1e18;
        for (const GapRun& gap : state.pyramid().gaps()) {
            const double to = gap.last + 1 < xs.size() ? xs[gap.last + 1] : xs[gap.last];
            double a = pixelX(xs[gap.first]);
            double b = gap.last + 1 < xs.size() ? pixelX(to) : std::max(pixelX(to), box.right());
            if (std::isnan(a) || std::isnan(b) || b < box.left() || a > box.right()) continue;
            if (!drawn) firstBad = xs[gap.first];
            a = std::max(a, box.left());
            b = std::min(std::max(b, a + s.px(3)), box.right());
            drawn = true;
            if (b <= lastEnd) continue;  // runs nearer than a pixel are one strip
            a = std::max(a, lastEnd);
            lastEnd = b;
            painter.setPen(QPen(t.err, s.line(1.2)));
            const double pitch = s.px(9);
            const QRectF room(a, box.bottom() - strip, b - a, strip);
            for (double x = std::floor((a - strip) / pitch) * pitch; x < b + strip; x += pitch)
                if (const auto stroke = clippedLine(QLineF(x, box.bottom(), x + strip, box.bottom() - strip), room))
                    painter.drawLine(*stroke);
        }
        if (!drawn) continue;
        // From the last finite point before the first visible gap down to the strip.
        const GapRun* gap = nullptr;
        for (const GapRun& run : state.pyramid().gaps())
            if (xs[run.first] == firstBad) {
                gap = &run;
                break;
            }
        if (gap != nullptr && gap->first > 0) {
            const QPointF last(pixelX(xs[gap->first - 1]), pixelY(state.shown()[gap->first - 1]));
            if (std::isfinite(last.x()) && std::isfinite(last.y()) && box.contains(last)) {
                painter.setPen(QPen(t.err, s.line(1), Qt::DotLine));
                const double x = std::max(pixelX(firstBad), box.left());
                painter.drawLine(QPointF(x, last.y()), QPointF(x, box.bottom() - strip));
                const QString what = std::isnan(ys[gap->first]) ? QWidget::tr("NaN") : QWidget::tr("infinite");
                const QString text = QWidget::tr("%1: %2 from %3")
                                         .arg(series.name, what,
                                              QString::fromStdString(tick_label(firstBad * p_.xOptions_.factor, 0.0)));
                const double w = QFontMetricsF(painter.font()).horizontalAdvance(text);
                const bool left = x + w + s.px(6) > box.right() && x - w - s.px(6) > box.left();
                double y = std::clamp(last.y() - line * 1.1, textTop, box.bottom() - strip - line);
                haloText(painter, QRectF(left ? x - w - s.px(6) : x + s.px(6), y, w + 2, line),
                         Qt::AlignLeft | Qt::AlignVCenter, text, t.err);
            }
        }
        if (right_ > s.px(20)) {
            painter.setPen(t.err);
            const QString text =
                QFontMetricsF(painter.font())
                    .elidedText(QWidget::tr("NaN, %1").arg(series.name), Qt::ElideRight, right_ - s.px(10));
            painter.drawText(QRectF(box.right() + s.px(8), labelY - line / 2, right_ - s.px(8), line),
                             Qt::AlignLeft | Qt::AlignVCenter, text);
            labelY -= line;
        }
    }
}

void CurveCanvas::paintLines(QCPPainter& painter) const {
    const QRectF box = area();
    const PlotStyle& s = p_.style_;
    const Theme& t = s.theme;
    painter.setFont(s.font(TextRole::kAxis));
    const QFontMetricsF metrics(painter.font());
    const double line = metrics.height();
    std::vector<IndexLine> all = p_.lines_;
    for (const SeriesState& state : p_.states_)
        if (state.series().visible)
            for (const ResumeMark& mark : state.series().resumes)
                all.push_back({Qt::Vertical, mark.x, mark.text, true});
    std::vector<QRectF> taken;
    for (const IndexLine& index : all) {
        QPen pen(index.secondary ? t.text2 : t.index, s.line(index.secondary ? 1 : 1.5));
        if (index.secondary) pen.setDashPattern({1, 3});
        painter.setPen(pen);
        const QColor ink = index.secondary ? t.text2 : t.index;
        const double w = metrics.horizontalAdvance(index.text);
        if (index.orientation == Qt::Vertical) {
            const double x = pixelX(index.value);
            if (!std::isfinite(x) || x < box.left() - 1 || x > box.right() + 1) continue;
            painter.drawLine(QPointF(x, box.top()), QPointF(x, box.bottom()));
            if (!index.secondary) drawFlag(painter, QPointF(x, box.top()), s.px(9), t.index);
            if (index.text.isEmpty()) continue;
            bool left = index.secondary ? x - w - s.px(6) > box.left() : x + w + s.px(8) > box.right();
            QRectF place(left ? x - w - s.px(5) : x + s.px(7), box.top() + s.px(1), w + 2, line);
            for (int tries = 0; tries < 6; ++tries) {
                const bool hit =
                    std::any_of(taken.begin(), taken.end(), [&](const QRectF& r) { return r.intersects(place); });
                if (!hit) break;
                place.translate(0, line);
            }
            taken.push_back(place);
            haloText(painter, place, Qt::AlignLeft | Qt::AlignVCenter, index.text, ink);
        } else {
            const double y = pixelY(index.value);
            if (!std::isfinite(y) || y < box.top() - 1 || y > box.bottom() + 1) continue;
            painter.drawLine(QPointF(box.left(), y), QPointF(box.right(), y));
            if (index.text.isEmpty()) continue;
            const bool above = y - line - 1 > box.top();
            haloText(painter, QRectF(box.right() - w - s.px(4), above ? y - line - 1 : y + 2, w + 2, line),
                     Qt::AlignLeft | Qt::AlignVCenter, index.text, ink);
        }
    }
}

void CurveCanvas::paintNames(QCPPainter& painter) const {
    const QRectF box = area();
    const PlotStyle& s = p_.style_;
    painter.setFont(s.font(TextRole::kAxis));
    painter.setPen(s.theme.text2);
    const QFontMetricsF metrics(painter.font());
    const double line = metrics.height();
    const double width = p_.plot_->viewport().width();
    if (!p_.yOptions_.name.isEmpty())
        painter.drawText(QRectF(s.px(4), 0, width - s.px(8), line + s.px(2)), Qt::AlignLeft | Qt::AlignVCenter,
                         metrics.elidedText(p_.yOptions_.name, Qt::ElideRight, width - s.px(8)));
    if (!p_.xOptions_.name.isEmpty()) {
        const QString text = metrics.elidedText(p_.xOptions_.name, Qt::ElideRight, width - s.px(4));
        const double w = metrics.horizontalAdvance(text);
        const double right = std::max(box.right(), std::min(w + s.px(4), width - s.px(2)));
        painter.drawText(QRectF(right - w - 2, box.bottom() + line + s.px(7), w + 2, line),
                         Qt::AlignRight | Qt::AlignVCenter, text);
    }
}

void CurveCanvas::paintLabels(QCPPainter& painter) const {
    const QRectF box = area();
    const PlotStyle& s = p_.style_;
    const QFont bold = s.font(TextRole::kAxisBold);
    const QFont plain = s.font(TextRole::kAxis);
    const QFontMetricsF boldMetrics(bold);
    const double line = boldMetrics.height();
    const double width = p_.plot_->viewport().width();
    for (const EndLabel& label : labels_) {
        painter.setFont(bold);
        painter.setPen(label.ink);
        painter.drawText(QRectF(box.right() + s.px(8), label.y - line / 2, labelWidth_ + s.px(4), line),
                         Qt::AlignLeft | Qt::AlignVCenter,
                         boldMetrics.elidedText(label.name, Qt::ElideRight, labelWidth_ + 1));
        if (label.value.isEmpty()) continue;
        painter.setFont(plain);
        painter.setPen(s.theme.text2);
        painter.drawText(QRectF(box.right(), label.y - line / 2, width - box.right() - s.px(3), line),
                         Qt::AlignRight | Qt::AlignVCenter, label.value);
    }
}

void CurveCanvas::paintLegend(QCPPainter& painter) const {
    const PlotStyle& s = p_.style_;
    const QFont bold = s.font(TextRole::kAxisBold);
    const QFont plain = s.font(TextRole::kAxis);
    const QFontMetricsF boldMetrics(bold);
    const QFontMetricsF plainMetrics(plain);
    const double line = plainMetrics.height() + s.px(2);
    const double width = p_.plot_->viewport().width();
    double x = s.px(8);
    double y = p_.yOptions_.name.isEmpty() ? s.px(2) : line + s.px(2);
    for (const EndLabel& label : labels_) {
        const double name = boldMetrics.horizontalAdvance(label.name);
        const double value = label.value.isEmpty() ? 0.0 : plainMetrics.horizontalAdvance(label.value) + s.px(5);
        const double entry = s.px(28) + name + value + s.px(14);
        if (x + entry > width - s.px(8) && x > s.px(8)) {
            x = s.px(8);
            y += line;
        }
        SeriesStyle sample = label.style;
        sample.width = s.line(sample.width);
        drawLineSample(painter, QRectF(x, y, s.px(20), line), sample);
        painter.setFont(bold);
        painter.setPen(label.ink);
        painter.drawText(QRectF(x + s.px(25), y, name + s.px(3), line), Qt::AlignLeft | Qt::AlignVCenter, label.name);
        painter.setFont(plain);
        painter.setPen(s.theme.text2);
        if (value > 0.0)
            painter.drawText(QRectF(x + s.px(30) + name, y, value + s.px(3), line), Qt::AlignLeft | Qt::AlignVCenter,
                             label.value);
        x += entry;
    }
}

void CurveCanvas::paintNotes(QCPPainter& painter) const {
    const QRectF box = area();
    const PlotStyle& s = p_.style_;
    for (const PlotNote& note : p_.notes_) {
        const double x = note.pixels ? box.left() + note.x * box.width() : pixelX(note.x);
        const double y = note.pixels ? box.top() + note.y * box.height() : pixelY(note.y);
        if (!std::isfinite(x) || !std::isfinite(y) || !box.adjusted(-2, -2, 2, 2).contains(QPointF(x, y))) continue;
        const bool bold = note.slot >= 0 || static_cast<bool>(note.ink);
        painter.setFont(s.font(bold ? TextRole::kAxisBold : TextRole::kAxis));
        const QFontMetricsF metrics(painter.font());
        const QColor ink = note.ink         ? note.ink.in(s.theme)
                           : note.slot >= 0 ? s.theme.series(note.slot).ink
                                            : s.theme.text2;
        const QStringList rows = note.text.split(QLatin1Char('\n'));
        double top = y - metrics.height() * static_cast<double>(rows.size()) / 2;
        for (const QString& row : rows) {
            const double w = metrics.horizontalAdvance(row);
            double left = note.centred ? x - w / 2 : x + s.px(note.offset);
            left = std::clamp(left, box.left() + 2, std::max(box.right() - w - 2, box.left() + 2));
            haloText(painter, QRectF(left, top, w + 2, metrics.height()), Qt::AlignLeft | Qt::AlignVCenter, row, ink);
            top += metrics.height();
        }
    }
}

void CurveCanvas::paintEmpty(QCPPainter& painter) const {
    const bool anything = std::any_of(p_.states_.begin(), p_.states_.end(), [](const SeriesState& state) {
        return state.series().visible && !state.y().empty();
    });
    QString text;
    if (!anything) {
        text = p_.emptyText_;
    } else if (std::none_of(p_.states_.begin(), p_.states_.end(), [&](const SeriesState& state) {
                   return state.series().visible && state.lastFinite(std::numeric_limits<double>::infinity());
               })) {
        text = QWidget::tr("All values are NaN or infinite.");
    } else if (p_.yScale_.kind() == AxisKind::kLog || p_.yScale_.kind() == AxisKind::kLog2) {
        const bool positive = std::any_of(p_.states_.begin(), p_.states_.end(), [](const SeriesState& state) {
            return state.series().visible && finite_range(state.y(), true);
        });
        if (!positive) text = QWidget::tr("A logarithmic axis shows only values above 0; there are none.");
    }
    if (text.isEmpty()) return;
    const QRectF box = area();
    painter.setFont(p_.style_.font(TextRole::kBody));
    haloText(painter, box.adjusted(p_.style_.px(10), p_.style_.px(8), -p_.style_.px(4), 0),
             Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap, text, p_.style_.theme.text2);
}

}  // namespace sextant
