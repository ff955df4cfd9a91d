#pragma once
// The small painted marks shared by plots, tables and lists: series markers, line samples, flags, true minus signs.

#include <QColor>
#include <QPainter>
#include <QPointF>
#include <QRectF>
#include <QString>

#include "widgets/theme/theme.h"

namespace sextant {

enum class MarkerFill { kSlot, kOpen };  // kSlot: as the slot says; kOpen: ground inside, for the cursor

// `size` is the diameter of a disc of equal weight. Open shapes are filled with `ground`.
void drawMarker(QPainter& painter, MarkerShape shape, QPointF centre, qreal size, const QColor& color,
                const QColor& ground, MarkerFill fill = MarkerFill::kSlot);
// A horizontal line sample with the slot's dash, centred in the rectangle.
void drawLineSample(QPainter& painter, const QRectF& rect, const SeriesStyle& style);
// The flag of an index line: a triangle whose tip points down at `tip`.
void drawFlag(QPainter& painter, QPointF tip, qreal size, const QColor& color);

// A number for people on axes and read-outs: `digits` significant digits, a true minus sign, powers of ten beyond
// 1e6 and below 1e-4, "NaN" and infinities as words. C locale digits, so that figures do not change with the desktop.
[[nodiscard]] QString displayNumber(double value, int digits = 4);
// 100 -> "100", 10000 -> "10 k", 3.07e6 -> "3.07 M".
[[nodiscard]] QString compactNumber(double value, int digits = 3);
// 1500 -> "1,500".
[[nodiscard]] QString groupedNumber(qint64 value);

}  // namespace sextant
