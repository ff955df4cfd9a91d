// Attention with linear biases: -slope * distance is added to the already scaled score; nothing is added anywhere else.
// The relative form is used throughout (the official code adds +slope * key, equal after softmax under a causal mask
// but worse in rounding).

#include <fmt/format.h>

#include <bit>
#include <cmath>

#include "core/base/text.h"
#include "core/encoding/alibi_slopes.h"
#include "core/encoding/encoding_entry.h"

namespace sextant {

std::vector<double> naive_slopes(std::int64_t heads, double bias_max) {
    std::vector<double> slopes(static_cast<std::size_t>(heads));
    for (std::size_t k = 0; k < slopes.size(); ++k)
        slopes[k] = std::exp2(-bias_max * static_cast<double>(k + 1) / static_cast<double>(heads));
    return slopes;
}

std::vector<double> interleaved_slopes(std::int64_t heads, double bias_max) {
    const auto power = static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(heads)));
    std::vector<double> slopes = naive_slopes(power, bias_max);
    const std::vector<double> finer = naive_slopes(2 * power, bias_max);
    for (std::int64_t k = 0; k < heads - power; ++k)
        slopes.push_back(finer[static_cast<std::size_t>(2 * k)]);
    return slopes;
}

namespace encodings {
namespace {

class Alibi final : public PositionEncoding {
  public:
    Alibi(const EncodingSpec& spec, const EncodingSite& site, ParameterValues parameters)
        : PositionEncoding(spec, site, std::move(parameters)) {}

    [[nodiscard]] std::optional<std::vector<double>> slopes() const override {
        return choice("slopes") == "naive" ? naive_slopes(site().n_head, real("bias_max"))
                                           : interleaved_slopes(site().n_head, real("bias_max"));
    }
    [[nodiscard]] std::optional<BiasTable> bias(const BiasRange& range, const LearnedValues&) const override {
        const std::vector<double> m = *slopes();
        const std::int64_t distances = distances_of(range);
        const double scale = real("distance_scale");
        BiasTable table;
        table.values = Array({site().n_head, distances});
        double* out = table.values.values.data();
        for (const double slope : m) {
            for (std::int64_t d = 0; d < distances; ++d)
                *out++ = -slope * (static_cast<double>(d) / scale);
        }
        return table;
    }
    [[nodiscard]] std::vector<std::string> warnings() const override {
        std::vector<std::string> all;
        if (choice("slopes") == "naive" && !std::has_single_bit(static_cast<std::uint64_t>(site().n_head))) {
            all.push_back(
                fmt::format("alibi: naive slopes 2^(-{}k/{}) are not what checkpoints with {} heads use; "
                            "slopes=interleave is the official rule",
                            format_exact(real("bias_max")), site().n_head, site().n_head));
        }
        return all;
    }
    [[nodiscard]] std::string formula_with_numbers() const override {
        std::vector<std::string> numbers;
        const std::vector<double> m = *slopes();
        for (const double slope : m)
            numbers.push_back(fmt::format("{:.6g}", slope));
        const double scale = real("distance_scale");
        const std::string distance = boolean("symmetric") ? "|i - j|" : "(i - j)";
        return fmt::format("bias = -m_h * {}{}, m = {}", distance, scale == 1.0 ? "" : " / " + format_exact(scale),
                           join_limited(numbers, 16));
    }
    [[nodiscard]] ParameterValues architecture_stats() const override {
        return {{"position_encoding", std::string("linear-attention-bias")}, {"train_short_test_long", 1.0}};
    }
};

}  // namespace

EncodingEntry alibi() {
    EncodingEntry entry;
    entry.spec.id = "alibi";
    entry.spec.name = "Attention with linear biases (ALiBi)";
    entry.spec.reference = "2108.12409";
    entry.spec.summary =
        "Each head subtracts a fixed slope times the distance from its scores; trained short, it runs "
        "long.";
    entry.spec.formula = "logit(i, j) = q_i . k_j / sqrt(d) - m_h (i - j)";
    entry.spec.traits.bias = true;
    entry.spec.traits.relative = true;
    entry.spec.traits.distance_only = true;
    entry.spec.parameters = {
        choice_spec("slopes", {"interleave", "naive"},
                    "Rule for the head slopes; they agree for powers of two, and interleave is what checkpoints use."),
        above_spec("bias_max", 8.0, 0.0, 1000.0, "Exponent of the last slope: 2^-bias_max."),
        above_spec("distance_scale", 1.0, 0.0, 1e9,
                   "Distances are divided by this (position interpolation), so slopes shrink by it."),
        boolean_spec("symmetric", false,
                     "Encoder form: keys after the query get -slope * |distance| instead of a mask."),
    };
    entry.make = build_encoding<Alibi>;
    return entry;
}

}  // namespace encodings
}  // namespace sextant
