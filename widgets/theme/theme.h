#pragma once
// One value with every colour, series style and map of the look. Nothing else in the program names a colour: widgets
// read theme(), an export passes its own value. Keys are the token names of the design.

#include <QBrush>
#include <QColor>
#include <QPen>
#include <QString>
#include <QVector>
#include <array>

#include "widgets/theme/color_map.h"

namespace sextant {

enum class ThemeMode { kLight, kDark };
enum class Contrast { kNormal, kHigh };

enum class MarkerShape { kDisc, kSquare, kTriangle, kDiamondOpen, kDiamond, kCross, kPlus, kRing };

struct SeriesStyle {
    QColor color;
    QColor ink;           // for the bold name at the end of a line: 4.5:1 on the plot
    QVector<qreal> dash;  // px on and off at width 1.5; empty is solid
    qreal width = 1.5;
    MarkerShape marker = MarkerShape::kDisc;

    // Dashes scale with the slot's width, as QPen counts them in pen widths.
    [[nodiscard]] QPen pen() const;
    [[nodiscard]] QPen pen(qreal penWidth) const;
};

inline constexpr int kSeriesCount = 8;

struct Theme {
    ThemeMode mode = ThemeMode::kLight;
    Contrast contrast = Contrast::kNormal;

    QColor window, panel, raised, plot, field, sunken, select, hover;
    QColor text, text2, text3, line, edge, axis, grid;
    QColor index, indexFill, primary, primaryText, link;
    QColor ok, okBg, info, infoBg, warn, warnBg, err, errBg;
    QColor hatch, hatchBg;

    std::array<SeriesStyle, kSeriesCount> slots_{};
    ColorMap depth, tide, cividis, vik;

    qreal bandAlpha = 0.16;      // opacity of a band in its series colour
    qreal cellLineAlpha = 0.35;  // opacity of the line between matrix cells
    int hatchPitch = 8;          // px
    QColor orderedLow;           // lowest colour of ordered things (heads, RoPE pairs), raised to 3:1

    [[nodiscard]] bool dark() const { return mode == ThemeMode::kDark; }
    // A variant keeps its slot for life; past eight the same colours come with the next dash.
    [[nodiscard]] SeriesStyle series(int slot) const;
    [[nodiscard]] QColor band(int slot) const;
    // Heads and pairs are ordered: index 0 is the steepest or fastest and the strongest.
    [[nodiscard]] QColor ordered(int index, int count) const;
    // "depth", "tide", "cividis", "vik"; depth for an unknown name.
    [[nodiscard]] const ColorMap& map(const QString& name) const;
    [[nodiscard]] QStringList mapNames(MapKind kind) const;
    // 45 degree lines for masked cells. Fix the brush origin to the viewport before filling with it.
    [[nodiscard]] QBrush hatchBrush(qreal devicePixelRatio, int pitch = 0) const;
    // Diagonal strokes in `err` for the strip of NaN steps.
    [[nodiscard]] QBrush gapBrush(qreal devicePixelRatio) const;

    static Theme make(ThemeMode mode, Contrast contrast = Contrast::kNormal);
    static Theme light() { return make(ThemeMode::kLight); }
    static Theme darkTheme() { return make(ThemeMode::kDark); }
};

// The theme on the screen: the one ThemeController applied last, light before any was.
[[nodiscard]] const Theme& theme();

}  // namespace sextant
