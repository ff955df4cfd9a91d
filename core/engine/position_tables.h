#pragma once
// An encoding's double-precision tables as tensors of the model's type. Fixed tables are made once a length; learned
// ones go through an autograd function that calls the encoding's own gradient, so attention never knows which is which.
// The causal mask, the attention window and the attention sink are folded into the bias: what is hidden is -infinity.

#include <map>
#include <tuple>

#include "core/engine/reference_path.h"
#include "core/engine/torch_prefix.h"

namespace sextant {

class PositionTables {
  public:
    PositionTables(const PositionEncoding& encoding, const ModelConfig& model, const AttentionSink& sink,
                   at::TensorOptions options);

    struct Rotary {  // [length, rotary_dim / 2]; the two sides differ by xPos' growth and decay
        at::Tensor query_cos, query_sin, key_cos, key_sin;
        RotaryLayout layout = RotaryLayout::kHalfSplit;
        std::int64_t rotary_dim = 0;
    };
    struct Additive {
        at::Tensor values;  // [length, d_model]; undefined when there is none
        double embedding_multiplier = 1.0;
    };

    // Forget what was made from learned values; called at the start of a pass and when they were written.
    void forget_learned();
    [[nodiscard]] const Rotary* rotary(std::int64_t length);  // null when nothing rotates
    // `learned`: the layer's parameters flattened and joined, undefined when there are none.
    [[nodiscard]] Additive additive(std::int64_t length, const at::Tensor& learned);
    // Bias and mask to add to the scores, [H or 1, queries, keys].
    [[nodiscard]] at::Tensor bias(std::int64_t layer, const BiasRange& range, const at::Tensor& learned);
    // The encoding's bias alone, for the probe: what is hidden is left in place unless the encoding hides it.
    [[nodiscard]] const PositionEncoding& encoding() const { return encoding_; }
    [[nodiscard]] const AttentionSink& sink() const { return sink_; }
    [[nodiscard]] LearnedValues learned_values(const at::Tensor& flat) const;
    void fill_bias(const BiasRange& range, const LearnedValues& learned, std::vector<double>& out,
                   std::int64_t& heads) const;

  private:
    using BiasKey = std::tuple<std::int64_t, std::int64_t, std::int64_t, std::int64_t, bool>;
    const PositionEncoding& encoding_;
    ModelConfig model_;
    AttentionSink sink_;
    at::TensorOptions options_;
    std::map<std::int64_t, Rotary> rotary_;
    std::map<std::int64_t, Additive> additive_;
    std::map<BiasKey, at::Tensor> bias_;
    std::int64_t cached_elements_ = 0;
};

// Applies the rotation to [B, H, T, D] with table rows [T, rotary_dim / 2].
[[nodiscard]] at::Tensor rotate(const at::Tensor& x, const at::Tensor& cos, const at::Tensor& sin, RotaryLayout layout,
                                std::int64_t rotary_dim);

}  // namespace sextant
