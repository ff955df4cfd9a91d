#include "widgets/forms/action_button.h"

#include <QPainter>

#include "widgets/theme/focus_style.h"
#include "widgets/theme/fonts.h"
#include "widgets/theme/icons.h"
#include "widgets/theme/theme.h"

namespace sextant {

ActionButton::ActionButton(const QString& iconName, const QString& title, const QString& note, const QString& key,
                           QWidget* parent)
    : QPushButton(parent), iconName_(iconName), title_(title), note_(note), key_(key) {
    setAccessibleName(title);
    setAccessibleDescription(note);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setAttribute(Qt::WA_Hover);
}

void ActionButton::setPrimary(bool primary) {
    primary_ = primary;
    update();
}

QSize ActionButton::sizeHint() const {
    return {scaled(300), scaled(52)};
}

void ActionButton::paintEvent(QPaintEvent*) {
    const Theme& look = theme();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF frame = QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5);
    const QColor ink = !isEnabled() ? look.text3 : primary_ ? look.primaryText : look.text;
    const QColor quiet = !isEnabled() ? look.text3 : primary_ ? look.primaryText : look.text2;
    painter.setPen(primary_ ? look.primary : look.edge);
    painter.setBrush(primary_ ? look.primary : isDown() ? look.select : underMouse() ? look.hover : look.raised);
    painter.drawRoundedRect(frame, 3, 3);
    const int size = scaled(16);
    painter.drawPixmap(QRect(scaled(14), (height() - size) / 2, size, size),
                       iconPixmap(iconName_, ink, size, devicePixelRatioF()));
    const QRect text = rect().adjusted(scaled(44), scaled(7), -scaled(12), -scaled(7));
    QFont bold = textFont(TextRole::kBody);
    bold.setBold(true);
    bold.setPointSizeF(bold.pointSizeF() + 1);
    painter.setFont(bold);
    painter.setPen(ink);
    painter.drawText(text, Qt::AlignTop | Qt::AlignLeft, title_);
    painter.setFont(textFont(TextRole::kNote));
    painter.setPen(quiet);
    painter.drawText(text, Qt::AlignBottom | Qt::AlignLeft,
                     painter.fontMetrics().elidedText(note_, Qt::ElideRight, text.width()));
    if (!key_.isEmpty()) {
        painter.setFont(textFont(TextRole::kValue));
        painter.drawText(text, Qt::AlignVCenter | Qt::AlignRight, key_);
    }
    if (hasFocus()) drawFocusRing(painter, QRectF(rect()).adjusted(2, 2, -2, -2));
}

}  // namespace sextant
