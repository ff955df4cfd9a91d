#pragma once
// Debiased exponential moving average whose half-life is given in units of x (tokens, steps, seconds): the value is
// the mean of all samples so far, weighted by 2^(-age / half_life). Always on the full data, never on what is drawn.
// A constant stays that constant exactly; NaN and infinities are passed over and come out as NaN.

#include <span>
#include <vector>

namespace sextant {

class MovingAverage {
  public:
    explicit MovingAverage(double half_life = 0.0) : half_life_(half_life) {}
    [[nodiscard]] double half_life() const { return half_life_; }
    // x must not decrease; a half-life of 0 or less gives y back.
    double add(double x, double y);

  private:
    double half_life_;
    double mean_ = 0.0;
    double weight_ = 0.0;
    double last_x_ = 0.0;
    double gap_ = -1.0;  // last distance and its decay: steps are mostly equal
    double decay_ = 0.0;
};

[[nodiscard]] std::vector<double> smooth(std::span<const double> x, std::span<const double> y, double half_life);

}  // namespace sextant
