#pragma once
// Turning one head's vector as a rotary encoding does, in double: what `tables --what rotate` prints and what tests
// hold the engine against.

#include <cstdint>
#include <span>
#include <vector>

#include "core/encoding/position_encoding.h"
#include "core/encoding/precision.h"

namespace sextant {

enum class Side { kQuery, kKey };

// Turns `vector` [head_dim] in place as it would stand at `position`. With a precision below fp64 position, frequency,
// angle, cosine, sine and products are each rounded to it.
void rotate(const RotaryTable& table, Side side, std::int64_t position, std::span<double> vector,
            Precision precision = Precision::kFp64);
// Channels of pair i.
struct ChannelPair {
    std::size_t first = 0;
    std::size_t second = 0;
};
[[nodiscard]] ChannelPair channel_pair(const RotaryTable& table, std::int64_t pair);
// position * frequency of pair i, rounded at each stage.
[[nodiscard]] double phase(const RotaryTable& table, std::int64_t position, std::size_t pair, Precision precision);

}  // namespace sextant
