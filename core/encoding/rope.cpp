// Rotary position embedding: each pair of channels of a query and of a key turns by position * frequency, so a product
// of the two depends on the distance only. Values are never turned.

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "core/base/text.h"
#include "core/encoding/encoding_entry.h"
#include "core/encoding/rope_scaling.h"

namespace sextant::encodings {
namespace {

// As GPT-NeoX takes it: the whole part; the tolerance forgives 0.1 * 40 = 4.000...01 and 3.999...9 alike.
std::int64_t rotary_dim_of(const EncodingSite& site, double fraction) {
    return static_cast<std::int64_t>(std::floor(fraction * static_cast<double>(site.head_dim) + 1e-9));
}

class Rope final : public PositionEncoding {
  public:
    Rope(const EncodingSpec& spec, const EncodingSite& site, ParameterValues parameters)
        : PositionEncoding(spec, site, std::move(parameters)) {}

    [[nodiscard]] std::optional<RotaryTable> rotary(std::int64_t length) const override {
        const RopeScaling scaling = scaling_at(length);
        RotaryTable table;
        table.rotary_dim = rotary_dim_of(site(), real("rotary_fraction"));
        table.layout = choice("layout") == "interleaved" ? RotaryLayout::kInterleaved : RotaryLayout::kHalfSplit;
        table.inverse_frequencies = scaled_inverse_frequencies(table.rotary_dim, real("base"), scaling);
        table.attention_factor = has("attention_factor") ? real("attention_factor") : rope_attention_factor(scaling);
        return table;
    }
    [[nodiscard]] std::vector<std::string> warnings() const override {
        if (choice("scaling") == "none" && real("factor") != 1.0) {
            return {"rope: factor " + format_exact(real("factor")) + " has no effect while scaling is none"};
        }
        return {};
    }
    [[nodiscard]] std::string formula_with_numbers() const override {
        const RotaryTable table = *rotary(site().context_length);
        std::string text = fmt::format("pairs {} turn by p * theta_i, theta_i = {}^(-2i/{}), i = 0 .. {}",
                                       table.layout == RotaryLayout::kInterleaved ? "(2i, 2i+1)" : "(i, i + d/2)",
                                       format_exact(real("base")), table.rotary_dim, table.rotary_dim / 2 - 1);
        if (choice("scaling") != "none") {
            text += fmt::format("; {} scaling by {} from {} tokens", choice("scaling"), format_exact(real("factor")),
                                format_exact(original_length()));
        }
        const double slowest = table.inverse_frequencies.back();
        text +=
            fmt::format("; wavelengths {:.4g} .. {:.4g} tokens",
                        2.0 * std::numbers::pi / table.inverse_frequencies.front(), 2.0 * std::numbers::pi / slowest);
        if (table.attention_factor != 1.0) text += fmt::format("; cos and sin times {:.6g}", table.attention_factor);
        return text;
    }
    [[nodiscard]] ParameterValues architecture_stats() const override {
        ParameterValues stats{{"position_encoding", std::string("rotary")}, {"relative_phase", 1.0}};
        if (choice("scaling") != "none") stats["rope_scaling"] = choice("scaling");
        return stats;
    }

  private:
    [[nodiscard]] double original_length() const {
        return has("original_length") ? real("original_length") : static_cast<double>(site().context_length);
    }
    [[nodiscard]] RopeScaling scaling_at(std::int64_t length) const {
        RopeScaling scaling;
        scaling.method = choice("scaling");
        scaling.factor = real("factor");
        scaling.original_length = original_length();
        scaling.sequence_length = has("sequence_length") ? real("sequence_length") : static_cast<double>(length);
        scaling.low_frequency_factor = real("low_freq_factor");
        scaling.high_frequency_factor = real("high_freq_factor");
        scaling.beta_fast = real("beta_fast");
        scaling.beta_slow = real("beta_slow");
        return scaling;
    }
};

void check(const EncodingSite& site, const ParameterValues& parameters, std::vector<EncodingProblem>& problems) {
    const double fraction = real_parameter(parameters, "rotary_fraction");
    const std::int64_t dim = rotary_dim_of(site, fraction);
    if (dim < 2 || dim % 2 != 0) {
        problems.push_back(
            {"rotary_fraction", fmt::format("rope: rotary_fraction {} of head_dim {} is {} channels; rotation works on "
                                            "pairs, so the result must be even and at least 2",
                                            format_exact(fraction), site.head_dim, dim)});
        return;
    }
    const std::string& scaling = choice_parameter(parameters, "scaling");
    if ((scaling == "ntk" || scaling == "dynamic-ntk") && dim < 4) {
        problems.push_back({"scaling", fmt::format("rope: scaling {} divides by rotary dimension - 2, so the rotary "
                                                   "dimension {} must be at least 4",
                                                   scaling, dim)});
    }
    const double low = real_parameter(parameters, "low_freq_factor");
    const double high = real_parameter(parameters, "high_freq_factor");
    if (high <= low) {
        problems.push_back({"high_freq_factor", fmt::format("rope: high_freq_factor is {}; it must be above "
                                                            "low_freq_factor, {}",
                                                            format_exact(high), format_exact(low))});
    }
    const double fast = real_parameter(parameters, "beta_fast");
    const double slow = real_parameter(parameters, "beta_slow");
    if (fast <= slow) {
        problems.push_back({"beta_fast", fmt::format("rope: beta_fast is {}; it must be above beta_slow, {}",
                                                     format_exact(fast), format_exact(slow))});
    }
}

}  // namespace

EncodingEntry rope() {
    EncodingEntry entry;
    entry.spec.id = "rope";
    entry.spec.name = "Rotary position embedding (RoPE)";
    entry.spec.reference = "2104.09864";
    entry.spec.summary = "Queries and keys turn by an angle proportional to their position; scores see the distance.";
    entry.spec.formula =
        "(a, b) -> (a cos(p theta_i) - b sin(p theta_i), a sin(p theta_i) + b cos(p theta_i)), "
        "theta_i = base^(-2i/d)";
    entry.spec.traits.rotary = true;
    entry.spec.traits.relative = true;
    entry.spec.parameters = {
        above_spec("base", 10000.0, 1.0, 1e12, "Ratio of the fastest to the slowest frequency, nearly."),
        choice_spec("layout", {"half-split", "interleaved"},
                    "Which channels form a pair: (i, i + d/2) as GPT-NeoX and Hugging Face, or (2i, 2i+1) as the "
                    "paper and GPT-J."),
        above_spec("rotary_fraction", 1.0, 0.0, 1.0, "Share of each head's channels that turn."),
        choice_spec("scaling", {"none", "linear", "ntk", "dynamic-ntk", "yarn", "yarn-paper", "llama3"},
                    "How the frequencies are stretched to longer inputs."),
        real_spec("factor", 1.0, 1.0, 1e6, "How many times longer the input may be."),
        optional_spec(integer_spec("original_length", 0, 1, 1'000'000'000,
                                   "Length the frequencies were trained at, tokens; the training length if absent.")),
        optional_spec(integer_spec("sequence_length", 0, 1, 1'000'000'000,
                                   "Current length for dynamic-ntk, tokens; the actual length if absent.")),
        above_spec("low_freq_factor", 1.0, 0.0, 1e6,
                   "llama3: wavelengths above original_length over this are "
                   "stretched by the whole factor."),
        above_spec("high_freq_factor", 4.0, 0.0, 1e6, "llama3: wavelengths below original_length over this stay."),
        above_spec("beta_fast", 32.0, 0.0, 1e6,
                   "yarn: pairs that turn more often than this within original_length "
                   "stay."),
        above_spec("beta_slow", 1.0, 0.0, 1e6, "yarn: pairs that turn less often than this are stretched wholly."),
        optional_spec(above_spec("attention_factor", 1.0, 0.0, 1e3,
                                 "Multiplies cos and sin; 0.1 ln(factor) + 1 for yarn and 1 otherwise if absent.")),
    };
    entry.make = build_encoding<Rope>;
    entry.check = check;
    return entry;
}

}  // namespace sextant::encodings
