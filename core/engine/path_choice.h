#pragma once
// Which of the two paths runs a model: the fused one where it can, else the reference one, with the reason.

#include <memory>
#include <span>
#include <string>

#include "core/engine/model_path.h"
#include "core/engine/reference_path.h"

namespace sextant {

struct PathRequest {
    std::string path = "auto";          // auto | fused | reference
    std::string device = "cpu";         // resolved
    std::string precision = "float32";  // float32 | bfloat16
    std::int64_t threads = 1;           // resolved
    std::uint64_t seed = 0;             // dropout
    AttentionSink attention_sink;       // reference path only
};

struct ChosenPath {
    std::unique_ptr<ModelPath> path;
    std::string note;  // why "auto" fell back to the reference path, or empty
};

// kConfig when the asked path cannot run this model. The spans are caller-owned and outlive the path; `encoding` and
// `layout` are kept by reference. Sets the thread count.
[[nodiscard]] Result<ChosenPath> choose_path(const ModelConfig& model, const PositionEncoding& encoding,
                                             const ParameterLayout& layout, std::span<float> parameters,
                                             std::span<float> gradients, const PathRequest& request);

}  // namespace sextant
