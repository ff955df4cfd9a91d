#include "core/engine/reference_model.h"

#include <ATen/CPUGeneratorImpl.h>

#include <algorithm>
#include <cmath>

#include "core/base/random.h"

namespace sextant {
namespace {

// Without gradients the scores exist for some queries at a time: [H, rows, keys] of at most this many values, so that
// they stay in the cache and their memory is used again instead of being asked of the system for each chunk.
constexpr std::int64_t kScoreValues = std::int64_t{1} << 20;

std::int64_t query_rows(std::int64_t heads, std::int64_t keys) {
    return std::clamp<std::int64_t>(kScoreValues / std::max<std::int64_t>(heads * keys, 1), 16, 256);
}

at::Tensor repeat_groups(const at::Tensor& x, std::int64_t heads) {  // [B, KV, T, D] -> [B, H, T, D]
    const std::int64_t groups = heads / x.size(1);
    if (groups == 1) return x;
    return x.unsqueeze(2)
        .expand({x.size(0), x.size(1), groups, x.size(2), x.size(3)})
        .reshape({x.size(0), heads, x.size(2), x.size(3)});
}

}  // namespace

at::Tensor masked_softmax(const at::Tensor& scores) {
    const at::Tensor weights = scores.softmax(-1);
    const at::Tensor empty = scores.amax(-1, true) == -std::numeric_limits<double>::infinity();
    return weights.masked_fill(empty, 0.0);
}

ReferenceModel::ReferenceModel(const ModelConfig& model, const PositionEncoding& encoding,
                               const ParameterLayout& layout, at::Tensor flat, at::Tensor flat_gradient,
                               const AttentionSink& sink, std::uint64_t seed)
    : config_(model),
      layout_(layout),
      flat_(std::move(flat)),
      flat_gradient_(std::move(flat_gradient)),
      seed_(seed),
      score_scale_(encoding.score_scale() / std::sqrt(static_cast<double>(model.head_dim()))),
      tables_(encoding, model, sink, flat_.options()) {
    const std::int64_t d = model.d_model;
    const std::int64_t query_rows = model.n_head * model.head_dim();
    const std::int64_t key_rows = model.n_kv_head * model.head_dim();
    const auto single = [&](const std::string& name) { return leaf(name, name, layout_.find(name)->shape); };
    embedding_ = single("model.embed_tokens.weight");
    for (std::int64_t l = 0; l < model.n_layer; ++l) {
        const std::string prefix = "model.layers." + std::to_string(l);
        LayerWeights weights;
        weights.input_norm = single(prefix + ".input_layernorm.weight");
        weights.qkv = leaf(prefix + ".self_attn.q_proj.weight", prefix + ".self_attn.v_proj.weight",
                           {query_rows + 2 * key_rows, d});
        weights.output = single(prefix + ".self_attn.o_proj.weight");
        weights.post_norm = single(prefix + ".post_attention_layernorm.weight");
        weights.gate_up = leaf(prefix + ".mlp.gate_proj.weight", prefix + ".mlp.up_proj.weight", {2 * model.d_ff, d});
        weights.down = single(prefix + ".mlp.down_proj.weight");
        layers_.push_back(std::move(weights));
    }
    final_norm_ = single("model.norm.weight");
    head_ = model.tie_embeddings ? embedding_ : single("lm_head.weight");

    const auto parameters = encoding.learned_parameters();
    const bool shared = encoding.spec().traits.shared_by_layers;
    const std::int64_t sets = parameters.empty() ? 0 : (shared ? 1 : model.n_layer);
    for (std::int64_t set = 0; set < sets; ++set) {
        learned_.emplace_back();
        for (const LearnedParameter& parameter : parameters) {
            const std::string name =
                shared ? "position." + parameter.name : "position.layers." + std::to_string(set) + "." + parameter.name;
            learned_.back().push_back(single(name));
        }
    }
}

at::Tensor ReferenceModel::leaf(const std::string& first, const std::string& last, std::vector<std::int64_t> shape) {
    const ParameterInfo* begin = layout_.find(first);
    const ParameterInfo* end = layout_.find(last);
    TORCH_CHECK(begin != nullptr && end != nullptr, "no parameter ", first, " or ", last);
    const std::int64_t count = end->offset + end->count - begin->offset;
    at::Tensor tensor = flat_.narrow(0, begin->offset, count).view(shape).detach();
    if (flat_gradient_.defined()) {
        tensor.set_requires_grad(true);
        tensor.mutable_grad() = flat_gradient_.narrow(0, begin->offset, count).view(shape).detach();
    }
    return tensor;
}

at::Tensor ReferenceModel::learned(std::int64_t layer) const {
    if (learned_.empty()) return {};
    const auto& set = learned_[learned_.size() == 1 ? 0 : static_cast<std::size_t>(layer)];
    std::vector<at::Tensor> flat;
    for (const at::Tensor& tensor : set)
        flat.push_back(tensor.flatten());
    return at::cat(flat);
}

at::Tensor ReferenceModel::norm(const at::Tensor& x, const at::Tensor& weight) const {
    return x * (x * x).mean(-1, true).add(config_.norm_epsilon).rsqrt() * weight;
}

at::Tensor ReferenceModel::dropped(const at::Tensor& x, std::int64_t step, std::int64_t place) const {
    if (step < 0 || config_.dropout <= 0.0) return x;
    auto generator = at::detail::createCPUGenerator(
        derive_seed(seed_, "dropout/" + std::to_string(step) + "/" + std::to_string(place)));
    const at::Tensor keep =
        at::empty(x.sizes(), x.options().device(at::kCPU)).bernoulli_(1.0 - config_.dropout, generator);
    return x * keep.div_(1.0 - config_.dropout).to(x.device());
}

at::Tensor ReferenceModel::embed(const at::Tensor& tokens, std::int64_t first, std::int64_t planned) {
    at::Tensor x = at::embedding(embedding_, tokens);  // [B, T, D]
    const auto additive = tables_.additive(planned + offset_, learned(0));
    if (additive.embedding_multiplier != 1.0) x = x * additive.embedding_multiplier;
    if (additive.values.defined()) {
        if (const AttentionSink& sink = tables_.sink(); sink.window > 0 && first == 0) {
            const at::Tensor rows = at::arange(tokens.size(1), tokens.options()).clamp_max(sink.sink + sink.window - 1);
            x = x + additive.values.index_select(0, rows);
        } else {
            x = x + additive.values.narrow(0, offset_ + first, tokens.size(1));
        }
    }
    return x;
}

ReferenceModel::Projected ReferenceModel::project(const LayerWeights& weights, const at::Tensor& normed) const {
    const std::int64_t width = config_.head_dim();
    const auto heads = [&](const at::Tensor& x, std::int64_t first, std::int64_t count) {
        return x.narrow(-1, first * width, count * width)
            .reshape({x.size(0), x.size(1), count, width})
            .transpose(1, 2);  // [B, count, T, D]
    };
    const at::Tensor qkv = at::linear(normed, weights.qkv);
    return {heads(qkv, 0, config_.n_head), heads(qkv, config_.n_head, config_.n_kv_head),
            heads(qkv, config_.n_head + config_.n_kv_head, config_.n_kv_head)};
}

at::Tensor ReferenceModel::attention(std::int64_t layer, const at::Tensor& query, const at::Tensor& key,
                                     const at::Tensor& value, std::int64_t first, std::int64_t planned,
                                     std::int64_t step, const Watcher& watcher) {
    const std::int64_t queries = query.size(2);
    const std::int64_t keys = key.size(2);
    const AttentionSink& sink = tables_.sink();
    at::Tensor q = query;
    at::Tensor k = key;
    at::Tensor q_sink;  // queries turned as at their capped position, for the sink's keys
    if (const auto* table = tables_.rotary(planned + offset_)) {
        q = rotate(q, table->query_cos.narrow(0, offset_ + first, queries),
                   table->query_sin.narrow(0, offset_ + first, queries), table->layout, table->rotary_dim);
        k = rotate(k, table->key_cos.narrow(0, offset_, keys), table->key_sin.narrow(0, offset_, keys), table->layout,
                   table->rotary_dim);
        if (sink.window > 0) {
            const at::Tensor rows = at::arange(first, first + queries, table->query_cos.options().dtype(at::kLong))
                                        .clamp_max(sink.sink + sink.window - 1);
            q_sink = rotate(query, table->query_cos.index_select(0, rows), table->query_sin.index_select(0, rows),
                            table->layout, table->rotary_dim);
        }
    }
    k = repeat_groups(k, config_.n_head);
    const at::Tensor v = repeat_groups(value, config_.n_head);
    if (watcher && !watcher(layer, {q, k, query, repeat_groups(key, config_.n_head)})) return {};
    q = q * score_scale_;
    if (q_sink.defined()) q_sink = q_sink * score_scale_;

    const at::Tensor learned_flat = learned(layer);
    const bool inference = !at::GradMode::is_enabled();
    const std::int64_t most = query_rows(query.size(0) * config_.n_head, keys);
    const bool chunked = inference && queries > most;
    const std::int64_t rows = chunked ? most : queries;
    std::vector<at::Tensor> outputs;
    for (std::int64_t begin = 0; begin < queries; begin += rows) {
        const std::int64_t count = std::min(rows, queries - begin);
        const std::int64_t visible = chunked ? std::min(keys, first + begin + count) : keys;
        at::Tensor scores =
            at::matmul(q.narrow(2, begin, count), k.narrow(2, 0, visible).transpose(-1, -2));  // [B, H, count, visible]
        if (q_sink.defined()) {
            const std::int64_t columns = std::min(sink.sink, visible);
            const at::Tensor far =
                at::matmul(q_sink.narrow(2, begin, count), k.narrow(2, 0, columns).transpose(-1, -2));
            scores = at::cat({far, scores.narrow(-1, columns, visible - columns)}, -1);
        }
        at::Tensor bias = tables_.bias(layer, {count, offset_ + visible, offset_ + first + begin, false}, learned_flat);
        if (offset_ > 0) bias = bias.narrow(-1, offset_, visible);
        scores = inference ? scores.add_(bias) : scores + bias;
        const at::Tensor weights = dropped(scores.softmax(-1), step, 10 * layer + 1);
        outputs.push_back(at::matmul(weights, v.narrow(2, 0, visible)));
    }
    const at::Tensor joined = outputs.size() == 1 ? outputs[0] : at::cat(outputs, 2);
    return joined.transpose(1, 2).reshape({query.size(0), queries, config_.n_head * config_.head_dim()});
}

at::Tensor ReferenceModel::feed_forward(const LayerWeights& weights, const at::Tensor& normed) const {
    const at::Tensor both = at::linear(normed, weights.gate_up);
    return at::linear(at::silu(both.narrow(-1, 0, config_.d_ff)) * both.narrow(-1, config_.d_ff, config_.d_ff),
                      weights.down);
}

at::Tensor ReferenceModel::hidden(const at::Tensor& tokens, std::int64_t step, const Watcher& watcher) {
    const std::int64_t length = tokens.size(1);
    at::Tensor x = dropped(embed(tokens, 0, length), step, 0);
    for (std::int64_t l = 0; l < config_.n_layer; ++l) {
        const LayerWeights& weights = layers_[static_cast<std::size_t>(l)];
        const Projected p = project(weights, norm(x, weights.input_norm));
        const at::Tensor mixed = attention(l, p.query, p.key, p.value, 0, length, step, watcher);
        if (!mixed.defined()) return {};
        x = x + dropped(at::linear(mixed, weights.output), step, 10 * l + 2);
        x = x + dropped(feed_forward(weights, norm(x, weights.post_norm)), step, 10 * l + 3);
    }
    return norm(x, final_norm_);
}

at::Tensor ReferenceModel::hidden_cached(const at::Tensor& tokens, std::vector<LayerCache>& caches,
                                         std::int64_t planned) {
    caches.resize(static_cast<std::size_t>(config_.n_layer));
    const std::int64_t first = caches[0].keys.defined() ? caches[0].keys.size(2) : 0;
    at::Tensor x = embed(tokens, first, planned);
    for (std::int64_t l = 0; l < config_.n_layer; ++l) {
        const LayerWeights& weights = layers_[static_cast<std::size_t>(l)];
        LayerCache& cache = caches[static_cast<std::size_t>(l)];
        const Projected p = project(weights, norm(x, weights.input_norm));
        cache.keys = cache.keys.defined() ? at::cat({cache.keys, p.key}, 2) : p.key;
        cache.values = cache.values.defined() ? at::cat({cache.values, p.value}, 2) : p.value;
        const at::Tensor mixed = attention(l, p.query, cache.keys, cache.values, first, planned, -1, nullptr);
        x = x + at::linear(mixed, weights.output);
        x = x + feed_forward(weights, norm(x, weights.post_norm));
    }
    return norm(x, final_norm_);
}

at::Tensor ReferenceModel::logits(const at::Tensor& hidden) const {
    return at::linear(hidden, head_);
}

}  // namespace sextant
