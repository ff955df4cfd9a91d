#include "core/engine/newton_schulz.h"

#include <oneapi/dnnl/dnnl.h>

#include <algorithm>
#include <cmath>

namespace sextant {
namespace {

// C [m, n] = A [m, k] B, where B is [k, n], or [n, k] when `transposed`.
void product(const float* a, const float* b, float* c, std::int64_t m, std::int64_t n, std::int64_t k,
             bool transposed) {
    dnnl_sgemm('N', transposed ? 'T' : 'N', m, n, k, 1.0F, a, k, b, transposed ? k : n, 0.0F, c, n);
}
void product(const double* a, const double* b, double* c, std::int64_t m, std::int64_t n, std::int64_t k,
             bool transposed) {
    std::fill_n(c, m * n, 0.0);
    for (std::int64_t i = 0; i < m; ++i)
        for (std::int64_t p = 0; p < k; ++p)
            for (std::int64_t j = 0; j < n; ++j)
                c[i * n + j] += a[i * k + p] * (transposed ? b[j * k + p] : b[p * n + j]);
}

template <typename T>
std::vector<T> transpose(std::span<const T> matrix, std::int64_t rows, std::int64_t columns) {
    std::vector<T> out(matrix.size());
    for (std::int64_t i = 0; i < rows; ++i)
        for (std::int64_t j = 0; j < columns; ++j)
            out[static_cast<std::size_t>(j * rows + i)] = matrix[static_cast<std::size_t>(i * columns + j)];
    return out;
}

template <typename T>
void iterate(std::span<T> matrix, std::int64_t rows, std::int64_t columns, int steps) {
    double squares = 0.0;
    for (const T value : matrix)
        squares += static_cast<double>(value) * static_cast<double>(value);
    const T scale = static_cast<T>(1.0 / (std::sqrt(squares) + 1e-7));
    const bool tall = rows > columns;
    std::vector<T> x = tall ? transpose<T>(matrix, rows, columns) : std::vector<T>(matrix.begin(), matrix.end());
    const std::int64_t n = std::min(rows, columns);
    const std::int64_t width = std::max(rows, columns);
    for (T& value : x)
        value *= scale;
    const auto cells = static_cast<std::size_t>(n * n);
    std::vector<T> gram(cells), square(cells), change(x.size());
    for (int step = 0; step < steps; ++step) {
        product(x.data(), x.data(), gram.data(), n, n, width, true);
        product(gram.data(), gram.data(), square.data(), n, n, n, false);
        for (std::size_t i = 0; i < cells; ++i)
            gram[i] = static_cast<T>(kNewtonSchulzB) * gram[i] + static_cast<T>(kNewtonSchulzC) * square[i];
        product(gram.data(), x.data(), change.data(), n, width, n, false);
        for (std::size_t i = 0; i < x.size(); ++i)
            x[i] = static_cast<T>(kNewtonSchulzA) * x[i] + change[i];
    }
    if (tall) x = transpose<T>(std::span<const T>(x), columns, rows);
    std::copy(x.begin(), x.end(), matrix.begin());
}

template <typename T>
double error_of(std::span<const T> matrix, std::int64_t rows, std::int64_t columns) {
    const bool tall = rows > columns;
    const std::vector<T> x = tall ? transpose<T>(matrix, rows, columns) : std::vector<T>(matrix.begin(), matrix.end());
    const std::int64_t n = std::min(rows, columns);
    const std::int64_t width = std::max(rows, columns);
    std::vector<T> gram(static_cast<std::size_t>(n * n));
    product(x.data(), x.data(), gram.data(), n, n, width, true);
    double squares = 0.0;
    for (std::int64_t i = 0; i < n; ++i) {
        for (std::int64_t j = 0; j < n; ++j) {
            const double off = static_cast<double>(gram[static_cast<std::size_t>(i * n + j)]) - (i == j ? 1.0 : 0.0);
            squares += off * off;
        }
    }
    return std::sqrt(squares / static_cast<double>(n));
}

}  // namespace

void newton_schulz(std::span<double> matrix, std::int64_t rows, std::int64_t columns, int steps) {
    iterate(matrix, rows, columns, steps);
}
void newton_schulz(std::span<float> matrix, std::int64_t rows, std::int64_t columns, int steps) {
    iterate(matrix, rows, columns, steps);
}
double orthogonality_error(std::span<const float> matrix, std::int64_t rows, std::int64_t columns) {
    return error_of(matrix, rows, columns);
}
double orthogonality_error(std::span<const double> matrix, std::int64_t rows, std::int64_t columns) {
    return error_of(matrix, rows, columns);
}

}  // namespace sextant
