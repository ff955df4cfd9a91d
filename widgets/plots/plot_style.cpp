#include "widgets/plots/plot_style.h"

#include <algorithm>
#include <cmath>

namespace sextant {

QFont PlotStyle::font(TextRole role) const {
    QFont result = textFont(role);
    if (unit > 0.0) {
        // Figures never follow the user's interface font, and take a pixel size so that no screen resolution enters.
        QStringList families = result.families();
        if (!families.isEmpty() && families.first() == interfaceFamily()) families.removeFirst();
        result.setFamilies(families);
        result.setPixelSize(static_cast<int>(std::lround(result.pointSizeF() * 96.0 / 72.0 * unit * extraScale)));
        result.setHintingPreference(QFont::PreferNoHinting);
    }
    return result;
}

int PlotStyle::px(double design) const {
    if (unit > 0.0) return static_cast<int>(std::lround(design * unit * extraScale));
    return scaled(design);
}

PlotStyle PlotStyle::forFigure(const Theme& theme, double points) {
    return {theme, kFigureUnitsPerInch / 96.0, std::clamp(points, 4.0, 24.0) / 8.0};
}

}  // namespace sextant
