#pragma once
// Every trained tensor of an arm: name, shape and place in the one flat float32 buffer both engine paths share. Names
// are Hugging Face LLaMA's, so a checkpoint's safetensors reads as one. Groups (q,k,v and gate,up) are contiguous with
// no gap, so that each is a single matrix product; every group starts at a multiple of 16 floats (64 bytes).

#include <cstdint>
#include <string>
#include <vector>

#include "core/encoding/position_encoding.h"
#include "core/experiment/experiment.h"

namespace sextant {

enum class ParameterRole {
    kEmbedding,  // token embedding and untied head: weight decay, AdamW always
    kHidden,     // 2-D weights inside blocks: weight decay, Muon's domain
    kNorm,       // no decay
    kPosition,   // learned position tables and bias parameters: no decay
};

struct ParameterInfo {
    std::string name;
    std::vector<std::int64_t> shape;  // linear weights are [out, in]
    std::int64_t offset = 0;          // floats from the start of the buffer
    std::int64_t count = 0;
    ParameterRole role = ParameterRole::kHidden;
    Initializer initializer = Initializer::kNormal;
    double a = 0.0, b = 0.0;  // as LearnedParameter
    bool has_minimum = false, has_maximum = false;
    double minimum = 0.0, maximum = 0.0;
};

struct ParameterLayout {
    std::vector<ParameterInfo> parameters;
    std::int64_t buffer_size = 0;                        // floats, padding included
    [[nodiscard]] std::int64_t parameter_count() const;  // trained numbers, without padding
    [[nodiscard]] const ParameterInfo* find(const std::string& name) const;
};

// Order: model.embed_tokens.weight [V, D]; per layer l: model.layers.l.input_layernorm.weight [D],
// .self_attn.q_proj.weight [H*hd, D], .k_proj [KV*hd, D], .v_proj [KV*hd, D], .o_proj [D, H*hd],
// .post_attention_layernorm.weight [D], .mlp.gate_proj.weight [F, D], .mlp.up_proj.weight [F, D],
// .mlp.down_proj.weight [D, F]; model.norm.weight [D]; lm_head.weight [V, D] when untied; then learned position
// parameters: "position.<name>" when shared by layers, else "position.layers.<l>.<name>".
// Initial values: linear and embedding N(0, std); o_proj and down_proj N(0, std / sqrt(2 n_layer)); norms 1.
[[nodiscard]] ParameterLayout parameter_layout(const ModelConfig& model, const PositionEncoding& encoding);

// Fills one parameter from derive_seed(seed, name): an arm with an extra table does not shift the others' weights.
void initialize_parameter(const ParameterInfo& parameter, std::uint64_t seed, float* values);

}  // namespace sextant
