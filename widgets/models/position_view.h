#pragma once
// What the Position page shows of one encoding at one site: the tables of core/encoding, taken as make_table() gives
// them (the command `tables` prints the same numbers), and the few values read off them: half-weight distances,
// wavelengths, similarities. No model is needed and nothing is approximated.

#include <QString>
#include <QStringList>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <vector>

#include "core/base/matrix.h"
#include "core/encoding/table_request.h"

namespace sextant {

struct PositionRequest {
    EncodingConfig encoding;
    EncodingSite site;
    std::int64_t length = 64;  // positions shown
    std::int64_t matrix = 64;  // side of the matrices that are drawn, at most kMatrixLimit
    // Learned values of a trained model (learnedValuesOf); nothing: as the encoding begins.
    std::shared_ptr<const nlohmann::json> values;
};

struct HeadBias {
    std::vector<double> byDistance;      // bias at distance 0, 1, ... as the last query sees it
    std::optional<double> halfDistance;  // distance at which exp(bias) is halved; nothing when it never is
    std::optional<double> slope;         // where the encoding has slopes
};

struct PositionView {
    QString problem;  // a sentence when the encoding cannot be made; then nothing else is filled
    EncodingSpec spec;
    QStringList warnings;
    QString formula;  // with the numbers filled in
    ParameterValues parameters;
    std::int64_t trainingLength = 64;
    std::int64_t length = 64;

    std::vector<HeadBias> heads;             // bias encodings
    std::vector<Matrix> biases;              // [matrix, matrix] a head; masked cells are -infinity
    double lowestBias = 0.0;                 // finite minimum over all heads drawn
    std::vector<double> interleaved, naive;  // both slope rules at this number of heads, where there are slopes
    std::vector<double> buckets;             // by distance, where distances share values

    std::vector<double> inverseFrequencies;  // rotary encodings, radians a token
    double attentionFactor = 1.0;
    Matrix cosines;             // [pairs, positions]
    std::vector<double> decay;  // RoFormer 3.4.3 bound by distance; empty where it has no meaning (xpos)

    Matrix additive;         // [positions, d_model] as the literature prints it
    Matrix similarity;       // [positions, positions], cosine of the rows
    bool untrained = false;  // learned, and no trained values were given

    [[nodiscard]] bool ok() const { return problem.isEmpty(); }
    [[nodiscard]] bool hasBias() const { return !heads.empty(); }
    [[nodiscard]] bool hasSlopes() const { return !interleaved.empty(); }
    [[nodiscard]] bool hasRotation() const { return !inverseFrequencies.empty(); }
    [[nodiscard]] bool hasTable() const { return additive.rows() > 0; }
    [[nodiscard]] int neverTurn() const;  // pairs whose wavelength exceeds the training length
};

inline constexpr std::int64_t kMatrixLimit = 256;
inline constexpr std::int64_t kLongestTable = 4096;
[[nodiscard]] PositionView positionView(const PositionRequest& request);
// The request for one table of a view; tests ask the command line for the same.
[[nodiscard]] TableRequest tableRequest(const PositionRequest& request, const std::string& what);

// exp(bias) over distance of one head, or the RoPE bound, or the similarity of added vectors: one line for every
// encoding of the catalog that has one, each 1 at distance 0.
struct KernelLine {
    QString name;
    std::vector<double> values;  // by distance
};
[[nodiscard]] std::vector<KernelLine> allKernels(const EncodingSite& site, std::int64_t length);

// Errors of one encoding computed in fewer bits, by position, and the positions that are still told apart.
struct PrecisionLine {
    Precision precision = Precision::kFp32;
    PrecisionReport report;
    std::vector<std::int64_t> distinct;     // positions 0 .. p that stay distinct, by p
    std::optional<std::int64_t> firstLost;  // first position that equals another after rounding
};
struct PrecisionView {
    QString problem;
    QString what;  // table the errors are of: "bias", "angles", "additive"
    std::int64_t length = 0;
    std::vector<PrecisionLine> lines;  // fp32, fp16, bf16; a format that cannot hold the positions is left out
};
[[nodiscard]] PrecisionView precisionView(const PositionRequest& request);

// Learned values of an encoding in a checkpoint folder: the shared set, or that of `layer`. Null when it has none.
[[nodiscard]] std::shared_ptr<const nlohmann::json> learnedValuesOf(const QString& checkpoint,
                                                                    const EncodingConfig& encoding,
                                                                    const EncodingSite& site, int layer);

}  // namespace sextant
