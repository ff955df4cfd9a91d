#pragma once
// Plain values that a curve plot draws. Arrays are shared, not copied; series that come unsorted are sorted by the
// plot. Everything is in data units: scales, factors and smoothing are applied by the plot.

#include <QString>
#include <functional>
#include <limits>
#include <memory>
#include <numeric>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "widgets/plots/aggregate.h"
#include "widgets/plots/axis_scale.h"
#include "widgets/theme/theme.h"

namespace sextant {

using SharedValues = std::shared_ptr<const std::vector<double>>;

inline SharedValues sharedValues(std::vector<double> values) {
    return std::make_shared<const std::vector<double>>(std::move(values));
}
// from, from + 1, ...: the positions, distances or steps of `count` values that are listed without gaps.
inline std::vector<double> counting(std::size_t count, double from = 0.0) {
    std::vector<double> values(count);
    std::iota(values.begin(), values.end(), from);
    return values;
}

// A value that may follow the theme: a fixed one, or a function of the theme it is drawn in. Whatever is not a slot
// (heads, stems, notes) takes a function, so that a figure from a dark screen is light.
template <typename T>
class Themed {
  public:
    Themed() = default;
    Themed(std::nullopt_t) {}                                             // NOLINT(google-explicit-constructor)
    Themed(T fixed) : value_([fixed](const Theme&) { return fixed; }) {}  // NOLINT(google-explicit-constructor)
    template <typename Function>
    requires std::is_invocable_r_v<T, Function, const Theme&> Themed(Function function)
        : value_(std::move(function)) {}  // NOLINT(google-explicit-constructor)
    explicit operator bool() const { return static_cast<bool>(value_); }
    [[nodiscard]] T in(const Theme& theme) const { return value_(theme); }

  private:
    std::function<T(const Theme&)> value_;
};

enum class SeriesRole {
    kLine,        // sorted by x, decimated
    kPath,        // drawn in the given order, broken at NaN, never decimated: stems, bars, outlines
    kPoints,      // markers only
    kHiddenLine,  // only its band and its label
};

struct ResumeMark {
    double x = 0.0;
    QString text;
};

struct CurveSeries {
    QString id;
    QString name;
    int slot = 0;
    SharedValues x, y;
    SharedValues low, high;  // band edges, as long as y; null: no band
    SeriesRole role = SeriesRole::kLine;
    double halfLife = 0.0;  // in x units; > 0 draws the values faintly and their moving average over them
    bool raw = false;       // one noisy run: 1 px solid, no dash
    bool faint = false;     // 40 %: overlays, kept old curves
    bool markers = false;   // the slot's marker at every point
    bool openMarkers = false;
    bool visible = true;
    bool baseline = false;
    bool labelled = true;       // name at the right end
    QString endText;            // after the name; empty: the end value where the plot shows end values
    int n = 0;                  // seeds, 0 where it means nothing
    Themed<SeriesStyle> style;  // instead of the slot's: heads and pairs, which are ordered
    std::vector<ResumeMark> resumes;
};

struct AxisOptions {
    QString name;  // with unit and "(log)"; horizontal
    AxisKind kind = AxisKind::kLinear;
    double factor = 1.0;  // labels show value * factor
    double symlogThreshold = 1.0;
    std::optional<Range> range;  // instead of the data's
    double outlierTail = 0.0;    // share left out at each end, for the range only
    bool includeZero = false;
    bool descending = false;  // y downwards: layers, heads from the top
    std::vector<std::pair<double, QString>> fixedTicks;
};

// A line across the plot: training length, step, clip. Secondary ones are text2 and dotted, without a flag.
struct IndexLine {
    Qt::Orientation orientation = Qt::Vertical;
    double value = 0.0;
    QString text;
    bool secondary = false;
};

// A tinted part of the plot; infinite ends reach the border.
struct PlotRegion {
    double x0 = -std::numeric_limits<double>::infinity(), x1 = std::numeric_limits<double>::infinity();
    double y0 = -std::numeric_limits<double>::infinity(), y1 = std::numeric_limits<double>::infinity();
};

struct PlotNote {
    double x = 0.0, y = 0.0;
    QString text;
    int slot = -1;         // -1: text2; else the slot's label ink, bold
    bool centred = false;  // on a curve, with a halo of the ground
    Themed<QColor> ink;
    bool pixels = false;  // x, y are shares of the plot area from its top left
    double offset = 0.0;  // design px to the right: beside a marker
};

struct CurveReading {
    QString id, name;
    double x = 0.0;
    double raw = std::numeric_limits<double>::quiet_NaN();
    double shown = std::numeric_limits<double>::quiet_NaN();  // smoothed or mean
    double low = std::numeric_limits<double>::quiet_NaN();
    double high = std::numeric_limits<double>::quiet_NaN();
    double minusBaseline = std::numeric_limits<double>::quiet_NaN();
    int n = 0;
    bool baseline = false;
};

}  // namespace sextant
