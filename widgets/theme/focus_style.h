#pragma once
// Fusion with the look's focus ring: 2 px in the index colour, 1 px outside, only for keyboard focus.

#include <QProxyStyle>

namespace sextant {

class FocusStyle : public QProxyStyle {
    Q_OBJECT

  public:
    using QProxyStyle::QProxyStyle;
    void drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                       const QWidget* widget) const override;
    int styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                  QStyleHintReturn* data) const override;
    void drawComplexControl(ComplexControl control, const QStyleOptionComplex* option, QPainter* painter,
                            const QWidget* widget) const override;
    int pixelMetric(PixelMetric metric, const QStyleOption* option, const QWidget* widget) const override;
};

// Whether a widget has the focus and the user came to it by keyboard: only then the ring is shown.
[[nodiscard]] bool showsFocus(const QWidget* widget);
// Called for every FocusIn event of the application.
void noteFocusReason(Qt::FocusReason reason);
// For own widgets: the ring around a rectangle.
void drawFocusRing(QPainter& painter, const QRectF& rect);

}  // namespace sextant
