#include "widgets/controls/icon_button.h"

#include <QEvent>

#include "widgets/theme/icons.h"

namespace sextant {

IconButton::IconButton(const QString& iconName, const QString& name, QWidget* parent, const QString& shortcut)
    : QToolButton(parent) {
    setAccessibleName(name);
    setToolTip(shortcut.isEmpty() ? name : QStringLiteral("%1 (%2)").arg(name, shortcut));
    setAutoRaise(true);
    setFocusPolicy(Qt::TabFocus);
    setIconName(iconName);
}

void IconButton::setIconName(const QString& iconName) {
    iconName_ = iconName;
    setIcon(lineIcon(iconName_));
}

void IconButton::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange && !iconName_.isEmpty()) setIcon(lineIcon(iconName_));
    QToolButton::changeEvent(event);
}

}  // namespace sextant
