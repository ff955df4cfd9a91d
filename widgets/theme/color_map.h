#pragma once
// A colour map as named stops, sampled into a table of 256 entries. Interpolated in sRGB, as the design measured it.

#include <QColor>
#include <QString>
#include <array>
#include <vector>

namespace sextant {

enum class MapKind { kSequential, kDiverging };

class ColorMap {
  public:
    struct Stop {
        double position;  // 0..1, ascending
        QRgb color;
    };
    ColorMap() = default;
    ColorMap(QString name, MapKind kind, std::vector<Stop> stops);
    // Equal steps between the colours.
    ColorMap(QString name, MapKind kind, const std::vector<QRgb>& colors);

    [[nodiscard]] const QString& name() const { return name_; }
    [[nodiscard]] MapKind kind() const { return kind_; }
    // t is clamped to 0..1; NaN gives the first colour.
    [[nodiscard]] QRgb at(double t) const;
    [[nodiscard]] const std::array<QRgb, 256>& table() const { return table_; }

  private:
    QString name_;
    MapKind kind_ = MapKind::kSequential;
    std::vector<Stop> stops_;
    std::array<QRgb, 256> table_{};
};

// Black or white text, whichever reads better on this ground (WCAG luminance).
[[nodiscard]] bool isDarkGround(QRgb color);
// WCAG 2 contrast ratio of two opaque colours, 1..21.
[[nodiscard]] double contrastRatio(const QColor& first, const QColor& second);

}  // namespace sextant
