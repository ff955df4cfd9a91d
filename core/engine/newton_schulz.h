#pragma once
// Muon's orthogonalisation: five steps of the quintic Newton-Schulz iteration (Jordan 2024). Singular values end near 1
// (0.7 to 1.2), not at it; that is the method, so the orthogonality error is reported and never expected to be zero.

#include <cstdint>
#include <span>
#include <vector>

namespace sextant {

inline constexpr double kNewtonSchulzA = 3.4445;
inline constexpr double kNewtonSchulzB = -4.7750;
inline constexpr double kNewtonSchulzC = 2.0315;

// X = G / (||G||_F + 1e-7), transposed when rows > columns, then `steps` times A = X X^T, X = aX + (bA + cA^2) X.
// matrix: [rows, columns] row-major, overwritten.
void newton_schulz(std::span<double> matrix, std::int64_t rows, std::int64_t columns, int steps = 5);
// Products by oneDNN.
void newton_schulz(std::span<float> matrix, std::int64_t rows, std::int64_t columns, int steps = 5);
// ||X X^T - I||_F / sqrt(n), n the smaller side.
[[nodiscard]] double orthogonality_error(std::span<const float> matrix, std::int64_t rows, std::int64_t columns);
[[nodiscard]] double orthogonality_error(std::span<const double> matrix, std::int64_t rows, std::int64_t columns);

}  // namespace sextant
