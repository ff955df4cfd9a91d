#include "widgets/controls/phase_wheel.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "widgets/controls/marks.h"
#include "widgets/theme/focus_style.h"
#include "widgets/theme/fonts.h"

namespace sextant {
namespace {

constexpr double kTurn = 2.0 * std::numbers::pi;

struct Wheel {
    QPointF centre;
    double outer = 1.0, inner = 0.2;
    [[nodiscard]] double radius(std::size_t pair, std::size_t count) const {
        if (count < 2) return outer;
        return outer - (outer - inner) * static_cast<double>(pair) / static_cast<double>(count - 1);
    }
};

Wheel wheelIn(const QRectF& rect) {
    const double margin = scaled(26);
    Wheel wheel;
    wheel.centre = rect.center();
    wheel.outer = std::max(std::min(rect.width() / 2 - margin * 1.25, rect.height() / 2 - margin), 10.0);
    wheel.inner = wheel.outer * 0.12;
    return wheel;
}

}  // namespace

void paintPhaseWheel(QPainter& painter, const QRectF& rect, const std::vector<double>& angles, int selected,
                     const Theme& t) {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    const Wheel wheel = wheelIn(rect);
    const std::size_t count = angles.size();
    const int pairs = static_cast<int>(count);
    painter.setFont(textFont(TextRole::kAxis));
    const QFontMetricsF metrics(painter.font(), painter.device());
    // Spokes each 30 degrees, weaker than any ring.
    painter.setPen(QPen(t.grid, 1));
    for (int spoke = 0; spoke < 12; ++spoke) {
        const double a = spoke * kTurn / 12;
        painter.drawLine(wheel.centre + QPointF(std::cos(a), std::sin(a)) * wheel.inner,
                         wheel.centre + QPointF(std::cos(a), std::sin(a)) * wheel.outer);
    }
    painter.setPen(t.text2);
    const double r = wheel.outer + scaled(7);
    const double h = metrics.height();
    painter.drawText(QRectF(wheel.centre.x() + r, wheel.centre.y() - h / 2, 40, h), Qt::AlignLeft,
                     QStringLiteral("0°"));
    painter.drawText(QRectF(wheel.centre.x() - 30, wheel.centre.y() - r - h, 60, h), Qt::AlignHCenter,
                     QStringLiteral("90°"));
    painter.drawText(QRectF(wheel.centre.x() - r - 50, wheel.centre.y() - h / 2, 50, h), Qt::AlignRight,
                     QStringLiteral("180°"));
    painter.drawText(QRectF(wheel.centre.x() - 30, wheel.centre.y() + r, 60, h), Qt::AlignHCenter,
                     QStringLiteral("270°"));
    const double gap = count > 1 ? (wheel.outer - wheel.inner) / static_cast<double>(count - 1) : wheel.outer;
    const double dot = std::clamp(gap * 1.7, 4.0, 8.5);
    // Rings and arcs first, marks above all of them.
    for (std::size_t pair = 0; pair < count; ++pair) {
        const double radius = wheel.radius(pair, count);
        const QRectF box(wheel.centre.x() - radius, wheel.centre.y() - radius, 2 * radius, 2 * radius);
        const bool chosen = static_cast<int>(pair) == selected;
        const bool turned = std::abs(angles[pair]) >= kTurn;
        QColor color = t.ordered(static_cast<int>(pair), pairs);
        if (turned) {
            QColor faint = color;
            faint.setAlphaF(chosen ? 1.0F : 0.55F);
            painter.setPen(QPen(faint, chosen ? 2.0 : 1.0));
            painter.drawEllipse(box);
        } else if (std::isfinite(angles[pair])) {
            painter.setPen(QPen(color, chosen ? 2.5 : 1.25));
            painter.drawArc(box, 0, static_cast<int>(std::lround(angles[pair] / kTurn * 360.0 * 16.0)));
        }
    }
    painter.setPen(QPen(t.index, 1.5));
    painter.drawLine(wheel.centre + QPointF(wheel.inner, 0), wheel.centre + QPointF(wheel.outer + scaled(4), 0));
    for (std::size_t i = count; i > 0; --i) {
        const std::size_t pair = i - 1;
        if (!std::isfinite(angles[pair])) continue;
        const double radius = wheel.radius(pair, count);
        const double a = std::fmod(angles[pair], kTurn);
        const QPointF at = wheel.centre + QPointF(std::cos(a), -std::sin(a)) * radius;
        const bool turned = std::abs(angles[pair]) >= kTurn;
        const bool chosen = static_cast<int>(pair) == selected;
        drawMarker(painter, MarkerShape::kDisc, at, chosen ? dot + 3 : dot, t.ordered(static_cast<int>(pair), pairs),
                   t.plot, turned ? MarkerFill::kSlot : MarkerFill::kOpen);
        if (chosen) {
            painter.setPen(QPen(t.index, 2));
            painter.setBrush(Qt::NoBrush);
            painter.drawEllipse(at, dot / 2 + 4, dot / 2 + 4);
        }
    }
    painter.restore();
}

PhaseWheel::PhaseWheel(QWidget* parent) : QWidget(parent) {
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Phase wheel"));
    setMinimumSize(scaled(140), scaled(140));
}

void PhaseWheel::setAngles(std::vector<double> angles, double position) {
    angles_ = std::move(angles);
    position_ = position;
    if (selected_ >= static_cast<int>(angles_.size())) selected_ = -1;
    update();
}

void PhaseWheel::setSelected(int pair) {
    selected_ = pair;
    update();
}

QSize PhaseWheel::sizeHint() const {
    return {scaled(280), scaled(280)};
}

void PhaseWheel::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const Theme& t = theme();
    const int foot = footHeight();
    if (angles_.empty()) {
        painter.setPen(t.text2);
        painter.setFont(textFont(TextRole::kNote));
        painter.drawText(rect().adjusted(scaled(12), scaled(8), 0, 0), tr("This encoding has no rotating pairs."));
        return;
    }
    paintPhaseWheel(painter, QRectF(rect()).adjusted(0, 0, 0, -foot), angles_, selected_, t);
    painter.setFont(textFont(TextRole::kAxis));
    painter.setPen(t.text2);
    painter.drawText(QRectF(scaled(4), height() - foot, width() - scaled(8), foot), Qt::AlignCenter | Qt::TextWordWrap,
                     tr("● past one turn, ○ first turn; outer ring: pair 0"));
    if (showsFocus(this)) drawFocusRing(painter, rect());
}

int PhaseWheel::footHeight() const {
    const QFontMetrics metrics(textFont(TextRole::kAxis));
    const bool narrow = width() < metrics.horizontalAdvance(QLatin1Char('n')) * 54;
    return metrics.height() * (narrow ? 2 : 1) + scaled(6);
}

void PhaseWheel::choose(int pair) {
    if (pair < 0 || pair >= static_cast<int>(angles_.size())) return;
    selected_ = pair;
    const double angle = angles_[static_cast<std::size_t>(pair)];
    setAccessibleDescription(tr("pair %1 at position %2: %3 radians, %4 turns")
                                 .arg(pair)
                                 .arg(displayNumber(position_), displayNumber(angle), displayNumber(angle / kTurn)));
    emit pairSelected(pair);
    update();
}

void PhaseWheel::mousePressEvent(QMouseEvent* event) {
    const Wheel wheel = wheelIn(QRectF(rect()).adjusted(0, 0, 0, -footHeight()));
    double best = 14.0;
    int nearest = -1;
    for (std::size_t pair = 0; pair < angles_.size(); ++pair) {
        const double radius = wheel.radius(pair, angles_.size());
        const QPointF at = wheel.centre + QPointF(std::cos(angles_[pair]), -std::sin(angles_[pair])) * radius;
        const QPointF off = at - event->position();
        const double distance = std::hypot(off.x(), off.y());
        if (distance < best) {
            best = distance;
            nearest = static_cast<int>(pair);
        }
    }
    choose(nearest);
}

void PhaseWheel::keyPressEvent(QKeyEvent* event) {
    switch (event->key()) {
        case Qt::Key_Down:
        case Qt::Key_Right:
            return choose(std::min(selected_ + 1, static_cast<int>(angles_.size()) - 1));
        case Qt::Key_Up:
        case Qt::Key_Left:
            return choose(std::max(selected_ - 1, 0));
        default:
            QWidget::keyPressEvent(event);
    }
}

}  // namespace sextant
