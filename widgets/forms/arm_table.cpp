#include "widgets/forms/arm_table.h"

#include <QEvent>
#include <QHeaderView>
#include <QPainter>
#include <algorithm>
#include <cmath>

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
        case Qt::ToolTipRole:  // names are elided where room is short
            return index.column() == 0 ? QVariant(row.name) : QVariant();
        case Qt::TextAlignmentRole:
            return static_cast<int>(Qt::AlignVCenter |
                                    (index.data(kTextRole).toBool() ? Qt::AlignLeft : Qt::AlignRight));
        case kSlotRole:
            return row.slot;
        case kBaselineRole:
            return row.baseline;
        case kStrongRole:
            return row.strong;
        case kBarRole:
            return row.bar && index.column() == columnCount() - 1 ? QVariant(*row.bar) : QVariant();
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
    if (role == Qt::FontRole) return textFont(TextRole::kNote);
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
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);  // columns are made to fit
    verticalHeader()->hide();
    verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    verticalHeader()->setDefaultSectionSize(scaled(24));
    horizontalHeader()->setMinimumSectionSize(scaled(8));  // else narrow columns push the last one out
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
    const bool other = rows.size() != model_->rows().size();
    model_->setRows(std::move(rows));
    layOut();
    // A fixed least height, because a hint alone is squeezed where tables share a column.
    if (visibleRows_ > 0) setMinimumHeight(heightOf(std::clamp(model_->rowCount(), 1, visibleRows_)));
    if (other) updateGeometry();
}

void ArmTable::setVisibleRows(int most) {
    visibleRows_ = most;
    updateGeometry();
}

int ArmTable::heightOf(int rows) const {
    return horizontalHeader()->height() + rows * verticalHeader()->defaultSectionSize() + scaled(2);
}

QSize ArmTable::sizeHint() const {
    return {scaled(420), heightOf(std::max(1, model_->rowCount()))};
}

QSize ArmTable::minimumSizeHint() const {
    return {scaled(160), heightOf(std::clamp(model_->rowCount(), 1, std::max(1, visibleRows_)))};
}

int ArmTable::neededWidth(int column) const {
    const QFontMetrics head(textFont(TextRole::kNote));
    int width = head.horizontalAdvance(model_->headerData(column, Qt::Horizontal, Qt::DisplayRole).toString());
    const bool words = column == 0 || model_->headerIsText(column);
    for (const ArmTableRow& row : model_->rows()) {
        const bool named = column == 0 && (row.slot >= 0 || row.strong);
        QFont face = textFont(column == 0 ? (named ? TextRole::kTitle : TextRole::kBody)
                                          : (words ? TextRole::kNote : TextRole::kValue));
        if (column > 0 && row.strong) face.setBold(true);
        const auto cell = static_cast<std::size_t>(column - 1);
        const QString text = column == 0 ? row.name : cell < row.cells.size() ? row.cells[cell] : QString();
        int each = QFontMetrics(face).horizontalAdvance(text);
        if (column == 0) each += (row.slot >= 0 ? scaled(32) : 0) + (row.baseline ? scaled(22) : 0);
        if (row.bar && column == model_->columnCount() - 1) each = std::max(each, scaled(70));
        width = std::max(width, each);
    }
    return width + scaled(18);
}

// Every column gets what its widest text needs and a share of what is left; where there is too little, names are
// elided first.
void ArmTable::layOut() {
    const int columns = model_->columnCount();
    if (columns < 2) return;
    std::vector<int> widths;
    int sum = 0;
    for (int column = 0; column < columns; ++column) {
        widths.push_back(neededWidth(column));
        sum += widths.back();
    }
    const int room = viewport()->width();
    if (sum < room) {
        const int share = (room - sum) / columns;
        for (int& width : widths)
            width += share;
        widths.back() += room - sum - share * columns;
    } else {
        const int least = std::min(widths[0], scaled(90));
        const int given = std::min(widths[0] - least, sum - room);
        widths[0] -= given;
        sum -= given;
        if (sum > room && model_->headerIsText(columns - 1)) {
            const int words = std::min(widths.back() - std::min(widths.back(), scaled(70)), sum - room);
            widths.back() -= words;
            sum -= words;
        }
        // Too narrow for the numbers themselves: all columns give way alike and their texts are elided.
        if (sum > room && sum > 0)
            for (int& width : widths)
                width = static_cast<int>(static_cast<qint64>(width) * room / sum);
    }
    for (int column = 0; column < columns; ++column)
        setColumnWidth(column, widths[static_cast<std::size_t>(column)]);
}

void ArmTable::changeEvent(QEvent* event) {
    QTableView::changeEvent(event);
    if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange) {
        horizontalHeader()->setFont(textFont(TextRole::kNote));
        layOut();
    }
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
        if (const QVariant bar = index.data(ArmTableModel::kBarRole); bar.isValid()) {
            // From the middle, so that the sign is seen; the map's ends carry it in both themes.
            const double share = std::clamp(bar.toDouble(), -1.0, 1.0);
            const int middle = rect.center().x();
            const int length = static_cast<int>(std::lround(share * rect.width() / 2.0));
            painter->fillRect(
                QRect(std::min(middle, middle + length), rect.center().y() - scaled(3), std::abs(length), scaled(7)),
                QColor(look.tide.at(share < 0 ? 1.0 / 6 : 5.0 / 6)));
            painter->setPen(look.axis);
            painter->drawLine(middle, rect.top() + scaled(4), middle, rect.bottom() - scaled(4));
            painter->restore();
            return;
        }
        painter->drawText(rect, Qt::AlignVCenter | (words ? Qt::AlignLeft : Qt::AlignRight),
                          painter->fontMetrics().elidedText(text, Qt::ElideRight, rect.width()));
    }
    painter->restore();
}

}  // namespace sextant
