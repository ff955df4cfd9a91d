// Mouse and keyboard of a curve plot: drag zooms into a box, Shift-drag along x, middle-drag pans, the wheel zooms
// around the pointer, a double click fits, a click moves the cursor. Every one of them has a key.
#include <QKeyEvent>
#include <QMouseEvent>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>

#include "widgets/plots/curve_canvas.h"
#include "widgets/plots/curve_drawn.h"

namespace sextant {
namespace {

constexpr double kWheelStep = 1.2;
constexpr double kDragThreshold = 5.0;  // px

}  // namespace

void CurvePlot::zoom(double factor, std::optional<QPointF> around, bool xOnly) {
    if (!(factor > 0.0)) return;
    const double cx = around ? plotX(around->x()) : (x0_ + x1_) / 2;
    const double cy = around ? plotY(around->y()) : (y0_ + y1_) / 2;
    const double least = std::max({std::abs(x0_), std::abs(x1_), 1e-250}) * 1e-12;
    if ((x1_ - x0_) / factor < least || (x1_ - x0_) / factor > 1e200) return;
    x0_ = cx + (x0_ - cx) / factor;
    x1_ = cx + (x1_ - cx) / factor;
    xFitted_ = false;
    if (!xOnly) {
        y0_ = cy + (y0_ - cy) / factor;
        y1_ = cy + (y1_ - cy) / factor;
        yFitted_ = false;
    }
    viewChanged();
}

void CurvePlot::pan(double xShare, double yShare) {
    const double dx = (x1_ - x0_) * xShare;
    const double dy = (y1_ - y0_) * yShare;
    x0_ += dx;
    x1_ += dx;
    y0_ += dy;
    y1_ += dy;
    xFitted_ = false;
    if (dy != 0.0) yFitted_ = false;
    viewChanged();
}

bool CurvePlot::eventFilter(QObject* watched, QEvent* event) {
    if (watched != plot_) return QWidget::eventFilter(watched, event);
    const auto refreshCursor = [this] { plot_->layer(QStringLiteral("cursor"))->replot(); };
    switch (event->type()) {
        case QEvent::MouseButtonPress: {
            const auto* mouse = static_cast<QMouseEvent*>(event);
            if (!interactive_) return false;
            setFocus(Qt::MouseFocusReason);
            dragFrom_ = dragTo_ = mouse->position();
            dragX0_ = x0_;
            dragX1_ = x1_;
            dragY0_ = y0_;
            dragY1_ = y1_;
            if (mouse->button() == Qt::MiddleButton) {
                drag_ = Drag::kPan;
            } else if (mouse->button() == Qt::LeftButton) {
                drag_ = mouse->modifiers().testFlag(Qt::ShiftModifier) ? Drag::kXOnly : Drag::kBox;
            }
            return drag_ != Drag::kNone;
        }
        case QEvent::MouseMove: {
            const auto* mouse = static_cast<QMouseEvent*>(event);
            const QRect area = plot_->axisRect()->rect();
            if (drag_ == Drag::kPan) {
                const double dx =
                    (mouse->position().x() - dragFrom_.x()) / std::max(area.width(), 1) * (dragX1_ - dragX0_);
                double dy = (mouse->position().y() - dragFrom_.y()) / std::max(area.height(), 1) * (dragY1_ - dragY0_);
                if (yOptions_.descending) dy = -dy;
                x0_ = dragX0_ - dx;
                x1_ = dragX1_ - dx;
                y0_ = dragY0_ + dy;
                y1_ = dragY1_ + dy;
                xFitted_ = yFitted_ = false;
                viewChanged();
            } else if (drag_ != Drag::kNone) {
                dragTo_ = mouse->position();
                refreshCursor();
            } else if (interactive_) {
                const bool inside = area.contains(mouse->position().toPoint());
                const std::optional<double> before = hover_;
                hover_ = inside ? std::optional<double>(xScale_.inverse(plotX(mouse->position().x()))) : std::nullopt;
                if (hover_ || before) {
                    emit hovered(hover_.value_or(std::numeric_limits<double>::quiet_NaN()));
                    refreshCursor();
                }
            }
            return false;
        }
        case QEvent::MouseButtonRelease: {
            const auto* mouse = static_cast<QMouseEvent*>(event);
            const Drag drag = std::exchange(drag_, Drag::kNone);
            if (drag == Drag::kPan) emit viewTouched();
            if (drag == Drag::kNone || drag == Drag::kPan) return drag != Drag::kNone;
            const QPointF to = mouse->position();
            const QPointF moved = to - dragFrom_;
            if (std::hypot(moved.x(), moved.y()) < kDragThreshold) {
                const QRect area = plot_->axisRect()->rect();
                if (area.contains(to.toPoint())) {
                    const double x = xScale_.inverse(plotX(to.x()));
                    emit cursorMoved(x);
                    // The series whose point is nearest to the click.
                    QString nearest;
                    double best = 24.0;
                    double nearestX = x;
                    for (const SeriesState& state : states_) {
                        const auto at = state.series().visible ? state.sampleAt(x) : std::nullopt;
                        if (!at) continue;
                        const double px =
                            area.left() + (xScale_.forward(state.x()[*at]) - x0_) / (x1_ - x0_) * area.width();
                        const double share = (yScale_.forward(state.shown()[*at]) - y0_) / (y1_ - y0_);
                        const double py = yOptions_.descending ? area.top() + share * area.height()
                                                               : area.top() + (1 - share) * area.height();
                        const double distance = std::hypot(px - to.x(), py - to.y());
                        if (distance < best) {
                            best = distance;
                            nearest = state.series().id;
                            nearestX = state.x()[*at];
                        }
                    }
                    if (!nearest.isEmpty()) emit seriesClicked(nearest, nearestX);
                }
                refreshCursor();
                return true;
            }
            const double xa = plotX(std::min(dragFrom_.x(), to.x()));
            const double xb = plotX(std::max(dragFrom_.x(), to.x()));
            const double ya = plotY(std::max(dragFrom_.y(), to.y()));
            const double yb = plotY(std::min(dragFrom_.y(), to.y()));
            if (std::abs(moved.x()) >= kDragThreshold) {
                x0_ = xa;
                x1_ = xb;
                xFitted_ = false;
            }
            if (drag == Drag::kBox && std::abs(moved.y()) >= kDragThreshold) {
                y0_ = std::min(ya, yb);
                y1_ = std::max(ya, yb);
                yFitted_ = false;
            }
            viewChanged();
            emit viewTouched();
            return true;
        }
        case QEvent::MouseButtonDblClick:
            if (!interactive_) return false;
            drag_ = Drag::kNone;
            reset();
            emit viewTouched();
            return true;
        case QEvent::Wheel: {
            const auto* wheel = static_cast<QWheelEvent*>(event);
            if (!interactive_ || wheel->angleDelta().y() == 0) return false;
            zoom(std::pow(kWheelStep, wheel->angleDelta().y() / 120.0), wheel->position(),
                 wheel->modifiers().testFlag(Qt::ShiftModifier));
            emit viewTouched();
            return true;
        }
        case QEvent::Leave:
            if (hover_) {
                hover_.reset();
                emit hovered(std::numeric_limits<double>::quiet_NaN());
                refreshCursor();
            }
            return false;
        default:
            return false;
    }
}

void CurvePlot::keyPressEvent(QKeyEvent* event) {
    constexpr double kStep = 0.1;
    switch (event->key()) {
        case Qt::Key_Plus:
        case Qt::Key_Equal:
            zoom(kWheelStep);
            return emit viewTouched();
        case Qt::Key_Minus:
            zoom(1.0 / kWheelStep);
            return emit viewTouched();
        case Qt::Key_0:
            reset();
            return emit viewTouched();
        case Qt::Key_Y:
            return emit logToggled(true);
        case Qt::Key_X:
            return emit logToggled(false);
        case Qt::Key_S:
            return emit smoothingToggled();
        case Qt::Key_Left:
        case Qt::Key_Right: {
            const double sign = event->key() == Qt::Key_Left ? -1.0 : 1.0;
            if (event->modifiers().testFlag(Qt::ControlModifier)) {
                pan(sign * kStep, 0.0);
                return emit viewTouched();
            }
            // The cursor goes to the next sample of the first visible series.
            for (const SeriesState& state : states_) {
                if (!state.series().visible || state.x().empty() || state.series().role == SeriesRole::kPath) continue;
                const auto at = state.sampleAt(cursor_.value_or(xScale_.inverse(x1_)));
                if (!at) continue;
                const std::size_t last = state.x().size() - 1;
                const std::size_t next = sign < 0 ? (*at > 0 ? *at - 1 : 0) : std::min(*at + 1, last);
                emit cursorMoved(state.x()[next]);
                return;
            }
            return;
        }
        case Qt::Key_Up:
        case Qt::Key_Down:
            // With Alt the arrows change the half-life, which is not the plot's.
            if (event->modifiers().testFlag(Qt::AltModifier)) return QWidget::keyPressEvent(event);
            pan(0.0, event->key() == Qt::Key_Up ? kStep : -kStep);
            return emit viewTouched();
        default:
            QWidget::keyPressEvent(event);
    }
}

}  // namespace sextant
