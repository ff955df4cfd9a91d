#include "widgets/controls/chip.h"

#include <QPainter>

#include "widgets/theme/fonts.h"
#include "widgets/theme/theme.h"

namespace sextant {

Chip::Chip(const QString& text, QWidget* parent) : QWidget(parent) {
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    setText(text);
}

void Chip::setText(const QString& text) {
    text_ = text;
    setAccessibleName(text);
    setVisible(!text.isEmpty());
    updateGeometry();
    update();
}

QSize Chip::sizeHint() const {
    return {QFontMetrics(textFont(TextRole::kAxis)).horizontalAdvance(text_) + scaled(16), scaled(17)};
}

void Chip::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    paintChip(painter, 0, height() / 2, text_);
}

int paintChip(QPainter& painter, int left, int y, const QString& text) {
    const Theme& t = theme();
    const QFont small = textFont(TextRole::kAxis);
    const int width = QFontMetrics(small).horizontalAdvance(text) + scaled(16);
    const int height = scaled(17);
    const QRectF box(left + 0.5, y - height / 2 + 0.5, width - 1, height - 1);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(t.line, 1));
    painter.setBrush(t.raised);
    painter.drawRoundedRect(box, scaled(8), scaled(8));
    painter.setFont(small);
    painter.setPen(t.text2);
    painter.drawText(box, Qt::AlignCenter, text);
    painter.restore();
    return width;
}

}  // namespace sextant
