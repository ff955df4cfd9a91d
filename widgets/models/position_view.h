#pragma once
// What the Position page shows of one encoding at one site: the tables of core/encoding, taken as they are, and the few
// numbers read off them (half-weight distances, wavelengths). No model is needed and nothing is approximated.

#include <QString>
#include <QStringList>
#include <optional>
#include <vector>

#include "core/base/matrix.h"
#include "core/encoding/position_encoding.h"

namespace sextant {

struct PositionRequest {
    EncodingConfig encoding;
    EncodingSite site;
    std::int64_t length = 64;  // positions shown
    std::int64_t matrix = 64;  // side of the matrices that are drawn, at most kMatrixLimit
};

struct HeadBias {
    std::vector<double> byDistance;      // bias at distance 0, 1, ...
    std::optional<double> halfDistance;  // distance at which exp(bias) is halved; nothing when it never is
    std::optional<double> slope;         // where the table is a straight line: minus the bias at distance 1
};

struct PositionView {
    QString problem;  // a sentence when the encoding cannot be made; then nothing else is filled
    EncodingSpec spec;
    QStringList warnings;
    ParameterValues parameters;
    std::int64_t trainingLength = 64;
    std::int64_t length = 64;

    std::vector<HeadBias> heads;  // bias encodings
    std::vector<Matrix> biases;   // [matrix, matrix] a head; masked cells are -infinity
    double lowestBias = 0.0;      // finite minimum over all heads drawn

    std::vector<double> inverseFrequencies;  // rotary encodings, radians a token
    double attentionFactor = 1.0;
    Matrix cosines;             // [pairs, positions]
    std::vector<double> decay;  // RoFormer 3.4.3 bound by distance, relative

    Matrix additive;            // [positions, d_model]
    Matrix similarity;          // [positions, positions], cosine of the rows
    bool learnedTable = false;  // values exist only in a trained model

    [[nodiscard]] bool ok() const { return problem.isEmpty(); }
    [[nodiscard]] bool hasBias() const { return !heads.empty(); }
    [[nodiscard]] bool hasRotation() const { return !inverseFrequencies.empty(); }
    [[nodiscard]] bool hasTable() const { return additive.rows() > 0; }
    [[nodiscard]] int neverTurn() const;  // pairs whose wavelength exceeds the training length
};

inline constexpr std::int64_t kMatrixLimit = 256;
[[nodiscard]] PositionView positionView(const PositionRequest& request);
// exp(bias) over distance of one head, or the RoPE bound, or nothing: one line for every encoding of the catalog.
struct KernelLine {
    QString name;
    std::vector<double> values;  // by distance
};
[[nodiscard]] std::vector<KernelLine> allKernels(const EncodingSite& site, std::int64_t length);
// Relative upper bound of RoFormer section 3.4.3: mean over pairs of |sum of e^{i distance theta_j}| partial sums.
[[nodiscard]] std::vector<double> rotaryDecay(const std::vector<double>& inverseFrequencies, std::int64_t length);

}  // namespace sextant
