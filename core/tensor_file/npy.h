#pragma once
// NumPy's .npy, format 1.0 to 3.0: little-endian f4, f8, i4, i8 in C order, which is all that we write and read. Any
// other dtype, object arrays (pickle) above all, is refused with a sentence that names it.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/base/result.h"

namespace sextant {

using Shape = std::vector<std::int64_t>;

struct NpyArray {
    Shape shape;
    std::variant<std::vector<float>, std::vector<double>, std::vector<std::int32_t>, std::vector<std::int64_t>> values;
    [[nodiscard]] std::size_t size() const;
    [[nodiscard]] std::vector<double> to_doubles() const;  // int64 beyond 2^53 is rounded
};

// The whole file; the values are as many as the shape says (asserted).
[[nodiscard]] std::string npy_bytes(std::span<const float> values, const Shape& shape);
[[nodiscard]] std::string npy_bytes(std::span<const double> values, const Shape& shape);
[[nodiscard]] std::string npy_bytes(std::span<const std::int32_t> values, const Shape& shape);
[[nodiscard]] std::string npy_bytes(std::span<const std::int64_t> values, const Shape& shape);
[[nodiscard]] Status write_npy(const std::string& path, std::span<const float> values, const Shape& shape);
[[nodiscard]] Status write_npy(const std::string& path, std::span<const double> values, const Shape& shape);
[[nodiscard]] Status write_npy(const std::string& path, std::span<const std::int32_t> values, const Shape& shape);
[[nodiscard]] Status write_npy(const std::string& path, std::span<const std::int64_t> values, const Shape& shape);

[[nodiscard]] Result<NpyArray> parse_npy(std::string_view bytes, const std::string& path = {});
[[nodiscard]] Result<NpyArray> read_npy(const std::string& path);

// Product of the dimensions, or nothing when one is negative or the product exceeds 2^62.
[[nodiscard]] bool checked_element_count(const Shape& shape, std::int64_t& count);
// "[2, 3]"
[[nodiscard]] std::string shape_text(const Shape& shape);

}  // namespace sextant
