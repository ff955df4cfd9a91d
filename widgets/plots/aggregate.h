#pragma once
// The seeds of one variant as one line: at each step the mean of the values that are there, a band and its n. A seed
// that has no value at a step (diverged, still running) is left out of n, never imputed.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace sextant {

enum class BandKind { kNone, kStandardError, kStandardDeviation, kInterval95, kMinMax };

// "SE", "SD", "95 % t interval", "min-max": the name that stands on every band.
[[nodiscard]] std::string band_name(BandKind kind);

struct SeedCurve {
    std::span<const double> x;  // ascending
    std::span<const double> y;
};

struct Aggregate {
    std::vector<double> x, mean, low, high;  // low and high are NaN where the band is undefined (n = 1)
    std::vector<std::int32_t> n;
};

[[nodiscard]] Aggregate aggregate(std::span<const SeedCurve> seeds, BandKind kind);

struct Summary {
    std::int32_t n = 0;  // finite values
    double mean = 0.0, sd = 0.0, low = 0.0, high = 0.0, smallest = 0.0, largest = 0.0;
};
[[nodiscard]] Summary summarise(std::span<const double> values, BandKind kind);

// Two-sided: t such that P(|T| <= t) = confidence, for `degrees` >= 1.
[[nodiscard]] double student_t(double confidence, double degrees);

using Range = std::pair<double, double>;
// Smallest and largest finite value; nothing when there is none. With `positive_only`, of values above 0.
[[nodiscard]] std::optional<Range> finite_range(std::span<const double> values, bool positive_only = false);
// Between the `tail` and 1 - `tail` quantiles of the finite values: for the range of an axis only, never for data.
[[nodiscard]] std::optional<Range> percentile_range(std::span<const double> values, double tail,
                                                    bool positive_only = false);

}  // namespace sextant
