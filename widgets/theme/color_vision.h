#pragma once
// How far apart colours are, for normal and for colour-blind readers and in grey print: CIEDE2000 (Sharma, Wu and Dalal
// 2005) after the simulation of Machado, Oliveira and Fernandes 2009 at severity 1.

#include <QColor>
#include <vector>

namespace sextant {

struct Theme;

enum class Vision { kNormal, kProtan, kDeutan, kTritan, kGrey };

[[nodiscard]] QColor simulated(const QColor& color, Vision vision);
[[nodiscard]] double colorDifference(const QColor& first, const QColor& second);  // CIEDE2000
// Smallest difference between two of these series' colours; infinite for fewer than two.
[[nodiscard]] double smallestDifference(const Theme& theme, const std::vector<int>& slotsUsed, Vision vision);

// What a figure promises before it is exported.
struct FigureChecks {
    bool textLarge = false;    // 7 pt or more
    bool colourBlind = false;  // every pair of series differs by 7 or more, or in its dash
    bool grey = false;         // every pair differs in lightness by 7 or more, or in its dash
};
[[nodiscard]] FigureChecks checkFigure(const Theme& theme, const std::vector<int>& slotsUsed, double textPoints);

}  // namespace sextant
