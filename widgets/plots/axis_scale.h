#pragma once
// How data values become plot coordinates and which ticks an axis carries. Every axis of a plot is linear in plot
// coordinates; logarithm and symlog are applied here, so ranges near 1e308, denormals and non-positive values are
// handled in one place and never reach the plotting library. No Qt.

#include <string>
#include <vector>

namespace sextant {

enum class AxisKind { kLinear, kLog, kLog2, kSymlog };

struct Tick {
    double value = 0.0;  // data value
    double place = 0.0;  // plot coordinate
    std::string label;
};

class AxisScale {
  public:
    AxisScale() = default;
    // `threshold`: symlog is linear below it. `unit`: linear axes divide by it (a power of two for extreme ranges).
    explicit AxisScale(AxisKind kind, double threshold = 1.0, double unit = 1.0)
        : kind_(kind), threshold_(threshold > 0.0 ? threshold : 1.0), unit_(unit > 0.0 ? unit : 1.0) {}
    // Chooses the unit so that plot coordinates stay ordinary numbers.
    static AxisScale fitted(AxisKind kind, double low, double high, double threshold = 1.0);

    [[nodiscard]] AxisKind kind() const { return kind_; }
    [[nodiscard]] double unit() const { return unit_; }
    [[nodiscard]] double threshold() const { return threshold_; }
    // Whether a value has a place: finite, and positive on a logarithmic axis.
    [[nodiscard]] bool shows(double value) const;
    [[nodiscard]] double forward(double value) const;  // NaN where it has no place
    [[nodiscard]] double inverse(double place) const;

    // Labelled ticks between two plot coordinates, about `count` of them; `minor` gets the places of unlabelled ones.
    // Labels show value * factor (tokens in millions: 1e-6).
    [[nodiscard]] std::vector<Tick> ticks(double from, double to, int count, double factor = 1.0,
                                          std::vector<double>* minor = nullptr) const;

  private:
    AxisKind kind_ = AxisKind::kLinear;
    double threshold_ = 1.0;
    double unit_ = 1.0;
};

// Label of a tick: plain up to 9,999, then "10 k", "2 M"; powers of ten beyond; a true minus sign (UTF-8).
// `step` is the distance to the next tick (0 on a logarithmic axis): it fixes the decimals.
[[nodiscard]] std::string tick_label(double value, double step);

}  // namespace sextant
