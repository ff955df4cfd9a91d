#include "widgets/controls/marks.h"

#include <QLocale>
#include <QPainterPath>
#include <QPolygonF>
#include <algorithm>
#include <cmath>

namespace sextant {
namespace {

QString withTrueMinus(QString text) {
    return text.replace(QLatin1Char('-'), QChar(0x2212));
}

QString trimmedZeros(QString text) {
    if (!text.contains(QLatin1Char('.')) || text.contains(QLatin1Char('e'))) return text;
    while (text.endsWith(QLatin1Char('0')))
        text.chop(1);
    if (text.endsWith(QLatin1Char('.'))) text.chop(1);
    return text;
}

}  // namespace

void drawMarker(QPainter& painter, MarkerShape shape, QPointF centre, qreal size, const QColor& color,
                const QColor& ground, MarkerFill fill) {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    const qreal r = size / 2.0;
    const bool lines = shape == MarkerShape::kCross || shape == MarkerShape::kPlus;
    const bool open = fill == MarkerFill::kOpen || shape == MarkerShape::kDiamondOpen || shape == MarkerShape::kRing;
    painter.setPen(QPen(color, lines ? 1.75 : 1.5, Qt::SolidLine, Qt::RoundCap, Qt::MiterJoin));
    painter.setBrush(open ? QBrush(ground) : QBrush(color));
    switch (shape) {
        case MarkerShape::kDisc:
        case MarkerShape::kRing:
            painter.drawEllipse(centre, r * 0.95, r * 0.95);
            break;
        case MarkerShape::kSquare:
            painter.drawRect(QRectF(centre.x() - r * 0.86, centre.y() - r * 0.86, r * 1.72, r * 1.72));
            break;
        case MarkerShape::kTriangle:
            painter.drawPolygon(QPolygonF({{centre.x(), centre.y() - r * 1.1},
                                           {centre.x() + r * 1.05, centre.y() + r * 0.8},
                                           {centre.x() - r * 1.05, centre.y() + r * 0.8}}));
            break;
        case MarkerShape::kDiamond:
        case MarkerShape::kDiamondOpen:
            painter.drawPolygon(QPolygonF({{centre.x(), centre.y() - r * 1.15},
                                           {centre.x() + r * 1.15, centre.y()},
                                           {centre.x(), centre.y() + r * 1.15},
                                           {centre.x() - r * 1.15, centre.y()}}));
            break;
        case MarkerShape::kCross:
            painter.drawLine(centre + QPointF(-r, -r) * 0.9, centre + QPointF(r, r) * 0.9);
            painter.drawLine(centre + QPointF(-r, r) * 0.9, centre + QPointF(r, -r) * 0.9);
            break;
        case MarkerShape::kPlus:
            painter.drawLine(centre + QPointF(-r, 0), centre + QPointF(r, 0));
            painter.drawLine(centre + QPointF(0, -r), centre + QPointF(0, r));
            break;
    }
    painter.restore();
}

void drawLineSample(QPainter& painter, const QRectF& rect, const SeriesStyle& style) {
    painter.save();
    painter.setPen(style.pen());
    const qreal y = std::floor(rect.center().y()) + 0.5;
    painter.drawLine(QPointF(rect.left(), y), QPointF(rect.right(), y));
    painter.restore();
}

void drawFlag(QPainter& painter, QPointF tip, qreal size, const QColor& color) {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(color);
    painter.drawPolygon(
        QPolygonF({tip, {tip.x() - size / 2, tip.y() - size * 0.75}, {tip.x() + size / 2, tip.y() - size * 0.75}}));
    painter.restore();
}

QString displayNumber(double value, int digits) {
    if (std::isnan(value)) return QStringLiteral("NaN");
    if (std::isinf(value)) return value > 0 ? QStringLiteral("inf") : withTrueMinus(QStringLiteral("-inf"));
    if (value == 0.0) return QStringLiteral("0");
    const double magnitude = std::abs(value);
    if (magnitude >= 1e6 || magnitude < 1e-4)
        return withTrueMinus(QString::number(value, 'e', std::max(digits - 2, 0)));
    const int whole = static_cast<int>(std::floor(std::log10(magnitude))) + 1;
    return withTrueMinus(trimmedZeros(QString::number(value, 'f', std::clamp(digits - whole, 0, 10))));
}

QString compactNumber(double value, int digits) {
    const double magnitude = std::abs(value);
    if (!std::isfinite(value) || magnitude < 1e4) return displayNumber(value, std::max(digits, 4));
    static constexpr struct {
        double factor;
        const char* suffix;
    } kSteps[] = {{1e12, " T"}, {1e9, " G"}, {1e6, " M"}, {1e3, " k"}};
    for (const auto& step : kSteps) {
        if (magnitude < step.factor * 0.9995) continue;
        if (magnitude / step.factor >= 1e4) return displayNumber(value, digits);
        return displayNumber(value / step.factor, digits) + QLatin1String(step.suffix);
    }
    return displayNumber(value, digits);
}

QString groupedNumber(qint64 value) {
    QLocale english(QLocale::English, QLocale::UnitedStates);
    return withTrueMinus(english.toString(value));
}

}  // namespace sextant
