#include "widgets/controls/color_bar.h"

#include <QImage>
#include <QPainter>
#include <cmath>

#include "widgets/controls/marks.h"
#include "widgets/theme/fonts.h"
#include "widgets/theme/icons.h"

namespace sextant {
namespace {

QImage ramp(const ColorBarSpec& spec, const Theme& theme, Qt::Orientation orientation) {
    constexpr int kSteps = 256;
    const bool vertical = orientation == Qt::Vertical;
    QImage image(vertical ? 1 : kSteps, vertical ? kSteps : 1, QImage::Format_RGB32);
    const ColorMap& map = theme.map(spec.map);
    for (int i = 0; i < kSteps; ++i) {
        const double t = spec.mapFrom + (spec.mapTo - spec.mapFrom) * i / (kSteps - 1.0);
        image.setPixel(vertical ? 0 : i, vertical ? kSteps - 1 - i : 0, map.at(t));
    }
    return image;
}

}  // namespace

void paintColorBar(QPainter& painter, const QRectF& rect, Qt::Orientation orientation, const ColorBarSpec& spec,
                   const PlotStyle& style) {
    painter.save();
    const Theme& t = style.theme;
    const auto px = [&](double design) { return static_cast<double>(style.px(design)); };
    const bool vertical = orientation == Qt::Vertical;
    const QFont small = style.font(TextRole::kAxis);
    const QFontMetricsF metrics(small);
    const qreal line = metrics.height();
    painter.setFont(small);
    QRectF bar;
    if (vertical) {
        const qreal top =
            (spec.label.isEmpty() && !spec.locked ? px(2) : line + px(4)) + (spec.clippedHigh ? px(8) : px(3));
        const qreal bottom = (spec.masked ? line + px(14) : 0.0) + px(8);
        bar = QRectF(rect.left(), rect.top() + top, px(14), std::max(rect.height() - top - bottom, 10.0));
    } else {
        const qreal left = spec.label.isEmpty() ? px(10) : metrics.horizontalAdvance(spec.label) + px(16);
        const qreal right = spec.masked ? metrics.horizontalAdvance(QWidget::tr("masked")) + px(42) : px(12);
        bar = QRectF(rect.left() + left, rect.top() + 1, std::max(rect.width() - left - right, 10.0), px(12));
    }
    painter.setRenderHint(QPainter::SmoothPixmapTransform, true);
    painter.drawImage(bar, ramp(spec, t, orientation));
    painter.setRenderHint(QPainter::Antialiasing, true);
    painter.setPen(QPen(t.axis, style.line(1)));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(bar);

    // Clipped ends: a triangle in the end colour that says "and beyond".
    const auto triangle = [&](bool high) {
        const ColorMap& map = t.map(spec.map);
        painter.setBrush(QColor(map.at(high ? spec.mapTo : spec.mapFrom)));
        QPolygonF shape;
        if (vertical) {
            const qreal y = high ? bar.top() : bar.bottom();
            shape << QPointF(bar.left(), y) << QPointF(bar.right(), y)
                  << QPointF(bar.center().x(), high ? y - px(6) : y + px(6));
        } else {
            const qreal x = high ? bar.right() : bar.left();
            shape << QPointF(x, bar.top()) << QPointF(x, bar.bottom())
                  << QPointF(high ? x + px(7) : x - px(7), bar.center().y());
        }
        painter.drawPolygon(shape);
    };
    if (spec.clippedHigh) triangle(true);
    if (spec.clippedLow) triangle(false);

    const auto place = [&](double value) {
        const double p = spec.scale.position(value);
        return vertical ? bar.bottom() - p * bar.height() : bar.left() + p * bar.width();
    };
    const std::vector<double> ticks =
        spec.scale.ticks(vertical ? 6 : std::max<std::size_t>(3, static_cast<std::size_t>(bar.width() / px(70))));
    qreal last = -1e9;
    for (const double value : ticks) {
        const qreal at = place(value);
        QString text = displayNumber(value, 3);
        if (spec.clippedHigh && value == ticks.back() && spec.scale.position(value) > 0.999)
            text.prepend(QChar(0x2265) + QStringLiteral(" "));
        if (spec.clippedLow && value == ticks.front() && spec.scale.position(value) < 0.001)
            text.prepend(QChar(0x2264) + QStringLiteral(" "));
        painter.setPen(QPen(t.axis, style.line(1)));
        if (vertical) {
            if (std::abs(at - last) < line * 0.9) continue;
            painter.drawLine(QPointF(bar.right(), at), QPointF(bar.right() + px(4), at));
            painter.setPen(t.text2);
            painter.drawText(QRectF(bar.right() + px(7), at - line / 2,
                                    std::max<qreal>(rect.right() - bar.right() - px(7), px(60)), line),
                             Qt::AlignLeft | Qt::AlignVCenter, text);
        } else {
            const qreal width = metrics.horizontalAdvance(text);
            if (at - width / 2 < last) continue;
            painter.drawLine(QPointF(at, bar.bottom()), QPointF(at, bar.bottom() + px(4)));
            painter.setPen(t.text2);
            painter.drawText(QRectF(at - width, bar.bottom() + px(4), width * 2, line), Qt::AlignHCenter | Qt::AlignTop,
                             text);
            last = at + width / 2 + px(6);
            continue;
        }
        last = at;
    }
    painter.setPen(t.text2);
    if (!spec.label.isEmpty()) {
        if (vertical) {
            painter.drawText(QRectF(rect.left(), rect.top(), std::max<qreal>(rect.width(), px(40)), line),
                             Qt::AlignLeft, spec.label);
        } else {
            painter.drawText(QRectF(rect.left(), bar.top() - (line - bar.height()) / 2, bar.left() - rect.left(), line),
                             Qt::AlignLeft | Qt::AlignVCenter, spec.label);
        }
    }
    if (spec.marker && std::isfinite(*spec.marker)) {
        const qreal at = place(*spec.marker);
        // A halo of the ground keeps the mark visible on the dark and on the light end.
        for (const auto& [color, width] : {std::pair{t.plot, style.line(5)}, std::pair{t.index, style.line(2.5)}}) {
            painter.setPen(QPen(color, width, Qt::SolidLine, Qt::FlatCap));
            if (vertical) {
                painter.drawLine(QPointF(bar.left() - px(2), at), QPointF(bar.right() + px(2), at));
            } else {
                painter.drawLine(QPointF(at, bar.top() - px(2)), QPointF(at, bar.bottom() + px(2)));
            }
        }
    }
    if (spec.locked) {
        const double size = px(13);
        const QPixmap padlock =
            iconPixmap(QStringLiteral("lock"), t.index, static_cast<int>(size), style.figure() ? 1.0 : 4.0);
        const double named = spec.label.isEmpty() ? 0.0 : metrics.horizontalAdvance(spec.label) + px(5);
        const QPointF at = vertical ? QPointF(rect.left() + named, rect.top() + (line - size) / 2)
                                    : QPointF(bar.right() + px(10), bar.top());
        painter.drawPixmap(QRectF(at, QSizeF(size, size)), padlock, QRectF(padlock.rect()));
    }
    if (spec.masked) {
        const qreal side = line * 0.85;
        const QRectF swatch = vertical ? QRectF(bar.left(), rect.bottom() - side - px(2), side, side)
                                       : QRectF(bar.right() + px(18), bar.center().y() - side / 2, side, side);
        painter.fillRect(swatch, t.hatchBg);
        painter.setPen(QPen(t.hatch, style.line(1)));
        for (const double part : {0.35, 0.7, 1.0, 1.35, 1.7})
            painter.drawLine(
                QPointF(swatch.left() + std::max(part - 1.0, 0.0) * side, swatch.top() + std::min(part, 1.0) * side),
                QPointF(swatch.left() + std::min(part, 1.0) * side, swatch.top() + std::max(part - 1.0, 0.0) * side));
        painter.setPen(QPen(t.axis, style.line(1)));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(swatch);
        painter.setPen(t.text2);
        painter.drawText(QRectF(swatch.right() + px(5), swatch.center().y() - line / 2, px(90), line),
                         Qt::AlignLeft | Qt::AlignVCenter, QWidget::tr("masked"));
    }
    painter.restore();
}

ColorBar::ColorBar(Qt::Orientation orientation, QWidget* parent) : QWidget(parent), orientation_(orientation) {
    setAccessibleName(tr("Colour bar"));
}

void ColorBar::setSpec(const ColorBarSpec& spec) {
    spec_ = spec;
    setAccessibleDescription(tr("%1 from %2 to %3")
                                 .arg(spec.label.isEmpty() ? tr("Values") : spec.label, displayNumber(spec.scale.low()),
                                      displayNumber(spec.scale.high())));
    update();
}

QSize ColorBar::sizeHint() const {
    return orientation_ == Qt::Vertical ? QSize(scaled(72), scaled(200)) : QSize(scaled(240), scaled(34));
}

void ColorBar::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    paintColorBar(painter, QRectF(rect()).adjusted(2, 2, -2, -2), orientation_, spec_, PlotStyle::screen());
}

}  // namespace sextant
