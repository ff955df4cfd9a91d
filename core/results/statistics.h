#pragma once
// Tests on paired differences, one a seed. The sign-flip permutation test is the one that decides: it is exact for any
// n without assuming a distribution, and it says itself when n is too small to show anything. The t interval and BCa
// stand beside it for readers who know those.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace sextant {

inline constexpr double kAlpha = 0.05;
inline constexpr std::size_t kEnumerationLimit = 20;  // 2^20 sign vectors; more are sampled and said to be
inline constexpr std::int64_t kSignFlipSamples = 100'000;
inline constexpr std::size_t kBootstrapFrom = 12;          // BCa needs this many pairs
inline constexpr std::int64_t kBootstrapSamples = 40'000;  // 10,000 leave the ends uncertain by 1 % of the width

[[nodiscard]] double mean(std::span<const double> values);                // NaN when empty
[[nodiscard]] double standard_deviation(std::span<const double> values);  // n - 1 in the divisor; NaN below two values

struct SignFlipTest {
    double p = 1.0;            // two-sided
    double smallest_p = 1.0;   // what n pairs can give at best: 2 / 2^n
    std::int64_t samples = 0;  // 0: all sign vectors were enumerated; else a Monte Carlo test with this many
};
// Null: differences are symmetric about `centre`. Ties count with tolerance 1e-12 relative to the sum of |d|.
[[nodiscard]] SignFlipTest sign_flip_test(std::span<const double> differences, double centre = 0.0);
[[nodiscard]] double smallest_sign_flip_p(std::size_t pairs);

struct Interval {
    double low = 0.0, high = 0.0;
    double level = 0.95;  // coverage that it has, 1 - 2/64 for six pairs
};
// All centres that the sign-flip test does not reject at 5 %; nothing below six pairs, where it can reject none.
[[nodiscard]] std::optional<Interval> sign_flip_interval(std::span<const double> differences);
[[nodiscard]] std::optional<Interval> paired_t_interval(std::span<const double> differences, double level = 0.95);
// Bias-corrected and accelerated bootstrap of the mean; nothing below kBootstrapFrom pairs. Same seed, same interval.
[[nodiscard]] std::optional<Interval> bca_interval(std::span<const double> differences, double level = 0.95,
                                                   std::uint64_t seed = 1);

// Holm's step-down adjustment, in the order given.
[[nodiscard]] std::vector<double> holm_adjusted(std::span<const double> p_values);
// Fewest pairs with which the smallest of `variants` sign-flip tests can stay below 5 % after Holm.
[[nodiscard]] std::int64_t pairs_needed(std::int64_t variants);
// Planner: pairs with which a paired t test finds a mean difference of `difference` nats in four of five repetitions,
// given the standard deviation of the differences so far; never below pairs_needed(variants).
[[nodiscard]] std::optional<std::int64_t> pairs_for_difference(double difference, double standard_deviation,
                                                               std::int64_t variants);

[[nodiscard]] double normal_distribution(double x);
[[nodiscard]] double normal_quantile(double p);                         // 0 < p < 1
[[nodiscard]] double student_t_distribution(double t, double freedom);  // P(T <= t)
[[nodiscard]] double student_t_quantile(double p, double freedom);      // 0 < p < 1

}  // namespace sextant
