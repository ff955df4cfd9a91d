#pragma once
// Type of the look: Noto Sans and Noto Sans Mono in points, and lengths in units of the body's height, so that the
// window grows with the font and not with a pixel count.

#include <QFont>

namespace sextant {

enum class TextRole {
    kProduct,     // 22 b
    kSection,     // 15 b
    kExperiment,  // 11 b
    kClaim,       // 10.5
    kBody,        // 9.5
    kTitle,       // 9.5 b, cards and docks
    kValue,       // 8.75 mono
    kNote,        // 8.5
    kAxis,        // 8, the smallest
    kAxisBold,    // 8 b, labels at the end of lines
    kToken,       // 8 mono
};

[[nodiscard]] QFont textFont(TextRole role);
// On screen the user's own font may replace Noto Sans (numbers stay in the mono). Empty restores Noto Sans.
void setInterfaceFamily(const QString& family);
[[nodiscard]] QString interfaceFamily();

// A length that the design gives in px at scale 1, in px at the present body font (rounded, at least 1 for > 0).
[[nodiscard]] int scaled(double designPixels);

}  // namespace sextant
