#include "widgets/plots/clip.h"

#include <algorithm>
#include <cmath>

namespace sextant {

std::optional<QLineF> clippedLine(const QLineF& line, const QRectF& rect) {
    double from = 0.0;
    double to = 1.0;
    const auto cut = [&](double direction, double distance) {
        if (direction == 0.0) return distance >= 0.0;
        const double t = distance / direction;
        if (direction < 0.0) {
            from = std::max(from, t);
        } else {
            to = std::min(to, t);
        }
        return from <= to;
    };
    const double dx = line.dx();
    const double dy = line.dy();
    if (!std::isfinite(dx) || !std::isfinite(dy)) return std::nullopt;
    if (!cut(-dx, line.x1() - rect.left()) || !cut(dx, rect.right() - line.x1()) || !cut(-dy, line.y1() - rect.top()) ||
        !cut(dy, rect.bottom() - line.y1()))
        return std::nullopt;
    // Ends that are inside stay exactly what they were, so that neighbouring segments still join.
    return QLineF(from == 0.0 ? line.p1() : line.pointAt(from), to == 1.0 ? line.p2() : line.pointAt(to));
}

QPolygonF clippedPolygon(const QPolygonF& polygon, const QRectF& rect) {
    QPolygonF shape = polygon;
    for (int side = 0; side < 4 && !shape.isEmpty(); ++side) {
        const auto inside = [&](const QPointF& p) {
            return side == 0   ? p.x() >= rect.left()
                   : side == 1 ? p.x() <= rect.right()
                   : side == 2 ? p.y() >= rect.top()
                               : p.y() <= rect.bottom();
        };
        const auto crossing = [&](const QPointF& a, const QPointF& b) {
            if (side < 2) {
                const double x = side == 0 ? rect.left() : rect.right();
                return QPointF(x, a.y() + (b.y() - a.y()) * (x - a.x()) / (b.x() - a.x()));
            }
            const double y = side == 2 ? rect.top() : rect.bottom();
            return QPointF(a.x() + (b.x() - a.x()) * (y - a.y()) / (b.y() - a.y()), y);
        };
        QPolygonF kept;
        for (qsizetype i = 0; i < shape.size(); ++i) {
            const QPointF& here = shape[i];
            const QPointF& before = shape[(i + shape.size() - 1) % shape.size()];
            if (inside(here) != inside(before)) kept.append(crossing(before, here));
            if (inside(here)) kept.append(here);
        }
        shape = kept;
    }
    return shape;
}

}  // namespace sextant
