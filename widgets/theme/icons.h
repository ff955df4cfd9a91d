#pragma once
// Line icons of 16 px from resources/icons, painted in a token of the theme: `currentColor` in the SVG is replaced.

#include <QIcon>
#include <QPixmap>
#include <QString>

namespace sextant {

// An icon in `text` (disabled: text3). An unknown name gives a null icon. Repaint on themeChanged by asking again.
[[nodiscard]] QIcon lineIcon(const QString& name);
[[nodiscard]] QIcon lineIcon(const QString& name, const QColor& color);
// One pixmap of `size` logical px at the given ratio.
[[nodiscard]] QPixmap iconPixmap(const QString& name, const QColor& color, int size, qreal devicePixelRatio);
[[nodiscard]] QIcon applicationIcon();
// Names of all line icons.
[[nodiscard]] QStringList iconNames();
// Drops what was painted for the previous theme.
void forgetIcons();

}  // namespace sextant
