#include "widgets/theme/focus_style.h"

#include <QPainter>
#include <QStyleOption>

#include "widgets/theme/fonts.h"
#include "widgets/theme/theme.h"

namespace sextant {

void drawFocusRing(QPainter& painter, const QRectF& rect) {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(theme().index, 2.0));
    painter.drawRoundedRect(rect.adjusted(1, 1, -1, -1), 3, 3);
    painter.restore();
}

void FocusStyle::drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                               const QWidget* widget) const {
    if (element == PE_FrameFocusRect) {
        // The option's rectangle lies inside the control; the ring stands at its outer edge where there is room.
        QRectF ring = option->rect;
        if (widget != nullptr && widget->focusPolicy() != Qt::NoFocus && !widget->inherits("QAbstractItemView"))
            ring = ring.adjusted(-1, -1, 1, 1).intersected(QRectF(widget->rect()));
        drawFocusRing(*painter, ring);
        return;
    }
    QProxyStyle::drawPrimitive(element, option, painter, widget);
}

int FocusStyle::styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                          QStyleHintReturn* data) const {
    if (hint == SH_EtchDisabledText || hint == SH_DitherDisabledText) return 0;
    return QProxyStyle::styleHint(hint, option, widget, data);
}

int FocusStyle::pixelMetric(PixelMetric metric, const QStyleOption* option, const QWidget* widget) const {
    switch (metric) {
        case PM_SmallIconSize:
        case PM_ButtonIconSize:
        case PM_ToolBarIconSize:
            return scaled(16);
        default:
            return QProxyStyle::pixelMetric(metric, option, widget);
    }
}

}  // namespace sextant
