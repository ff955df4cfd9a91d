#include "widgets/theme/fonts.h"

#include <QFontMetricsF>
#include <QString>
#include <QStringList>
#include <algorithm>
#include <cmath>

namespace sextant {
namespace {

QString& family() {
    static QString name;
    return name;
}

QFont sans(double points, bool bold) {
    QFont result;
    // Emoji by name, with outlines: Qt's own fallback finds a colour font at best, which a PDF cannot embed as
    // TrueType.
    result.setFamilies({interfaceFamily(), QStringLiteral("Noto Sans"), QStringLiteral("Noto Sans CJK SC"),
                        QStringLiteral("Noto Emoji"), QStringLiteral("Symbola"), QStringLiteral("sans-serif")});
    result.setPointSizeF(points);
    result.setBold(bold);
    return result;
}

QFont mono(double points) {
    QFont result;
    result.setFamilies(
        {QStringLiteral("Noto Sans Mono"), QStringLiteral("Noto Sans Mono CJK SC"), QStringLiteral("monospace")});
    result.setStyleHint(QFont::Monospace);
    result.setPointSizeF(points);
    return result;
}

}  // namespace

void setInterfaceFamily(const QString& name) {
    family() = name;
}

QString interfaceFamily() {
    return family().isEmpty() ? QStringLiteral("Noto Sans") : family();
}

QFont textFont(TextRole role) {
    switch (role) {
        case TextRole::kProduct:
            return sans(22, true);
        case TextRole::kSection:
            return sans(15, true);
        case TextRole::kExperiment:
            return sans(11, true);
        case TextRole::kClaim:
            return sans(10.5, false);
        case TextRole::kBody:
            return sans(9.5, false);
        case TextRole::kTitle:
            return sans(9.5, true);
        case TextRole::kValue:
            return mono(8.75);
        case TextRole::kNote:
            return sans(8.5, false);
        case TextRole::kAxis:
            return sans(8, false);
        case TextRole::kAxisBold:
            return sans(8, true);
        case TextRole::kToken:
            return mono(8);
    }
    return sans(9.5, false);
}

int scaled(double designPixels) {
    // Noto Sans 9.5 pt at 96 dpi is 17.25 px high: the scale at which the design gives its px.
    constexpr double kDesignHeight = 17.25;
    const double factor = QFontMetricsF(textFont(TextRole::kBody)).height() / kDesignHeight;
    const int pixels = static_cast<int>(std::lround(designPixels * std::max(factor, 0.5)));
    return designPixels > 0 ? std::max(pixels, 1) : pixels;
}

}  // namespace sextant
