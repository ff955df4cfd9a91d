#pragma once
// What the benchmark command measures inside this library: attention alone, and the matrix-multiply peak to hold a
// training step against.

#include <cstdint>

#include "core/encoding/position_encoding.h"

namespace sextant::fused {

struct AttentionSpeed {
    double forward_ms = 0.0;  // medians
    double forward_backward_ms = 0.0;
};
// Random q, k, v and output gradient, heads dealt to threads. `encoding` supplies bias and rotation.
[[nodiscard]] AttentionSpeed measure_attention(const PositionEncoding& encoding, std::int64_t batch,
                                               std::int64_t length, std::int64_t window, int threads, int repeats);

// Median GFLOP/s of oneDNN's sgemm of size^3.
[[nodiscard]] double measure_product_peak(int threads, int size = 2048, int repeats = 5);
// One small product, so that oneDNN has loaded and generated its code.
void warm_up_products(int threads);

}  // namespace sextant::fused
