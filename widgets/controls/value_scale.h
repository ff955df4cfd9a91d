#pragma once
// How a value becomes a place on a colour map: linear, logarithmic or by rank, within a range. Qt-free, so that tests
// and exporters use the same mapping as the screen.

#include <cstddef>
#include <vector>

namespace sextant {

enum class ScaleKind { kLinear, kLog, kRank };

class ValueScale {
  public:
    ValueScale() = default;
    ValueScale(ScaleKind kind, double low, double high);
    // By rank: the place of a value is the share of these (finite) values below it, ties at their middle.
    static ValueScale byRank(std::vector<double> values);

    [[nodiscard]] ScaleKind kind() const { return kind_; }
    [[nodiscard]] double low() const { return low_; }
    [[nodiscard]] double high() const { return high_; }
    // 0..1, clamped; NaN gives 0. On a log scale everything at or below `low` is 0.
    [[nodiscard]] double position(double value) const;
    [[nodiscard]] double valueAt(double position) const;
    // Round values for 4 to 6 ticks, inside the range.
    [[nodiscard]] std::vector<double> ticks(std::size_t about = 5) const;

  private:
    ScaleKind kind_ = ScaleKind::kLinear;
    double low_ = 0.0;
    double high_ = 1.0;
    std::vector<double> sorted_;  // kRank only
};

// 1, 2 or 5 times a power of ten that divides the span into about `count` steps. 1 for an empty or infinite span.
[[nodiscard]] double niceStep(double span, double count);

}  // namespace sextant
