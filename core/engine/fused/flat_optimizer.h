#pragma once
// The parts of an optimizer step over flat buffers that are worth more than one thread: the global norm of the
// gradients and AdamW's update, vectorised. Both give the same result for any number of threads.

#include <cstdint>
#include <span>
#include <vector>

#include "core/engine/fused/kernels.h"

namespace sextant::fused {

// Neighbouring floats of the flat buffers that are updated alike.
struct FlatRange {
    std::int64_t first = 0, count = 0;
    bool decays = false;  // weight decay acts on it
};

// Appends [first, first + count) in pieces small enough to be dealt evenly to the threads.
void append_ranges(std::int64_t first, std::int64_t count, bool decays, std::vector<FlatRange>& ranges);

// sqrt of the sum of squares, in double.
[[nodiscard]] double flat_norm(std::span<const float> values, int threads);

// One AdamW update (Loshchilov and Hutter, arXiv 1711.05101) of the ranges; step.weight_decay acts where they say so.
void flat_adamw(std::span<const FlatRange> ranges, const AdamWStep& step, float* parameters, const float* gradients,
                float* first, float* second, int threads);

}  // namespace sextant::fused
