#include "core/encoding/rope_scaling.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace sextant {
namespace {

constexpr double kTwoPi = 2.0 * std::numbers::pi;

// base * ((s L / L0) - (s - 1))^(d / (d - 2)); with L = L0 nothing changes.
double stretched_base(double base, double stretch, std::int64_t dim) {
    const auto d = static_cast<double>(dim);
    return base * std::pow(stretch, d / (d - 2.0));
}

// Pair index at which a frequency turns `rotations` times within the original length.
double correction_dim(double rotations, std::int64_t dim, double base, double original_length) {
    return static_cast<double>(dim) * std::log(original_length / (rotations * kTwoPi)) / (2.0 * std::log(base));
}

std::vector<double> yarn(std::int64_t dim, double base, const RopeScaling& s) {
    std::vector<double> values = inverse_frequencies(dim, base);
    const double low = std::max(std::floor(correction_dim(s.beta_fast, dim, base, s.original_length)), 0.0);
    double high =
        std::min(std::ceil(correction_dim(s.beta_slow, dim, base, s.original_length)), static_cast<double>(dim - 1));
    if (low == high) high += 0.001;
    for (std::size_t i = 0; i < values.size(); ++i) {
        const double ramp = std::clamp((static_cast<double>(i) - low) / (high - low), 0.0, 1.0);
        values[i] = values[i] / s.factor * ramp + values[i] * (1.0 - ramp);
    }
    return values;
}

std::vector<double> yarn_paper(std::int64_t dim, double base, const RopeScaling& s) {
    std::vector<double> values = inverse_frequencies(dim, base);
    for (double& value : values) {
        const double rotations = s.original_length * value / kTwoPi;
        const double keep = std::clamp((rotations - s.beta_slow) / (s.beta_fast - s.beta_slow), 0.0, 1.0);
        value = (1.0 - keep) * value / s.factor + keep * value;
    }
    return values;
}

std::vector<double> llama3(std::int64_t dim, double base, const RopeScaling& s) {
    std::vector<double> values = inverse_frequencies(dim, base);
    const double longest = s.original_length / s.low_frequency_factor;
    const double shortest = s.original_length / s.high_frequency_factor;
    for (double& value : values) {
        const double wavelength = kTwoPi / value;
        if (wavelength > longest) {
            value /= s.factor;
        } else if (wavelength >= shortest) {
            const double t = (s.original_length / wavelength - s.low_frequency_factor) /
                             (s.high_frequency_factor - s.low_frequency_factor);
            value = (1.0 - t) * value / s.factor + t * value;
        }
    }
    return values;
}

}  // namespace

std::vector<double> inverse_frequencies(std::int64_t dim, double base) {
    std::vector<double> values(static_cast<std::size_t>(dim / 2));
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = std::pow(base, -2.0 * static_cast<double>(i) / static_cast<double>(dim));
    return values;
}

std::vector<double> scaled_inverse_frequencies(std::int64_t dim, double base, const RopeScaling& s) {
    if (s.method == "linear") {
        std::vector<double> values = inverse_frequencies(dim, base);
        for (double& value : values)
            value /= s.factor;
        return values;
    }
    if (s.method == "ntk") return inverse_frequencies(dim, stretched_base(base, s.factor, dim));
    if (s.method == "dynamic-ntk") {
        const double length = std::max(s.sequence_length, s.original_length);
        const double stretch = s.factor * length / s.original_length - (s.factor - 1.0);
        return inverse_frequencies(dim, stretched_base(base, stretch, dim));
    }
    if (s.method == "yarn") return yarn(dim, base, s);
    if (s.method == "yarn-paper") return yarn_paper(dim, base, s);
    if (s.method == "llama3") return llama3(dim, base, s);
    return inverse_frequencies(dim, base);
}

double rope_attention_factor(const RopeScaling& s) {
    if ((s.method == "yarn" || s.method == "yarn-paper") && s.factor > 1.0) return 0.1 * std::log(s.factor) + 1.0;
    return 1.0;
}

}  // namespace sextant
