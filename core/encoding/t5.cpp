// T5 relative bias: one trained scalar a bucket of distances and head, shared by all layers. T5 itself divides no score
// by sqrt(d); here that is kept unless scale_scores is false, so that arms differ in position only.

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "core/encoding/encoding_entry.h"
#include "core/encoding/t5_buckets.h"

namespace sextant::encodings {
namespace {

class T5 final : public PositionEncoding {
  public:
    T5(const EncodingSpec& spec, const EncodingSite& site, ParameterValues parameters)
        : PositionEncoding(spec, site, std::move(parameters)) {}

    [[nodiscard]] std::vector<LearnedParameter> learned_parameters() const override {
        LearnedParameter table;
        table.name = "table";
        table.shape = {integer("num_buckets"), site().n_head};
        table.initializer = Initializer::kNormal;  // as Hugging Face T5 initialises it
        table.b = 1.0 / std::sqrt(static_cast<double>(site().d_model));
        return {table};
    }
    [[nodiscard]] std::optional<BiasTable> bias(const BiasRange& range, const LearnedValues& learned) const override {
        if (learned.empty()) return std::nullopt;
        const std::int64_t distances = distances_of(range);
        BiasTable table;
        table.values = lookup(learned[0], distances, -1);
        if (range.symmetric) table.after = lookup(learned[0], distances, +1);
        return table;
    }
    void accumulate_gradient(const BiasRange&, const LearnedValues&, const Array& d_table,
                             LearnedValues& gradient) const override {
        const std::int64_t heads = d_table.shape[0];
        const std::int64_t distances = d_table.shape[1];
        for (std::int64_t d = 0; d < distances; ++d) {
            const std::int64_t bucket = bucket_of(boolean("bidirectional") ? -d : d);
            for (std::int64_t h = 0; h < heads; ++h) {
                gradient[0][static_cast<std::size_t>(bucket * heads + h)] +=
                    d_table.values[static_cast<std::size_t>(h * distances + d)];
            }
        }
    }
    [[nodiscard]] std::optional<std::vector<std::int64_t>> buckets(
        std::span<const std::int64_t> positions) const override {
        std::vector<std::int64_t> all;
        all.reserve(positions.size());
        for (const std::int64_t position : positions)
            all.push_back(bucket_of(position));
        return all;
    }
    [[nodiscard]] double score_scale() const override {
        return boolean("scale_scores") ? 1.0 : std::sqrt(static_cast<double>(site().head_dim));
    }
    [[nodiscard]] std::string formula_with_numbers() const override {
        const std::int64_t side = boolean("bidirectional") ? integer("num_buckets") / 2 : integer("num_buckets");
        return fmt::format("bias = b_h[bucket({})], {} buckets, {}exact below {}, logarithmic up to {}",
                           boolean("bidirectional") ? "j - i" : "i - j", integer("num_buckets"),
                           boolean("bidirectional") ? "half for keys after the query, " : "", side / 2,
                           integer("max_distance"));
    }
    [[nodiscard]] ParameterValues architecture_stats() const override {
        return {{"position_encoding", std::string("relative-bias-buckets")},
                {"num_buckets", integer("num_buckets")},
                {"max_distance", integer("max_distance")}};
    }

  private:
    [[nodiscard]] std::int64_t bucket_of(std::int64_t position) const {
        return t5_bucket(position, integer("num_buckets"), integer("max_distance"), boolean("bidirectional"));
    }
    // side -1: keys at or before the query; +1: keys after it.
    [[nodiscard]] Array lookup(const std::vector<double>& table, std::int64_t distances, int side) const {
        const std::int64_t heads = site().n_head;
        Array values({heads, distances});
        for (std::int64_t d = 0; d < distances; ++d) {
            // bidirectional counts key - query, causal query - key
            const std::int64_t position = (boolean("bidirectional") ? side : -side) * d;
            const std::int64_t bucket = bucket_of(position);
            for (std::int64_t h = 0; h < heads; ++h) {
                values.values[static_cast<std::size_t>(h * distances + d)] =
                    table[static_cast<std::size_t>(bucket * heads + h)];
            }
        }
        return values;
    }
};

void infer(const nlohmann::json& values, EncodingSite& site, ParameterValues& parameters) {
    const nlohmann::json& table = values.is_object() && values.contains("table") ? values.at("table") : values;
    if (!table.is_array() || table.empty() || !table[0].is_array()) return;
    site.n_head = static_cast<std::int64_t>(table[0].size());
    parameters.emplace("num_buckets", static_cast<std::int64_t>(table.size()));
}

void check(const EncodingSite&, const ParameterValues& parameters, std::vector<EncodingProblem>& problems) {
    const std::int64_t buckets = integer_parameter(parameters, "num_buckets");
    const bool bidirectional = std::get<bool>(parameters.at("bidirectional"));
    if (bidirectional && (buckets < 4 || buckets % 2 != 0)) {
        problems.push_back({"num_buckets", fmt::format("t5: num_buckets is {}; with bidirectional=true it must be even "
                                                       "and at least 4",
                                                       buckets)});
        return;
    }
    const std::int64_t exact = (bidirectional ? buckets / 2 : buckets) / 2;
    const std::int64_t longest = integer_parameter(parameters, "max_distance");
    if (longest <= exact) {
        problems.push_back({"max_distance", fmt::format("t5: max_distance is {}; it must be above {}, the number of "
                                                        "exact buckets",
                                                        longest, exact)});
    }
}

}  // namespace

EncodingEntry t5() {
    EncodingEntry entry;
    entry.spec.id = "t5";
    entry.spec.name = "T5 relative bias";
    entry.spec.reference = "1910.10683";
    entry.spec.summary = "A trained bias for each head and each bucket of distances, shared by all layers.";
    entry.spec.formula = "logit(i, j) = q_i . k_j / sqrt(d) + b_h[bucket(i - j)]";
    entry.spec.traits.bias = true;
    entry.spec.traits.relative = true;
    entry.spec.traits.distance_only = true;
    entry.spec.traits.learned = true;
    entry.spec.parameters = {
        integer_spec("num_buckets", 32, 2, 4096, "Number of buckets, both directions together."),
        integer_spec("max_distance", 128, 2, 1'000'000'000, "Distances from here on share the last bucket, tokens."),
        boolean_spec("bidirectional", false, "Half of the buckets for keys after the query (encoders)."),
        boolean_spec("scale_scores", true, "Divide scores by sqrt(head_dim); T5 itself does not."),
    };
    entry.make = build_encoding<T5>;
    entry.check = check;
    entry.infer = infer;
    return entry;
}

}  // namespace sextant::encodings
