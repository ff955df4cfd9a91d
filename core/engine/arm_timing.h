#pragma once
// Training steps of several arms timed in interleaved blocks, A B A B ...: a machine that drifts drifts for all of
// them. With one arm alone in the process the peak memory is its own.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/experiment/experiment.h"

namespace sextant {

struct ArmTimingRequest {
    std::string path = "fused";  // fused | reference
    std::int64_t threads = 1;    // resolved
    std::int64_t blocks = 8;     // of each arm
    std::int64_t steps = 10;     // a block
};

struct ArmTiming {
    std::string arm, path;
    std::int64_t length = 0, batch = 0;
    std::vector<double> block_ms;  // a step, mean of each block
    // The same in processor time over all threads: what other programs on the machine take does not count.
    std::vector<double> block_processor_ms;
    double idle_rss_mb = 0.0, peak_rss_mb = 0.0;
    // Floating-point operations of a training step, counted: 6 a parameter in products and token, and 12 a layer, key
    // and width in attention, over all keys on the reference path and over those not masked on the fused one.
    double step_flops = 0.0;
    [[nodiscard]] double median_ms() const;
    [[nodiscard]] double tokens_per_s() const;
};

// The arms' models as the experiment has them, on random tokens. One untimed block of each warms up.
[[nodiscard]] Result<std::vector<ArmTiming>> time_arms(const Experiment& experiment, std::span<const ArmConfig> arms,
                                                       const ArmTimingRequest& request);

[[nodiscard]] double counted_step_flops(const ModelConfig& model, std::int64_t batch, bool all_keys);

}  // namespace sextant
