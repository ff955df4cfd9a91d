// One trained vector a position, as in GPT-2 and BERT. Beyond its last row it is undefined: an error, never a wrap.

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/encoding/encoding_entry.h"

namespace sextant::encodings {
namespace {

class LearnedPosition final : public PositionEncoding {
  public:
    LearnedPosition(const EncodingSpec& spec, const EncodingSite& site, ParameterValues parameters)
        : PositionEncoding(spec, site, std::move(parameters)) {}

    [[nodiscard]] std::vector<LearnedParameter> learned_parameters() const override {
        LearnedParameter table;
        table.name = "table";
        table.shape = {site().context_length, site().d_model};
        table.initializer = Initializer::kNormal;
        table.b = site().embedding_std;
        return {table};
    }
    [[nodiscard]] std::optional<std::int64_t> maximum_length() const override { return site().context_length; }
    [[nodiscard]] std::optional<AdditiveTable> additive(std::int64_t length,
                                                        const LearnedValues& learned) const override {
        if (length > site().context_length || learned.empty()) return std::nullopt;
        AdditiveTable table;
        table.values = Matrix(length, site().d_model);
        std::copy_n(learned[0].begin(), table.values.values().size(), table.values.values().begin());
        return table;
    }
    void accumulate_gradient(const BiasRange&, const LearnedValues&, const Array& d_table,
                             LearnedValues& gradient) const override {
        for (std::size_t i = 0; i < d_table.values.size(); ++i)
            gradient[0][i] += d_table.values[i];
    }
    [[nodiscard]] std::string formula_with_numbers() const override {
        return fmt::format("x_p = embedding + P[p], P trained, {} x {} values, p = 0 .. {}", site().context_length,
                           site().d_model, site().context_length - 1);
    }
    [[nodiscard]] ParameterValues architecture_stats() const override {
        return {{"position_encoding", std::string("learned-absolute")}, {"maximum_length", site().context_length}};
    }
};

void infer(const nlohmann::json& values, EncodingSite& site, ParameterValues&) {
    const nlohmann::json& table = values.is_object() && values.contains("table") ? values.at("table") : values;
    if (!table.is_array() || table.empty() || !table[0].is_array()) return;
    site.context_length = static_cast<std::int64_t>(table.size());
    site.d_model = static_cast<std::int64_t>(table[0].size());
}

}  // namespace

EncodingEntry learned() {
    EncodingEntry entry;
    entry.spec.id = "learned";
    entry.spec.name = "Learned absolute positions";
    entry.spec.reference = "1705.03122";
    entry.spec.summary = "A trained vector for each position is added to the embedding; undefined beyond the last one.";
    entry.spec.formula = "x_p = embedding + P[p], P trained, p below the training length";
    entry.spec.traits.additive = true;
    entry.spec.traits.learned = true;
    entry.make = build_encoding<LearnedPosition>;
    entry.infer = infer;
    return entry;
}

}  // namespace sextant::encodings
