// Painting and input of the large matrix view.
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>

#include "widgets/controls/marks.h"
#include "widgets/plots/heatmap_view.h"
#include "widgets/theme/focus_style.h"

namespace sextant {
namespace {

constexpr double kLargestCell = 48.0;  // px
constexpr double kDragThreshold = 5.0;

}  // namespace

void HeatmapView::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const Theme& t = theme();
    const PlotStyle style = PlotStyle::screen();
    painter.fillRect(rect(), t.plot);
    const MatrixData& matrix = shown();
    if (matrix.empty()) {
        painter.setPen(t.text2);
        painter.setFont(textFont(TextRole::kBody));
        painter.drawText(rect().adjusted(scaled(12), scaled(10), -scaled(12), 0), Qt::AlignLeft | Qt::TextWordWrap,
                         emptyText_);
        if (showsFocus(this)) drawFocusRing(painter, rect());
        return;
    }
    const QRect cells = visibleCells();
    const QRectF box = target();
    // Blocks so that one is at least a device pixel.
    std::int64_t block = 1;
    while (cell_ * devicePixelRatioF() * static_cast<double>(block) < 0.999)
        block *= 2;
    if (imageStale_ || imageCells_ != cells || imageBlock_ != block) {
        const MatrixData* level = &matrix;
        if (block > 1) {
            auto found = levels_.find(block);
            if (found == levels_.end()) {
                // From the nearest finer level: half the work each time.
                const MatrixData* finer = &matrix;
                std::int64_t have = 1;
                for (const auto& [size, data] : levels_)
                    if (size < block) {
                        finer = &data;
                        have = size;
                    }
                found = levels_.emplace(block, reduced(*finer, block / have)).first;
            }
            level = &found->second;
        }
        const int b = static_cast<int>(block);
        const QRect blocks(cells.left() / b, cells.top() / b, (cells.width() + b - 1) / b,
                           (cells.height() + b - 1) / b);
        image_ = matrixImage(*level, blocks, MatrixColors(effective_, t));
        imageCells_ = cells;
        imageBlock_ = block;
        imageStale_ = false;
    }
    paintHatch(painter, box, style, look_.hatched);
    painter.setRenderHint(QPainter::SmoothPixmapTransform, false);
    const double side = cell_ * static_cast<double>(block);
    const double rise = cellHeight() * static_cast<double>(block);
    painter.save();
    painter.setClipRect(box);
    painter.drawImage(QRectF(box.left(), box.top(), image_.width() * side, image_.height() * rise), image_);
    painter.restore();
    if (std::min(cell_, cellHeight()) >= scaled(8)) {
        QColor line = t.plot;
        line.setAlphaF(static_cast<float>(t.cellLineAlpha));
        painter.setPen(QPen(line, 1));
        for (int c = 1; c < cells.width(); ++c)
            painter.drawLine(QPointF(box.left() + c * cell_, box.top()), QPointF(box.left() + c * cell_, box.bottom()));
        for (int r = 1; r < cells.height(); ++r)
            painter.drawLine(QPointF(box.left(), box.top() + r * cellHeight()),
                             QPointF(box.right(), box.top() + r * cellHeight()));
    }
    painter.setPen(QPen(t.axis, 1));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(box.adjusted(-0.5, -0.5, 0.5, 0.5));
    paintMarks(painter);
    paintLabels(painter);
    if (bar_)
        paintColorBar(painter,
                      QRectF(box.right() + scaled(12), box.top() - scaled(4), width() - box.right() - scaled(14),
                             std::max(box.height() + scaled(8), 60.0)),
                      Qt::Vertical, barSpec(), style);
    if (showsFocus(this)) drawFocusRing(painter, rect());
}

void HeatmapView::paintFrames(QPainter& painter, const QRectF& frame, double width) const {
    const Theme& t = theme();
    painter.setBrush(Qt::NoBrush);
    QColor halo = t.plot;
    halo.setAlpha(200);
    painter.setPen(QPen(halo, width + 3.0, Qt::SolidLine, Qt::SquareCap, Qt::MiterJoin));
    painter.drawRect(frame);
    painter.setPen(QPen(t.index, width, Qt::SolidLine, Qt::SquareCap, Qt::MiterJoin));
    painter.drawRect(frame);
}

void HeatmapView::paintMarks(QPainter& painter) const {
    const QRectF box = target();
    painter.save();
    painter.setClipRect(box.adjusted(-2, -2, 2, 2));
    painter.setRenderHint(QPainter::Antialiasing);
    if (effective_.dashedDistance) {
        const QRect cells = visibleCells();
        const QRectF whole(box.left() - cells.left() * cell_, box.top() - cells.top() * cellHeight(),
                           static_cast<double>(shown().columns()) * cell_,
                           static_cast<double>(shown().rows()) * cellHeight());
        painter.save();
        painter.setClipRect(box);
        paintDistance(painter, whole, shown(), *effective_.dashedDistance, PlotStyle::screen());
        painter.restore();
    }
    if (const auto cross = locked_ ? locked_ : hover_) {
        const QRectF cell = cellRect(*cross);
        const Theme& t = theme();
        painter.setBrush(Qt::NoBrush);
        for (const QRectF& strip : {QRectF(box.left(), cell.top(), box.width(), cellHeight()),
                                    QRectF(cell.left(), box.top(), cell_, box.height())}) {
            painter.setPen(QPen(t.index, 1));
            painter.drawRect(strip.adjusted(-0.5, -0.5, 0.5, 0.5));
        }
    }
    if (hover_ && locked_ && *hover_ != *locked_)
        paintFrames(painter, cellRect(*hover_).adjusted(-0.5, -0.5, 0.5, 0.5), 1.0);
    if (locked_) paintFrames(painter, cellRect(*locked_).adjusted(-1, -1, 1, 1), 2.5);
    painter.restore();
}

void HeatmapView::paintLabels(QPainter& painter) const {
    const Theme& t = theme();
    const QRectF box = target();
    const QRect cells = visibleCells();
    if (cells.isEmpty()) return;
    const QPoint marked = locked_.value_or(hover_.value_or(QPoint(-1, -1)));
    const QFont token = textFont(TextRole::kToken);
    QFont strong = token;
    strong.setBold(true);
    const QFontMetricsF tokenMetrics(token);
    painter.setFont(textFont(TextRole::kAxis));
    const QFontMetricsF metrics(painter.font());
    const double line = metrics.height();
    if (tokensShown()) {
        for (int r = cells.top(); r <= cells.bottom() && r < queries_.size(); ++r) {
            const bool on = r == marked.y();
            painter.setFont(on ? strong : token);
            painter.setPen(on ? t.index : t.text2);
            const double y = box.top() + (r - cells.top() + 0.5) * cellHeight();
            painter.drawText(QRectF(0, y - line / 2, box.left() - scaled(5), line), Qt::AlignRight | Qt::AlignVCenter,
                             tokenMetrics.elidedText(queries_[r], Qt::ElideRight, box.left() - scaled(7)));
        }
        for (int c = cells.left(); c <= cells.right() && c < keys_.size(); ++c) {
            const bool on = c == marked.x();
            painter.save();
            painter.setFont(on ? strong : token);
            painter.setPen(on ? t.index : t.text2);
            painter.translate(box.left() + (c - cells.left() + 0.5) * cell_, box.top() - scaled(5));
            painter.rotate(-90);
            painter.drawText(QRectF(0, -line / 2, box.top() - scaled(8), line), Qt::AlignLeft | Qt::AlignVCenter,
                             tokenMetrics.elidedText(keys_[c], Qt::ElideRight, box.top() - scaled(10)));
            painter.restore();
        }
    }
    painter.setFont(textFont(TextRole::kAxis));
    painter.setPen(t.text2);
    const double below = box.bottom() + scaled(2);
    painter.drawText(QRectF(box.left(), below, box.width(), line), Qt::AlignLeft, QString::number(cells.left()));
    painter.drawText(QRectF(box.left(), below, box.width(), line), Qt::AlignRight, QString::number(cells.right()));
    const QString middle = marked.x() >= 0 ? QStringLiteral("%1 %2").arg(columnName_).arg(marked.x()) : columnName_;
    if (box.width() > metrics.horizontalAdvance(middle) + scaled(60)) {
        if (marked.x() >= 0) painter.setPen(t.index);
        painter.drawText(QRectF(box.left(), below, box.width(), line), Qt::AlignHCenter, middle);
        painter.setPen(t.text2);
    }
    if (!tokensShown()) {
        const double right = box.left() - scaled(5);
        painter.drawText(QRectF(0, box.top(), right, line), Qt::AlignRight, QString::number(cells.top()));
        painter.drawText(QRectF(0, box.bottom() - line, right, line), Qt::AlignRight, QString::number(cells.bottom()));
        painter.drawText(QRectF(scaled(4), box.top() - line - scaled(3), box.left() + box.width(), line), Qt::AlignLeft,
                         marked.y() >= 0 ? QStringLiteral("%1 %2 ↓").arg(rowName_).arg(marked.y())
                                         : QStringLiteral("%1 ↓").arg(rowName_));
    }
}

void HeatmapView::mouseMoveEvent(QMouseEvent* event) {
    if (panFrom_) {
        const QPointF pixels = event->position() - *panFrom_;
        const QPointF moved(pixels.x() / cell_, pixels.y() / cellHeight());
        origin_ = panOrigin_ - moved;
        fitted_ = false;
        clampOrigin();
        imageStale_ = true;
        emit viewChanged(QRectF(visibleCells()));
        update();
        return;
    }
    const auto cell = cellAt(event->position());
    if (cell == hover_) return;
    hover_ = cell;
    if (cell) {
        emit cellHovered(cell->y(), cell->x(), shown().at(cell->y(), cell->x()));
    } else {
        emit cellHovered(-1, -1, std::numeric_limits<double>::quiet_NaN());
    }
    update();
}

void HeatmapView::mousePressEvent(QMouseEvent* event) {
    if (event->button() == Qt::MiddleButton ||
        (event->button() == Qt::LeftButton && event->modifiers().testFlag(Qt::ControlModifier))) {
        panFrom_ = event->position();
        panOrigin_ = origin_;
        return;
    }
    if (event->button() != Qt::LeftButton) return;
    const auto cell = cellAt(event->position());
    if (cell && locked_ == cell) {
        lockCell(std::nullopt);
    } else if (cell) {
        lockCell(cell);
    }
}

void HeatmapView::mouseReleaseEvent(QMouseEvent*) {
    panFrom_.reset();
}

void HeatmapView::mouseDoubleClickEvent(QMouseEvent*) {
    fit();
}

void HeatmapView::leaveEvent(QEvent*) {
    if (!hover_) return;
    hover_.reset();
    emit cellHovered(-1, -1, std::numeric_limits<double>::quiet_NaN());
    update();
}

void HeatmapView::zoom(double factor, std::optional<QPointF> around) {
    if (shown().empty() || !(factor > 0.0)) return;
    const double ratio = devicePixelRatioF();
    const QRectF box = room();
    const QPointF at = around.value_or(locked_ ? cellRect(*locked_).center() : box.center());
    const QPointF off = at - box.topLeft();
    const QPointF anchor = origin_ + QPointF(off.x() / cell_, off.y() / cellHeight());
    const double least = fittingCell();
    double next = cell_ * factor * ratio;
    // Integer device pixels above one, whole blocks below: cells stay equal.
    if (next >= 1.0) {
        next = factor > 1.0 ? std::ceil(next - 1e-9) : std::floor(next + 1e-9);
        if (std::abs(next - cell_ * ratio) < 0.5) next += factor > 1.0 ? 1.0 : -1.0;
        next = std::max(next, 1.0);
    } else {
        double block = 1.0;
        while (1.0 / block > next * 1.01)
            block *= 2.0;
        next = 1.0 / block;
        if (std::abs(next - cell_ * ratio) < 1e-9) next *= factor > 1.0 ? 2.0 : 0.5;
    }
    next = std::clamp(next / ratio, std::min(least, kLargestCell),
                      std::max(static_cast<double>(scaled(kLargestCell)), least));
    fitted_ = square_ ? next <= least
                      : next <= cell_ && factor < 1.0 && next * static_cast<double>(shown().columns()) <= box.width();
    cell_ = next;
    const QPointF now = at - room().topLeft();
    origin_ = anchor - QPointF(now.x() / cell_, now.y() / cellHeight());
    placeView();
    emit viewChanged(QRectF(visibleCells()));
    update();
}

void HeatmapView::fit() {
    fitted_ = true;
    placeView();
    emit viewChanged(QRectF(visibleCells()));
    update();
}

void HeatmapView::wheelEvent(QWheelEvent* event) {
    if (event->angleDelta().y() != 0) zoom(std::pow(1.35, event->angleDelta().y() / 120.0), event->position());
    event->accept();
}

void HeatmapView::keyPressEvent(QKeyEvent* event) {
    if (shown().empty()) return QWidget::keyPressEvent(event);
    const auto move = [&](int dx, int dy) {
        const int stride = event->modifiers().testFlag(Qt::ShiftModifier) ? 10 : 1;
        QPoint cell = locked_.value_or(hover_.value_or(QPoint(0, 0)));
        if (locked_) cell += QPoint(dx, dy) * stride;
        cell.setX(std::clamp(cell.x(), 0, static_cast<int>(shown().columns()) - 1));
        cell.setY(std::clamp(cell.y(), 0, static_cast<int>(shown().rows()) - 1));
        centreOn(cell);
        lockCell(cell);
    };
    switch (event->key()) {
        case Qt::Key_Left:
            return move(-1, 0);
        case Qt::Key_Right:
            return move(1, 0);
        case Qt::Key_Up:
            return move(0, -1);
        case Qt::Key_Down:
            return move(0, 1);
        case Qt::Key_Return:
        case Qt::Key_Enter:
            return lockCell(locked_ ? std::nullopt : std::optional(hover_.value_or(QPoint(0, 0))));
        case Qt::Key_Escape:
            if (!locked_) return QWidget::keyPressEvent(event);
            return lockCell(std::nullopt);
        case Qt::Key_Plus:
        case Qt::Key_Equal:
            return zoom(1.35);
        case Qt::Key_Minus:
            return zoom(1.0 / 1.35);
        case Qt::Key_0:
            return fit();
        case Qt::Key_M:
            look_.hatched = !look_.hatched;
            effective_.hatched = look_.hatched;
            return update();
        case Qt::Key_D:
            if (b_.empty()) return;
            return setSide(side_ == MatrixSide::kA   ? MatrixSide::kB
                           : side_ == MatrixSide::kB ? MatrixSide::kDifference
                                                     : MatrixSide::kA);
        default:
            QWidget::keyPressEvent(event);
    }
}

}  // namespace sextant
