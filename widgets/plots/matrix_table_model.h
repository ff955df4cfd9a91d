#pragma once
// The values of a matrix as a table: one row a query, one column a key. UserRole is exact, masked cells are empty.

#include <QAbstractTableModel>
#include <functional>

#include "widgets/plots/matrix.h"

namespace sextant {

class MatrixTableModel : public QAbstractTableModel {
    Q_OBJECT

  public:
    MatrixTableModel(std::function<const MatrixData&()> matrix, QObject* parent);
    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    void refresh();

  private:
    std::function<const MatrixData&()> matrix_;
    int rows_ = 0, columns_ = 0;
};

}  // namespace sextant
