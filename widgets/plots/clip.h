#pragma once
// Clipping by geometry: the SVG writer ignores clip rectangles, so what a figure draws must not leave its frame.

#include <QLineF>
#include <QPolygonF>
#include <QRectF>
#include <optional>

namespace sextant {

// The part of a segment inside a rectangle (Liang and Barsky 1984); nothing when it misses.
[[nodiscard]] std::optional<QLineF> clippedLine(const QLineF& line, const QRectF& rect);
// The part of a filled polygon inside a rectangle (Sutherland and Hodgman 1974).
[[nodiscard]] QPolygonF clippedPolygon(const QPolygonF& polygon, const QRectF& rect);

}  // namespace sextant
