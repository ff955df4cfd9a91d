#include "widgets/forms/experiment_delegate.h"

#include <QComboBox>
#include <QLineEdit>
#include <QPainter>

#include "widgets/models/experiment_table.h"
#include "widgets/theme/focus_style.h"
#include "widgets/theme/fonts.h"
#include "widgets/theme/icons.h"
#include "widgets/theme/theme.h"

namespace sextant {

namespace {

using Kind = ExperimentTable::RowKind;

Kind kindOf(const QModelIndex& index) {
    return static_cast<Kind>(index.data(ExperimentTable::kRowKindRole).toInt());
}

}  // namespace

void ExperimentDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
    const Theme& look = theme();
    painter->save();
    const QRect rect = option.rect;
    const Kind kind = kindOf(index);
    painter->fillRect(rect, kind == Kind::kSection ? look.panel : look.field);
    if (kind == Kind::kProblem) {
        paintProblem(*painter, rect, index);
        painter->restore();
        return;
    }
    painter->setPen(look.grid);
    if (kind == Kind::kSection) painter->setPen(look.line);
    painter->drawLine(rect.bottomLeft(), rect.bottomRight());
    if (kind == Kind::kSection) {
        QRect text = rect.adjusted(scaled(8), 0, -scaled(8), 0);
        painter->setFont(textFont(TextRole::kTitle));
        painter->setPen(look.text);
        const QString title = index.data().toString();
        painter->drawText(text, Qt::AlignVCenter | Qt::AlignLeft, title);
        text.setLeft(text.left() + painter->fontMetrics().horizontalAdvance(title) + scaled(8));
        painter->setFont(textFont(TextRole::kNote));
        painter->setPen(look.text2);
        painter->drawText(text, Qt::AlignVCenter | Qt::AlignLeft, index.data(ExperimentTable::kNoteRole).toString());
    } else {
        paintCell(*painter, option, index);
    }
    painter->restore();
}

void ExperimentDelegate::paintCell(QPainter& painter, const QStyleOptionViewItem& option,
                                   const QModelIndex& index) const {
    const Theme& look = theme();
    const QRect rect = option.rect;
    if (index.column() == 0) {
        painter.setFont(textFont(TextRole::kBody));
        painter.setPen(look.text2);
        painter.drawText(
            rect.adjusted(scaled(12), 0, -scaled(4), 0), Qt::AlignVCenter | Qt::AlignLeft,
            painter.fontMetrics().elidedText(index.data().toString(), Qt::ElideMiddle, rect.width() - scaled(16)));
        return;
    }
    painter.setPen(look.line);
    painter.drawLine(rect.topLeft(), rect.bottomLeft());
    if (!index.data(ExperimentTable::kAppliesRole).toBool()) return;
    const bool changed = index.data(ExperimentTable::kChangedRole).toBool();
    const bool invalid = index.data(ExperimentTable::kInvalidRole).toBool();
    if (changed) painter.fillRect(QRect(rect.left() + 1, rect.top() + 2, 3, rect.height() - 4), look.index);
    QFont value = textFont(TextRole::kValue);
    value.setBold(changed || invalid);
    painter.setFont(value);
    painter.setPen(invalid ? look.err : changed || index.column() == 1 ? look.text : look.text2);
    QRect text = rect.adjusted(scaled(8), 0, -scaled(6), 0);
    const QString shown = painter.fontMetrics().elidedText(index.data().toString(), Qt::ElideRight, text.width());
    painter.drawText(text, Qt::AlignVCenter | Qt::AlignLeft, shown);
    const int width = painter.fontMetrics().horizontalAdvance(shown);
    if (invalid) {
        const int y = rect.center().y() + painter.fontMetrics().height() / 2;
        painter.fillRect(QRect(text.left(), y, std::max(width, scaled(16)), 2), look.err);
    }
    const QString note = index.data(ExperimentTable::kNoteRole).toString();
    if (!note.isEmpty()) {
        painter.setFont(textFont(TextRole::kNote));
        painter.setPen(look.text2);
        text.setLeft(text.left() + width + scaled(8));
        painter.drawText(text, Qt::AlignVCenter | Qt::AlignLeft, note);
    }
    if (option.state & QStyle::State_HasFocus) drawFocusRing(painter, QRectF(rect).adjusted(3, 2, -3, -2));
}

void ExperimentDelegate::paintProblem(QPainter& painter, const QRect& rect, const QModelIndex& index) const {
    const Theme& look = theme();
    const bool warning = index.data(ExperimentTable::kWarningRole).toBool();
    const QColor ink = warning ? look.warn : look.err;
    const QRect bar = rect.adjusted(scaled(8), 1, 0, -2);
    painter.fillRect(bar, warning ? look.warnBg : look.errBg);
    painter.fillRect(QRect(bar.left(), bar.top(), 4, bar.height()), ink);
    const int size = scaled(14);
    painter.drawPixmap(QRect(bar.left() + scaled(14), bar.center().y() - size / 2, size, size),
                       iconPixmap("warning", ink, size, painter.device()->devicePixelRatioF()));
    QRect text = bar.adjusted(scaled(36), 0, -scaled(8), 0);
    const QString pointer = index.data(ExperimentTable::kPointerRole).toString();
    QString message = index.data().toString();
    if (!pointer.isEmpty()) {
        painter.setFont(textFont(TextRole::kValue));
        painter.setPen(look.text);
        painter.drawText(text, Qt::AlignVCenter | Qt::AlignLeft, pointer);
        text.setLeft(text.left() + painter.fontMetrics().horizontalAdvance(pointer));
        message = message.mid(pointer.size());
    }
    painter.setFont(textFont(TextRole::kBody));
    painter.setPen(look.text);
    painter.drawText(text, Qt::AlignVCenter | Qt::AlignLeft,
                     painter.fontMetrics().elidedText(message, Qt::ElideRight, text.width()));
}

QWidget* ExperimentDelegate::createEditor(QWidget* parent, const QStyleOptionViewItem&,
                                          const QModelIndex& index) const {
    const QStringList choices = index.data(ExperimentTable::kChoicesRole).toStringList();
    const QString name = index.data(Qt::AccessibleTextRole).toString();
    if (choices.isEmpty()) {
        auto* edit = new QLineEdit(parent);
        edit->setFont(textFont(TextRole::kValue));
        edit->setAccessibleName(name);
        return edit;
    }
    auto* box = new QComboBox(parent);
    box->addItems(choices);
    box->setFont(textFont(TextRole::kValue));
    box->setAccessibleName(name);
    connect(box, &QComboBox::activated, this, [this, box] {
        Q_EMIT const_cast<ExperimentDelegate*>(this)->commitData(box);
        Q_EMIT const_cast<ExperimentDelegate*>(this)->closeEditor(box);
    });
    return box;
}

void ExperimentDelegate::setEditorData(QWidget* editor, const QModelIndex& index) const {
    const QString value = index.data(Qt::EditRole).toString();
    if (auto* box = qobject_cast<QComboBox*>(editor)) {
        if (box->findText(value) < 0) box->insertItem(0, value);
        box->setCurrentText(value);
    } else if (auto* edit = qobject_cast<QLineEdit*>(editor)) {
        edit->setText(value);
        edit->selectAll();
    }
}

void ExperimentDelegate::setModelData(QWidget* editor, QAbstractItemModel* model, const QModelIndex& index) const {
    QString value;
    if (auto* box = qobject_cast<QComboBox*>(editor))
        value = box->currentText();
    else if (auto* edit = qobject_cast<QLineEdit*>(editor))
        value = edit->text();
    if (value != index.data(Qt::EditRole).toString()) model->setData(index, value, Qt::EditRole);
}

QSize ExperimentDelegate::sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const {
    return {scaled(120), scaled(28)};
}

}  // namespace sextant
