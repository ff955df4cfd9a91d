#pragma once
// FIRE: the bias is a small network over a normalised distance, f(ln(c m + 1) / (ln(c max(i, L) + 1) + eps)), f one
// hidden layer of ReLU shared by all heads up to its last row. It depends on the query position too, so it is a matrix
// and no curve. The numbers below are what one row needs, without the matrix.

#include <cstdint>
#include <vector>

#include "core/encoding/position_encoding.h"

namespace sextant {

inline constexpr double kFireEpsilon = 1e-6;

// Order of the learned values: w1, b1 [width], w2 [heads, width], b2 [heads], c [1], threshold_multiplier [1].
struct FireNetwork {
    std::int64_t width = 32;
    double length_threshold = 512.0;  // L before its multiplier
    [[nodiscard]] double numerator(const LearnedValues& learned, std::int64_t distance) const;  // ln(c m + 1)
    [[nodiscard]] double denominator(const LearnedValues& learned,
                                     std::int64_t query) const;  // ln(c max(..) + 1) + eps
    // ln(c m + 1) / (ln(c max(query, L) + 1) + eps)
    [[nodiscard]] double normalised_distance(const LearnedValues& learned, std::int64_t query, std::int64_t key) const;
    // f of head at a normalised distance.
    [[nodiscard]] double value(const LearnedValues& learned, std::int64_t head, double x) const;
    // Adds d * (derivative of f(head, x(query, key)) in every parameter) to `gradient`.
    void accumulate(const LearnedValues& learned, std::int64_t head, std::int64_t query, std::int64_t key, double d,
                    LearnedValues& gradient) const;
};

}  // namespace sextant
