#include "widgets/plots/series_state.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace sextant {
namespace {

SharedValues picked(const SharedValues& values, const std::vector<std::size_t>& order) {
    if (!values) return values;
    std::vector<double> result;
    result.reserve(order.size());
    for (const std::size_t i : order)
        result.push_back(i < values->size() ? (*values)[i] : std::numeric_limits<double>::quiet_NaN());
    return sharedValues(std::move(result));
}

// Live series grow: room for a quarter more, so that the first new point does not move everything.
std::size_t roomFor(std::size_t count) {
    return count + count / 4 + 256;
}

std::shared_ptr<std::vector<double>> withRoom(std::span<const double> values) {
    auto copy = std::make_shared<std::vector<double>>();
    copy->reserve(roomFor(values.size()));
    copy->assign(values.begin(), values.end());
    return copy;
}

}  // namespace

SeriesState::SeriesState(CurveSeries series) : series_(std::move(series)), average_(series_.halfLife) {
    if (!series_.x) series_.x = sharedValues({});
    if (!series_.y) series_.y = sharedValues({});
    adopt();
    rebuild();
}

void SeriesState::adopt() {
    x_ = series_.x;
    y_ = series_.y;
    low_ = series_.low;
    high_ = series_.high;
    if (series_.role == SeriesRole::kPath) return;
    const std::size_t count = std::min(x_->size(), y_->size());
    const bool finite = std::all_of(x_->begin(), x_->begin() + static_cast<std::ptrdiff_t>(count),
                                    [](double v) { return std::isfinite(v); });
    const bool sorted = finite && count == x_->size() && count == y_->size() && std::is_sorted(x_->begin(), x_->end());
    if (sorted) return;
    std::vector<std::size_t> order;
    order.reserve(count);
    for (std::size_t i = 0; i < count; ++i)
        if (std::isfinite((*x_)[i])) order.push_back(i);
    dropped_ = std::max(x_->size(), y_->size()) - order.size();
    const auto& values = *x_;
    unsorted_ = !std::is_sorted(order.begin(), order.end(),
                                [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
    // Stable: of repeated steps the order they were written in is kept.
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
    const SharedValues sortedX = picked(x_, order);
    y_ = picked(y_, order);
    low_ = picked(low_, order);
    high_ = picked(high_, order);
    x_ = sortedX;
}

void SeriesState::rebuild() {
    pyramid_.clear();
    averagedPyramid_.clear();
    lowPyramid_.clear();
    highPyramid_.clear();
    averaged_.clear();
    pyramid_.extend(y());
    if (banded()) {
        lowPyramid_.extend(low());
        highPyramid_.extend(high());
    }
    average_ = MovingAverage(series_.halfLife);
    if (series_.halfLife > 0.0 && series_.role != SeriesRole::kPath && !y().empty()) {
        const auto xs = x();
        const auto ys = y();
        averaged_.reserve(roomFor(ys.size()));
        averaged_.resize(ys.size());
        for (std::size_t i = 0; i < ys.size(); ++i)
            averaged_[i] = average_.add(xs[i], ys[i]);
        averagedPyramid_.extend(averaged_);
    }
}

void SeriesState::setHalfLife(double halfLife) {
    if (series_.halfLife == halfLife) return;
    series_.halfLife = halfLife;
    rebuild();
}

void SeriesState::append(std::span<const double> newX, std::span<const double> newY) {
    const std::size_t count = std::min(newX.size(), newY.size());
    if (count == 0) return;
    if (!ownX_) {
        ownX_ = withRoom(x());
        ownY_ = withRoom(y());
        ownY_->resize(ownX_->size(), std::numeric_limits<double>::quiet_NaN());
    }
    bool ordered = true;
    for (std::size_t i = 0; i < count; ++i) {
        ordered = ordered && std::isfinite(newX[i]) && (ownX_->empty() || newX[i] >= ownX_->back());
        ownX_->push_back(newX[i]);
        ownY_->push_back(newY[i]);
    }
    if (!ordered) {
        series_.x = sharedValues(*ownX_);
        series_.y = sharedValues(*ownY_);
        ownX_.reset();
        ownY_.reset();
        adopt();
        rebuild();
        return;
    }
    series_.x = x_ = ownX_;
    series_.y = y_ = ownY_;
    const std::size_t before = pyramid_.size();
    pyramid_.extend(y());
    if (series_.halfLife > 0.0) {
        for (std::size_t i = before; i < ownY_->size(); ++i)
            averaged_.push_back(average_.add((*ownX_)[i], (*ownY_)[i]));
        averagedPyramid_.extend(averaged_);
    }
}

std::optional<std::size_t> SeriesState::sampleAt(double value) const {
    const auto xs = x();
    if (xs.empty() || std::isnan(value) || series_.role == SeriesRole::kPath) return std::nullopt;
    const auto above = std::upper_bound(xs.begin(), xs.end(), value);
    if (above == xs.begin()) return std::size_t{0};
    const auto index = static_cast<std::size_t>(above - xs.begin()) - 1;
    // The nearer neighbour: a cursor between two evaluations reads the closer one.
    if (above != xs.end() && *above - value < value - xs[index]) return index + 1;
    return index;
}

std::optional<std::size_t> SeriesState::lastFinite(double upToX) const {
    const auto xs = x();
    const auto values = shown();
    if (values.empty()) return std::nullopt;
    std::size_t end = values.size();
    if (series_.role != SeriesRole::kPath)
        end = std::min(end, static_cast<std::size_t>(std::upper_bound(xs.begin(), xs.end(), upToX) - xs.begin()));
    const Extremes e = shownPyramid().reduce(values, 0, end);
    if (e.finite == 0) return std::nullopt;
    return e.last;
}

std::optional<Range> SeriesState::valueRange(double x0, double x1, bool positiveOnly, double tail) const {
    const auto xs = x();
    const auto values = y();
    if (values.empty()) return std::nullopt;
    std::size_t from = 0;
    std::size_t to = values.size();
    if (series_.role != SeriesRole::kPath) {
        from = static_cast<std::size_t>(std::lower_bound(xs.begin(), xs.end(), x0) - xs.begin());
        to = static_cast<std::size_t>(std::upper_bound(xs.begin(), xs.end(), x1) - xs.begin());
        if (from >= to) return std::nullopt;
    }
    std::optional<Range> range;
    const auto widen = [&](double low, double high) {
        range = range ? Range{std::min(range->first, low), std::max(range->second, high)} : Range{low, high};
    };
    if (tail > 0.0 || positiveOnly) {
        if (series_.role != SeriesRole::kHiddenLine)
            if (const auto part = percentile_range(values.subspan(from, to - from), tail, positiveOnly))
                widen(part->first, part->second);
        if (banded()) {
            for (const auto edge : {low(), high()})
                if (const auto part = percentile_range(edge.subspan(from, to - from), tail, positiveOnly))
                    widen(part->first, part->second);
        }
        return range;
    }
    if (const Extremes e = pyramid_.reduce(values, from, to); e.finite > 0 && series_.role != SeriesRole::kHiddenLine)
        widen(values[e.smallest], values[e.largest]);
    if (banded()) {
        if (const Extremes e = lowPyramid_.reduce(low(), from, to); e.finite > 0)
            widen(low()[e.smallest], low()[e.largest]);
        if (const Extremes e = highPyramid_.reduce(high(), from, to); e.finite > 0)
            widen(high()[e.smallest], high()[e.largest]);
    }
    return range;
}

}  // namespace sextant
