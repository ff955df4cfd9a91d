#include "core/engine/attention_probe.h"

#include <ATen/Parallel.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/engine/reference_model.h"
#include "core/experiment/memory_estimate.h"

namespace sextant {
namespace {

constexpr std::int64_t kRows = 256;

Result<std::vector<std::int64_t>> chosen(const std::vector<std::int64_t>& wanted, std::int64_t count,
                                         const std::string& what) {
    if (wanted.empty()) {
        std::vector<std::int64_t> all(static_cast<std::size_t>(count));
        std::iota(all.begin(), all.end(), 0);
        return all;
    }
    for (const std::int64_t index : wanted) {
        if (index < 0 || index >= count)
            return usage_error(
                fmt::format("{} {} does not exist; the model has {} (0 to {})", what, index, count, count - 1));
    }
    return wanted;
}

// Sums over one row of weights w and scores s [n], the query at position `query`. The entropy -sum w ln w is taken as
// sum w (ln Z - s), which needs no logarithm a cell; ln Z comes from the largest weight.
struct RowSums {
    double distance = 0.0, entropy = 0.0, sink = 0.0;
};

RowSums row_sums(const float* w, const float* s, std::int64_t n, std::int64_t query) {
    const auto top = std::max_element(w, w + n) - w;
    const double log_sum = static_cast<double>(s[top]) - std::log(static_cast<double>(w[top]));
    RowSums sums;
    for (std::int64_t k = 0; k < n; ++k) {
        const double weight = w[k];
        sums.distance += weight * static_cast<double>(query - k);
        if (weight > 0.0) sums.entropy += weight * (log_sum - static_cast<double>(s[k]));
    }
    sums.sink = query > 0 ? static_cast<double>(w[0]) : 0.0;
    return sums;
}

class Prober {
  public:
    Prober(ReferenceModel& model, const AttentionRequest& request, AttentionMaps& maps)
        : model_(model), request_(request), maps_(maps) {}

    // False after the last layer that was asked for, and when the request was cancelled.
    bool see(std::int64_t layer, const ReferenceModel::Sight& sight) {
        look(layer, sight);
        return !cancelled_ && layer < *std::max_element(maps_.layers.begin(), maps_.layers.end());
    }
    [[nodiscard]] bool cancelled() const { return cancelled_; }

  private:
    void look(std::int64_t layer, const ReferenceModel::Sight& sight) {
        const auto at = std::find(maps_.layers.begin(), maps_.layers.end(), layer);
        if (at == maps_.layers.end()) return;
        const auto place = static_cast<std::size_t>(at - maps_.layers.begin());
        const std::int64_t length = maps_.length;
        const at::Tensor learned = model_.learned(layer);
        for (std::int64_t first = 0; first < length; first += kRows) {
            cancelled_ = request_.cancelled && request_.cancelled();
            if (cancelled_) return;
            const std::int64_t count = std::min(kRows, length - first);
            // Columns after the last query of the chunk are masked; only content has values there.
            const bool masked = request_.term != AttentionTerm::kContent && request_.term != AttentionTerm::kUnrotated;
            const std::int64_t visible = masked ? std::min(length, first + count) : length;
            const std::int64_t offset = request_.offset;
            at::Tensor bias = model_.tables().bias(layer, {count, offset + visible, offset + first, false}, learned);
            if (offset > 0) bias = bias.narrow(-1, offset, visible);
            for (std::size_t h = 0; h < maps_.heads.size(); ++h) {
                const std::int64_t head = maps_.heads[h];
                const at::Tensor head_bias = bias.select(0, bias.size(0) == 1 ? 0 : head);
                const at::Tensor scores = content(sight.query, sight.key, head, first, count, visible).add_(head_bias);
                at::Tensor rows;
                at::Tensor weights;
                // Every query sees itself, so no row is empty.
                if (request_.statistics || request_.term == AttentionTerm::kWeights) weights = scores.softmax(-1);
                switch (request_.term) {
                    case AttentionTerm::kWeights:
                        rows = weights;
                        break;
                    case AttentionTerm::kScores:
                        rows = scores;
                        break;
                    case AttentionTerm::kContent:
                        rows = content(sight.query, sight.key, head, first, count, visible);
                        break;
                    case AttentionTerm::kUnrotated:
                        rows = content(sight.unrotated_query, sight.unrotated_key, head, first, count, visible);
                        break;
                    case AttentionTerm::kBias:
                        rows = head_bias;
                        break;
                }
                const std::size_t map = place * maps_.heads.size() + h;
                if (request_.statistics) add_statistics(maps_.statistics[map], weights, scores, first);
                if (!request_.values) continue;
                rows = rows.to(at::kFloat).contiguous();
                const float hidden = request_.term == AttentionTerm::kWeights ? 0.0F : -INFINITY;
                const float* values = rows.data_ptr<float>();
                float* map_rows = maps_.values.data() + (static_cast<std::int64_t>(map) * length + first) * length;
                at::parallel_for(0, count, 32, [&](std::int64_t begin, std::int64_t end) {
                    for (std::int64_t r = begin; r < end; ++r) {
                        float* out = map_rows + r * length;
                        std::copy_n(values + r * visible, visible, out);
                        std::fill(out + visible, out + length, hidden);
                    }
                });
            }
        }
    }

    // weights, scores [n, T] of the queries from `first` on.
    static void add_statistics(HeadStatistics& head, const at::Tensor& weights, const at::Tensor& scores,
                               std::int64_t first) {
        const std::int64_t keys = weights.size(1);
        const float* w = weights.data_ptr<float>();
        const float* s = scores.data_ptr<float>();
        std::vector<RowSums> rows(static_cast<std::size_t>(weights.size(0)));
        at::parallel_for(0, weights.size(0), 16, [&](std::int64_t begin, std::int64_t end) {
            for (std::int64_t r = begin; r < end; ++r)
                rows[static_cast<std::size_t>(r)] = row_sums(w + r * keys, s + r * keys, keys, first + r);
        });
        for (const RowSums& row : rows) {
            head.mean_distance += row.distance;
            head.entropy += row.entropy;
            head.sink_share += row.sink;
        }
    }

    [[nodiscard]] at::Tensor content(const at::Tensor& query, const at::Tensor& key, std::int64_t head,
                                     std::int64_t first, std::int64_t count, std::int64_t visible) const {
        const at::Tensor q = query.select(0, 0).select(0, head).narrow(0, first, count) * model_.score_scale();
        return at::matmul(q, key.select(0, 0).select(0, head).narrow(0, 0, visible).transpose(0, 1));
    }

    ReferenceModel& model_;
    const AttentionRequest& request_;
    AttentionMaps& maps_;
    bool cancelled_ = false;
};

}  // namespace

Result<AttentionTerm> attention_term(const std::string& word) {
    if (word == "weights") return AttentionTerm::kWeights;
    if (word == "scores") return AttentionTerm::kScores;
    if (word == "content") return AttentionTerm::kContent;
    if (word == "bias") return AttentionTerm::kBias;
    if (word == "unrotated") return AttentionTerm::kUnrotated;
    return usage_error("what \"" + word.substr(0, 60) + "\" is not one of weights, scores, content, bias, unrotated");
}

Result<AttentionMaps> probe_attention(LanguageModel& model, const AttentionRequest& request) {
    AttentionMaps maps;
    SEXTANT_TRY(layers, chosen(request.layers, model.config.n_layer, "layer"));
    SEXTANT_TRY(heads, chosen(request.heads, model.config.n_head, "head"));
    maps.layers = layers;
    maps.heads = heads;
    maps.length = static_cast<std::int64_t>(request.tokens.size());
    if (maps.length == 0) return usage_error("the text is empty; give some with --text");
    if (request.offset < 0 || request.offset > (std::int64_t{1} << 20))
        return usage_error(fmt::format("offset is {}; it must be between 0 and {}", request.offset, 1 << 20));
    if (const auto longest = model.encoding->maximum_length(); longest && maps.length + request.offset > *longest) {
        return config_error(fmt::format("the text ends at position {}, but the {} table ends after {}",
                                        maps.length + request.offset, model.encoding->spec().id, *longest));
    }
    for (const std::int32_t id : request.tokens) {
        if (id < 0 || id >= model.config.vocab_size)
            return data_error(fmt::format("token id {} is outside the vocabulary of {}", id, model.config.vocab_size));
    }
    const double cells = request.values ? static_cast<double>(layers.size() * heads.size()) *
                                              static_cast<double>(maps.length) * static_cast<double>(maps.length)
                                        : 0.0;
    const double need = 4.0 * cells + reference_forward_bytes(model.config, 1, maps.length + request.offset);
    if (const auto free = static_cast<double>(available_memory_bytes()); free > 0.0 && need > 0.8 * free) {
        return device_error(
            fmt::format("{} layers x {} heads of {} x {} need about {:.0f} MB and {:.0f} MB are free; "
                        "name one --layer and --head, or shorten the text",
                        layers.size(), heads.size(), maps.length, maps.length, need / 1048576.0, free / 1048576.0));
    }
    maps.values.resize(static_cast<std::size_t>(cells));
    for (const std::int64_t layer : layers) {
        for (const std::int64_t head : heads)
            maps.statistics.push_back({layer, head, 0.0, 0.0, 0.0});
    }
    const at::NoGradGuard guard;
    const at::Tensor flat = at::from_blob(model.parameters.data(), {model.parameters.size()}, at::kFloat);
    ReferenceModel reference(model.config, *model.encoding, *model.layout, flat, at::Tensor(), AttentionSink{}, 0);
    reference.set_offset(request.offset);
    Prober prober(reference, request, maps);
    const at::Tensor ids =
        at::from_blob(const_cast<std::int32_t*>(request.tokens.data()), {1, maps.length}, at::kInt).to(at::kLong);
    (void)reference.hidden(
        ids, -1, [&](std::int64_t layer, const ReferenceModel::Sight& sight) { return prober.see(layer, sight); });
    if (prober.cancelled()) return Error{ErrorCode::kCancelled, "the request was cancelled", {}, {}, {}};
    const auto queries = static_cast<double>(maps.length);
    for (HeadStatistics& head : maps.statistics) {
        head.mean_distance /= queries;
        head.entropy /= queries;
        head.sink_share = maps.length > 1 ? head.sink_share / (queries - 1.0) : 1.0;
    }
    if (!request.statistics) maps.statistics.clear();
    return maps;
}

AttentionValues attention_values(const PositionEncoding& encoding, const AttentionCase& input) {
    const at::NoGradGuard guard;
    const auto tensor = [&](const std::vector<double>& values, std::int64_t rows) {
        return at::from_blob(const_cast<double*>(values.data()), {1, input.heads, rows, input.head_dim}, at::kDouble);
    };
    ModelConfig model;
    model.n_head = input.heads;
    model.n_kv_head = input.heads;
    model.d_model = input.heads * input.head_dim;
    model.attention_window = input.window;
    PositionTables tables(encoding, model, {}, at::kDouble);
    at::Tensor q = tensor(input.query, input.queries);
    at::Tensor k = tensor(input.key, input.keys);
    if (const auto* table = tables.rotary(std::max(input.keys, input.first_query + input.queries))) {
        q = rotate(q, table->query_cos.narrow(0, input.first_query, input.queries),
                   table->query_sin.narrow(0, input.first_query, input.queries), table->layout, table->rotary_dim);
        k = rotate(k, table->key_cos.narrow(0, 0, input.keys), table->key_sin.narrow(0, 0, input.keys), table->layout,
                   table->rotary_dim);
    }
    const double scale = encoding.score_scale() / std::sqrt(static_cast<double>(input.head_dim));
    LearnedValues learned;
    for (const LearnedParameter& parameter : encoding.learned_parameters()) {
        std::int64_t count = 1;
        for (const std::int64_t size : parameter.shape)
            count *= size;
        learned.emplace_back(static_cast<std::size_t>(count), parameter.a);
    }
    std::vector<double> bias;
    std::int64_t heads = 1;
    tables.fill_bias({input.queries, input.keys, input.first_query, input.symmetric}, learned, bias, heads);
    const at::Tensor logits = at::matmul(q * scale, k.transpose(-1, -2)) +
                              at::from_blob(bias.data(), {heads, input.queries, input.keys}, at::kDouble);
    const at::Tensor weights = masked_softmax(logits);
    const at::Tensor output = at::matmul(weights, tensor(input.value, input.keys));
    const auto values = [](const at::Tensor& t) {
        const at::Tensor c = t.contiguous();
        return std::vector<double>(c.data_ptr<double>(), c.data_ptr<double>() + c.numel());
    };
    return {values(logits), values(weights), values(output)};
}

}  // namespace sextant
