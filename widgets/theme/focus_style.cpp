#include "widgets/theme/focus_style.h"

#include <QPainter>
#include <QPolygonF>
#include <QStyleOption>
#include <QWidget>
#include <algorithm>

#include "widgets/theme/fonts.h"
#include "widgets/theme/theme.h"

namespace sextant {

namespace {

Qt::FocusReason lastReason = Qt::OtherFocusReason;

bool byKeyboard() {
    return lastReason == Qt::TabFocusReason || lastReason == Qt::BacktabFocusReason ||
           lastReason == Qt::ShortcutFocusReason;
}

}  // namespace

void noteFocusReason(Qt::FocusReason reason) {
    // A window coming to the front or a menu closing leaves the way the user came unchanged.
    if (reason != Qt::ActiveWindowFocusReason && reason != Qt::PopupFocusReason && reason != Qt::MenuBarFocusReason)
        lastReason = reason;
}

// A framed box in `edge`; checked: filled in text2 with the tick in the field's ground. Half: a bar.
static void drawCheckBox(const QStyleOption& option, QPainter& painter) {
    const Theme& t = theme();
    const bool enabled = option.state.testFlag(QStyle::State_Enabled);
    const bool on = option.state.testFlag(QStyle::State_On);
    const bool half = option.state.testFlag(QStyle::State_NoChange);
    const double side = std::min({option.rect.width(), option.rect.height(), scaled(13)}) - 1.0;
    const QRectF box(option.rect.center().x() - side / 2 + 0.5, option.rect.center().y() - side / 2 + 0.5, side, side);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    const QColor ink = enabled ? t.text2 : t.text3;
    painter.setPen(QPen(on || half ? ink : (enabled ? t.edge : t.line), 1));
    painter.setBrush(on ? ink : t.field);
    painter.drawRoundedRect(box, 2, 2);
    if (on) {
        painter.setPen(QPen(t.field, 1.6, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
        painter.drawPolyline(QPolygonF({box.topLeft() + QPointF(side * 0.22, side * 0.52),
                                        box.topLeft() + QPointF(side * 0.43, side * 0.74),
                                        box.topLeft() + QPointF(side * 0.8, side * 0.28)}));
    } else if (half) {
        painter.setPen(QPen(ink, 2));
        painter.drawLine(box.center() - QPointF(side * 0.25, 0), box.center() + QPointF(side * 0.25, 0));
    }
    painter.restore();
}

bool showsFocus(const QWidget* widget) {
    return widget->hasFocus() && byKeyboard();
}

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
    if (element == PE_IndicatorCheckBox || element == PE_IndicatorItemViewItemCheck) {
        drawCheckBox(*option, *painter);
        return;
    }
    if (element == PE_FrameFocusRect) {
        if (widget != nullptr && widget->hasFocus() && !byKeyboard()) return;
        // The option's rectangle lies inside the control; the ring stands at its outer edge where there is room.
        QRectF ring = option->rect;
        if (widget != nullptr && widget->focusPolicy() != Qt::NoFocus && !widget->inherits("QAbstractItemView"))
            ring = ring.adjusted(-1, -1, 1, 1).intersected(QRectF(widget->rect()));
        drawFocusRing(*painter, ring);
        return;
    }
    QProxyStyle::drawPrimitive(element, option, painter, widget);
}

// Flat, as the buttons are: Fusion would fill it with a gradient.
static void drawComboBox(const QStyleOptionComboBox& option, QPainter& painter, const QRect& arrow) {
    const Theme& t = theme();
    const bool enabled = option.state.testFlag(QStyle::State_Enabled);
    const bool hovered = enabled && option.state.testFlag(QStyle::State_MouseOver);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(enabled ? t.edge : t.line, 1));
    painter.setBrush(option.editable ? t.field : hovered ? t.hover : t.raised);
    painter.drawRoundedRect(QRectF(option.rect).adjusted(0.5, 0.5, -0.5, -0.5), 3, 3);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(enabled ? t.text2 : t.text3, 1.5, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    const QPointF middle = QRectF(arrow).center();
    const qreal half = scaled(4);
    painter.drawPolyline(QPolygonF(
        {middle + QPointF(-half, -half / 2), middle + QPointF(0, half / 2), middle + QPointF(half, -half / 2)}));
    if (option.state.testFlag(QStyle::State_HasFocus) && byKeyboard()) {
        painter.setPen(QPen(t.index, 2.0));
        painter.drawRoundedRect(QRectF(option.rect).adjusted(1, 1, -1, -1), 3, 3);
    }
    painter.restore();
}

void FocusStyle::drawComplexControl(ComplexControl control, const QStyleOptionComplex* option, QPainter* painter,
                                    const QWidget* widget) const {
    if (const auto* combo = qstyleoption_cast<const QStyleOptionComboBox*>(option);
        control == CC_ComboBox && combo != nullptr) {
        drawComboBox(*combo, *painter, subControlRect(CC_ComboBox, option, SC_ComboBoxArrow, widget));
        return;
    }
    QProxyStyle::drawComplexControl(control, option, painter, widget);
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
