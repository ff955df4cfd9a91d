#pragma once
// The seam between trainer and model: two implementations, one meaning. ReferencePath is torch modules and autograd on
// any device; FusedPath is hand-written CPU kernels. Both work on one flat float32 buffer laid out by ParameterLayout.
// No torch type appears here, so the fused path and its tests compile without torch.

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/encoding/position_encoding.h"
#include "core/experiment/parameter_layout.h"

namespace sextant {

class ModelPath {
  public:
    virtual ~ModelPath() = default;
    [[nodiscard]] virtual const char* name() const = 0;  // "fused" | "reference"

    // The flat buffers, [layout.buffer_size] floats on the host (the reference path on a GPU copies on access).
    [[nodiscard]] virtual std::span<float> parameters() = 0;
    [[nodiscard]] virtual std::span<float> gradients() = 0;
    // Tells the path that parameters() was written to.
    virtual void parameters_changed() = 0;

    // tokens, targets: [batch, length] row-major; target -1 is not scored. Returns the mean loss in nats over scored
    // targets and overwrites gradients(). step seeds dropout.
    virtual double loss_and_gradients(std::span<const std::int32_t> tokens, std::span<const std::int32_t> targets,
                                      std::int64_t batch, std::int64_t length, std::int64_t step) = 0;
    // Loss in nats of each target, [batch, length]; 0 where the target is -1. No gradients, memory linear in length on
    // the fused path.
    virtual void token_losses(std::span<const std::int32_t> tokens, std::span<const std::int32_t> targets,
                              std::int64_t batch, std::int64_t length, std::span<float> losses) = 0;
    // Logits [batch, length, vocab].
    virtual void logits(std::span<const std::int32_t> tokens, std::int64_t batch, std::int64_t length,
                        std::span<float> out) = 0;
};

}  // namespace sextant
