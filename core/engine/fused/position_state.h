#pragma once
// An encoding's double-precision tables as the kernels read them, in float, for one sequence length; and the way back
// from table gradients to the gradients of learned position parameters. Tables are made once a length, or once a step
// when they are learned.

#include <memory>
#include <vector>

#include "core/encoding/position_encoding.h"
#include "core/engine/fused/attention_unit.h"
#include "core/experiment/experiment.h"
#include "core/experiment/parameter_layout.h"

namespace sextant::fused {

// Table gradients of one thread.
struct PositionGradients {
    AlignedBuffer additive;           // [length, d_model]
    std::vector<AlignedBuffer> bias;  // a set: [n_head, bias_stride], reversed as AttentionUnit::bias
};

class PositionState {
  public:
    PositionState(const ModelConfig& model, const PositionEncoding& encoding, const ParameterLayout& layout);

    void refresh(std::int64_t length, const float* parameters, int workers);
    void parameters_changed() { stale_ = true; }

    [[nodiscard]] float embedding_multiplier() const { return multiplier_; }
    [[nodiscard]] const float* additive() const { return has_additive_ ? additive_.data() : nullptr; }
    [[nodiscard]] const Rotation& rotation() const { return rotation_; }
    [[nodiscard]] float score_scale() const { return score_scale_; }
    // Bias of a layer by distance, reversed, [n_head, bias_stride]; null when there is none.
    [[nodiscard]] const float* bias(std::int64_t layer) const;
    [[nodiscard]] std::int64_t bias_stride() const { return bias_stride_; }
    [[nodiscard]] BlockBias* block_bias(std::int64_t layer) const;

    [[nodiscard]] bool learned() const { return learned_; }
    void prepare(PositionGradients& gradients) const;  // sized and zero
    [[nodiscard]] float* bias_gradient(PositionGradients& gradients, std::int64_t layer) const;
    [[nodiscard]] float* additive_gradient(PositionGradients& gradients) const;
    // Sums the threads' table gradients in their order and writes the parameters' gradients into the flat buffer.
    void finish(std::vector<PositionGradients*> threads, float* flat_gradients) const;

  private:
    struct Slot {  // a learned parameter in the flat buffer
        std::int64_t offset, count;
    };
    [[nodiscard]] std::size_t set_of(std::int64_t layer) const;
    [[nodiscard]] LearnedValues values_of(std::size_t set, const float* parameters) const;
    void make_rotation(const RotaryTable& table);

    const ModelConfig& model_;
    const PositionEncoding& encoding_;
    std::vector<std::vector<Slot>> sets_;  // one, or one a layer
    std::vector<LearnedValues> learned_values_;
    bool learned_ = false, has_additive_ = false, has_bias_ = false, stale_ = true;
    std::int64_t length_ = -1, bias_stride_ = 0, distances_ = 0;
    float multiplier_ = 1.0f, score_scale_ = 1.0f;
    AlignedBuffer additive_, cos_, sin_, key_cos_, key_sin_;
    std::vector<AlignedBuffer> bias_;
    std::vector<std::unique_ptr<BlockBias>> block_bias_;
    Rotation rotation_;
};

}  // namespace sextant::fused
