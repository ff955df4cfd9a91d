#include "widgets/controls/value_scale.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace sextant {

double niceStep(double span, double count) {
    if (!(span > 0.0) || !std::isfinite(span) || !(count > 0.0)) return 1.0;
    const double raw = span / count;
    const double power = std::pow(10.0, std::floor(std::log10(raw)));
    if (!(power > 0.0) || !std::isfinite(power)) return raw;
    const double digit = raw / power;
    return power * (digit < 1.42 ? 1.0 : digit < 3.2 ? 2.0 : digit < 7.1 ? 5.0 : 10.0);
}

ValueScale::ValueScale(ScaleKind kind, double low, double high) : kind_(kind), low_(low), high_(high) {
    if (!std::isfinite(low_) || !std::isfinite(high_)) {
        low_ = 0.0;
        high_ = 1.0;
    }
    if (low_ > high_) std::swap(low_, high_);
    if (kind_ == ScaleKind::kLog) {
        if (!(high_ > 0.0)) high_ = 1.0;
        if (!(low_ > 0.0)) low_ = high_ * 1e-6;
        low_ = std::max(low_, std::numeric_limits<double>::min());
        high_ = std::max(high_, low_);
    }
    if (low_ == high_) {
        if (kind_ == ScaleKind::kLog) {
            low_ /= 10.0;
        } else if (high_ < std::numeric_limits<double>::max() / 4) {
            high_ += std::max(std::abs(high_) * 1e-9, 1e-12);
        } else {
            low_ -= std::abs(low_) * 1e-9;
        }
    }
}

ValueScale ValueScale::byRank(std::vector<double> values) {
    ValueScale scale;
    scale.kind_ = ScaleKind::kRank;
    values.erase(std::remove_if(values.begin(), values.end(), [](double v) { return !std::isfinite(v); }),
                 values.end());
    std::sort(values.begin(), values.end());
    scale.sorted_ = std::move(values);
    scale.low_ = scale.sorted_.empty() ? 0.0 : scale.sorted_.front();
    scale.high_ = scale.sorted_.empty() ? 1.0 : scale.sorted_.back();
    return scale;
}

double ValueScale::position(double value) const {
    if (std::isnan(value)) return 0.0;
    if (kind_ == ScaleKind::kRank) {
        if (sorted_.size() < 2) return 0.0;
        const auto [below, above] = std::equal_range(sorted_.begin(), sorted_.end(), value);
        const double middle =
            (static_cast<double>(below - sorted_.begin()) + static_cast<double>(above - sorted_.begin()) - 1.0) / 2.0;
        return std::clamp(middle / static_cast<double>(sorted_.size() - 1), 0.0, 1.0);
    }
    if (value <= low_) return 0.0;
    if (value >= high_) return 1.0;
    // Halves first: high - low may overflow near 1e308.
    if (kind_ == ScaleKind::kLinear) return std::clamp((value / 2 - low_ / 2) / (high_ / 2 - low_ / 2), 0.0, 1.0);
    return std::clamp((std::log(value) - std::log(low_)) / (std::log(high_) - std::log(low_)), 0.0, 1.0);
}

double ValueScale::valueAt(double position) const {
    const double t = std::clamp(position, 0.0, 1.0);
    if (kind_ == ScaleKind::kRank) {
        if (sorted_.empty()) return 0.0;
        return sorted_[static_cast<std::size_t>(std::lround(t * static_cast<double>(sorted_.size() - 1)))];
    }
    if (kind_ == ScaleKind::kLinear) return low_ * (1.0 - t) + high_ * t;
    return std::exp(std::log(low_) * (1.0 - t) + std::log(high_) * t);
}

std::vector<double> ValueScale::ticks(std::size_t about) const {
    std::vector<double> result;
    if (kind_ == ScaleKind::kRank) {
        for (std::size_t i = 0; i < about; ++i)
            result.push_back(
                valueAt(static_cast<double>(i) / static_cast<double>(std::max<std::size_t>(about - 1, 1))));
        result.erase(std::unique(result.begin(), result.end()), result.end());
        return result;
    }
    if (kind_ == ScaleKind::kLog) {
        const double decades = std::log10(high_ / low_);
        const double first = std::ceil(std::log10(low_) - 1e-9);
        const double last = std::floor(std::log10(high_) + 1e-9);
        const double step = std::max(1.0, std::ceil(decades / static_cast<double>(about)));
        for (double exponent = first; exponent <= last; exponent += step)
            result.push_back(std::pow(10.0, exponent));
        if (result.size() >= 3) return result;
        result.clear();
        for (double exponent = std::floor(std::log10(low_)); exponent <= last; exponent += 1.0)
            for (const double digit : {1.0, 2.0, 5.0}) {
                const double value = digit * std::pow(10.0, exponent);
                if (value >= low_ * (1 - 1e-9) && value <= high_ * (1 + 1e-9)) result.push_back(value);
            }
        if (result.empty()) result = {low_, high_};
        return result;
    }
    const double span = high_ - low_;
    if (!std::isfinite(span)) return {low_, 0.0, high_};
    const double step = niceStep(span, static_cast<double>(about) - 0.5);
    const double start = std::ceil(low_ / step - 1e-9);
    for (int i = 0; i < 32; ++i) {
        const double value = (start + i) * step;
        if (value > high_ + step * 1e-6) break;
        result.push_back(std::abs(value) < step * 1e-9 ? 0.0 : value);
    }
    return result;
}

}  // namespace sextant
