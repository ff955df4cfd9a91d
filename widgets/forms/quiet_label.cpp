#include "widgets/forms/quiet_label.h"

#include <QEvent>

#include "widgets/theme/theme.h"

namespace sextant {

QuietLabel::QuietLabel(const QString& text, TextRole role, Ink ink, QWidget* parent)
    : QLabel(text, parent), role_(role), ink_(ink) {
    setTextFormat(Qt::PlainText);
    setTextInteractionFlags(Qt::NoTextInteraction);
    restyle();
}

void QuietLabel::setInk(Ink ink) {
    if (ink == ink_) return;
    ink_ = ink;
    restyle();
}

void QuietLabel::changeEvent(QEvent* event) {
    QLabel::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::ApplicationPaletteChange ||
        event->type() == QEvent::ApplicationFontChange)
        restyle();
}

void QuietLabel::restyle() {
    if (restyling_) return;
    restyling_ = true;
    const Theme& look = theme();
    QColor color = look.text2;
    switch (ink_) {
        case Ink::kText:
            color = look.text;
            break;
        case Ink::kText2:
            break;
        case Ink::kOk:
            color = look.ok;
            break;
        case Ink::kInfo:
            color = look.info;
            break;
        case Ink::kWarn:
            color = look.warn;
            break;
        case Ink::kErr:
            color = look.err;
            break;
    }
    QPalette own = palette();
    own.setColor(QPalette::WindowText, color);
    setPalette(own);
    setFont(textFont(role_));
    restyling_ = false;
}

}  // namespace sextant
