// xPos: rotary positions whose pairs also grow or shrink, zeta^(p/B) on queries and its reciprocal on keys, so that a
// score gains zeta^(distance/B). Centred on position 0; implementations subtract a centre that cancels in the product.
// Causal only: towards keys after the query the factor grows without bound.

#include <fmt/format.h>

#include "core/base/text.h"
#include "core/encoding/encoding_entry.h"
#include "core/encoding/rope_scaling.h"

namespace sextant::encodings {
namespace {

class Xpos final : public PositionEncoding {
  public:
    Xpos(const EncodingSpec& spec, const EncodingSite& site, ParameterValues parameters)
        : PositionEncoding(spec, site, std::move(parameters)) {}

    [[nodiscard]] std::optional<RotaryTable> rotary(std::int64_t) const override {
        RotaryTable table;
        table.rotary_dim = site().head_dim;
        table.layout = RotaryLayout::kInterleaved;
        table.inverse_frequencies = inverse_frequencies(table.rotary_dim, real("base"));
        table.scale_base = real("scale_base");
        const double gamma = real("gamma");
        const auto d = static_cast<double>(table.rotary_dim);
        for (std::int64_t i = 0; i < table.rotary_dim / 2; ++i)
            table.zeta.push_back((2.0 * static_cast<double>(i) + gamma * d) / ((1.0 + gamma) * d));
        return table;
    }
    [[nodiscard]] std::string formula_with_numbers() const override {
        const RotaryTable table = *rotary(0);
        return fmt::format(
            "rotation by p * {}^(-2i/{}), query times zeta_i^(p/{}), key times zeta_i^(-p/{}), "
            "zeta = {:.4g} .. {:.4g}",
            format_exact(real("base")), table.rotary_dim, format_exact(table.scale_base),
            format_exact(table.scale_base), table.zeta.front(), table.zeta.back());
    }
    [[nodiscard]] ParameterValues architecture_stats() const override {
        return {{"position_encoding", std::string("rotary-decay")}, {"relative_phase", 1.0}};
    }
};

void check(const EncodingSite& site, const ParameterValues&, std::vector<EncodingProblem>& problems) {
    if (site.head_dim % 2 != 0) {
        problems.push_back({"head_dim", fmt::format("xpos: head_dim is {}; rotation works on pairs, so it must be even",
                                                    site.head_dim)});
    }
}

}  // namespace

EncodingEntry xpos() {
    EncodingEntry entry;
    entry.spec.id = "xpos";
    entry.spec.name = "Extrapolatable rotary positions (xPos)";
    entry.spec.reference = "2212.10554";
    entry.spec.summary = "Rotary positions whose fast pairs also fade with distance.";
    entry.spec.formula =
        "query pair i: zeta_i^(p/B) R(p theta_i), key pair i: zeta_i^(-p/B) R(p theta_i), "
        "zeta_i = (2i + gamma d) / ((1 + gamma) d)";
    entry.spec.traits.rotary = true;
    entry.spec.traits.relative = true;
    entry.spec.traits.causal_only = true;
    entry.spec.parameters = {
        above_spec("base", 10000.0, 1.0, 1e12, "Ratio of the fastest to the slowest frequency, nearly."),
        above_spec("gamma", 0.4, 0.0, 1e6, "Smaller values fade the fast pairs more strongly."),
        above_spec("scale_base", 512.0, 0.0, 1e9, "Distance over which pair i fades by zeta_i, tokens."),
    };
    entry.make = build_encoding<Xpos>;
    entry.check = check;
    return entry;
}

}  // namespace sextant::encodings
