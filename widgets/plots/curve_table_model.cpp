#include "widgets/plots/curve_table_model.h"

#include <algorithm>
#include <limits>

#include "widgets/controls/marks.h"
#include "widgets/plots/curve_plot.h"

namespace sextant {

CurveTableModel::CurveTableModel(CurvePlot& plot) : QAbstractTableModel(&plot), plot_(plot) {
    refresh();
}

void CurveTableModel::refresh() {
    beginResetModel();
    starts_.assign(1, 0);
    for (const SeriesState& state : plot_.states()) {
        const auto rows = static_cast<qint64>(std::min(state.x().size(), state.y().size()));
        starts_.push_back(static_cast<int>(std::min<qint64>(starts_.back() + rows, std::numeric_limits<int>::max())));
    }
    endResetModel();
}

int CurveTableModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : starts_.back();
}

int CurveTableModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : kColumnCount;
}

QVariant CurveTableModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) return {};
    if (role == Qt::TextAlignmentRole)
        return index.column() == kSeries ? QVariant() : QVariant(Qt::AlignRight | Qt::AlignVCenter);
    if (role != Qt::DisplayRole && role != Qt::UserRole) return {};
    const auto above = std::upper_bound(starts_.begin(), starts_.end(), index.row());
    const auto number = static_cast<std::size_t>(above - starts_.begin()) - 1;
    if (number >= plot_.states().size()) return {};
    const SeriesState& state = plot_.states()[number];
    const auto row = static_cast<std::size_t>(index.row() - starts_[number]);
    const auto value = [&](std::span<const double> values) -> QVariant {
        if (row >= values.size()) return {};
        return role == Qt::UserRole ? QVariant(values[row]) : QVariant(displayNumber(values[row], 6));
    };
    switch (index.column()) {
        case kSeries:
            return role == Qt::UserRole ? state.series().id : state.series().name;
        case kX:
            return value(state.x());
        case kValue:
            return value(state.y());
        case kSmoothed:
            return state.smoothed() ? value(state.shown()) : QVariant();
        case kLow:
            return value(state.low());
        case kHigh:
            return value(state.high());
        default:
            return {};
    }
}

QVariant CurveTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
    switch (section) {
        case kSeries:
            return tr("series");
        case kX:
            return plot_.xAxis().name.isEmpty() ? tr("x") : plot_.xAxis().name;
        case kValue:
            return plot_.yAxis().name.isEmpty() ? tr("value") : plot_.yAxis().name;
        case kSmoothed:
            return tr("smoothed");
        case kLow:
            return tr("band from");
        case kHigh:
            return tr("band to");
        default:
            return {};
    }
}

}  // namespace sextant
