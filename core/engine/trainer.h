#pragma once
// One training step after another: batch, forward, backward, clip, update. Knows no files and no events, so tests and
// benchmarks drive it as the worker does.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/data/window_sampler.h"
#include "core/engine/model_path.h"
#include "core/engine/optimizer.h"

namespace sextant {

struct TrainingStep {
    std::int64_t step = 0;  // steps done, this one included
    double loss = 0.0;      // of this step's batch, before the update
    double learning_rate = 0.0;
    double gradient_norm = 0.0;
    std::string not_finite;  // "loss" or "gradient": nothing was updated
};

class Trainer {
  public:
    // All references outlive the trainer. `tokens`: the training stream.
    Trainer(ModelPath& path, Optimizer& optimizer, std::span<const std::int32_t> tokens, std::int64_t length,
            std::int64_t batch, std::uint64_t seed);

    TrainingStep advance();
    [[nodiscard]] std::int64_t steps_done() const { return done_; }
    void resume_at(std::int64_t steps_done) { done_ = steps_done; }
    [[nodiscard]] std::int64_t tokens_per_step() const { return length_ * batch_; }
    // SHA-256 of the last batch's inputs and targets, for the record of a divergence.
    [[nodiscard]] std::string batch_sha256() const;
    [[nodiscard]] const WindowSampler& sampler() const { return sampler_; }

  private:
    ModelPath& path_;
    Optimizer& optimizer_;
    std::span<const std::int32_t> tokens_;
    std::int64_t length_, batch_;
    WindowSampler sampler_;
    std::int64_t done_ = 0;
    std::vector<std::int32_t> inputs_, targets_;
};

// Initial values of every parameter; norms and padding included.
void initialize_parameters(const ParameterLayout& layout, std::uint64_t seed, std::span<float> parameters);
// SHA-256 over name and initial values of all parameters that do not belong to the position encoding: equal in all
// arms.
[[nodiscard]] std::string shared_weights_sha256(const ParameterLayout& layout, std::span<const float> parameters);

}  // namespace sextant
