#pragma once
// AdamW with clipping by the global norm over one flat buffer, vectorised and split over threads. Weight decay acts on
// hidden and embedding matrices only. State is two flat buffers, laid out as the parameters.

#include <span>
#include <utility>
#include <vector>

#include "core/experiment/parameter_layout.h"

namespace sextant::fused {

struct FlatAdamWOptions {
    double learning_rate = 1e-3;
    double beta1 = 0.9, beta2 = 0.95;
    double epsilon = 1e-8;
    double weight_decay = 0.1;
    double gradient_clip = 0.0;  // 0: none
};

// sqrt of the sum of squares; the same for any thread count.
[[nodiscard]] double flat_norm(std::span<const float> values, int threads);

// One AdamW update of a range: `step` from 1, gradients times gradient_scale.
void flat_adamw(std::span<float> parameters, std::span<const float> gradients, std::span<float> first,
                std::span<float> second, std::int64_t step, const FlatAdamWOptions& options, double gradient_scale,
                int threads);

class FlatAdamW {
  public:
    FlatAdamW(const ParameterLayout& layout, int threads);
    // Returns the gradient's norm before clipping. Does not clamp bounded parameters.
    double step(std::span<float> parameters, std::span<const float> gradients, const FlatAdamWOptions& options);
    [[nodiscard]] std::span<float> first() { return first_; }
    [[nodiscard]] std::span<float> second() { return second_; }
    [[nodiscard]] std::int64_t steps() const { return steps_; }
    void set_steps(std::int64_t steps) { steps_ = steps; }

  private:
    struct Range {
        std::int64_t first, count;
        bool decays;
    };
    std::vector<Range> ranges_;
    std::vector<float> first_, second_;
    int threads_;
    std::int64_t steps_ = 0;
};

}  // namespace sextant::fused
