#pragma once
// Rounding as a format of fewer bits would do it: to the nearest value, ties to even, straight from double, with
// subnormals and overflow to infinity. bf16 holds whole numbers to 256 only, so 1,024 positions leave 513.

#include <optional>
#include <string_view>

namespace sextant {

enum class Precision { kFp64, kFp32, kFp16, kBf16 };

[[nodiscard]] double round_to(Precision precision, double value);
[[nodiscard]] const char* precision_name(Precision precision);  // "fp64" ...
[[nodiscard]] std::optional<Precision> precision_from_name(std::string_view name);
// Largest finite value.
[[nodiscard]] double precision_maximum(Precision precision);

}  // namespace sextant
