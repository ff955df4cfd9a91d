#pragma once
// A matrix as it is drawn: values shared, never copied; masked cells (the future of causal attention, minus infinity)
// are outside all statistics. Exact values are read back from here by read-outs, tables and exports. No Qt.

#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "widgets/controls/value_scale.h"
#include "widgets/plots/aggregate.h"

namespace sextant {

class MatrixData {
  public:
    MatrixData() = default;
    MatrixData(std::int64_t rows, std::int64_t columns, std::shared_ptr<const std::vector<float>> values)
        : rows_(rows), columns_(columns), singles_(std::move(values)) {}
    MatrixData(std::int64_t rows, std::int64_t columns, std::shared_ptr<const std::vector<double>> values)
        : rows_(rows), columns_(columns), doubles_(std::move(values)) {}
    static MatrixData of(std::int64_t rows, std::int64_t columns, std::vector<double> values) {
        return {rows, columns, std::make_shared<const std::vector<double>>(std::move(values))};
    }

    // Rows are queries; row r stands at position firstQuery + r and sees keys up to it.
    MatrixData& setCausal(std::int64_t firstQuery = 0) {
        causal_ = true;
        firstQuery_ = firstQuery;
        return *this;
    }

    [[nodiscard]] bool empty() const { return rows_ <= 0 || columns_ <= 0 || (!singles_ && !doubles_); }
    [[nodiscard]] std::int64_t rows() const { return empty() ? 0 : rows_; }
    [[nodiscard]] std::int64_t columns() const { return empty() ? 0 : columns_; }
    [[nodiscard]] bool causal() const { return causal_; }
    [[nodiscard]] std::int64_t firstQuery() const { return firstQuery_; }
    [[nodiscard]] double at(std::int64_t row, std::int64_t column) const {
        const auto index = static_cast<std::size_t>(row * columns_ + column);
        return doubles_ ? (*doubles_)[index] : static_cast<double>((*singles_)[index]);
    }
    [[nodiscard]] bool masked(std::int64_t row, std::int64_t column) const {
        return (causal_ && column > row + firstQuery_) || at(row, column) == -std::numeric_limits<double>::infinity();
    }
    // Calls visit(pointer to the row's values), float or double: loops over millions of cells choose the type once.
    template <typename Visit>
    void visitRow(std::int64_t row, Visit visit) const {
        if (doubles_) {
            visit(doubles_->data() + row * columns_);
        } else {
            visit(singles_->data() + row * columns_);
        }
    }
    // Columns of a row that are not masked by causality.
    [[nodiscard]] std::int64_t visibleColumns(std::int64_t row) const {
        if (!causal_) return columns_;
        const std::int64_t seen = row + firstQuery_ + 1;
        return seen < 0 ? 0 : seen < columns_ ? seen : columns_;
    }

  private:
    std::int64_t rows_ = 0, columns_ = 0;
    std::shared_ptr<const std::vector<float>> singles_;
    std::shared_ptr<const std::vector<double>> doubles_;
    bool causal_ = false;
    std::int64_t firstQuery_ = 0;
};

struct MatrixStatistics {
    std::int64_t shown = 0, masked = 0, notFinite = 0;
    double smallest = 0.0, largest = 0.0, mean = 0.0;
    double lowQuantile = 0.0, highQuantile = 0.0;  // `tail` and 1 - tail
};
[[nodiscard]] MatrixStatistics statistics(const MatrixData& matrix, double tail = 0.01);
// Cells above and below a range.
struct Outside {
    std::int64_t below = 0, above = 0;
};
[[nodiscard]] Outside countOutside(const MatrixData& matrix, const Range& range);
// a - b, cell by cell; masked where either is. Empty when the shapes differ.
[[nodiscard]] MatrixData difference(const MatrixData& a, const MatrixData& b);
// Every `block` x `block` cells become the one of largest magnitude, so that a single strong cell never disappears.
// A block is masked only when all of its cells are.
[[nodiscard]] MatrixData reduced(const MatrixData& matrix, std::int64_t block);
// All finite unmasked values, at most `limit` of them, evenly spaced: for the rank scale.
[[nodiscard]] std::vector<double> sample(const MatrixData& matrix, std::size_t limit = 65'536);

}  // namespace sextant
