#include "widgets/forms/line_sample.h"

#include <QPainter>

#include "widgets/theme/fonts.h"
#include "widgets/theme/theme.h"

namespace sextant {

void drawLineSample(QPainter& painter, const QRectF& rect, int slot) {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    QPen pen = theme().series(slot).pen(slot == 0 ? 2.0 : 1.5);
    pen.setCapStyle(Qt::FlatCap);
    painter.setPen(pen);
    const qreal y = std::floor(rect.center().y()) + 0.5;
    painter.drawLine(QPointF(rect.left(), y), QPointF(rect.right(), y));
    painter.restore();
}

LineSample::LineSample(int slot, QWidget* parent) : QWidget(parent), slot_(slot) {
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
}

void LineSample::setSlot(int slot) {
    slot_ = slot;
    update();
}

QSize LineSample::sizeHint() const {
    return {scaled(24), scaled(12)};
}

void LineSample::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    drawLineSample(painter, QRectF(rect()).adjusted(1, 0, -1, 0), slot_);
}

}  // namespace sextant
