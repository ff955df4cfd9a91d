#pragma once
// One series as the plot keeps it: sorted arrays, their pyramids, the moving average, and what is drawn of it now.

#include <QPolygonF>
#include <QVector>
#include <span>

#include "widgets/plots/curve_data.h"
#include "widgets/plots/pyramid.h"
#include "widgets/plots/smoothing.h"

namespace sextant {

class SeriesState {
  public:
    explicit SeriesState(CurveSeries series);

    // Points for live data; x must not decrease (else the series is sorted anew).
    void append(std::span<const double> x, std::span<const double> y);
    void setHalfLife(double halfLife);

    [[nodiscard]] const CurveSeries& series() const { return series_; }
    [[nodiscard]] CurveSeries& series() { return series_; }
    [[nodiscard]] std::span<const double> x() const { return span(x_); }
    [[nodiscard]] std::span<const double> y() const { return span(y_); }
    // The smoothed values where there is smoothing, else y.
    [[nodiscard]] std::span<const double> shown() const {
        return averaged_.empty() ? y() : std::span<const double>(averaged_);
    }
    [[nodiscard]] std::span<const double> low() const { return span(low_); }
    [[nodiscard]] std::span<const double> high() const { return span(high_); }
    [[nodiscard]] const Pyramid& pyramid() const { return pyramid_; }
    [[nodiscard]] const Pyramid& shownPyramid() const { return averaged_.empty() ? pyramid_ : averagedPyramid_; }
    [[nodiscard]] const Pyramid& lowPyramid() const { return lowPyramid_; }
    [[nodiscard]] const Pyramid& highPyramid() const { return highPyramid_; }
    [[nodiscard]] bool smoothed() const { return !averaged_.empty(); }
    [[nodiscard]] bool banded() const { return low_ && high_ && !low_->empty(); }
    [[nodiscard]] bool wasUnsorted() const { return unsorted_; }
    [[nodiscard]] std::size_t droppedPoints() const { return dropped_; }  // points without a finite x

    // Index of the sample at or before `value`, or the first; nothing when empty.
    [[nodiscard]] std::optional<std::size_t> sampleAt(double value) const;
    [[nodiscard]] std::optional<std::size_t> lastFinite(double upToX) const;

    // Values between x0 and x1 that a y axis can show, smallest and largest.
    [[nodiscard]] std::optional<Range> valueRange(double x0, double x1, bool positiveOnly, double tail) const;

  private:
    static std::span<const double> span(const SharedValues& values) {
        return values ? std::span<const double>(*values) : std::span<const double>();
    }
    void adopt();
    void rebuild();

    CurveSeries series_;
    SharedValues x_, y_, low_, high_;
    std::shared_ptr<std::vector<double>> ownX_, ownY_;  // set once points were appended
    std::vector<double> averaged_;
    MovingAverage average_;
    Pyramid pyramid_, averagedPyramid_, lowPyramid_, highPyramid_;
    bool unsorted_ = false;
    std::size_t dropped_ = 0;
};

}  // namespace sextant
