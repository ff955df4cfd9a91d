#pragma once
// Level of detail of one series: for every bucket of samples the indices of its first, last, smallest and largest
// finite value, in levels of 16. A query joins whole buckets, so that any range of a million samples costs a few dozen
// reads and no spike disappears. Appending only rebuilds the last bucket of each level. No Qt: tests and exports use
// it.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace sextant {

// Indices of samples. `finite` is 0 when there is nothing to draw; then the indices mean nothing.
struct Extremes {
    std::uint32_t first = 0, last = 0, smallest = 0, largest = 0;
    std::uint32_t finite = 0;   // samples with a finite value
    std::uint32_t missing = 0;  // NaN or infinite
};

// A run of samples that are NaN or infinite, both ends included.
struct GapRun {
    std::size_t first = 0, last = 0;
};

class Pyramid {
  public:
    static constexpr std::size_t kFan = 16;

    // Takes in values.size() - size() new samples at the end of `values` (all of them the first time).
    void extend(std::span<const double> values);
    void clear();
    [[nodiscard]] std::size_t size() const { return size_; }
    // Over samples [from, to) of the same values that were given to extend().
    [[nodiscard]] Extremes reduce(std::span<const double> values, std::size_t from, std::size_t to) const;
    [[nodiscard]] const std::vector<GapRun>& gaps() const { return gaps_; }
    [[nodiscard]] std::size_t bytes() const;

  private:
    std::size_t size_ = 0;
    std::vector<std::vector<Extremes>> levels_;  // levels_[k][i] covers samples [i * 16^(k+1), (i+1) * 16^(k+1))
    std::vector<GapRun> gaps_;
};

struct Decimated {
    // Ascending sample indices; kBreak interrupts the line.
    std::vector<std::size_t> samples;
    std::size_t visible = 0;  // samples in range
    bool reduced = false;     // fewer are drawn than are there
    static constexpr std::size_t kBreak = static_cast<std::size_t>(-1);
};

// Of the samples whose x (ascending) lies between edges.front() and edges.back(), keeps for each interval of `edges`
// its first, last, smallest and largest value; all of them when there are at most four an interval. One sample beyond
// each end is added, so that lines run to the border. Deterministic: the same input gives the same samples.
[[nodiscard]] Decimated decimate(const Pyramid& pyramid, std::span<const double> x, std::span<const double> y,
                                 std::span<const double> edges);

}  // namespace sextant
