#include "widgets/plots/pyramid.h"

#include <algorithm>
#include <cmath>

namespace sextant {
namespace {

void add(Extremes& e, std::span<const double> values, std::size_t index) {
    const auto i = static_cast<std::uint32_t>(index);
    const double value = values[index];
    if (!std::isfinite(value)) {
        ++e.missing;
        return;
    }
    if (e.finite == 0) {
        e.first = e.smallest = e.largest = i;
    } else {
        // Strict comparisons: of equal values the earliest is kept.
        if (value < values[e.smallest]) e.smallest = i;
        if (value > values[e.largest]) e.largest = i;
    }
    e.last = i;
    ++e.finite;
}

void join(Extremes& e, std::span<const double> values, const Extremes& next) {
    e.missing += next.missing;
    if (next.finite == 0) return;
    if (e.finite == 0) {
        e.first = next.first;
        e.smallest = next.smallest;
        e.largest = next.largest;
    } else {
        if (values[next.smallest] < values[e.smallest]) e.smallest = next.smallest;
        if (values[next.largest] > values[e.largest]) e.largest = next.largest;
    }
    e.last = next.last;
    e.finite += next.finite;
}

}  // namespace

void Pyramid::clear() {
    size_ = 0;
    levels_.clear();
    gaps_.clear();
}

void Pyramid::extend(std::span<const double> values) {
    if (values.size() <= size_) return;
    for (std::size_t i = size_; i < values.size(); ++i) {
        if (std::isfinite(values[i])) continue;
        if (!gaps_.empty() && gaps_.back().last + 1 == i) {
            gaps_.back().last = i;
        } else {
            gaps_.push_back({i, i});
        }
    }
    const std::size_t count = values.size();
    std::size_t width = kFan;
    for (std::size_t level = 0;; ++level, width *= kFan) {
        if (count <= width / kFan && level > 0) break;
        if (levels_.size() <= level) levels_.emplace_back();
        std::vector<Extremes>& buckets = levels_[level];
        const std::size_t complete = size_ / width;  // buckets that no new sample touches
        const std::size_t needed = (count + width - 1) / width;
        buckets.resize(needed);
        for (std::size_t b = std::min(complete, needed); b < needed; ++b) {
            Extremes e;
            if (level == 0) {
                for (std::size_t i = b * width; i < std::min((b + 1) * width, count); ++i)
                    add(e, values, i);
            } else {
                const std::vector<Extremes>& below = levels_[level - 1];
                for (std::size_t c = b * kFan; c < std::min((b + 1) * kFan, below.size()); ++c)
                    join(e, values, below[c]);
            }
            buckets[b] = e;
        }
        if (needed <= 1) break;
    }
    size_ = count;
}

Extremes Pyramid::reduce(std::span<const double> values, std::size_t from, std::size_t to) const {
    Extremes e;
    to = std::min(to, size_);
    std::size_t at = from;
    while (at < to) {
        // The largest bucket that starts here and ends inside the range.
        std::size_t width = 1;
        std::size_t level = 0;
        while (level < levels_.size() && at % (width * kFan) == 0 && at + width * kFan <= to) {
            width *= kFan;
            ++level;
        }
        if (level == 0) {
            add(e, values, at);
        } else {
            join(e, values, levels_[level - 1][at / width]);
        }
        at += width;
    }
    return e;
}

std::size_t Pyramid::bytes() const {
    std::size_t total = gaps_.capacity() * sizeof(GapRun);
    for (const auto& level : levels_)
        total += level.capacity() * sizeof(Extremes);
    return total;
}

Decimated decimate(const Pyramid& pyramid, std::span<const double> x, std::span<const double> y,
                   std::span<const double> edges) {
    Decimated out;
    const std::size_t count = std::min({x.size(), y.size(), pyramid.size()});
    if (count == 0 || edges.size() < 2) return out;
    const auto end = x.begin() + static_cast<std::ptrdiff_t>(count);
    const auto index = [&](auto at) { return static_cast<std::size_t>(at - x.begin()); };
    const std::size_t from = index(std::lower_bound(x.begin(), end, edges.front()));
    const std::size_t to = index(std::upper_bound(x.begin(), end, edges.back()));
    out.visible = to > from ? to - from : 0;
    const std::size_t buckets = edges.size() - 1;
    const auto push_raw = [&](std::size_t i) {
        if (std::isfinite(y[i])) {
            out.samples.push_back(i);
        } else if (!out.samples.empty() && out.samples.back() != Decimated::kBreak) {
            out.samples.push_back(Decimated::kBreak);
        }
    };
    const std::size_t before = from > 0 ? from - 1 : from;
    const std::size_t after = std::min(to + 1, count);
    if (out.visible <= 4 * buckets) {
        out.samples.reserve(after - before);
        for (std::size_t i = before; i < after; ++i)
            push_raw(i);
        return out;
    }
    out.reduced = true;
    out.samples.reserve(4 * buckets + 2);
    if (before < from) push_raw(before);
    std::size_t start = from;
    for (std::size_t b = 0; b < buckets && start < to; ++b) {
        const std::size_t stop =
            b + 1 == buckets
                ? to
                : index(std::lower_bound(x.begin() + static_cast<std::ptrdiff_t>(start), end, edges[b + 1]));
        if (stop <= start) continue;
        const Extremes e = pyramid.reduce(y, start, std::min(stop, to));
        if (e.finite == 0) {
            push_raw(start);
        } else {
            std::size_t kept[4] = {e.first, e.smallest, e.largest, e.last};
            std::sort(std::begin(kept), std::end(kept));
            for (const std::size_t i : kept)
                if (out.samples.empty() || out.samples.back() != i) out.samples.push_back(i);
        }
        start = stop;
    }
    if (to < after) push_raw(to);
    return out;
}

}  // namespace sextant
