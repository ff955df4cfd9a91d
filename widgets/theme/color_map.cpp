#include "widgets/theme/color_map.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace sextant {
namespace {

int mix(int from, int to, double t) {
    return static_cast<int>(std::lround(from + (to - from) * t));
}

double luminance(QRgb color) {
    const auto channel = [](int value) {
        const double c = value / 255.0;
        return c <= 0.03928 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
    };
    return 0.2126 * channel(qRed(color)) + 0.7152 * channel(qGreen(color)) + 0.0722 * channel(qBlue(color));
}

std::vector<ColorMap::Stop> equalStops(const std::vector<QRgb>& colors) {
    std::vector<ColorMap::Stop> stops;
    stops.reserve(colors.size());
    for (std::size_t i = 0; i < colors.size(); ++i)
        stops.push_back({static_cast<double>(i) / static_cast<double>(colors.size() - 1), colors[i]});
    return stops;
}

}  // namespace

ColorMap::ColorMap(QString name, MapKind kind, std::vector<Stop> stops)
    : name_(std::move(name)), kind_(kind), stops_(std::move(stops)) {
    for (std::size_t i = 0; i < table_.size(); ++i)
        table_[i] = at(static_cast<double>(i) / 255.0);
}

ColorMap::ColorMap(QString name, MapKind kind, const std::vector<QRgb>& colors)
    : ColorMap(std::move(name), kind, equalStops(colors)) {}

QRgb ColorMap::at(double t) const {
    if (stops_.empty()) return qRgb(0, 0, 0);
    if (!(t > 0.0)) return stops_.front().color;
    if (t >= 1.0) return stops_.back().color;
    const auto above = std::find_if(stops_.begin(), stops_.end(), [t](const Stop& stop) { return stop.position > t; });
    if (above == stops_.end()) return stops_.back().color;
    const auto below = above - 1;
    const double share = (t - below->position) / (above->position - below->position);
    return qRgb(mix(qRed(below->color), qRed(above->color), share),
                mix(qGreen(below->color), qGreen(above->color), share),
                mix(qBlue(below->color), qBlue(above->color), share));
}

bool isDarkGround(QRgb color) {
    return luminance(color) < 0.179;
}

double contrastRatio(const QColor& first, const QColor& second) {
    const double a = luminance(first.rgb());
    const double b = luminance(second.rgb());
    return (std::max(a, b) + 0.05) / (std::min(a, b) + 0.05);
}

}  // namespace sextant
