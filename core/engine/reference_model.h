#pragma once
// The LLaMA-style model in torch operators: pre-norm RMSNorm, rotary or biased attention with grouped key-value heads,
// SwiGLU, tied or separate head. Leaf tensors are views of one flat buffer, a fused group (q, k, v and gate, up) being
// one leaf, so gradients land in the flat gradient buffer by themselves. Without gradients, queries are taken in chunks
// and memory stays linear in length.

#include <functional>
#include <vector>

#include "core/engine/position_tables.h"

namespace sextant {

struct LayerWeights {
    at::Tensor input_norm, qkv, output, post_norm, gate_up, down;
};

// Keys and values of one layer, keys before rotation: dynamic-ntk may turn them by another angle than when they came.
struct LayerCache {
    at::Tensor keys, values;  // [1, KV, T, D]
};

class ReferenceModel {
  public:
    // flat, flat_gradient: [buffer_size]; the gradient may be undefined for inference.
    ReferenceModel(const ModelConfig& model, const PositionEncoding& encoding, const ParameterLayout& layout,
                   at::Tensor flat, at::Tensor flat_gradient, const AttentionSink& sink, std::uint64_t seed);

    // What a layer's attention works with, [B, H, T, D], keys repeated for their group; the queries are not yet scaled.
    struct Sight {
        at::Tensor query, key;                      // rotated
        at::Tensor unrotated_query, unrotated_key;  // the same where nothing rotates
    };
    // Called before a layer's attention is computed; false ends the pass there.
    using Watcher = std::function<bool(std::int64_t layer, const Sight& sight)>;

    // tokens [B, T] of int64 -> hidden states after the last norm [B, T, D]; undefined when the watcher ended the pass.
    // step >= 0 turns dropout on.
    [[nodiscard]] at::Tensor hidden(const at::Tensor& tokens, std::int64_t step, const Watcher& watcher = nullptr);
    // Continues `caches` (one a layer, empty at first) by tokens [1, n]; `planned` is the length the frequencies of
    // dynamic-ntk are taken for.
    [[nodiscard]] at::Tensor hidden_cached(const at::Tensor& tokens, std::vector<LayerCache>& caches,
                                           std::int64_t planned);
    [[nodiscard]] at::Tensor logits(const at::Tensor& hidden) const;  // [..., V]
    [[nodiscard]] at::Tensor learned(std::int64_t layer) const;       // flattened, undefined when there are none
    // Every token stands this many positions later than in its text: what a relative encoding does not notice.
    void set_offset(std::int64_t positions) { offset_ = positions; }
    [[nodiscard]] double score_scale() const { return score_scale_; }
    [[nodiscard]] PositionTables& tables() { return tables_; }
    [[nodiscard]] const ModelConfig& config() const { return config_; }
    [[nodiscard]] at::TensorOptions options() const { return flat_.options(); }

  private:
    struct Projected {
        at::Tensor query, key, value;  // [B, H or KV, T, D], before rotation
    };
    [[nodiscard]] at::Tensor leaf(const std::string& first, const std::string& last, std::vector<std::int64_t> shape);
    [[nodiscard]] at::Tensor embed(const at::Tensor& tokens, std::int64_t first, std::int64_t planned);
    [[nodiscard]] Projected project(const LayerWeights& weights, const at::Tensor& normed) const;
    [[nodiscard]] at::Tensor attention(std::int64_t layer, const at::Tensor& query, const at::Tensor& key,
                                       const at::Tensor& value, std::int64_t first, std::int64_t planned,
                                       std::int64_t step, const Watcher& watcher);
    [[nodiscard]] at::Tensor feed_forward(const LayerWeights& weights, const at::Tensor& normed) const;
    [[nodiscard]] at::Tensor norm(const at::Tensor& x, const at::Tensor& weight) const;
    [[nodiscard]] at::Tensor dropped(const at::Tensor& x, std::int64_t step, std::int64_t place) const;

    ModelConfig config_;
    const ParameterLayout& layout_;
    at::Tensor flat_, flat_gradient_;
    std::uint64_t seed_;
    double score_scale_;
    std::int64_t offset_ = 0;
    PositionTables tables_;
    at::Tensor embedding_, head_, final_norm_;
    std::vector<LayerWeights> layers_;
    std::vector<std::vector<at::Tensor>> learned_;  // one list a layer, or one list
};

// softmax over keys; a row that sees nothing is zeros, not NaN.
[[nodiscard]] at::Tensor masked_softmax(const at::Tensor& scores);

}  // namespace sextant
