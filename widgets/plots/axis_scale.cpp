#include "widgets/plots/axis_scale.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string_view>

#include <fmt/format.h>

namespace sextant {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kLn10 = 2.302585092994046;

double nice_step(double raw) {
    if (!(raw > 0.0) || !std::isfinite(raw)) return 1.0;
    const double power = std::pow(10.0, std::floor(std::log10(raw)));
    const double digit = raw / power;
    return power * (digit < 1.42 ? 1.0 : digit < 3.2 ? 2.0 : digit < 7.1 ? 5.0 : 10.0);
}

std::string true_minus(std::string text) {
    for (std::size_t at = text.find('-'); at != std::string::npos; at = text.find('-', at + 3))
        text.replace(at, 1, "\u2212");
    return text;
}

std::string superscript(int exponent) {
    static constexpr std::array<std::string_view, 10> kDigits{"\u2070", "\u00B9", "\u00B2", "\u00B3", "\u2074",
                                                              "\u2075", "\u2076", "\u2077", "\u2078", "\u2079"};
    std::string text = exponent < 0 ? "\u207B" : "";
    for (const char digit : std::to_string(std::abs(exponent)))
        text += kDigits[static_cast<std::size_t>(digit - '0')];
    return text;
}

std::string trimmed(double value, int decimals) {
    std::string text = fmt::format("{:.{}f}", value, std::clamp(decimals, 0, 12));
    if (text.find('.') != std::string::npos) {
        while (text.back() == '0')
            text.pop_back();
        if (text.back() == '.') text.pop_back();
    }
    return text == "-0" ? "0" : text;
}

}  // namespace

std::string tick_label(double value, double step) {
    if (value == 0.0 || (step > 0.0 && std::abs(value) < step * 1e-9)) return "0";
    const double magnitude = std::abs(value);
    const double exponent = std::floor(std::log10(magnitude) + 1e-9);
    if (magnitude >= 1e9 || magnitude < 1e-4) {
        const double digit = value / std::pow(10.0, exponent);
        if (!std::isfinite(digit)) return true_minus(fmt::format("{:.1e}", value));
        const std::string power = "10" + superscript(static_cast<int>(exponent));
        if (std::abs(std::abs(digit) - 1.0) < 1e-6) return (value < 0 ? "\u2212" : "") + power;
        return true_minus(trimmed(
                   digit, step > 0.0 ? std::max(0, static_cast<int>(exponent - std::floor(std::log10(step)))) : 2)) +
               "·" + power;
    }
    double shown = value;
    double shown_step = step;
    std::string suffix;
    if (magnitude >= 1e6) {
        shown /= 1e6;
        shown_step /= 1e6;
        suffix = " M";
    } else if (magnitude >= 1e4) {
        shown /= 1e3;
        shown_step /= 1e3;
        suffix = " k";
    }
    const int decimals = step > 0.0 ? std::max(0, static_cast<int>(std::ceil(-std::log10(shown_step) + 0.3)))
                                    : std::max(0, 3 - static_cast<int>(std::floor(std::log10(std::abs(shown)))));
    return true_minus(trimmed(shown, decimals)) + suffix;
}

AxisScale AxisScale::fitted(AxisKind kind, double low, double high, double threshold) {
    double unit = 1.0;
    if (kind == AxisKind::kLinear) {
        const double largest = std::max(std::abs(low), std::abs(high));
        // The plotting library keeps ranges between 1e-280 and 1e250; stay far inside.
        if (std::isfinite(largest) && largest > 0.0 && (largest > 1e100 || largest < 1e-100))
            unit = std::ldexp(1.0, std::clamp(std::ilogb(largest), -1021, 1022));
    }
    return AxisScale(kind, threshold, unit);
}

bool AxisScale::shows(double value) const {
    return std::isfinite(value) && (value > 0.0 || kind_ == AxisKind::kLinear || kind_ == AxisKind::kSymlog);
}

double AxisScale::forward(double value) const {
    if (!shows(value)) return kNan;
    switch (kind_) {
        case AxisKind::kLinear:
            return value / unit_;
        case AxisKind::kLog:
            return std::log10(value);
        case AxisKind::kLog2:
            return std::log2(value);
        case AxisKind::kSymlog:
            return std::copysign(std::log1p(std::abs(value) / threshold_) / kLn10, value);
    }
    return kNan;
}

double AxisScale::inverse(double place) const {
    switch (kind_) {
        case AxisKind::kLinear:
            return place * unit_;
        case AxisKind::kLog:
            return std::pow(10.0, place);
        case AxisKind::kLog2:
            return std::exp2(place);
        case AxisKind::kSymlog:
            return std::copysign(std::expm1(std::abs(place) * kLn10) * threshold_, place);
    }
    return kNan;
}

std::vector<Tick> AxisScale::ticks(double from, double to, int count, double factor, std::vector<double>* minor) const {
    std::vector<Tick> result;
    if (minor != nullptr) minor->clear();
    if (!(to > from) || !std::isfinite(from) || !std::isfinite(to)) return result;
    count = std::max(count, 2);
    const auto push = [&](double value, double step) {
        const double place = forward(value);
        if (std::isfinite(place) && place >= from - (to - from) * 1e-9 && place <= to + (to - from) * 1e-9)
            result.push_back({value, place, tick_label(value * factor, step * factor)});
    };
    const auto linear = [&](double low, double high) {
        const double step = nice_step((high - low) / count);
        const double first = std::ceil(low / step - 1e-9);
        for (int i = 0; i < 50 && (first + i) * step <= high + step * 1e-6; ++i)
            push((first + i) * step, step);
        if (minor != nullptr && kind_ == AxisKind::kLinear) {
            const double part = step / 5.0;
            const double start = std::ceil(low / part - 1e-9);
            for (int i = 0; i < 250 && (start + i) * part <= high; ++i)
                if (std::fmod(std::abs(start + i), 5.0) > 0.5) minor->push_back((start + i) * part / unit_);
        }
    };
    switch (kind_) {
        case AxisKind::kLinear: {
            // In plot coordinates, because the data range itself may overflow.
            const double scale = unit_ * factor;
            const double step_data = std::isfinite((to - from) * scale) ? nice_step((to - from) / count * scale) / scale
                                                                        : nice_step((to - from) / count);
            const double first = std::ceil(from / step_data - 1e-9);
            for (int i = 0; i < 50 && (first + i) * step_data <= to + step_data * 1e-6; ++i) {
                const double place = (first + i) * step_data;
                const double value = place * unit_;
                if (!std::isfinite(value)) continue;
                result.push_back({value, place, tick_label(value * factor, step_data * unit_ * factor)});
            }
            if (minor != nullptr) {
                const double part = step_data / 5.0;
                const double start = std::ceil(from / part - 1e-9);
                for (int i = 0; i < 250 && (start + i) * part <= to; ++i)
                    if (std::fmod(std::abs(start + i), 5.0) > 0.5) minor->push_back((start + i) * part);
            }
            return result;
        }
        case AxisKind::kLog2: {
            const double step = std::max(1.0, std::ceil((to - from) / (count + 1)));
            for (double e = std::ceil(from / step - 1e-9) * step; e <= to + 1e-9; e += step)
                push(std::exp2(e), 0.0);
            if (result.size() < 2) {
                result.clear();
                linear(inverse(from), inverse(to));
            }
            return result;
        }
        case AxisKind::kLog: {
            const double decades = to - from;
            const int low = static_cast<int>(std::floor(from));
            const int high = static_cast<int>(std::ceil(to));
            const auto fill = [&](std::initializer_list<double> digits, int stride) {
                result.clear();
                const int start = static_cast<int>(std::ceil(static_cast<double>(low) / stride)) * stride;
                for (int e = start - (digits.size() > 1 ? stride : 0); e <= high; e += stride)
                    for (const double digit : digits)
                        push(digit * std::pow(10.0, e), 0.0);
            };
            const std::size_t most = static_cast<std::size_t>(count) + 2;
            if (decades > 2.2) {
                fill({1.0}, std::max(1, static_cast<int>(std::ceil(decades / (count + 1)))));
                if (result.size() < 3) fill({1.0, 10.0 / 3.0 * 0.9}, 1);
            } else {
                for (const auto& digits :
                     {std::initializer_list<double>{1.0, 1.5, 2.0, 3.0, 5.0, 7.0},
                      std::initializer_list<double>{1.0, 2.0, 3.0, 5.0, 7.0},
                      std::initializer_list<double>{1.0, 2.0, 5.0}, std::initializer_list<double>{1.0, 3.0},
                      std::initializer_list<double>{1.0}}) {
                    fill(digits, 1);
                    if (result.size() <= most) break;
                }
            }
            if (result.size() < 3 && decades < 2.2) {
                result.clear();
                linear(inverse(from), inverse(to));
            }
            if (minor != nullptr && decades < 12) {
                for (int e = low - 1; e <= high; ++e)
                    for (int digit = 1; digit < 10; ++digit) {
                        const double place = forward(digit * std::pow(10.0, e));
                        if (place >= from && place <= to) minor->push_back(place);
                    }
            }
            return result;
        }
        case AxisKind::kSymlog: {
            const double largest = std::max(std::abs(inverse(from)), std::abs(inverse(to)));
            if (!(largest > threshold_ * 3.0)) {
                linear(inverse(from), inverse(to));
                return result;
            }
            const int high = static_cast<int>(std::floor(std::log10(largest)));
            const int low = static_cast<int>(std::floor(std::log10(threshold_)));
            const int sides = from < 0.0 && to > 0.0 ? 2 : 1;
            const int stride = std::max(1, (high - low + 1) * sides / count);
            for (int e = high; e >= low; e -= stride)
                push(-std::pow(10.0, e), 0.0);
            push(0.0, 0.0);
            for (int e = high; e >= low; e -= stride)
                push(std::pow(10.0, e), 0.0);
            std::sort(result.begin(), result.end(), [](const Tick& a, const Tick& b) { return a.place < b.place; });
            return result;
        }
    }
    return result;
}

}  // namespace sextant
