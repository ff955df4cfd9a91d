#include "widgets/forms/head_grid.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <cmath>

#include "widgets/theme/focus_style.h"
#include "widgets/theme/fonts.h"
#include "widgets/theme/theme.h"

namespace sextant {

HeadGrid::HeadGrid(QWidget* parent) : QWidget(parent) {
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setProperty("viewKeys", true);
    setAccessibleName(tr("Heads"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
}

void HeadGrid::setHeads(std::vector<HeadPicture> heads, const MatrixLook& look, int columns) {
    heads_ = std::move(heads);
    look_ = look;
    columns_ = columns;
    current_ = std::clamp(current_, 0, std::max(0, static_cast<int>(heads_.size()) - 1));
    updateGeometry();
    update();
}

void HeadGrid::setCurrent(int index) {
    index = std::clamp(index, 0, std::max(0, static_cast<int>(heads_.size()) - 1));
    if (index == current_) return;
    current_ = index;
    if (!heads_.empty())
        setAccessibleDescription(heads_[static_cast<std::size_t>(index)].title + " " +
                                 heads_[static_cast<std::size_t>(index)].note);
    update();
}

QSize HeadGrid::sizeHint() const {
    return {scaled(560), scaled(320)};
}

QSize HeadGrid::minimumSizeHint() const {
    return {scaled(240), scaled(140)};
}

int HeadGrid::columns() const {
    const int count = static_cast<int>(heads_.size());
    if (count == 0) return 1;
    if (columns_ > 0) return std::min(columns_, count);
    // The number of columns with the largest squares.
    int best = 1;
    double bestSide = 0;
    for (int columns = 1; columns <= count; ++columns) {
        const int rows = (count + columns - 1) / columns;
        const double side = std::min(width() / static_cast<double>(columns) - scaled(12),
                                     height() / static_cast<double>(rows) - scaled(24));
        if (side > bestSide + 0.5) {
            bestSide = side;
            best = columns;
        }
    }
    return best;
}

QRect HeadGrid::cell(int index) const {
    const int across = columns();
    const int down = (static_cast<int>(heads_.size()) + across - 1) / across;
    const int w = width() / across;
    const int h = height() / std::max(1, down);
    return {index % across * w, index / across * h, w, h};
}

QRectF HeadGrid::picture(int index) const {
    const QRect whole = cell(index);
    const bool titled = whole.width() > scaled(56);
    const int top = titled ? scaled(16) : scaled(2);
    const int gap = titled ? scaled(10) : scaled(4);
    const int side = std::max(4, std::min(whole.width() - gap, whole.height() - top - scaled(6)));
    const MatrixData& matrix = heads_[static_cast<std::size_t>(index)].matrix;
    // Whole pixels a cell where they fit: hard edges everywhere.
    const auto cells = static_cast<int>(std::max<std::int64_t>(1, matrix.columns()));
    const int exact = side >= cells ? side / cells * cells : side;
    return {static_cast<qreal>(whole.left() + scaled(1)), static_cast<qreal>(whole.top() + top),
            static_cast<qreal>(exact), static_cast<qreal>(exact)};
}

int HeadGrid::indexAt(const QPointF& point) const {
    for (int index = 0; index < static_cast<int>(heads_.size()); ++index) {
        if (cell(index).contains(point.toPoint())) return index;
    }
    return -1;
}

void HeadGrid::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const PlotStyle style = PlotStyle::screen();
    for (int index = 0; index < static_cast<int>(heads_.size()); ++index) {
        const HeadPicture& head = heads_[static_cast<std::size_t>(index)];
        const QRectF where = picture(index);
        MatrixLook look = look_;
        look.dashedDistance = head.dashedDistance;
        const bool small = where.width() < 60;
        look.hatched = !small;
        paintMatrix(painter, where, head.matrix, look, style, small ? 0 : where.width() < 120 ? 6 : 8);
        if (where.top() - cell(index).top() > scaled(8)) {
            const QRectF text(where.left(), cell(index).top(), std::max(where.width(), 20.0), scaled(15));
            painter.setPen(style.theme.text);
            painter.setFont(textFont(index == current_ ? TextRole::kAxisBold : TextRole::kAxis));
            painter.drawText(text, Qt::AlignVCenter | Qt::AlignLeft, head.title);
            painter.setFont(textFont(TextRole::kToken));
            painter.setPen(style.theme.text2);
            if (where.width() > scaled(90)) painter.drawText(text, Qt::AlignVCenter | Qt::AlignRight, head.note);
        }
        if (index == current_) {
            painter.setBrush(Qt::NoBrush);
            QPen frame(style.theme.index, 3);
            frame.setJoinStyle(Qt::MiterJoin);
            painter.setPen(frame);
            painter.drawRect(where.adjusted(-1.5, -1.5, 1.5, 1.5));
        }
    }
    if (hasFocus() && heads_.empty()) drawFocusRing(painter, QRectF(rect()).adjusted(2, 2, -2, -2));
}

void HeadGrid::mouseMoveEvent(QMouseEvent* event) {
    const int index = indexAt(event->position());
    if (index < 0) {
        Q_EMIT cellHovered(-1, -1, -1);
        return;
    }
    const QRectF where = picture(index);
    const MatrixData& matrix = heads_[static_cast<std::size_t>(index)].matrix;
    if (!where.contains(event->position()) || matrix.empty()) {
        Q_EMIT cellHovered(-1, -1, -1);
        return;
    }
    const double x = (event->position().x() - where.left()) / where.width();
    const double y = (event->position().y() - where.top()) / where.height();
    Q_EMIT cellHovered(index, std::min(static_cast<int>(y * static_cast<double>(matrix.rows())),
                                       static_cast<int>(matrix.rows()) - 1),
                       std::min(static_cast<int>(x * static_cast<double>(matrix.columns())),
                                static_cast<int>(matrix.columns()) - 1));
}

void HeadGrid::mousePressEvent(QMouseEvent* event) {
    const int index = indexAt(event->position());
    if (index < 0) return;
    setCurrent(index);
    Q_EMIT headChosen(index);
}

void HeadGrid::leaveEvent(QEvent*) {
    Q_EMIT cellHovered(-1, -1, -1);
}

void HeadGrid::keyPressEvent(QKeyEvent* event) {
    int next = current_;
    switch (event->key()) {
        case Qt::Key_Left:
            next -= 1;
            break;
        case Qt::Key_Right:
            next += 1;
            break;
        case Qt::Key_Up:
            next -= columns();
            break;
        case Qt::Key_Down:
            next += columns();
            break;
        default:
            QWidget::keyPressEvent(event);
            return;
    }
    if (next < 0 || next >= static_cast<int>(heads_.size())) return;
    setCurrent(next);
    Q_EMIT headChosen(next);
}

}  // namespace sextant
