#include "widgets/controls/flow_layout.h"

#include <QWidget>
#include <algorithm>

namespace sextant {

FlowLayout::FlowLayout(int spacing, QWidget* parent) : QLayout(parent), gap_(spacing) {
    setContentsMargins(0, 0, 0, 0);
}

FlowLayout::~FlowLayout() {
    while (QLayoutItem* item = takeAt(0))
        delete item;
}

void FlowLayout::addItem(QLayoutItem* item) {
    items_.append(item);
}

int FlowLayout::count() const {
    return static_cast<int>(items_.size());
}

QLayoutItem* FlowLayout::itemAt(int index) const {
    return items_.value(index);
}

QLayoutItem* FlowLayout::takeAt(int index) {
    return index >= 0 && index < items_.size() ? items_.takeAt(index) : nullptr;
}

int FlowLayout::heightForWidth(int width) const {
    return place(QRect(0, 0, width, 0), false);
}

QSize FlowLayout::sizeHint() const {
    int width = 0, height = 0;
    for (const QLayoutItem* item : items_) {
        if (item->isEmpty()) continue;
        width += item->sizeHint().width() + (width > 0 ? gap_ : 0);
        height = std::max(height, item->sizeHint().height());
    }
    return {width, height};
}

QSize FlowLayout::minimumSize() const {
    QSize least;
    for (const QLayoutItem* item : items_)
        if (!item->isEmpty()) least = least.expandedTo(item->minimumSize());
    return least;
}

void FlowLayout::setGeometry(const QRect& rect) {
    QLayout::setGeometry(rect);
    place(rect, true);
}

int FlowLayout::place(const QRect& rect, bool apply) const {
    int x = rect.x(), y = rect.y();
    QList<QLayoutItem*> line;
    int height = 0;
    // Controls of one line stand on one middle.
    const auto finish = [&] {
        int at = rect.x();
        for (QLayoutItem* item : line) {
            const QSize size = item->sizeHint();
            if (apply) item->setGeometry(QRect(QPoint(at, y + (height - size.height()) / 2), size));
            at += size.width() + gap_;
        }
        line.clear();
    };
    for (QLayoutItem* item : items_) {
        if (item->isEmpty()) continue;
        const QSize size = item->sizeHint();
        if (!line.isEmpty() && x + size.width() > rect.x() + rect.width()) {
            finish();
            y += height + gap_ / 2;
            x = rect.x();
            height = 0;
        }
        line.append(item);
        x += size.width() + gap_;
        height = std::max(height, size.height());
    }
    finish();
    return y + height - rect.y();
}

}  // namespace sextant
