#pragma once
// The one interface of all position encodings. An encoding is data, not code inside attention: it yields tables in
// double precision that the trainer, the command line, the window and the tests all use. Every hook has a neutral
// default, so an encoding overrides only what it does.
//
// To add one: a .h/.cpp pair in core/encoding/, one line in registry.cpp, its golden file and its help paragraph.

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/matrix.h"
#include "core/base/result.h"
#include "core/encoding/encoding_config.h"

namespace sextant {

enum class ParameterType { kReal, kInteger, kBoolean, kChoice };

struct ParameterSpec {
    std::string name;
    ParameterType type = ParameterType::kReal;
    ParameterValue default_value;  // an empty string stands for "derived" where `optional` is true
    double minimum = 0.0;          // inclusive unless minimum_open
    double maximum = 0.0;
    bool minimum_open = false;
    bool optional = false;             // may be absent: derived from the site (e.g. original_length)
    std::vector<std::string> choices;  // kChoice only
    std::string description;           // one sentence with its unit
};

struct EncodingTraits {
    bool additive = false;         // adds a table to the token embedding
    bool rotary = false;           // rotates queries and keys
    bool bias = false;             // adds to the attention scores
    bool relative = false;         // attention ignores a common shift of all positions
    bool distance_only = false;    // its bias depends on head and distance alone ([H, distance])
    bool learned = false;          // has trained parameters
    bool shared_by_layers = true;  // learned parameters: one set for all layers (t5, fire), or one a layer (kerple)
    bool causal_only = false;      // undefined for keys after the query (xpos)
};

struct EncodingSpec {
    std::string id;         // stored in artifacts; never renamed once released
    std::string name;       // "Attention with linear biases (ALiBi)"
    std::string reference;  // arXiv id, e.g. "2108.12409"
    std::string summary;    // one sentence
    std::string formula;    // plain text, symbols of reference
    EncodingTraits traits;
    std::vector<ParameterSpec> parameters;
};

// Where an encoding is used.
struct EncodingSite {
    std::int64_t d_model = 64;
    std::int64_t n_layer = 2;
    std::int64_t n_head = 4;
    std::int64_t head_dim = 16;
    std::int64_t context_length = 64;  // training length, tokens
    double embedding_std = 0.02;       // root mean square of the token embedding at initialisation
};

enum class Initializer { kConstant, kNormal, kUniform };

struct LearnedParameter {
    std::string name;  // "table", "r1"; unique inside the encoding
    std::vector<std::int64_t> shape;
    Initializer initializer = Initializer::kConstant;
    double a = 0.0, b = 0.0;        // constant a; normal mean a, sd b; uniform [a, b)
    std::optional<double> minimum;  // kept by clamping after each optimizer step
    std::optional<double> maximum;
};

// Values of one layer's learned parameters, in the order of learned_parameters(); row-major.
using LearnedValues = std::vector<std::vector<double>>;

struct AdditiveTable {
    Matrix values;                      // [positions, d_model], already scaled as the model adds it
    double embedding_multiplier = 1.0;  // the token embedding is multiplied by this before the sum
};

enum class RotaryLayout {
    kHalfSplit,    // pairs (i, i + rotary_dim/2): GPT-NeoX, Hugging Face LLaMA
    kInterleaved,  // pairs (2i, 2i + 1): RoFormer, GPT-J, Meta LLaMA
};

struct RotaryTable {
    std::vector<double> inverse_frequencies;  // [rotary_dim / 2], radians a token
    RotaryLayout layout = RotaryLayout::kHalfSplit;
    std::int64_t rotary_dim = 0;    // leading channels of each head that rotate
    double attention_factor = 1.0;  // multiplies cos and sin, so logits by its square (YaRN)
    // xPos: query pair i at position p is multiplied by zeta[i]^(p / scale_base), key by its reciprocal. Empty
    // otherwise.
    std::vector<double> zeta;
    double scale_base = 512.0;
};

// Which positions a bias is wanted for. Query row r stands at position first_query + r; keys at 0 .. keys - 1.
struct BiasRange {
    std::int64_t queries = 0;
    std::int64_t keys = 0;
    std::int64_t first_query = 0;  // cached decoding: keys - queries
    bool symmetric = false;        // encoder form: also keys after the query; otherwise causal
};

struct BiasTable {
    // By distance: values [H, distances], distance = query - key from 0 (symmetric forms use |query - key| unless
    // `after` is filled). Whole: values [H, queries, keys]; masked (future) entries are -infinity unless symmetric.
    enum class Kind { kByDistance, kWhole } kind = Kind::kByDistance;
    Array values;
    Array after;  // [H, distances] for keys after the query where that side differs (t5 bidirectional); else empty
};

// Bias rows computed on the fly, for encodings whose bias is not a function of distance (fire): no [H, T, T] matrix is
// ever made. One object serves many threads; each thread brings its own gradient.
class BiasRows {
  public:
    virtual ~BiasRows() = default;
    // out[k] = bias of (head, query, first_key + k), k < keys; every key stands at or before the query.
    virtual void row(std::int64_t head, std::int64_t query, std::int64_t first_key, std::int64_t keys,
                     float* out) const = 0;
    // Adds the derivative of sum(d[k] * row[k]) to `gradient` (shapes of the learned values).
    virtual void accumulate(std::int64_t head, std::int64_t query, std::int64_t first_key, std::int64_t keys,
                            const float* d, LearnedValues& gradient) const = 0;
};

class PositionEncoding {
  public:
    virtual ~PositionEncoding() = default;

    [[nodiscard]] const EncodingSpec& spec() const { return *spec_; }
    [[nodiscard]] const EncodingSite& site() const { return site_; }
    [[nodiscard]] const ParameterValues& parameters() const { return parameters_; }  // complete: defaults filled in

    // Parameters of one set (one layer's, or the shared one: spec().traits.shared_by_layers).
    [[nodiscard]] virtual std::vector<LearnedParameter> learned_parameters() const { return {}; }
    // Longest sequence it is defined for (learned); nothing when unlimited.
    [[nodiscard]] virtual std::optional<std::int64_t> maximum_length() const { return std::nullopt; }
    // Rows 0 .. length-1. `learned` holds the current parameter values ({} for fixed encodings).
    [[nodiscard]] virtual std::optional<AdditiveTable> additive(std::int64_t length,
                                                                const LearnedValues& learned) const;
    // Rows at the given positions as the literature prints them, before any scaling to the embedding (sinusoidal).
    [[nodiscard]] virtual std::optional<Matrix> additive_unscaled(std::span<const std::int64_t> positions,
                                                                  const LearnedValues& learned) const;
    // `length`: the current sequence length (dynamic-ntk changes its base with it).
    [[nodiscard]] virtual std::optional<RotaryTable> rotary(std::int64_t length) const;
    [[nodiscard]] virtual std::optional<BiasTable> bias(const BiasRange& range, const LearnedValues& learned) const;
    // Only where the bias is kWhole: rows on the fly for sequences of up to `length` positions; else null.
    [[nodiscard]] virtual std::unique_ptr<BiasRows> bias_rows(std::int64_t length, const LearnedValues& learned) const;
    // Slope of each head in logits a token, in checkpoint order (alibi); else nothing.
    [[nodiscard]] virtual std::optional<std::vector<double>> slopes() const { return std::nullopt; }
    // Bucket of each relative position: distance query - key, or key - query where `bidirectional` (t5).
    [[nodiscard]] virtual std::optional<std::vector<std::int64_t>> buckets(std::span<const std::int64_t>) const {
        return std::nullopt;
    }
    // Adds to `gradient` (same shapes as `learned`) the derivative of sum(d_table * table). d_table has the shape of
    // the additive values or of the bias values. Only learned encodings override it.
    virtual void accumulate_gradient(const BiasRange& range, const LearnedValues& learned, const Array& d_table,
                                     LearnedValues& gradient) const;
    // Multiplies 1/sqrt(head_dim): sqrt(head_dim) for t5 with scale_scores=false.
    [[nodiscard]] virtual double score_scale() const { return 1.0; }
    // Warnings a user should see beside a legal but doubtful choice ("naive slopes ...").
    [[nodiscard]] virtual std::vector<std::string> warnings() const { return {}; }
    // The formula with this object's numbers filled in: "bias = -m_h * (i - j), m = 0.25, 0.0625, ...".
    [[nodiscard]] virtual std::string formula_with_numbers() const { return spec().formula; }
    // Extra keys of the published artifacts' `architecture_stats`: {"position_encoding": "rotary", ...}.
    [[nodiscard]] virtual ParameterValues architecture_stats() const;

  protected:
    // `spec` must outlive the object (the catalog's does).
    PositionEncoding(const EncodingSpec& spec, EncodingSite site, ParameterValues parameters)
        : spec_(&spec), site_(site), parameters_(std::move(parameters)) {}
    [[nodiscard]] bool has(const std::string& name) const { return parameters_.contains(name); }
    [[nodiscard]] double real(const std::string& name) const;
    [[nodiscard]] std::int64_t integer(const std::string& name) const;
    [[nodiscard]] bool boolean(const std::string& name) const;
    [[nodiscard]] const std::string& choice(const std::string& name) const;

  private:
    const EncodingSpec* spec_;
    EncodingSite site_;
    ParameterValues parameters_;
};

// Distances a by-distance table must hold for a range: 0 .. distances - 1.
[[nodiscard]] std::int64_t distances_of(const BiasRange& range);
[[nodiscard]] inline std::string formula_with_numbers(const PositionEncoding& encoding) {
    return encoding.formula_with_numbers();
}

}  // namespace sextant
