// Normal and Student's t, from the error function and the regularised incomplete beta function (continued fraction,
// Numerical Recipes 6.4 by modified Lentz). Checked against SciPy's values to 1e-10 in the tests.
#include <cmath>
#include <numbers>

#include "core/results/statistics.h"

namespace sextant {
namespace {

double beta_fraction(double a, double b, double x) {
    constexpr double kTiny = 1e-300;
    double c = 1.0;
    double d = 1.0 - (a + b) * x / (a + 1.0);
    d = 1.0 / (std::abs(d) < kTiny ? kTiny : d);
    double result = d;
    for (int m = 1; m < 500; ++m) {
        const double even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
        const double odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
        double change = 1.0;
        for (const double term : {even, odd}) {
            d = 1.0 + term * d;
            d = 1.0 / (std::abs(d) < kTiny ? kTiny : d);
            c = 1.0 + term / c;
            if (std::abs(c) < kTiny) c = kTiny;
            change = d * c;
            result *= change;
        }
        if (std::abs(change - 1.0) < 1e-16) break;
    }
    return result;
}

double incomplete_beta(double a, double b, double x) {
    if (x <= 0.0) return 0.0;
    if (x >= 1.0) return 1.0;
    const double front =
        std::exp(std::lgamma(a + b) - std::lgamma(a) - std::lgamma(b) + a * std::log(x) + b * std::log1p(-x));
    if (x < (a + 1.0) / (a + b + 2.0)) return front * beta_fraction(a, b, x) / a;
    return 1.0 - front * beta_fraction(b, a, 1.0 - x) / b;
}

// The distribution functions are monotone, so bisection to the last bit is exact enough and cannot fail.
template <typename Distribution>
double invert(const Distribution& distribution, double p) {
    double low = -1.0;
    double high = 1.0;
    while (distribution(low) > p && low > -1e300)
        low *= 2.0;
    while (distribution(high) < p && high < 1e300)
        high *= 2.0;
    for (int i = 0; i < 2000; ++i) {
        const double middle = low + (high - low) / 2.0;
        if (middle <= low || middle >= high) break;
        (distribution(middle) < p ? low : high) = middle;
    }
    return low + (high - low) / 2.0;
}

}  // namespace

double normal_distribution(double x) {
    return 0.5 * std::erfc(-x / std::numbers::sqrt2);
}

double normal_quantile(double p) {
    return invert(normal_distribution, p);
}

double student_t_distribution(double t, double freedom) {
    const double tail = 0.5 * incomplete_beta(freedom / 2.0, 0.5, freedom / (freedom + t * t));
    return t > 0.0 ? 1.0 - tail : tail;
}

double student_t_quantile(double p, double freedom) {
    if (p == 0.5) return 0.0;
    // The lower tail keeps its relative precision.
    const double lower = invert([&](double t) { return student_t_distribution(t, freedom); }, std::min(p, 1.0 - p));
    return p < 0.5 ? lower : -lower;
}

}  // namespace sextant
