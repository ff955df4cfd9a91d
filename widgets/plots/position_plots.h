#pragma once
// The charts of the position page, each a plain value drawn by a CurvePlot or HeatmapGrid. Values come from the
// encoding tables of core; nothing is computed here that a table could tell.

#include <QWidget>
#include <optional>
#include <vector>

#include "core/base/matrix.h"
#include "widgets/plots/curve_plot.h"
#include "widgets/plots/heatmap_grid.h"

namespace sextant {

// --- Biases ---------------------------------------------------------------------------------------------------
struct BiasData {
    Array values;                 // [heads, queries, keys]; masked entries minus infinity
    std::vector<double> slopes;   // empty where the encoding has none
    bool asFactor = false;        // show e^bias instead of bias
    std::optional<double> floor;  // lower end of the scale; nothing: from the data, but not below -8
};
// The heads of a bias in a grid with one scale; the dashed line is where the weight is halved.
void showBias(HeatmapGrid& grid, const BiasData& data);
// "1/8", "1/256", else decimals.
[[nodiscard]] QString slopeText(double slope);

struct SlopesData {
    std::vector<double> slopes;  // as trained: interleaved
    std::vector<double> naive;   // 2^(-8k/n)
    int powerOfTwo = 0;          // heads that follow the plain rule; the rest are the odd ones of twice as many
};
void showSlopes(CurvePlot& plot, const SlopesData& data);

// How far each head sees: half-weight distance ln 2 / slope, one bar a head.
void showReach(CurvePlot& plot, const std::vector<double>& slopes, double trainingLength, int chosen);

struct KernelCurve {
    QString name;
    std::vector<double> factor;  // at distance 0, 1, 2, ...
    int slot = -1;               // -1: ordered colours, one curve a head
};
void showKernels(CurvePlot& plot, const std::vector<KernelCurve>& curves, const QString& yName, int chosen,
                 bool logarithmic = false);

// --- Rotations ------------------------------------------------------------------------------------------------
struct PhaseData {
    std::vector<double> inverseFrequencies;  // radians a token, pair 0 first
    double trainingLength = 64;
    double length = 512;  // last position drawn
    int chosen = -1;
};
// Angle in turns against position for each pair, both logarithmic; dashed: never a full turn in training.
void showPhases(CurvePlot& plot, const PhaseData& data);
// Wavelength of each pair against the training length; `scaled` is drawn beside it and joined by stems.
void showWavelengths(CurvePlot& plot, const PhaseData& data, const std::vector<double>& scaled,
                     const QString& scaledName);
// Pairs whose wavelength is longer than the training length.
[[nodiscard]] int neverTurning(const std::vector<double>& inverseFrequencies, double trainingLength);

struct DecayCurve {
    QString name;
    std::vector<double> values;  // at distance 0, 1, ...
    int slot = 0;
    bool faint = false;
};
void showDecay(CurvePlot& plot, const std::vector<DecayCurve>& curves, double trainingLength);

// cos or sin of every pair [pairs x positions], tide within +-1.28 so that large areas stay calm.
[[nodiscard]] MatrixData rasterOf(const std::vector<double>& inverseFrequencies, std::int64_t positions, bool sine);
[[nodiscard]] MatrixLook rasterLook();

// --- Length extrapolation ---------------------------------------------------------------------------------------
struct LengthPoint {
    double length = 0.0;
    double value = 0.0;  // mean over seeds
    double low = std::numeric_limits<double>::quiet_NaN(), high = std::numeric_limits<double>::quiet_NaN();
    int n = 1;
};
struct LengthCurve {
    QString id, name;
    int slot = 0;
    bool baseline = false;
    std::vector<LengthPoint> points;  // missing lengths are gaps, never joined over
    bool faint = false;               // published overlays
};
struct ExtrapolationData {
    std::vector<LengthCurve> curves;
    std::vector<double> lengths;  // all that were evaluated: ticks and gaps
    double trainingLength = 64;
    std::optional<double> compared;  // length under discussion: dotted
    QString metric;                  // "perplexity"
    bool logarithmic = true;
};
void showExtrapolation(CurvePlot& plot, const ExtrapolationData& data);

}  // namespace sextant
