#pragma once
// JSON of untrusted files: a depth- and size-limited SAX pass first, because nlohmann/json keeps the last of duplicate
// keys silently and overflows the stack on deep nesting. Documents we write keep their key order and are exact:
// doubles in shortest form, NaN and infinities as the strings "nan", "inf", "-inf".

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace sextant {

using Json = nlohmann::json;                 // parsed documents; keys sorted
using OrderedJson = nlohmann::ordered_json;  // documents we write; keys in the order they were set

struct JsonLimits {
    std::size_t bytes = std::size_t{64} << 20U;
    int depth = 64;
    std::size_t values = 20'000'000;
};

// Errors carry line and column. Duplicate keys, NaN literals, comments and trailing text are refused.
[[nodiscard]] Result<Json> parse_json(std::string_view text, const std::string& path = {},
                                      const JsonLimits& limits = {});
// Regular files only (a device, FIFO or folder is refused, never read); code says which kind of error a bad file is.
[[nodiscard]] Result<Json> read_json_file(const std::string& path, ErrorCode code = ErrorCode::kData,
                                          const JsonLimits& limits = {});

[[nodiscard]] std::string dump_json(const Json& document, int indent = 2);
[[nodiscard]] std::string dump_json(const OrderedJson& document, int indent = 2);
// Compact, keys sorted, shortest numbers: what is hashed.
[[nodiscard]] std::string canonical_json(const Json& document);
// A number, or the string "nan" / "inf" / "-inf" (JSON has no such numbers).
[[nodiscard]] Json json_number(double value);
// Appends an escaped reference token: json_pointer("/a", "b/c") = "/a/b~1c".
[[nodiscard]] std::string json_pointer(std::string_view base, std::string_view key);
[[nodiscard]] std::string json_pointer(std::string_view base, std::size_t index);

}  // namespace sextant
