// No position information at all (NoPE): only the causal mask tells a model what came before.

#include "core/encoding/encoding_entry.h"

namespace sextant::encodings {
namespace {

class NoPosition final : public PositionEncoding {
  public:
    NoPosition(const EncodingSpec& spec, const EncodingSite& site, ParameterValues parameters)
        : PositionEncoding(spec, site, std::move(parameters)) {}
    [[nodiscard]] ParameterValues architecture_stats() const override {
        return {{"position_encoding", std::string("none")}};
    }
};

}  // namespace

EncodingEntry none() {
    EncodingEntry entry;
    entry.spec.id = "none";
    entry.spec.name = "No position encoding (NoPE)";
    entry.spec.reference = "2203.16634";
    entry.spec.summary = "Nothing is added; a causal mask alone lets a model count what came before.";
    entry.spec.formula = "logit(i, j) = q_i . k_j / sqrt(d)";
    entry.spec.traits.relative = true;
    entry.make = build_encoding<NoPosition>;
    return entry;
}

}  // namespace sextant::encodings
