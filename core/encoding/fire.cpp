#include "core/encoding/fire.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/base/text.h"
#include "core/encoding/encoding_entry.h"

namespace sextant {
namespace {

enum Slot : std::size_t { kW1, kB1, kW2, kB2, kC, kMultiplier };

double rate(const LearnedValues& learned) {
    return learned[kC][0];
}

}  // namespace

double FireNetwork::numerator(const LearnedValues& learned, std::int64_t distance) const {
    return std::log1p(rate(learned) * static_cast<double>(distance));
}

double FireNetwork::denominator(const LearnedValues& learned, std::int64_t query) const {
    const double longest = std::max(static_cast<double>(query), std::abs(learned[kMultiplier][0] * length_threshold));
    return std::log1p(rate(learned) * longest) + kFireEpsilon;
}

double FireNetwork::normalised_distance(const LearnedValues& learned, std::int64_t query, std::int64_t key) const {
    return numerator(learned, std::llabs(query - key)) / denominator(learned, query);
}

double FireNetwork::value(const LearnedValues& learned, std::int64_t head, double x) const {
    const auto units = static_cast<std::size_t>(width);
    const double* last = learned[kW2].data() + static_cast<std::size_t>(head) * units;
    double sum = learned[kB2][static_cast<std::size_t>(head)];
    for (std::size_t u = 0; u < units; ++u)
        sum += last[u] * std::max(0.0, learned[kW1][u] * x + learned[kB1][u]);
    return sum;
}

void FireNetwork::accumulate(const LearnedValues& learned, std::int64_t head, std::int64_t query, std::int64_t key,
                             double d, LearnedValues& gradient) const {
    const auto units = static_cast<std::size_t>(width);
    const std::size_t row = static_cast<std::size_t>(head) * units;
    const double x = normalised_distance(learned, query, key);
    double d_x = 0.0;
    gradient[kB2][static_cast<std::size_t>(head)] += d;
    for (std::size_t u = 0; u < units; ++u) {
        const double active = learned[kW1][u] * x + learned[kB1][u];
        if (active <= 0.0) continue;
        const double back = d * learned[kW2][row + u];
        gradient[kW2][row + u] += d * active;
        gradient[kW1][u] += back * x;
        gradient[kB1][u] += back;
        d_x += back * learned[kW1][u];
    }
    // x = ln(c m + 1) / (ln(c longest + 1) + eps)
    const double c = rate(learned);
    const double m = static_cast<double>(std::llabs(query - key));
    const double threshold = learned[kMultiplier][0] * length_threshold;
    const double longest = std::max(static_cast<double>(query), std::abs(threshold));
    const double bottom = std::log1p(c * longest) + kFireEpsilon;
    gradient[kC][0] += d_x * (m / (1.0 + c * m) - x * longest / (1.0 + c * longest)) / bottom;
    if (std::abs(threshold) > static_cast<double>(query)) {
        const double d_longest = -x * c / ((1.0 + c * longest) * bottom);
        gradient[kMultiplier][0] += d_x * d_longest * std::copysign(length_threshold, threshold);
    }
}

namespace encodings {
namespace {

// The logarithms depend on the distance or on the query alone, so one row costs only the network.
class FireRows final : public BiasRows {
  public:
    FireRows(FireNetwork network, LearnedValues learned, std::int64_t length)
        : network_(network), learned_(std::move(learned)) {
        for (std::int64_t m = 0; m < length; ++m) {
            tops_.push_back(network_.numerator(learned_, m));
            bottoms_.push_back(network_.denominator(learned_, m));
        }
    }
    void row(std::int64_t head, std::int64_t query, std::int64_t first_key, std::int64_t keys,
             float* out) const override {
        for (std::int64_t k = 0; k < keys; ++k) {
            const double x =
                tops_[static_cast<std::size_t>(query - first_key - k)] / bottoms_[static_cast<std::size_t>(query)];
            out[k] = static_cast<float>(network_.value(learned_, head, x));
        }
    }
    void accumulate(std::int64_t head, std::int64_t query, std::int64_t first_key, std::int64_t keys, const float* d,
                    LearnedValues& gradient) const override {
        for (std::int64_t k = 0; k < keys; ++k) {
            if (d[k] != 0.0F) {
                network_.accumulate(learned_, head, query, first_key + k, static_cast<double>(d[k]), gradient);
            }
        }
    }

  private:
    FireNetwork network_;
    LearnedValues learned_;
    std::vector<double> tops_;     // by distance
    std::vector<double> bottoms_;  // by query
};

class Fire final : public PositionEncoding {
  public:
    Fire(const EncodingSpec& spec, const EncodingSite& site, ParameterValues parameters)
        : PositionEncoding(spec, site, std::move(parameters)), network_{integer("width"), real("length_threshold")} {}

    [[nodiscard]] std::vector<LearnedParameter> learned_parameters() const override {
        // Uniform within 1/sqrt(inputs), as a linear layer of the published code begins.
        const auto uniform = [](const char* name, std::vector<std::int64_t> shape, double limit) {
            return LearnedParameter{name, std::move(shape), Initializer::kUniform, -limit, limit, {}, {}};
        };
        const auto constant = [](const char* name, double value, double minimum) {
            return LearnedParameter{name, {1}, Initializer::kConstant, value, 0.0, minimum, {}};
        };
        const double last = 1.0 / std::sqrt(static_cast<double>(network_.width));
        return {uniform("w1", {network_.width}, 1.0),
                uniform("b1", {network_.width}, 1.0),
                uniform("w2", {site().n_head, network_.width}, last),
                uniform("b2", {site().n_head}, last),
                constant("c", real("c"), 1e-6),
                constant("threshold_multiplier", 1.0, 1e-6)};
    }
    [[nodiscard]] std::optional<BiasTable> bias(const BiasRange& range, const LearnedValues& learned) const override {
        if (learned.empty()) return std::nullopt;
        BiasTable table;
        table.kind = BiasTable::Kind::kWhole;
        table.values = Array({site().n_head, range.queries, range.keys});
        const auto plane = static_cast<std::size_t>(range.queries * range.keys);
        std::size_t at = 0;
        for (std::int64_t q = 0; q < range.queries; ++q) {
            const std::int64_t query = range.first_query + q;
            for (std::int64_t k = 0; k < range.keys; ++k, ++at) {
                const bool masked = k > query && !range.symmetric;
                const double x = masked ? 0.0 : network_.normalised_distance(learned, query, k);
                for (std::int64_t h = 0; h < site().n_head; ++h) {
                    table.values.values[static_cast<std::size_t>(h) * plane + at] =
                        masked ? -std::numeric_limits<double>::infinity() : network_.value(learned, h, x);
                }
            }
        }
        return table;
    }
    void accumulate_gradient(const BiasRange& range, const LearnedValues& learned, const Array& d_table,
                             LearnedValues& gradient) const override {
        const double* d = d_table.values.data();
        for (std::int64_t h = 0; h < site().n_head; ++h) {
            for (std::int64_t q = 0; q < range.queries; ++q) {
                const std::int64_t query = range.first_query + q;
                for (std::int64_t k = 0; k < range.keys; ++k, ++d) {
                    if ((k <= query || range.symmetric) && *d != 0.0)
                        network_.accumulate(learned, h, query, k, *d, gradient);
                }
            }
        }
    }
    [[nodiscard]] std::unique_ptr<BiasRows> bias_rows(std::int64_t length,
                                                      const LearnedValues& learned) const override {
        if (learned.empty()) return nullptr;
        return std::make_unique<FireRows>(network_, learned, length);
    }
    [[nodiscard]] std::string formula_with_numbers() const override {
        return fmt::format(
            "bias = f_h(ln({0} (i - j) + 1) / ln({0} max(i, {1}) + 1)), f one hidden layer of {2} ReLU "
            "units; c and the length begin at these values and are trained",
            format_exact(real("c")), format_exact(network_.length_threshold), network_.width);
    }
    [[nodiscard]] ParameterValues architecture_stats() const override {
        return {{"position_encoding", std::string("functional-bias")}, {"width", network_.width}};
    }

  private:
    FireNetwork network_;
};

void infer(const nlohmann::json& values, EncodingSite& site, ParameterValues& parameters) {
    if (!values.is_object()) return;
    if (values.contains("b2") && values.at("b2").is_array()) {
        site.n_head = static_cast<std::int64_t>(values.at("b2").size());
    }
    if (values.contains("b1") && values.at("b1").is_array()) {
        parameters.emplace("width", static_cast<std::int64_t>(values.at("b1").size()));
    }
}

}  // namespace

EncodingEntry fire() {
    EncodingEntry entry;
    entry.spec.id = "fire";
    entry.spec.name = "Functional interpolation for relative positions (FIRE)";
    entry.spec.reference = "2310.04418";
    entry.spec.summary = "A small trained network maps the distance, as a share of the query's position, to a bias.";
    entry.spec.formula = "logit(i, j) = q_i . k_j / sqrt(d) + f_h(ln(c (i - j) + 1) / ln(c max(i, L) + 1))";
    entry.spec.traits.bias = true;
    entry.spec.traits.learned = true;
    entry.spec.parameters = {
        above_spec("c", 0.1, 0.0, 1e6, "Initial rate inside the logarithm; trained."),
        above_spec("length_threshold", 512.0, 0.0, 1e9,
                   "Below this query position distances are divided by the same number, tokens; its multiplier is "
                   "trained."),
        integer_spec("width", 32, 1, 4096, "Hidden units of the network."),
    };
    entry.make = build_encoding<Fire>;
    entry.infer = infer;
    return entry;
}

}  // namespace encodings
}  // namespace sextant
