#include "core/results/statistics.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/base/random.h"

namespace sextant {
namespace {

constexpr double kTie = 1e-12;

double absolute_sum(std::span<const double> values) {
    return std::accumulate(values.begin(), values.end(), 0.0,
                           [](double sum, double value) { return sum + std::abs(value); });
}

// Means of subsets: all nonempty ones by Gray code up to the limit, else a seeded sample (Hartigan's typical values).
std::vector<double> subset_means(std::span<const double> values) {
    std::vector<double> means;
    const std::size_t n = values.size();
    if (n <= kEnumerationLimit) {
        const std::uint32_t subsets = std::uint32_t{1} << n;
        means.reserve(subsets - 1);
        std::vector<bool> in(n, false);
        double sum = 0.0;
        int count = 0;
        for (std::uint32_t i = 1; i < subsets; ++i) {
            const auto flip = static_cast<std::size_t>(std::countr_zero(i));
            in[flip] = !in[flip];
            sum += in[flip] ? values[flip] : -values[flip];
            count += in[flip] ? 1 : -1;
            means.push_back(count == 1
                                ? values[static_cast<std::size_t>(std::find(in.begin(), in.end(), true) - in.begin())]
                                : sum / count);
        }
        return means;
    }
    Random random(derive_seed(1, "sign-flip"));
    means.reserve(static_cast<std::size_t>(kSignFlipSamples));
    while (means.size() < static_cast<std::size_t>(kSignFlipSamples)) {
        double sum = 0.0;
        int count = 0;
        for (const double value : values) {
            if ((random.next() & 1U) != 0U) {
                sum += value;
                ++count;
            }
        }
        if (count > 0) means.push_back(sum / count);
    }
    return means;
}

}  // namespace

double mean(std::span<const double> values) {
    if (values.empty()) return std::numeric_limits<double>::quiet_NaN();
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double standard_deviation(std::span<const double> values) {
    if (values.size() < 2) return std::numeric_limits<double>::quiet_NaN();
    const double centre = mean(values);
    double squares = 0.0;
    for (const double value : values)
        squares += (value - centre) * (value - centre);
    return std::sqrt(squares / static_cast<double>(values.size() - 1));
}

double smallest_sign_flip_p(std::size_t pairs) {
    return pairs == 0 ? 1.0 : std::ldexp(2.0, -static_cast<int>(pairs));
}

SignFlipTest sign_flip_test(std::span<const double> differences, double centre) {
    SignFlipTest test;
    const std::size_t n = differences.size();
    test.smallest_p = smallest_sign_flip_p(n);
    if (n == 0) return test;
    std::vector<double> d(differences.begin(), differences.end());
    for (double& value : d)
        value -= centre;
    const double observed = std::abs(std::accumulate(d.begin(), d.end(), 0.0)) - kTie * absolute_sum(d);
    if (n <= kEnumerationLimit) {
        // The first sign stays: the other half mirrors this one. Gray code changes one sign a step.
        double sum = std::accumulate(d.begin(), d.end(), 0.0);
        std::vector<int> sign(n, 1);
        const std::uint32_t half = std::uint32_t{1} << (n - 1);
        std::uint32_t as_extreme = 0;
        for (std::uint32_t i = 0;;) {
            if (std::abs(sum) >= observed) ++as_extreme;
            if (++i == half) break;
            const auto flip = static_cast<std::size_t>(std::countr_zero(i)) + 1;
            sum -= 2.0 * sign[flip] * d[flip];
            sign[flip] = -sign[flip];
        }
        test.p = static_cast<double>(as_extreme) / static_cast<double>(half);
        return test;
    }
    Random random(derive_seed(1, "sign-flip"));
    std::int64_t as_extreme = 1;  // the observed signs belong to the sample
    for (std::int64_t i = 0; i < kSignFlipSamples; ++i) {
        double sum = 0.0;
        for (const double value : d)
            sum += (random.next() & 1U) != 0U ? value : -value;
        if (std::abs(sum) >= observed) ++as_extreme;
    }
    test.samples = kSignFlipSamples;
    test.p = static_cast<double>(as_extreme) / static_cast<double>(kSignFlipSamples + 1);
    return test;
}

std::optional<Interval> sign_flip_interval(std::span<const double> differences) {
    const std::size_t n = differences.size();
    if (n == 0) return std::nullopt;
    const auto [low, high] = std::minmax_element(differences.begin(), differences.end());
    // For a centre m below the mean, p(m) = 2 (1 + #{subset means <= m}) / 2^n: m is kept once `rank` of them lie at or
    // below it. With six pairs rank is 1 and the interval is [min d, max d].
    const bool enumerated = n <= kEnumerationLimit;
    const double vectors =
        enumerated ? std::ldexp(1.0, static_cast<int>(n)) : static_cast<double>(kSignFlipSamples + 1);
    const auto rank = static_cast<std::size_t>(std::floor(kAlpha / 2.0 * vectors + 1e-9));
    if (rank == 0) return std::nullopt;
    Interval interval{*low, *high, 1.0 - 2.0 * static_cast<double>(rank) / vectors};
    if (*high - *low <= kTie * absolute_sum(differences)) return interval;  // all equal: that point
    std::vector<double> means = subset_means(differences);
    std::sort(means.begin(), means.end());
    interval.low = means[rank - 1];
    interval.high = means[means.size() - rank];
    return interval;
}

std::optional<Interval> paired_t_interval(std::span<const double> differences, double level) {
    if (differences.size() < 2) return std::nullopt;
    const auto n = static_cast<double>(differences.size());
    const double half = student_t_quantile(0.5 + level / 2.0, n - 1.0) * standard_deviation(differences) / std::sqrt(n);
    return Interval{mean(differences) - half, mean(differences) + half, level};
}

std::optional<Interval> bca_interval(std::span<const double> differences, double level, std::uint64_t seed) {
    const std::size_t n = differences.size();
    if (n < kBootstrapFrom) return std::nullopt;
    const double observed = mean(differences);
    const auto [lowest, highest] = std::minmax_element(differences.begin(), differences.end());
    if (*highest - *lowest <= kTie * absolute_sum(differences)) return Interval{observed, observed, level};
    Random random(derive_seed(seed, "bootstrap"));
    std::vector<double> resampled(static_cast<std::size_t>(kBootstrapSamples));
    double below = 0.0;
    for (double& value : resampled) {
        double sum = 0.0;
        for (std::size_t i = 0; i < n; ++i)
            sum += differences[random.below(static_cast<std::uint32_t>(n))];
        value = sum / static_cast<double>(n);
        below += value < observed ? 1.0 : value == observed ? 0.5 : 0.0;
    }
    std::sort(resampled.begin(), resampled.end());
    // Jackknife means (total - d_i) / (n - 1) vary about their mean by (mean - d_i) / (n - 1).
    double cubes = 0.0;
    double squares = 0.0;
    for (const double value : differences) {
        const double shift = (value - observed) / static_cast<double>(n - 1);
        cubes += shift * shift * shift;
        squares += shift * shift;
    }
    const double acceleration = squares > 0.0 ? cubes / (6.0 * std::pow(squares, 1.5)) : 0.0;
    const auto total = static_cast<double>(kBootstrapSamples);
    const double bias = normal_quantile(std::clamp(below / total, 0.5 / total, 1.0 - 0.5 / total));
    const auto percentile = [&](double p) {
        const double z = bias + normal_quantile(p);
        const double adjusted = normal_distribution(bias + z / (1.0 - acceleration * z));
        const double at = adjusted * (total - 1.0);
        const auto lower = static_cast<std::size_t>(std::clamp(std::floor(at), 0.0, total - 1.0));
        const std::size_t upper = std::min(lower + 1, resampled.size() - 1);
        return std::lerp(resampled[lower], resampled[upper], at - std::floor(at));
    };
    return Interval{percentile((1.0 - level) / 2.0), percentile((1.0 + level) / 2.0), level};
}

std::vector<double> holm_adjusted(std::span<const double> p_values) {
    const std::size_t k = p_values.size();
    std::vector<std::size_t> order(k);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return p_values[a] < p_values[b]; });
    std::vector<double> adjusted(k);
    double running = 0.0;
    for (std::size_t i = 0; i < k; ++i) {
        running = std::max(running, std::min(1.0, static_cast<double>(k - i) * p_values[order[i]]));
        adjusted[order[i]] = running;
    }
    return adjusted;
}

std::int64_t pairs_needed(std::int64_t variants) {
    std::int64_t pairs = 1;
    while (static_cast<double>(std::max<std::int64_t>(variants, 1)) *
               smallest_sign_flip_p(static_cast<std::size_t>(pairs)) >=
           kAlpha) {
        ++pairs;
    }
    return pairs;
}

std::optional<std::int64_t> pairs_for_difference(double difference, double standard_deviation, std::int64_t variants) {
    if (!(std::abs(difference) > 0.0) || !(standard_deviation >= 0.0) || !std::isfinite(difference) ||
        !std::isfinite(standard_deviation)) {
        return std::nullopt;
    }
    const double ratio = standard_deviation / std::abs(difference);
    const double alpha = kAlpha / static_cast<double>(std::max<std::int64_t>(variants, 1));
    for (std::int64_t n = pairs_needed(variants); n <= 1'000'000;) {
        const auto freedom = static_cast<double>(n - 1);
        const double sum = student_t_quantile(1.0 - alpha / 2.0, freedom) + student_t_quantile(0.8, freedom);
        const double wanted = std::ceil(sum * sum * ratio * ratio);
        if (wanted <= static_cast<double>(n)) return n;
        // The need falls slowly as n grows (by less than half from six pairs on), so large needs are approached fast.
        n = wanted > 4000.0 ? std::max(n + 1, static_cast<std::int64_t>(std::min(wanted * 0.5, 1e6))) : n + 1;
    }
    return std::nullopt;
}

}  // namespace sextant
