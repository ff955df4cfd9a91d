#include "core/encoding/precision.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sextant {
namespace {

struct Format {
    int bits;               // of the significand, the hidden one included
    int smallest_exponent;  // of a normal number
    double maximum;
};

Format format_of(Precision precision) {
    switch (precision) {
        case Precision::kBf16:
            return {8, -126, 3.3895313892515355e38};
        case Precision::kFp16:
            return {11, -14, 65504.0};
        case Precision::kFp32:
            return {24, -126, static_cast<double>(std::numeric_limits<float>::max())};
        case Precision::kFp64:
            break;
    }
    return {53, -1022, std::numeric_limits<double>::max()};
}

}  // namespace

double round_to(Precision precision, double value) {
    if (precision == Precision::kFp64 || value == 0.0 || !std::isfinite(value)) return value;
    const Format format = format_of(precision);
    const int exponent = std::max(std::ilogb(value), format.smallest_exponent);
    const double step = std::ldexp(1.0, exponent - (format.bits - 1));
    const double rounded = std::nearbyint(value / step) * step;  // division by a power of two is exact
    if (std::abs(rounded) > format.maximum) return std::copysign(std::numeric_limits<double>::infinity(), value);
    return rounded;
}

const char* precision_name(Precision precision) {
    switch (precision) {
        case Precision::kBf16:
            return "bf16";
        case Precision::kFp16:
            return "fp16";
        case Precision::kFp32:
            return "fp32";
        case Precision::kFp64:
            break;
    }
    return "fp64";
}

std::optional<Precision> precision_from_name(std::string_view name) {
    for (const Precision precision : {Precision::kFp64, Precision::kFp32, Precision::kFp16, Precision::kBf16}) {
        if (name == precision_name(precision)) return precision;
    }
    return std::nullopt;
}

double precision_maximum(Precision precision) {
    return format_of(precision).maximum;
}

}  // namespace sextant
