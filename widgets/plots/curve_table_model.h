#pragma once
// The data behind a curve plot, as it is drawn: one row a point, every point, never decimated. Numbers in UserRole are
// exact; the display role is for people.

#include <QAbstractTableModel>
#include <vector>

namespace sextant {

class CurvePlot;

class CurveTableModel : public QAbstractTableModel {
    Q_OBJECT

  public:
    explicit CurveTableModel(CurvePlot& plot);
    enum Column { kSeries, kX, kValue, kSmoothed, kLow, kHigh, kColumnCount };

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    void refresh();

  private:
    CurvePlot& plot_;
    std::vector<int> starts_;  // first row of each series, and the end
};

}  // namespace sextant
