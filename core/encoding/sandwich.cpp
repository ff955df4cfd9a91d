// Sandwich: the product of two sinusoidal position vectors as a fixed bias. A constant shift has no effect on softmax,
// so d_bar/2 is subtracted: the bias is 0 at distance 0. A copy in circulation omits the cosine and becomes linear.

#include <fmt/format.h>

#include <cmath>

#include "core/encoding/encoding_entry.h"

namespace sextant::encodings {
namespace {

class Sandwich final : public PositionEncoding {
  public:
    Sandwich(const EncodingSpec& spec, const EncodingSite& site, ParameterValues parameters)
        : PositionEncoding(spec, site, std::move(parameters)) {}

    [[nodiscard]] std::optional<BiasTable> bias(const BiasRange& range, const LearnedValues&) const override {
        const std::int64_t distances = distances_of(range);
        const std::int64_t heads = site().n_head;
        BiasTable table;
        table.values = Array({heads, distances});
        const std::int64_t d_bar = integer("d_bar");
        for (std::int64_t m = 0; m < distances; ++m) {
            double sum = -static_cast<double>(d_bar) / 2.0;
            for (std::int64_t i = 1; i <= d_bar / 2; ++i) {
                sum += std::cos(static_cast<double>(m) *
                                std::pow(10000.0, -2.0 * static_cast<double>(i) / static_cast<double>(d_bar)));
            }
            for (std::int64_t h = 0; h < heads; ++h)
                table.values.values[static_cast<std::size_t>(h * distances + m)] = sum / divisor(h);
        }
        return table;
    }
    [[nodiscard]] std::string formula_with_numbers() const override {
        return fmt::format(
            "bias = (sum over i = 1 .. {} of cos((i - j) / 10000^(2i/{})) - {}) / (h * 8 / {}), "
            "h = 1 .. {}",
            integer("d_bar") / 2, integer("d_bar"), integer("d_bar") / 2, site().n_head, site().n_head);
    }
    [[nodiscard]] ParameterValues architecture_stats() const override {
        return {{"position_encoding", std::string("sinusoidal-bias")}, {"d_bar", integer("d_bar")}};
    }

  private:
    [[nodiscard]] double divisor(std::int64_t head) const {
        return static_cast<double>(head + 1) * 8.0 / static_cast<double>(site().n_head);
    }
};

void check(const EncodingSite&, const ParameterValues& parameters, std::vector<EncodingProblem>& problems) {
    const std::int64_t d_bar = integer_parameter(parameters, "d_bar");
    if (d_bar % 2 != 0) {
        problems.push_back({"d_bar", fmt::format("sandwich: d_bar is {}; it must be even and at least 2", d_bar)});
    }
}

}  // namespace

EncodingEntry sandwich() {
    EncodingEntry entry;
    entry.spec.id = "sandwich";
    entry.spec.name = "Sandwich";
    entry.spec.reference = "2212.10356";
    entry.spec.summary = "A fixed bias: the product of two sinusoidal position vectors, weaker for each next head.";
    entry.spec.formula =
        "logit(i, j) = q_i . k_j / sqrt(d) + (sum_{k=1..d_bar/2} cos((i - j) / 10000^(2k/d_bar)) "
        "- d_bar/2) / (8 h / H)";
    entry.spec.traits.bias = true;
    entry.spec.traits.relative = true;
    entry.spec.traits.distance_only = true;
    entry.spec.parameters = {
        integer_spec("d_bar", 128, 2, 65536, "Width of the sinusoidal vectors behind the bias; even."),
    };
    entry.make = build_encoding<Sandwich>;
    entry.check = check;
    return entry;
}

}  // namespace sextant::encodings
