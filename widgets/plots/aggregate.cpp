#include "widgets/plots/aggregate.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sextant {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

// Continued fraction of the regularised incomplete beta function (Press et al., Numerical Recipes 6.4, Lentz).
double beta_fraction(double a, double b, double x) {
    constexpr double kTiny = 1e-300;
    double c = 1.0;
    double d = 1.0 - (a + b) * x / (a + 1.0);
    if (std::abs(d) < kTiny) d = kTiny;
    d = 1.0 / d;
    double h = d;
    for (int m = 1; m <= 500; ++m) {
        const double m2 = 2.0 * m;
        for (const double term : {m * (b - m) * x / ((a + m2 - 1.0) * (a + m2)),
                                  -(a + m) * (a + b + m) * x / ((a + m2) * (a + m2 + 1.0))}) {
            d = 1.0 + term * d;
            c = 1.0 + term / c;
            if (std::abs(d) < kTiny) d = kTiny;
            if (std::abs(c) < kTiny) c = kTiny;
            d = 1.0 / d;
            h *= d * c;
            if (std::abs(d * c - 1.0) < 1e-16) return h;
        }
    }
    return h;
}

double incomplete_beta(double a, double b, double x) {
    if (x <= 0.0) return 0.0;
    if (x >= 1.0) return 1.0;
    const double front =
        std::exp(std::lgamma(a + b) - std::lgamma(a) - std::lgamma(b) + a * std::log(x) + b * std::log1p(-x));
    return x < (a + 1.0) / (a + b + 2.0) ? front * beta_fraction(a, b, x) / a
                                         : 1.0 - front * beta_fraction(b, a, 1.0 - x) / b;
}

double outside(double t, double degrees) {
    return incomplete_beta(degrees / 2.0, 0.5, degrees / (degrees + t * t));
}

}  // namespace

std::string band_name(BandKind kind) {
    switch (kind) {
        case BandKind::kNone:
            return "no band";
        case BandKind::kStandardError:
            return "SE";
        case BandKind::kStandardDeviation:
            return "SD";
        case BandKind::kInterval95:
            return "95 % t interval";
        case BandKind::kMinMax:
            return "min-max";
    }
    return "no band";
}

double student_t(double confidence, double degrees) {
    if (!(degrees >= 1.0) || !(confidence > 0.0) || !(confidence < 1.0)) return kNan;
    const double tail = 1.0 - confidence;
    double low = 0.0;
    double high = 2.0;
    while (outside(high, degrees) > tail && high < 1e12)
        high *= 2.0;
    for (int i = 0; i < 200 && high - low > 1e-14 * high; ++i) {
        const double middle = (low + high) / 2.0;
        (outside(middle, degrees) > tail ? low : high) = middle;
    }
    return (low + high) / 2.0;
}

Summary summarise(std::span<const double> values, BandKind kind) {
    Summary s;
    s.smallest = std::numeric_limits<double>::infinity();
    s.largest = -s.smallest;
    double mean = 0.0;
    double squares = 0.0;
    for (const double value : values) {
        if (!std::isfinite(value)) continue;
        ++s.n;
        const double off = value - mean;
        mean += off / s.n;
        squares += off * (value - mean);
        s.smallest = std::min(s.smallest, value);
        s.largest = std::max(s.largest, value);
    }
    if (s.n == 0) {
        s.mean = s.sd = s.low = s.high = s.smallest = s.largest = kNan;
        return s;
    }
    s.mean = mean;
    s.sd = s.n > 1 ? std::sqrt(squares / (s.n - 1)) : kNan;
    double half = kNan;
    switch (kind) {
        case BandKind::kNone:
            break;
        case BandKind::kStandardError:
            half = s.sd / std::sqrt(s.n);
            break;
        case BandKind::kStandardDeviation:
            half = s.sd;
            break;
        case BandKind::kInterval95:
            if (s.n > 1) {
                static thread_local std::vector<double> quantiles(1, kNan);
                while (static_cast<std::int32_t>(quantiles.size()) < s.n)
                    quantiles.push_back(student_t(0.95, static_cast<double>(quantiles.size())));
                half = quantiles[static_cast<std::size_t>(s.n - 1)] * s.sd / std::sqrt(s.n);
            }
            break;
        case BandKind::kMinMax:
            s.low = s.smallest;
            s.high = s.largest;
            return s;
    }
    s.low = s.mean - half;
    s.high = s.mean + half;
    return s;
}

Aggregate aggregate(std::span<const SeedCurve> seeds, BandKind kind) {
    Aggregate out;
    std::vector<std::size_t> at(seeds.size(), 0);
    std::vector<double> here;
    while (true) {
        double next = std::numeric_limits<double>::infinity();
        bool any = false;
        for (std::size_t s = 0; s < seeds.size(); ++s) {
            const std::size_t count = std::min(seeds[s].x.size(), seeds[s].y.size());
            while (at[s] < count && std::isnan(seeds[s].x[at[s]]))
                ++at[s];
            if (at[s] >= count) continue;
            next = any ? std::min(next, seeds[s].x[at[s]]) : seeds[s].x[at[s]];
            any = true;
        }
        if (!any) break;
        here.clear();
        for (std::size_t s = 0; s < seeds.size(); ++s) {
            const std::size_t count = std::min(seeds[s].x.size(), seeds[s].y.size());
            // Of repeated steps in one seed the last one counts: it was written after a resume.
            double value = kNan;
            bool found = false;
            while (at[s] < count && seeds[s].x[at[s]] <= next) {
                value = seeds[s].y[at[s]++];
                found = true;
            }
            if (found) here.push_back(value);
        }
        const Summary s = summarise(here, kind);
        out.x.push_back(next);
        out.mean.push_back(s.mean);
        out.low.push_back(s.low);
        out.high.push_back(s.high);
        out.n.push_back(s.n);
    }
    return out;
}

std::optional<Range> finite_range(std::span<const double> values, bool positive_only) {
    std::optional<Range> range;
    for (const double value : values) {
        if (!std::isfinite(value) || (positive_only && !(value > 0.0))) continue;
        if (!range) {
            range = Range{value, value};
        } else {
            range->first = std::min(range->first, value);
            range->second = std::max(range->second, value);
        }
    }
    return range;
}

std::optional<Range> percentile_range(std::span<const double> values, double tail, bool positive_only) {
    if (!(tail > 0.0)) return finite_range(values, positive_only);
    constexpr std::size_t kEnough = 200'000;  // quantiles of every n-th value of longer series
    const std::size_t stride = std::max<std::size_t>(values.size() / kEnough, 1);
    std::vector<double> kept;
    for (std::size_t i = 0; i < values.size(); i += stride)
        if (std::isfinite(values[i]) && (!positive_only || values[i] > 0.0)) kept.push_back(values[i]);
    if (kept.empty()) return std::nullopt;
    const auto quantile = [&](double share) {
        const auto index = static_cast<std::size_t>(share * static_cast<double>(kept.size() - 1) + 0.5);
        std::nth_element(kept.begin(), kept.begin() + static_cast<std::ptrdiff_t>(index), kept.end());
        return kept[index];
    };
    const double low = quantile(std::min(tail, 0.5));
    return Range{low, std::max(low, quantile(std::max(1.0 - tail, 0.5)))};
}

}  // namespace sextant
