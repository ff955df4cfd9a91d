#pragma once
// The fused CPU path: forward and backward of whole blocks by hand over one flat buffer (ARCHITECTURE.md section 5).
// No torch; oneDNN for matrix products, OpenMP for the one thread team.

#include <memory>
#include <span>

#include "core/engine/model_path.h"

namespace sextant::fused {

struct FusedOptions {
    int threads = 1;
    bool bfloat16_products = false;  // float32 accumulation, master weights and softmax
};

// Empty when supported, else a sentence saying what is not (dropout, ...).
[[nodiscard]] std::string unsupported_reason(const ModelConfig& model, const PositionEncoding& encoding,
                                             const FusedOptions& options);
// `parameters` and `gradients`: caller-owned buffers of layout.buffer_size floats, 64-byte aligned, outliving the path.
// `encoding` is kept by reference.
[[nodiscard]] std::unique_ptr<ModelPath> make_fused_path(const ModelConfig& model, const PositionEncoding& encoding,
                                                         const ParameterLayout& layout, std::span<float> parameters,
                                                         std::span<float> gradients, const FusedOptions& options);

}  // namespace sextant::fused
