#pragma once
// Small text functions that every room needs: one-line messages, UTF-8 checks, nearest-name suggestions, exact numbers.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sextant {

// Control characters and line breaks become visible escapes; longer text is cut at a character boundary with "...".
[[nodiscard]] std::string single_line(std::string_view text, std::size_t limit);
// Byte offset of the first byte that is not valid UTF-8 (overlong forms and surrogates included), or nothing.
[[nodiscard]] std::optional<std::size_t> invalid_utf8(std::string_view text);
// The candidate at the smallest edit distance if it is near enough to be meant, else empty.
[[nodiscard]] std::string nearest_name(std::string_view name, const std::vector<std::string>& candidates);
// Shortest decimal that reads back as the same double, C locale; "nan", "inf", "-inf".
[[nodiscard]] std::string format_exact(double value);
// Whole-string parse in the C locale; nothing on trailing characters or overflow.
[[nodiscard]] std::optional<double> parse_double(std::string_view text);
[[nodiscard]] std::optional<std::int64_t> parse_integer(std::string_view text);
// "a, b, c" with at most `limit` items, then "and 7 more".
[[nodiscard]] std::string join_limited(const std::vector<std::string>& items, std::size_t limit = 5);
[[nodiscard]] std::vector<std::string> split(std::string_view text, char separator);
[[nodiscard]] std::string_view trimmed(std::string_view text);
// A name as part of a file name: ASCII letters, digits, "._-" stay, everything else becomes "_"; at most `limit` bytes,
// never empty, never hidden. Two names may give the same text: append a hash where that matters.
[[nodiscard]] std::string escaped_file_name(std::string_view name, std::size_t limit = 80);
// Thousands separators for people: 139,584.
[[nodiscard]] std::string grouped(std::int64_t value);

}  // namespace sextant
