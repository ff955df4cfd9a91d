#include "widgets/plots/matrix_table_model.h"

#include <utility>

#include "widgets/controls/marks.h"

namespace sextant {

MatrixTableModel::MatrixTableModel(std::function<const MatrixData&()> matrix, QObject* parent)
    : QAbstractTableModel(parent), matrix_(std::move(matrix)) {
    refresh();
}

void MatrixTableModel::refresh() {
    beginResetModel();
    rows_ = static_cast<int>(matrix_().rows());
    columns_ = static_cast<int>(matrix_().columns());
    endResetModel();
}

int MatrixTableModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : rows_;
}

int MatrixTableModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : columns_;
}

QVariant MatrixTableModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) return {};
    if (role == Qt::TextAlignmentRole) return QVariant(Qt::AlignRight | Qt::AlignVCenter);
    if (role != Qt::DisplayRole && role != Qt::UserRole) return {};
    const MatrixData& matrix = matrix_();
    if (index.row() >= matrix.rows() || index.column() >= matrix.columns()) return {};
    if (matrix.masked(index.row(), index.column())) return {};
    const double value = matrix.at(index.row(), index.column());
    return role == Qt::UserRole ? QVariant(value) : QVariant(displayNumber(value, 6));
}

QVariant MatrixTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (role != Qt::DisplayRole) return {};
    return orientation == Qt::Horizontal ? tr("key %1").arg(section) : tr("query %1").arg(section);
}

}  // namespace sextant
