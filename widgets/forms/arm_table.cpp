#include "widgets/forms/arm_table.h"

#include <QHeaderView>
#include <QPainter>
#include <algorithm>
#include <numeric>

#include "widgets/forms/line_sample.h"
#include "widgets/theme/focus_style.h"
#include "widgets/theme/fonts.h"
#include "widgets/theme/icons.h"
#include "widgets/theme/theme.h"

namespace sextant {

ArmTableModel::ArmTableModel(QStringList headers, int textColumns, QObject* parent)
    : QAbstractTableModel(parent), headers_(std::move(headers)), textColumns_(textColumns) {}

void ArmTableModel::setHeaders(const QStringList& headers) {
    if (headers == headers_) return;
    beginResetModel();
    headers_ = headers;
    rows_.clear();
    endResetModel();
}

void ArmTableModel::setRows(std::vector<ArmTableRow> rows) {
    if (rows.size() != rows_.size()) {
        beginResetModel();
        rows_ = std::move(rows);
        endResetModel();
        return;
    }
    rows_ = std::move(rows);
    if (!rows_.empty()) Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
}

int ArmTableModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

int ArmTableModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(headers_.size());
}

QVariant ArmTableModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) return {};
    const ArmTableRow& row = rows_[static_cast<std::size_t>(index.row())];
    const auto cell = static_cast<std::size_t>(index.column() - 1);
    switch (role) {
        case Qt::DisplayRole:
            if (index.column() == 0) return row.name;
            return cell < row.cells.size() ? row.cells[cell] : QString();
        case Qt::TextAlignmentRole:
            return static_cast<int>(Qt::AlignVCenter |
                                    (index.data(kTextRole).toBool() ? Qt::AlignLeft : Qt::AlignRight));
        case kSlotRole:
            return row.slot;
        case kBaselineRole:
            return row.baseline;
        case kStrongRole:
            return row.strong;
        case kWrongRole:
            return index.column() > 0 && cell < row.wrong.size() && row.wrong[cell];
        case kTextRole:
            return index.column() == 0 || index.column() >= columnCount() - textColumns_;
        default:
            return {};
    }
}

QVariant ArmTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal) return {};
    if (role == Qt::DisplayRole) return headers_.value(section);
    if (role == Qt::TextAlignmentRole)
        return static_cast<int>(
            Qt::AlignVCenter |
            (section == 0 || section >= columnCount() - textColumns_ ? Qt::AlignLeft : Qt::AlignRight));
    return {};
}

ArmTable::ArmTable(const QStringList& headers, int textColumns, QWidget* parent) : QTableView(parent) {
    model_ = new ArmTableModel(headers, textColumns, this);
    setModel(model_);
    setItemDelegate(new ArmTableDelegate(this));
    setFrameShape(QFrame::NoFrame);
    setShowGrid(false);
    setSelectionBehavior(QAbstractItemView::SelectRows);
    setSelectionMode(QAbstractItemView::SingleSelection);
    setEditTriggers(QAbstractItemView::NoEditTriggers);
    setTabKeyNavigation(false);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAsNeeded);
    verticalHeader()->hide();
    verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    verticalHeader()->setDefaultSectionSize(scaled(24));
    horizontalHeader()->setHighlightSections(false);
    horizontalHeader()->setSectionsClickable(false);
    horizontalHeader()->setFixedHeight(scaled(26));
    horizontalHeader()->setFont(textFont(TextRole::kNote));
    setAccessibleName(headers.join(", "));
}

void ArmTable::setHeaders(const QStringList& headers) {
    model_->setHeaders(headers);
    layOut();
}

void ArmTable::setRows(std::vector<ArmTableRow> rows) {
    model_->setRows(std::move(rows));
    layOut();
}

void ArmTable::layOut() {
    const int columns = model_->columnCount();
    if (columns < 2) return;
    // As wide as what stands in them; room that is left goes to the names first, then to all numbers alike.
    const QFontMetrics head(textFont(TextRole::kNote));
    QFont strong = textFont(TextRole::kValue);
    strong.setBold(true);
    const QFontMetrics value(strong);
    const QFontMetrics name(textFont(TextRole::kTitle));
    constexpr int kMeasured = 200;
    std::vector<int> widths(static_cast<std::size_t>(columns));
    for (int column = 0; column < columns; ++column) {
        int width = head.horizontalAdvance(model_->headerData(column, Qt::Horizontal, Qt::DisplayRole).toString());
        for (int row = 0; row < std::min(model_->rowCount(), kMeasured); ++row) {
            const ArmTableRow& one = model_->rows()[static_cast<std::size_t>(row)];
            const auto cell = static_cast<std::size_t>(column - 1);
            const int text = column == 0 ? name.horizontalAdvance(one.name) + (one.slot >= 0 ? scaled(32) : 0) +
                                               (one.baseline ? scaled(22) : 0)
                             : cell < one.cells.size() ? value.horizontalAdvance(one.cells[cell])
                                                       : 0;
            width = std::max(width, text);
        }
        widths[static_cast<std::size_t>(column)] = width + scaled(column == 0 ? 16 : 18);
    }
    widths[0] = std::min(widths[0], scaled(190));
    int spare = viewport()->width() - std::accumulate(widths.begin(), widths.end(), 0);
    if (spare > 0) {
        const int toName = std::min(spare, std::max(0, std::min(scaled(150), viewport()->width() / 4) - widths[0]));
        widths[0] += toName;
        spare -= toName;
        for (int column = 1; column < columns; ++column)
            widths[static_cast<std::size_t>(column)] += spare / (columns - 1);
        widths.back() += spare % (columns - 1);
    }
    for (int column = 0; column < columns; ++column)
        setColumnWidth(column, widths[static_cast<std::size_t>(column)]);
}

void ArmTable::resizeEvent(QResizeEvent* event) {
    QTableView::resizeEvent(event);
    layOut();
}

void ArmTable::currentChanged(const QModelIndex& current, const QModelIndex& previous) {
    QTableView::currentChanged(current, previous);
    if (current.isValid()) Q_EMIT rowChosen(current.row());
}

QString ArmTable::text() const {
    QStringList lines;
    QStringList head;
    for (int column = 0; column < model_->columnCount(); ++column)
        head << model_->headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
    lines << head.join('\t');
    for (const ArmTableRow& row : model_->rows()) {
        QStringList cells = {row.name};
        for (const QString& cell : row.cells)
            cells << cell;
        lines << cells.join('\t');
    }
    return lines.join('\n') + '\n';
}

void ArmTableDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
    const Theme& look = theme();
    painter->save();
    QRect rect = option.rect;
    const bool strong = index.data(ArmTableModel::kStrongRole).toBool();
    if (option.state & QStyle::State_Selected) painter->fillRect(rect, look.select);
    painter->setPen(look.grid);
    painter->drawLine(rect.bottomLeft(), rect.bottomRight());
    const QString text = index.data().toString();
    if (index.column() == 0) {
        const int slot = index.data(ArmTableModel::kSlotRole).toInt();
        rect.setLeft(rect.left() + scaled(8));
        if (slot >= 0) {
            drawLineSample(*painter, QRectF(rect.left(), rect.top(), scaled(24), rect.height()), slot);
            rect.setLeft(rect.left() + scaled(32));
        }
        painter->setFont(textFont(slot >= 0 || strong ? TextRole::kTitle : TextRole::kBody));
        painter->setPen(look.text);
        const bool baseline = index.data(ArmTableModel::kBaselineRole).toBool();
        const QString name =
            painter->fontMetrics().elidedText(text, Qt::ElideRight, rect.width() - (baseline ? scaled(20) : 0));
        painter->drawText(rect, Qt::AlignVCenter | Qt::AlignLeft, name);
        if (baseline) {
            const int size = scaled(13);
            painter->drawPixmap(QRect(rect.left() + painter->fontMetrics().horizontalAdvance(name) + scaled(6),
                                      rect.center().y() - size / 2, size, size),
                                iconPixmap("star", look.index, size, painter->device()->devicePixelRatioF()));
        }
        if (option.state & QStyle::State_HasFocus) drawFocusRing(*painter, QRectF(option.rect).adjusted(2, 2, -2, -2));
    } else {
        const bool words = index.data(ArmTableModel::kTextRole).toBool();
        QFont face = textFont(words ? TextRole::kNote : TextRole::kValue);
        face.setBold(strong);
        painter->setFont(face);
        painter->setPen(index.data(ArmTableModel::kWrongRole).toBool() ? look.err : words ? look.text2 : look.text);
        rect.adjust(scaled(6), 0, -scaled(8), 0);
        painter->drawText(rect, Qt::AlignVCenter | (words ? Qt::AlignLeft : Qt::AlignRight),
                          painter->fontMetrics().elidedText(text, Qt::ElideRight, rect.width()));
    }
    painter->restore();
}

}  // namespace sextant
