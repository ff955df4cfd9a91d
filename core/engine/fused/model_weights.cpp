#include "core/engine/fused/model_weights.h"

#include <algorithm>
#include <stdexcept>

#include "core/engine/fused/bfloat16.h"

namespace sextant::fused {
namespace {

const ParameterInfo& info(const ParameterLayout& layout, const std::string& name) {
    const ParameterInfo* found = layout.find(name);
    if (found == nullptr) throw std::logic_error("the parameter layout has no " + name);
    return *found;
}

}  // namespace

ModelWeights::ModelWeights(const ModelConfig& model, const ParameterLayout& layout, const Kernels& kernels,
                           bool bfloat16)
    : kernels_(kernels), bfloat16_(bfloat16) {
    const auto size = bfloat16 ? bfloat16::packed_size : kernels.packed_size;
    const auto linear = [&](const std::string& name, std::int64_t out, std::int64_t in) {
        Linear result{info(layout, name).offset, out, in, forward_size_, backward_size_};
        forward_size_ += (size(out, in) + 15) / 16 * 16;
        backward_size_ += (size(in, out) + 15) / 16 * 16;
        linears_.push_back(result);
        return result;
    };
    const std::int64_t d = model.d_model, heads = model.n_head * model.head_dim(),
                       pairs = model.n_kv_head * model.head_dim();
    for (std::int64_t l = 0; l < model.n_layer; ++l) {
        const std::string prefix = "model.layers." + std::to_string(l) + ".";
        LayerWeights layer;
        layer.input_norm = info(layout, prefix + "input_layernorm.weight").offset;
        layer.post_norm = info(layout, prefix + "post_attention_layernorm.weight").offset;
        layer.qkv = linear(prefix + "self_attn.q_proj.weight", heads + 2 * pairs, d);
        layer.o = linear(prefix + "self_attn.o_proj.weight", d, heads);
        layer.gate_up = linear(prefix + "mlp.gate_proj.weight", 2 * model.d_ff, d);
        layer.down = linear(prefix + "mlp.down_proj.weight", d, model.d_ff);
        layers_.push_back(layer);
    }
    embedding_ = info(layout, "model.embed_tokens.weight").offset;
    final_norm_ = info(layout, "model.norm.weight").offset;
    head_ = linear(model.tie_embeddings ? "model.embed_tokens.weight" : "lm_head.weight", model.vocab_size, d);
}

void ModelWeights::reserve(bool backward) {
    forward_.reserve(forward_size_);
    if (backward) backward_.reserve(backward_size_);
}

void ModelWeights::pack_panels(const float* b, std::int64_t row_stride, std::int64_t column_stride, std::int64_t k,
                               std::int64_t n, std::int64_t from, std::int64_t to, float* packed) const {
    if (from >= to) return;
    const auto pack = bfloat16_ ? bfloat16::pack_panels : kernels_.pack_panels;
    const auto size = bfloat16_ ? bfloat16::packed_size : kernels_.packed_size;
    const std::int64_t panel = bfloat16_ ? bfloat16::kPanel : kernels_.panel, first = from * panel;
    pack(b + first * column_stride, row_stride, column_stride, k, std::min(n, to * panel) - first,
         packed + size(first, k));
}

void ModelWeights::pack(const float* parameters, bool backward, int part, int parts) {
    const std::int64_t panel = bfloat16_ ? bfloat16::kPanel : kernels_.panel;
    const auto share = [&](std::int64_t n, auto body) {
        const std::int64_t panels = (n + panel - 1) / panel;
        body(panels * part / parts, panels * (part + 1) / parts);
    };
    for (const Linear& linear : linears_) {
        const float* weight = parameters + linear.offset;
        share(linear.out, [&](std::int64_t from, std::int64_t to) {
            pack_panels(weight, 1, linear.in, linear.in, linear.out, from, to, forward_.data() + linear.forward);
        });
        if (!backward) continue;
        share(linear.in, [&](std::int64_t from, std::int64_t to) {
            pack_panels(weight, linear.in, 1, linear.out, linear.in, from, to, backward_.data() + linear.backward);
        });
    }
}

}  // namespace sextant::fused
