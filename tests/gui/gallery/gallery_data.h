#pragma once
// Synthetic but realistic data for pictures of the components: loss curves of seeds, a diverged run, ALiBi, RoPE and
// attention computed from their formulas.

#include <vector>

#include "widgets/plots/matrix.h"
#include "widgets/plots/position_plots.h"

namespace gallery {

std::vector<double> steps(int count, double stride);
// exp-shaped loss with seeded noise.
std::vector<double> loss(const std::vector<double>& x, double start, double end, double scale, double noise,
                         unsigned seed);
std::vector<sextant::CurveSeries> arms(int seeds);
sextant::CurveSeries diverged();
std::vector<double> slopes(int heads);
std::vector<double> naiveSlopes(int heads);
sextant::Array biasOf(const std::vector<double>& slopes, int length);
std::vector<double> frequencies(int headDim, double base);
std::vector<double> decay(const std::vector<double>& frequencies, int length);
sextant::MatrixData attention(int length, double slope, unsigned seed);
QStringList tokens();
sextant::ExtrapolationData extrapolation(bool sliding);

}  // namespace gallery
