#include "widgets/forms/experiment_view.h"

#include <QKeyEvent>
#include <QPainter>

#include "widgets/forms/experiment_delegate.h"
#include "widgets/forms/line_sample.h"
#include "widgets/models/experiment_model.h"
#include "widgets/models/experiment_table.h"
#include "widgets/theme/fonts.h"
#include "widgets/theme/theme.h"

namespace sextant {

ArmHeader::ArmHeader(ExperimentModel& experiment, QWidget* parent)
    : QHeaderView(Qt::Horizontal, parent), experiment_(experiment) {
    setSectionsClickable(true);
    setHighlightSections(false);
    setFocusPolicy(Qt::NoFocus);
}

void ArmHeader::setCurrentArm(int arm) {
    arm_ = arm;
    viewport()->update();
}

QSize ArmHeader::sizeHint() const {
    return {scaled(200), scaled(46)};
}

void ArmHeader::paintSection(QPainter* painter, const QRect& rect, int logicalIndex) const {
    const Theme& look = theme();
    const int arm = logicalIndex - 1;
    const bool current = arm >= 0 && arm == arm_;
    painter->save();
    painter->fillRect(rect, current ? look.select : look.panel);
    painter->setPen(look.edge);
    painter->drawLine(rect.bottomLeft(), rect.bottomRight());
    if (current) painter->fillRect(QRect(rect.left(), rect.bottom() - 2, rect.width(), 3), look.index);
    if (arm >= 0) {
        painter->setPen(look.line);
        painter->drawLine(rect.topLeft(), rect.bottomLeft());
        const int sample = scaled(24);
        drawLineSample(*painter, QRectF(rect.left() + scaled(8), rect.top(), sample, rect.height()), arm);
        QRect text = rect.adjusted(scaled(8) + sample + scaled(8), 0, -scaled(6), 0);
        painter->setFont(textFont(TextRole::kTitle));
        painter->setPen(look.text);
        const QString name = painter->fontMetrics().elidedText(experiment_.armName(arm), Qt::ElideRight, text.width());
        painter->drawText(text, Qt::AlignVCenter | Qt::AlignLeft, name);
        text.setLeft(text.left() + painter->fontMetrics().horizontalAdvance(name) + scaled(8));
        painter->setFont(textFont(TextRole::kNote));
        painter->setPen(look.text2);
        const QString note = arm == 0 ? tr("baseline") : tr("%n change(s)", nullptr, experiment_.changedFields(arm));
        painter->drawText(text, Qt::AlignVCenter | Qt::AlignLeft,
                          painter->fontMetrics().elidedText(note, Qt::ElideRight, text.width()));
    }
    painter->restore();
}

ExperimentView::ExperimentView(ExperimentModel& experiment, ExperimentTable& table, QWidget* parent)
    : QTableView(parent), table_(table), header_(new ArmHeader(experiment, this)) {
    setModel(&table);
    setItemDelegate(new ExperimentDelegate(this));
    setHorizontalHeader(header_);
    verticalHeader()->hide();
    verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    verticalHeader()->setDefaultSectionSize(scaled(28));
    setShowGrid(false);
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    setSelectionMode(QAbstractItemView::SingleSelection);
    setEditTriggers(QAbstractItemView::DoubleClicked | QAbstractItemView::EditKeyPressed |
                    QAbstractItemView::AnyKeyPressed | QAbstractItemView::SelectedClicked);
    setTabKeyNavigation(false);
    setAccessibleName(tr("Fields of every arm"));
    connect(&table, &QAbstractItemModel::modelReset, this, &ExperimentView::layOut);
    connect(header_, &QHeaderView::sectionClicked, this, [this](int section) {
        if (section > 0) Q_EMIT armChosen(section - 1);
    });
    layOut();
}

void ExperimentView::layOut() {
    clearSpans();
    const int columns = table_.columnCount();
    for (int row = 0; row < table_.rowCount(); ++row) {
        if (table_.kind(row) != ExperimentTable::RowKind::kField && columns > 1) setSpan(row, 0, 1, columns);
    }
    const int name = scaled(240);
    setColumnWidth(0, name);
    const int each = std::max(scaled(170), (viewport()->width() - name) / std::max(1, columns - 1));
    for (int column = 1; column < columns; ++column)
        setColumnWidth(column, each);
    // A rebuilt table keeps the cursor on the same field.
    if (!currentPath_.isEmpty()) {
        const int row = table_.rowOf(currentSection_, currentPath_);
        if (row >= 0) setCurrentIndex(table_.index(row, std::min(currentColumn_, columns - 1)));
    }
}

void ExperimentView::currentChanged(const QModelIndex& current, const QModelIndex& previous) {
    QTableView::currentChanged(current, previous);
    const ExperimentField* field = current.isValid() ? table_.field(current.row()) : nullptr;
    if (field == nullptr || current.column() == 0) return;
    currentSection_ = field->section;
    currentPath_ = field->path;
    currentColumn_ = current.column();
    header_->setCurrentArm(current.column() - 1);
    Q_EMIT armChosen(current.column() - 1);
}

void ExperimentView::resizeEvent(QResizeEvent* event) {
    QTableView::resizeEvent(event);
    layOut();
}

void ExperimentView::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_F8) {
        goToNextProblem();
        return;
    }
    if ((event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) && state() != EditingState) {
        edit(currentIndex());
        return;
    }
    QTableView::keyPressEvent(event);
}

void ExperimentView::goToNextProblem() {
    const int row = table_.nextProblem(currentIndex().isValid() ? currentIndex().row() + 1 : -1);
    if (row < 0) return;
    scrollTo(table_.index(row, 0));
    const QString pointer = table_.index(row, 0).data(ExperimentTable::kPointerRole).toString();
    // The field stands above its problems; the column is the arm the pointer names.
    for (int field = row; field >= 0; --field) {
        if (table_.kind(field) != ExperimentTable::RowKind::kField) continue;
        for (int column = 1; column < table_.columnCount(); ++column) {
            const QModelIndex cell = table_.index(field, column);
            if (cell.data(ExperimentTable::kAppliesRole).toBool() &&
                pointer.startsWith(cell.data(ExperimentTable::kPointerRole).toString())) {
                setCurrentIndex(cell);
                setFocus();
                return;
            }
        }
        break;
    }
}

}  // namespace sextant
