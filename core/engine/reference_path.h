#pragma once
// The reference path: torch operators and autograd on any device LibTorch knows, in float32 or, for tests, in double.
// It defines what the model means; the fused path is held against it. No torch type appears here.

#include <memory>
#include <span>
#include <string>

#include "core/engine/model_path.h"

namespace sextant {

// StreamingLLM: each query sees the first `sink` keys and the last `window`; distances to the sink stop growing at
// sink + window - 1. window 0: off.
struct AttentionSink {
    std::int64_t window = 0;
    std::int64_t sink = 4;
};

struct ReferenceOptions {
    bool double_precision = false;
    std::string device = "cpu";  // cpu | cuda | mps
    std::uint64_t seed = 0;      // dropout
    AttentionSink attention_sink;
};

class ReferencePath : public ModelPath {
  public:
    // Double precision only: the model's own values and gradients, laid out as the float buffers are. Values start as
    // the float ones; parameters_changed() copies those again.
    [[nodiscard]] virtual std::span<double> parameters_double() = 0;
    [[nodiscard]] virtual std::span<const double> gradients_double() = 0;
    // Logits before rounding to float.
    [[nodiscard]] virtual std::vector<double> logits_double(std::span<const std::int32_t> tokens, std::int64_t batch,
                                                            std::int64_t length) = 0;
};

// `parameters` and `gradients`: caller-owned buffers of layout.buffer_size floats, outliving the path; `encoding` is
// kept by reference. Throws what torch throws when the device cannot hold it.
[[nodiscard]] std::unique_ptr<ReferencePath> make_reference_path(
    const ModelConfig& model, const PositionEncoding& encoding, const ParameterLayout& layout,
    std::span<float> parameters, std::span<float> gradients, const ReferenceOptions& options = {});

// Bytes a forward pass without gradients needs at its widest, beside the parameters.
[[nodiscard]] double reference_forward_bytes(const ModelConfig& model, std::int64_t batch, std::int64_t length);

}  // namespace sextant
