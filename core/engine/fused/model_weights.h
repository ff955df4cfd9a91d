#pragma once
// Where each weight lies in the flat buffer, and the packed copies that the products read: transposed panels for the
// forward pass and panels for the gradient of the input. Packing costs about a percent of a training step.

#include <vector>

#include "core/engine/fused/aligned_buffer.h"
#include "core/engine/fused/kernels.h"
#include "core/experiment/experiment.h"
#include "core/experiment/parameter_layout.h"

namespace sextant::fused {

// A linear weight [out, in]; several neighbouring ones (q, k, v; gate, up) are one.
struct Linear {
    std::int64_t offset = 0;  // floats from the start of the flat buffer
    std::int64_t out = 0, in = 0;
    std::int64_t forward = 0, backward = 0;  // floats from the start of the packed buffers
};

struct LayerWeights {
    std::int64_t input_norm = 0, post_norm = 0;  // offsets
    Linear qkv, o, gate_up, down;
};

class ModelWeights {
  public:
    ModelWeights(const ModelConfig& model, const ParameterLayout& layout, const Kernels& kernels, bool bfloat16);

    [[nodiscard]] const LayerWeights& layer(std::int64_t index) const {
        return layers_[static_cast<std::size_t>(index)];
    }
    [[nodiscard]] std::int64_t embedding() const { return embedding_; }
    [[nodiscard]] std::int64_t final_norm() const { return final_norm_; }
    [[nodiscard]] const Linear& head() const { return head_; }  // the embedding's place when tied

    // Packs every weight; thread `part` of `parts` does its share of the panels. Both forms only when `backward`.
    void pack(const float* parameters, bool backward, int part, int parts);
    [[nodiscard]] const float* forward(const Linear& linear) const { return forward_.data() + linear.forward; }
    [[nodiscard]] const float* backward(const Linear& linear) const { return backward_.data() + linear.backward; }
    void reserve(bool backward);

  private:
    // Panels [from, to) of a [k, n] matrix B(k, n) = b[k * row_stride + n * column_stride].
    void pack_panels(const float* b, std::int64_t row_stride, std::int64_t column_stride, std::int64_t k,
                     std::int64_t n, std::int64_t from, std::int64_t to, float* packed) const;

    const Kernels& kernels_;
    bool bfloat16_;
    std::vector<LayerWeights> layers_;
    std::int64_t embedding_ = 0, final_norm_ = 0;
    Linear head_;
    std::vector<Linear> linears_;
    std::int64_t forward_size_ = 0, backward_size_ = 0;
    AlignedBuffer forward_, backward_;
};

}  // namespace sextant::fused
