#pragma once
// The tables behind make_table(), one function each. Private to core/encoding.

#include <cstdint>
#include <vector>

#include "core/encoding/table_request.h"

namespace sextant::tables {

struct Input {
    const TableRequest& request;
    const PositionEncoding& encoding;
    std::int64_t length = 0;
    std::vector<std::int64_t> positions;  // given ones, or 0 .. length - 1
    bool positions_given = false;
};

// 2 GB of doubles. `shape` is set and checked before anything is computed.
[[nodiscard]] Status reserve(NamedTable& table, std::vector<std::string> axes, std::vector<std::int64_t> shape);
// Learned values: those of the request, or typical ones (noted in the table).
[[nodiscard]] Result<LearnedValues> values_of(const Input& input, NamedTable& table);
// Sizes in `request.positions` order: distinct values after rounding.
[[nodiscard]] std::int64_t distinct_after_rounding(Precision precision, const std::vector<std::int64_t>& positions);
// Error sentence when a position cannot be held (fp16 ends at 65,504).
[[nodiscard]] Status check_positions_fit(Precision precision, std::int64_t largest);

[[nodiscard]] Status slopes(const Input& input, NamedTable& table);
[[nodiscard]] Status bias(const Input& input, NamedTable& table);
[[nodiscard]] Status inverse_frequencies(const Input& input, NamedTable& table);
[[nodiscard]] Status angles(const Input& input, NamedTable& table);  // also cos and sin
[[nodiscard]] Status rotated(const Input& input, NamedTable& table);
[[nodiscard]] Status decay(const Input& input, NamedTable& table);
[[nodiscard]] Status additive(const Input& input, NamedTable& table);
[[nodiscard]] Status buckets(const Input& input, NamedTable& table);

}  // namespace sextant::tables
