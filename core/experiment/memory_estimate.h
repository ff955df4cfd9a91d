#pragma once
// What a run will need at its peak, from its sizes alone, before it starts. Deliberately on the high side by a little;
// used by `run` to refuse what cannot fit and by the editor to show it beside the parameter count.

#include <cstdint>
#include <string>

#include "core/experiment/experiment.h"

namespace sextant {

struct MemoryEstimate {
    std::int64_t base = 0;         // program and libraries, thread buffers
    std::int64_t parameters = 0;   // weights and gradients
    std::int64_t optimizer = 0;    // moments
    std::int64_t activations = 0;  // kept for the backward pass
    std::int64_t logits = 0;       // [B, T, V] and its gradient
    std::int64_t evaluation = 0;   // the longest evaluation window; not at the same time as training
    std::int64_t data = 0;         // tokens and text
    std::int64_t parameter_count = 0;
    [[nodiscard]] std::int64_t total() const;
    [[nodiscard]] std::string largest() const;  // "activations 812 MiB, logits 400 MiB"
};

// `path` "auto" counts as fused on a cpu where the model allows it, and as reference otherwise.
[[nodiscard]] MemoryEstimate estimate_memory(const Experiment& experiment, const ArmConfig& arm);
// MemAvailable of /proc/meminfo, or what the control group leaves if that is less; 0 when unknown.
[[nodiscard]] std::int64_t available_memory_bytes();

}  // namespace sextant
