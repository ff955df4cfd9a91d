#include "widgets/forms/arm_delegate.h"

#include <QPainter>

#include "widgets/controls/chip.h"
#include "widgets/forms/line_sample.h"
#include "widgets/models/experiment_model.h"
#include "widgets/theme/focus_style.h"
#include "widgets/theme/fonts.h"
#include "widgets/theme/icons.h"
#include "widgets/theme/theme.h"

namespace sextant {

ArmDelegate::ArmDelegate(ExperimentModel& experiment, QObject* parent)
    : QStyledItemDelegate(parent), experiment_(experiment) {}

QSize ArmDelegate::sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const {
    return {scaled(200), scaled(46)};
}

void ArmDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
    const Theme& look = theme();
    const int arm = index.row();
    const QRect rect = option.rect;
    const bool selected = option.state & QStyle::State_Selected;
    painter->save();
    painter->fillRect(rect, selected ? look.select : look.panel);
    painter->setPen(look.line);
    painter->drawLine(rect.bottomLeft(), rect.bottomRight());
    if (selected) painter->fillRect(QRect(rect.left(), rect.top(), 3, rect.height()), look.index);
    const int left = rect.left() + scaled(12);
    drawLineSample(*painter, QRectF(left, rect.top(), scaled(24), rect.height()), arm);
    QRect text = rect.adjusted(scaled(44), scaled(5), -scaled(8), -scaled(6));
    const int changes = experiment_.changedFields(arm);
    if (arm > 0) {
        const QString chip = tr("%n change(s)", nullptr, changes);
        painter->setFont(textFont(TextRole::kAxis));
        const int width = painter->fontMetrics().horizontalAdvance(chip) + scaled(16);
        paintChip(*painter, rect.right() - scaled(8) - width, rect.center().y(), chip);
        text.setRight(rect.right() - scaled(14) - width);
    }
    painter->setFont(textFont(TextRole::kTitle));
    painter->setPen(look.text);
    const QString name = painter->fontMetrics().elidedText(index.data().toString(), Qt::ElideRight, text.width());
    painter->drawText(text, Qt::AlignTop | Qt::AlignLeft, name);
    if (arm == 0) {
        const int size = scaled(13);
        painter->drawPixmap(QRect(text.left() + painter->fontMetrics().horizontalAdvance(name) + scaled(5),
                                  text.top() + scaled(2), size, size),
                            iconPixmap("star", look.index, size, painter->device()->devicePixelRatioF()));
    }
    painter->setFont(textFont(TextRole::kNote));
    painter->setPen(look.text2);
    const EncodingSpec* spec = experiment_.armEncoding(arm);
    const QString note = spec == nullptr ? tr("unknown encoding") : QString::fromStdString(spec->name);
    painter->drawText(text, Qt::AlignBottom | Qt::AlignLeft,
                      painter->fontMetrics().elidedText(note, Qt::ElideRight, text.width()));
    if (option.state & QStyle::State_HasFocus) drawFocusRing(*painter, QRectF(rect).adjusted(4, 2, -3, -3));
    painter->restore();
}

}  // namespace sextant
