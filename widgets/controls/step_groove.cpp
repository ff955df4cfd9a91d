#include "widgets/controls/step_groove.h"

#include <QMouseEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "widgets/theme/focus_style.h"
#include "widgets/theme/fonts.h"
#include "widgets/theme/theme.h"

namespace sextant {

StepGroove::StepGroove(QWidget* parent) : QAbstractSlider(parent) {
    setOrientation(Qt::Horizontal);
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setAccessibleName(tr("Step"));
    setTracking(true);
}

void StepGroove::setSteps(qint64 total, qint64 recorded, std::vector<qint64> snapshots) {
    total_ = std::clamp<qint64>(total, 0, std::numeric_limits<int>::max());
    recorded_ = std::clamp<qint64>(recorded, 0, total_);
    snapshots_ = std::move(snapshots);
    setRange(0, static_cast<int>(recorded_));
    setPageStep(static_cast<int>(std::max<qint64>(recorded_ / 10, 1)));
    update();
}

QSize StepGroove::sizeHint() const {
    return {scaled(560), scaled(30)};
}

QSize StepGroove::minimumSizeHint() const {
    return {scaled(120), scaled(30)};
}

double StepGroove::place(qint64 step) const {
    const double margin = scaled(8);
    const double room = std::max(width() - 2 * margin, 1.0);
    return margin + (total_ > 0 ? room * static_cast<double>(step) / static_cast<double>(total_) : 0.0);
}

int StepGroove::stepAt(double x) const {
    const double margin = scaled(8);
    const double room = std::max(width() - 2 * margin, 1.0);
    const double step = (x - margin) / room * static_cast<double>(total_);
    return static_cast<int>(std::clamp<double>(std::round(step), 0.0, static_cast<double>(recorded_)));
}

void StepGroove::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const Theme& t = theme();
    const double y = height() / 2.0;
    const double thick = scaled(4);
    painter.fillRect(QRectF(place(0), y - thick / 2, place(total_) - place(0), thick), t.sunken);
    painter.fillRect(QRectF(place(0), y - thick / 2, place(recorded_) - place(0), thick), t.axis);
    painter.setPen(QPen(t.axis, 1));
    // Ticks closer than 3 px would merge into a bar: draw every n-th then.
    const double spacing = snapshots_.size() > 1 ? (place(snapshots_.back()) - place(snapshots_.front())) /
                                                       static_cast<double>(snapshots_.size() - 1)
                                                 : 100.0;
    const std::size_t stride =
        spacing >= 3.0 ? 1 : 5 * static_cast<std::size_t>(std::ceil(3.0 / std::max(spacing * 5, 0.01)));
    for (std::size_t i = 0; i < snapshots_.size(); i += stride) {
        const double x = std::floor(place(snapshots_[i])) + 0.5;
        const int length = (i / stride) % 5 == 0 ? scaled(7) : scaled(4);
        painter.drawLine(QPointF(x, y + thick / 2 + 2), QPointF(x, y + thick / 2 + 2 + length));
    }
    if (total_ > 0) {
        const double x = place(value());
        const double w = scaled(12);
        const double h = scaled(14);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(QPen(t.panel, 1));
        painter.setBrush(isEnabled() ? t.index : t.text3);
        painter.drawPolygon(QPolygonF({{x - w / 2, y - h * 0.65},
                                       {x + w / 2, y - h * 0.65},
                                       {x + w / 2, y + h * 0.05},
                                       {x, y + h * 0.42},
                                       {x - w / 2, y + h * 0.05}}));
    }
    if (showsFocus(this)) drawFocusRing(painter, rect());
}

void StepGroove::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) return;
    setSliderDown(true);
    setSliderPosition(stepAt(event->position().x()));
}

void StepGroove::mouseMoveEvent(QMouseEvent* event) {
    if (isSliderDown()) setSliderPosition(stepAt(event->position().x()));
}

void StepGroove::mouseReleaseEvent(QMouseEvent*) {
    setSliderDown(false);
}

}  // namespace sextant
