#pragma once
// Relative position buckets of T5. Boundaries are decided in whole numbers, not by a logarithm that may land on the
// wrong side of an integer (16 * 2^k and 8 * 2^(k/2) land exactly on one).

#include <cstdint>

namespace sextant {

// Causal: position = query - key >= 0; smaller values (keys after the query) share bucket 0.
// Bidirectional: position = key - query; keys after the query use the upper half of the buckets.
[[nodiscard]] std::int64_t t5_bucket(std::int64_t position, std::int64_t num_buckets, std::int64_t max_distance,
                                     bool bidirectional);

}  // namespace sextant
