#pragma once
// How other people's code lays out an ALiBi bias: the numbers it computes, and what is right or wrong about them. Facts
// from the sources of each; a bias that differs by a constant a row is the same after softmax in exact arithmetic only.

#include <string>
#include <vector>

#include "core/encoding/table_request.h"

namespace sextant {

struct Convention {
    std::string name;  // "official-key-only"
    std::string computes;
    std::string right;
    std::string wrong;
};

[[nodiscard]] const std::vector<Convention>& alibi_conventions();
// The bias [heads, queries, keys] that convention computes for the request (heads, head-dim, length, queries,
// symmetric); masked entries are minus infinity. `left_padding` keys at the start are padding (bloom).
[[nodiscard]] Result<NamedTable> convention_bias(const std::string& name, const TableRequest& request,
                                                 std::int64_t left_padding);
// BLOOM's position of each key: cumsum(mask) - 1, times the mask.
[[nodiscard]] std::vector<std::int64_t> bloom_key_positions(std::int64_t keys, std::int64_t left_padding);

}  // namespace sextant
