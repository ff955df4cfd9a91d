#include "widgets/plots/matrix.h"

#include <algorithm>
#include <cmath>

namespace sextant {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

}  // namespace

std::vector<double> sample(const MatrixData& matrix, std::size_t limit) {
    std::vector<double> values;
    const auto total = static_cast<std::size_t>(matrix.rows() * matrix.columns());
    // An odd stride visits every column of a square matrix.
    const std::size_t stride = std::max<std::size_t>(total / std::max<std::size_t>(limit, 1), 1) | 1U;
    values.reserve(std::min(total, limit + 1));
    const auto columns = static_cast<std::size_t>(matrix.columns());
    for (std::size_t i = 0; i < total; i += stride) {
        const auto row = static_cast<std::int64_t>(i / columns);
        const auto column = static_cast<std::int64_t>(i % columns);
        if (column >= matrix.visibleColumns(row)) continue;
        const double value = matrix.at(row, column);
        if (std::isfinite(value)) values.push_back(value);
    }
    return values;
}

MatrixStatistics statistics(const MatrixData& matrix, double tail) {
    MatrixStatistics s;
    double sum = 0.0;
    double low = kInfinity;
    double high = -kInfinity;
    for (std::int64_t row = 0; row < matrix.rows(); ++row) {
        const std::int64_t seen = matrix.visibleColumns(row);
        s.masked += matrix.columns() - seen;
        matrix.visitRow(row, [&](const auto* values) {
            for (std::int64_t column = 0; column < seen; ++column) {
                const double value = static_cast<double>(values[column]);
                if (std::isfinite(value)) {
                    ++s.shown;
                    sum += value;
                    low = std::min(low, value);
                    high = std::max(high, value);
                } else if (value == -kInfinity) {
                    ++s.masked;
                } else {
                    ++s.notFinite;
                }
            }
        });
    }
    if (s.shown == 0) return s;
    s.smallest = low;
    s.largest = high;
    s.mean = sum / static_cast<double>(s.shown);
    s.lowQuantile = low;
    s.highQuantile = high;
    if (tail > 0.0) {
        if (const auto range = percentile_range(sample(matrix), tail)) {
            s.lowQuantile = range->first;
            s.highQuantile = range->second;
        }
    }
    return s;
}

Outside countOutside(const MatrixData& matrix, const Range& range) {
    Outside result;
    for (std::int64_t row = 0; row < matrix.rows(); ++row) {
        const std::int64_t seen = matrix.visibleColumns(row);
        matrix.visitRow(row, [&](const auto* values) {
            for (std::int64_t column = 0; column < seen; ++column) {
                const double value = static_cast<double>(values[column]);
                result.above += value > range.second ? 1 : 0;
                result.below += value < range.first && value != -kInfinity ? 1 : 0;
            }
        });
    }
    return result;
}

MatrixData difference(const MatrixData& a, const MatrixData& b) {
    if (a.rows() != b.rows() || a.columns() != b.columns() || a.empty()) return {};
    std::vector<double> values(static_cast<std::size_t>(a.rows() * a.columns()), -kInfinity);
    std::size_t index = 0;
    for (std::int64_t row = 0; row < a.rows(); ++row)
        for (std::int64_t column = 0; column < a.columns(); ++column, ++index)
            if (!a.masked(row, column) && !b.masked(row, column)) values[index] = a.at(row, column) - b.at(row, column);
    MatrixData result = MatrixData::of(a.rows(), a.columns(), std::move(values));
    if (a.causal() && b.causal() && a.firstQuery() == b.firstQuery()) result.setCausal(a.firstQuery());
    return result;
}

MatrixData reduced(const MatrixData& matrix, std::int64_t block) {
    if (block <= 1 || matrix.empty()) return matrix;
    const std::int64_t rows = (matrix.rows() + block - 1) / block;
    const std::int64_t columns = (matrix.columns() + block - 1) / block;
    constexpr float kMasked = -std::numeric_limits<float>::infinity();
    std::vector<float> values(static_cast<std::size_t>(rows * columns), kMasked);
    for (std::int64_t row = 0; row < matrix.rows(); ++row) {
        float* out = values.data() + (row / block) * columns;
        const std::int64_t seen = matrix.visibleColumns(row);
        matrix.visitRow(row, [&](const auto* in) {
            for (std::int64_t column = 0; column < seen; ++out) {
                const std::int64_t end = std::min(column + block, seen);
                float kept = *out;
                for (; column < end; ++column) {
                    const auto candidate = static_cast<float>(in[column]);
                    // NaN wins: it must stay visible. Minus infinity is masked and never does.
                    if (std::isnan(candidate)) {
                        kept = candidate;
                    } else if (candidate != kMasked && (kept == kMasked || std::abs(candidate) > std::abs(kept))) {
                        kept = candidate;
                    }
                }
                *out = kept;
            }
        });
    }
    return {rows, columns, std::make_shared<const std::vector<float>>(std::move(values))};
}

}  // namespace sextant
