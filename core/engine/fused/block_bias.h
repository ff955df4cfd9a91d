#pragma once
// Biases that are no function of the distance alone (FIRE): evaluated a block at a time, so that no [H, T, T] table
// exists. Blocks come from the encoding itself; this file only keeps the threads' gradients apart.

#include <memory>

#include "core/encoding/position_encoding.h"
#include "core/engine/fused/attention_unit.h"

namespace sextant::fused {

[[nodiscard]] std::unique_ptr<BlockBias> make_block_bias(const PositionEncoding& encoding, const LearnedValues& learned,
                                                         std::int64_t heads, std::int64_t length, int workers);
// Adds the gradients of the learned values, threads in their order.
void finish_block_bias(const BlockBias& bias, LearnedValues& gradient);

}  // namespace sextant::fused
