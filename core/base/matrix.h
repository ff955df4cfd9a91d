#pragma once
// Dense row-major arrays of doubles with an explicit shape: what tables are made of before they become tensors.

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

namespace sextant {

class Matrix {  // [rows, columns]
  public:
    Matrix() = default;
    Matrix(std::int64_t rows, std::int64_t columns, double fill = 0.0)
        : rows_(rows), columns_(columns), values_(static_cast<std::size_t>(rows * columns), fill) {}

    [[nodiscard]] std::int64_t rows() const { return rows_; }
    [[nodiscard]] std::int64_t columns() const { return columns_; }
    double& operator()(std::int64_t row, std::int64_t column) {
        assert(row >= 0 && row < rows_ && column >= 0 && column < columns_);
        return values_[static_cast<std::size_t>(row * columns_ + column)];
    }
    double operator()(std::int64_t row, std::int64_t column) const {
        assert(row >= 0 && row < rows_ && column >= 0 && column < columns_);
        return values_[static_cast<std::size_t>(row * columns_ + column)];
    }
    [[nodiscard]] double* row(std::int64_t index) { return values_.data() + index * columns_; }
    [[nodiscard]] const double* row(std::int64_t index) const { return values_.data() + index * columns_; }
    [[nodiscard]] const std::vector<double>& values() const { return values_; }
    [[nodiscard]] std::vector<double>& values() { return values_; }

  private:
    std::int64_t rows_ = 0;
    std::int64_t columns_ = 0;
    std::vector<double> values_;
};

struct Array {  // any number of dimensions, row-major
    std::vector<std::int64_t> shape;
    std::vector<double> values;
    Array() = default;
    explicit Array(std::vector<std::int64_t> dimensions)
        : shape(std::move(dimensions)),
          values(static_cast<std::size_t>(std::accumulate(shape.begin(), shape.end(), std::int64_t{1},
                                                          [](std::int64_t a, std::int64_t b) { return a * b; }))) {}
    [[nodiscard]] std::int64_t size() const { return static_cast<std::int64_t>(values.size()); }
};

}  // namespace sextant
