#pragma once
// Head slopes of ALiBi in checkpoint order. The interleave rule is the official one and differs from the naive
// 2^(-bias_max k/n) wherever the head count is not a power of two; its order is then not monotone: sort only for
// display.

#include <cstdint>
#include <vector>

namespace sextant {

[[nodiscard]] std::vector<double> interleaved_slopes(std::int64_t heads, double bias_max = 8.0);
[[nodiscard]] std::vector<double> naive_slopes(std::int64_t heads, double bias_max = 8.0);

}  // namespace sextant
