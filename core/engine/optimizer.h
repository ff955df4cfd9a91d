#pragma once
// AdamW, Muon and plain SGD over the flat buffers; both engine paths share it. Sums run in a fixed order: the result
// does not depend on the number of threads.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/engine/flat_buffer.h"
#include "core/engine/fused/flat_optimizer.h"
#include "core/experiment/parameter_layout.h"

namespace sextant {

// Learning rate of step 0 .. steps-1 as a share of the base rate: linear warm-up, then cosine to final_ratio (reached
// at the last step) or constant.
[[nodiscard]] double schedule_factor(const ScheduleConfig& schedule, std::int64_t step, std::int64_t steps);

class Optimizer {
  public:
    Optimizer(const OptimizerConfig& config, const ScheduleConfig& schedule, std::int64_t total_steps,
              double gradient_clip, const ParameterLayout& layout, int threads = 1);

    struct Step {
        double gradient_norm = 0.0;  // before clipping
        double learning_rate = 0.0;
        bool finite = true;  // false: nothing was changed
    };
    // Clips, updates and clamps bounded parameters. step counts from 0.
    Step apply(std::int64_t step, std::span<float> parameters, std::span<float> gradients);

    // Mean over the matrices Muon updated in the last step; 0 when there were none.
    [[nodiscard]] double orthogonality_error() const { return orthogonality_error_; }

    struct Moment {
        std::string name;  // "first" | "second" | "momentum"
        std::span<float> values;
    };
    // What a checkpoint keeps; each as long as the parameter buffer.
    [[nodiscard]] std::vector<Moment> moments();

  private:
    [[nodiscard]] bool orthogonalised(const ParameterInfo& parameter) const {
        return config_.kind == "muon" && parameter.role == ParameterRole::kHidden;
    }
    void adamw(std::int64_t step, double rate, double scale, float* values, const float* gradients);
    void muon(const ParameterInfo& parameter, double rate, double scale, float* values, const float* gradients);

    OptimizerConfig config_;
    ScheduleConfig schedule_;
    std::int64_t total_steps_;
    double gradient_clip_;
    const ParameterLayout& layout_;
    int threads_;
    std::vector<fused::FlatRange> adamw_ranges_;
    FlatBuffer first_, second_, momentum_;
    double orthogonality_error_ = 0.0;
};

}  // namespace sextant
