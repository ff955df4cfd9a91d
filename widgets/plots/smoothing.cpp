#include "widgets/plots/smoothing.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sextant {

double MovingAverage::add(double x, double y) {
    if (!(half_life_ > 0.0)) return y;
    if (weight_ > 0.0) {
        const double gap = std::max(x - last_x_, 0.0);
        if (gap != gap_) {
            gap_ = gap;
            decay_ = std::exp2(-gap / half_life_);
        }
        weight_ *= decay_;
    }
    last_x_ = x;
    if (!std::isfinite(y)) return std::numeric_limits<double>::quiet_NaN();
    weight_ += 1.0;
    const double step = y - mean_;
    // Near 1e308 the difference may overflow; then the two halves are weighted apart.
    mean_ = std::isfinite(step) ? mean_ + step / weight_ : mean_ * (1.0 - 1.0 / weight_) + y / weight_;
    return mean_;
}

std::vector<double> smooth(std::span<const double> x, std::span<const double> y, double half_life) {
    const std::size_t count = std::min(x.size(), y.size());
    std::vector<double> result(count);
    MovingAverage average(half_life);
    for (std::size_t i = 0; i < count; ++i)
        result[i] = average.add(x[i], y[i]);
    return result;
}

}  // namespace sextant
