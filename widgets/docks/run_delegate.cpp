#include "widgets/docks/run_delegate.h"

#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>

#include "widgets/controls/chip.h"
#include "widgets/forms/line_sample.h"
#include "widgets/models/run_model.h"
#include "widgets/theme/focus_style.h"
#include "widgets/theme/fonts.h"
#include "widgets/theme/icons.h"
#include "widgets/theme/theme.h"

namespace sextant {

void drawStatusGlyph(QPainter& painter, const QRectF& rect, RunStatus status, double progress) {
    const Theme& look = theme();
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(Qt::NoBrush);
    const auto pen = [&](const QColor& color) {
        QPen made(color, 1.5);
        made.setCapStyle(Qt::RoundCap);
        made.setJoinStyle(Qt::RoundJoin);
        return made;
    };
    const QRectF ring = rect.adjusted(1.5, 1.5, -1.5, -1.5);
    const qreal w = rect.width();
    const auto at = [&](qreal x, qreal y) { return rect.topLeft() + QPointF(x * w, y * w); };
    switch (status) {
        case RunStatus::kCompleted:
            painter.setPen(pen(look.ok));
            painter.drawPolyline(QPolygonF{at(0.15, 0.55), at(0.40, 0.80), at(0.88, 0.22)});
            break;
        case RunStatus::kRunning: {
            painter.setPen(pen(look.line));
            painter.drawEllipse(ring);
            QPen arc = pen(look.info);
            arc.setWidthF(2.2);
            painter.setPen(arc);
            painter.drawArc(ring, 90 * 16, static_cast<int>(-360 * 16 * std::max(0.08, progress)));
            break;
        }
        case RunStatus::kQueued: {
            QPen dashed = pen(look.text2);
            dashed.setDashPattern({1.2, 1.8});
            dashed.setCapStyle(Qt::FlatCap);
            painter.setPen(dashed);
            painter.drawEllipse(ring);
            break;
        }
        case RunStatus::kPaused:
            painter.setPen(Qt::NoPen);
            painter.setBrush(look.warn);
            painter.drawRect(QRectF(at(0.22, 0.15), at(0.40, 0.85)));
            painter.drawRect(QRectF(at(0.60, 0.15), at(0.78, 0.85)));
            break;
        case RunStatus::kCancelled:
            painter.setPen(pen(look.text2));
            painter.drawRect(rect.adjusted(w * 0.2, w * 0.2, -w * 0.2, -w * 0.2));
            break;
        case RunStatus::kInterrupted:
        case RunStatus::kDiverged:
        case RunStatus::kFailed: {
            painter.setPen(pen(status == RunStatus::kInterrupted ? look.warn : look.err));
            painter.drawPolygon(QPolygonF{at(0.5, 0.08), at(0.96, 0.90), at(0.04, 0.90)});
            painter.drawLine(at(0.5, 0.38), at(0.5, 0.62));
            painter.drawPoint(at(0.5, 0.77));
            break;
        }
    }
    painter.restore();
}

QRect RunDelegate::boxRect(const QRect& rect) {
    const int size = scaled(12);
    return {rect.left() + scaled(2), rect.center().y() - size / 2, size, size};
}

QSize RunDelegate::sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const {
    return {scaled(60), scaled(24)};
}

void RunDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
    const Theme& look = theme();
    painter->save();
    QRect rect = option.rect;
    const bool selected = option.state & QStyle::State_Selected;
    const bool hovered = option.state & QStyle::State_MouseOver;
    // Over the whole row, the branch area included, so that the index bar stands at the edge of the dock.
    if (index.column() == RunModel::kName) {
        const QRect whole(0, rect.top(), rect.right() + 1, rect.height());
        painter->setClipping(false);
        if (selected || hovered) painter->fillRect(rect, selected ? look.select : look.hover);
        if (selected) painter->fillRect(QRect(whole.left(), whole.top(), 3, whole.height()), look.index);
    } else if (selected || hovered) {
        painter->fillRect(rect, selected ? look.select : look.hover);
    }
    if (index.column() == RunModel::kValue) {
        painter->setFont(textFont(TextRole::kValue));
        painter->setPen(look.text);
        painter->drawText(rect.adjusted(0, 0, -scaled(8), 0), Qt::AlignVCenter | Qt::AlignRight,
                          index.data().toString());
    } else if (index.data(RunModel::kFolderRole).toString().isEmpty()) {
        paintArm(*painter, rect, index);
    } else {
        paintRun(*painter, rect, index);
    }
    if ((option.state & QStyle::State_HasFocus) && index.column() == RunModel::kName)
        drawFocusRing(*painter, QRectF(rect).adjusted(1, 1, -1, -1));
    painter->restore();
}

void RunDelegate::paintArm(QPainter& painter, QRect rect, const QModelIndex& index) const {
    const Theme& look = theme();
    drawLineSample(painter, QRectF(rect.left() + scaled(2), rect.top(), scaled(20), rect.height()),
                   index.data(RunModel::kSlotRole).toInt());
    rect.setLeft(rect.left() + scaled(28));
    painter.setFont(textFont(TextRole::kTitle));
    painter.setPen(look.text);
    const bool baseline = index.data(RunModel::kBaselineRole).toBool();
    const QString count = index.data(RunModel::kCountRole).toString();
    // The name is what is looked for: the note gives way first, then the middle of the name (names differ at both
    // ends).
    const QString whole = index.data().toString();
    const int star = baseline ? scaled(13) + scaled(6) : 0;
    const QFontMetrics noteMetrics(textFont(TextRole::kNote));
    const int free = rect.width() - painter.fontMetrics().horizontalAdvance(whole) - scaled(6) - star;
    QString note = baseline ? tr("%1, baseline").arg(count) : count;
    if (noteMetrics.horizontalAdvance(note) > free) note = count;
    if (noteMetrics.horizontalAdvance(note) > free) note.clear();
    const QString name = painter.fontMetrics().elidedText(whole, Qt::ElideMiddle, rect.width() - star);
    painter.drawText(rect, Qt::AlignVCenter | Qt::AlignLeft, name);
    int x = rect.left() + painter.fontMetrics().horizontalAdvance(name) + scaled(6);
    if (baseline) {
        const int size = scaled(13);
        painter.drawPixmap(QRect(x, rect.center().y() - size / 2, size, size),
                           iconPixmap("star", look.index, size, painter.device()->devicePixelRatioF()));
        x += size + scaled(6);
    }
    painter.setFont(textFont(TextRole::kNote));
    painter.setPen(look.text2);
    painter.drawText(QRect(x, rect.top(), rect.right() - x, rect.height()), Qt::AlignVCenter | Qt::AlignLeft, note);
}

void RunDelegate::paintRun(QPainter& painter, QRect rect, const QModelIndex& index) const {
    const Theme& look = theme();
    const QRect box = boxRect(rect);
    const bool visible = index.data(RunModel::kVisibleRole).toBool();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(visible ? look.text2 : look.edge);
    painter.setBrush(visible ? QBrush(look.text2) : QBrush(look.field));
    painter.drawRoundedRect(QRectF(box).adjusted(0.5, 0.5, -0.5, -0.5), 2, 2);
    if (visible) {
        QPen tick(look.field, 1.5);
        painter.setPen(tick);
        painter.drawPolyline(QPolygonF{QPointF(box.left() + box.width() * 0.22, box.top() + box.height() * 0.52),
                                       QPointF(box.left() + box.width() * 0.43, box.top() + box.height() * 0.73),
                                       QPointF(box.left() + box.width() * 0.80, box.top() + box.height() * 0.30)});
    }
    painter.setRenderHint(QPainter::Antialiasing, false);
    const int glyph = scaled(12);
    const auto status = static_cast<RunStatus>(index.data(RunModel::kStatusRole).toInt());
    const double progress = index.data(RunModel::kProgressRole).toDouble();
    drawStatusGlyph(painter, QRectF(box.right() + scaled(8), rect.center().y() - glyph / 2.0, glyph, glyph), status,
                    progress);
    int x = box.right() + scaled(8) + glyph + scaled(7);
    painter.setFont(textFont(TextRole::kValue));
    painter.setPen(look.text);
    const QString name = index.data().toString();
    painter.drawText(QRect(x, rect.top(), rect.right() - x, rect.height()), Qt::AlignVCenter | Qt::AlignLeft, name);
    x += painter.fontMetrics().horizontalAdvance(name) + scaled(8);
    if (status == RunStatus::kRunning) {
        const QRect groove(x, rect.center().y() - scaled(3), scaled(52), scaled(6));
        painter.fillRect(groove, look.sunken);
        painter.fillRect(
            QRect(groove.left(), groove.top(), static_cast<int>(groove.width() * progress), groove.height()),
            look.info);
        x = groove.right() + scaled(8);
    }
    const QString detail = index.data(RunModel::kDetailRole).toString();
    const QFontMetrics noteMetrics(textFont(TextRole::kNote));
    // Chips take what the state's words leave: "diverged" must not be cut by a tag.
    const int chipsEnd = rect.right() - (detail.isEmpty() ? 0 : noteMetrics.horizontalAdvance(detail) + scaled(4));
    if (index.data(RunModel::kKeepRole).toBool()) x += paintChip(painter, x, rect.center().y(), tr("keep")) + scaled(4);
    for (const QString& tag : index.data(RunModel::kTagsRole).toStringList()) {
        if (x + noteMetrics.horizontalAdvance(tag) + scaled(14) > chipsEnd) break;
        x += paintChip(painter, x, rect.center().y(), tag) + scaled(4);
    }
    painter.setFont(textFont(TextRole::kNote));
    painter.setPen(status == RunStatus::kDiverged || status == RunStatus::kFailed ? look.err : look.text2);
    const QRect text(x, rect.top(), std::max(0, rect.right() - x), rect.height());
    painter.drawText(text, Qt::AlignVCenter | Qt::AlignLeft,
                     painter.fontMetrics().elidedText(detail, Qt::ElideRight, text.width()));
}

bool RunDelegate::editorEvent(QEvent* event, QAbstractItemModel* model, const QStyleOptionViewItem& option,
                              const QModelIndex& index) {
    if (event->type() == QEvent::MouseButtonRelease && index.column() == RunModel::kName &&
        !index.data(RunModel::kFolderRole).toString().isEmpty()) {
        const auto* mouse = static_cast<QMouseEvent*>(event);
        if (boxRect(option.rect).adjusted(-3, -3, 3, 3).contains(mouse->position().toPoint())) {
            const bool visible = index.data(RunModel::kVisibleRole).toBool();
            return model->setData(index, visible ? Qt::Unchecked : Qt::Checked, Qt::CheckStateRole);
        }
    }
    return false;
}

}  // namespace sextant
