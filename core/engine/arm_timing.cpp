#include "core/engine/arm_timing.h"

#include <time.h>

#include <algorithm>
#include <chrono>
#include <memory>

#include "core/base/random.h"
#include "core/encoding/registry.h"
#include "core/engine/device.h"
#include "core/engine/flat_buffer.h"
#include "core/engine/optimizer.h"
#include "core/engine/path_choice.h"
#include "core/engine/process_memory.h"
#include "core/engine/system/machine.h"
#include "core/engine/trainer.h"
#include "core/experiment/parameter_layout.h"

namespace sextant {
namespace {

double processor_ms() {
    timespec now{};
    (void)::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) * 1e-6;
}

class ReadyArm {
  public:
    [[nodiscard]] static Result<std::unique_ptr<ReadyArm>> make(const Experiment& experiment, const ArmConfig& arm,
                                                                const ArmTimingRequest& request) {
        auto ready = std::make_unique<ReadyArm>();
        ready->model_ = experiment.model_of(arm);
        const TrainingConfig training = experiment.training_of(arm);
        SEXTANT_TRY(encoding, make_encoding(arm.encoding, ready->model_.encoding_site()));
        ready->encoding_ = std::move(encoding);
        ready->layout_ = parameter_layout(ready->model_, *ready->encoding_);
        ready->parameters_ = FlatBuffer(ready->layout_.buffer_size);
        ready->gradients_ = FlatBuffer(ready->layout_.buffer_size);
        initialize_parameters(ready->layout_, 1, ready->parameters_.values());
        SEXTANT_TRY(path, choose_path(ready->model_, *ready->encoding_, ready->layout_, ready->parameters_.values(),
                                      ready->gradients_.values(),
                                      {request.path, "cpu", training.precision, request.threads, 1, {}}));
        ready->path_ = std::move(path);
        ScheduleConfig constant;
        constant.kind = "constant";
        constant.warmup_steps = 0;
        ready->optimizer_ = std::make_unique<Optimizer>(training.optimizer, constant,
                                                        std::max<std::int64_t>(1, (request.blocks + 1) * request.steps),
                                                        training.gradient_clip, ready->layout_, request.threads);
        const auto count = static_cast<std::size_t>(training.batch_size * ready->model_.context_length);
        ready->tokens_.resize(count);
        ready->targets_.resize(count);
        ready->timing_.arm = arm.name;
        ready->timing_.path = ready->path_.path->name();
        ready->timing_.length = ready->model_.context_length;
        ready->timing_.batch = training.batch_size;
        ready->timing_.step_flops =
            counted_step_flops(ready->model_, training.batch_size, ready->timing_.path == "reference");
        return ready;
    }

    // Mean milliseconds of a step: passed, and of the processor.
    std::pair<double, double> block(std::int64_t steps) {
        const auto vocabulary = static_cast<std::uint64_t>(model_.vocab_size);
        double total = 0.0;
        double processor = 0.0;
        for (std::int64_t i = 0; i < steps; ++i) {
            for (std::size_t t = 0; t < tokens_.size(); ++t) {
                tokens_[t] = static_cast<std::int32_t>(random_.below64(vocabulary));
                targets_[t] = static_cast<std::int32_t>(random_.below64(vocabulary));
            }
            const double processor_begin = processor_ms();
            const auto begin = std::chrono::steady_clock::now();
            (void)path_.path->loss_and_gradients(tokens_, targets_, timing_.batch, timing_.length, step_);
            (void)optimizer_->apply(step_, parameters_.values(), gradients_.values());
            path_.path->parameters_changed();
            total += std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
            processor += processor_ms() - processor_begin;
            ++step_;
        }
        return {total / static_cast<double>(steps), processor / static_cast<double>(steps)};
    }
    ArmTiming& timing() { return timing_; }

  private:
    ModelConfig model_;
    std::unique_ptr<PositionEncoding> encoding_;
    ParameterLayout layout_;
    FlatBuffer parameters_, gradients_;
    ChosenPath path_;
    std::unique_ptr<Optimizer> optimizer_;
    std::vector<std::int32_t> tokens_, targets_;
    Random random_{1};
    std::int64_t step_ = 0;
    ArmTiming timing_;
};

}  // namespace

double ArmTiming::median_ms() const {
    if (block_ms.empty()) return 0.0;
    std::vector<double> sorted = block_ms;
    std::sort(sorted.begin(), sorted.end());
    const std::size_t half = sorted.size() / 2;
    return sorted.size() % 2 == 1 ? sorted[half] : 0.5 * (sorted[half - 1] + sorted[half]);
}

double ArmTiming::tokens_per_s() const {
    return static_cast<double>(batch * length) / std::max(median_ms(), 1e-9) * 1e3;
}

double counted_step_flops(const ModelConfig& model, std::int64_t batch, bool all_keys) {
    const auto d = static_cast<double>(model.d_model);
    const double kv = d * static_cast<double>(model.n_kv_head) / static_cast<double>(model.n_head);
    const double layer = 2.0 * d * d + 2.0 * d * kv + 3.0 * d * static_cast<double>(model.d_ff);
    const auto layers = static_cast<double>(model.n_layer);
    const double products = layers * layer + d * static_cast<double>(model.vocab_size);
    const auto length = static_cast<double>(model.context_length);
    const double keys = all_keys ? length : 0.5 * (length + 1.0);
    return static_cast<double>(batch) * length * (6.0 * products + 12.0 * layers * d * keys);
}

Result<std::vector<ArmTiming>> time_arms(const Experiment& experiment, std::span<const ArmConfig> arms,
                                         const ArmTimingRequest& request) {
    use_threads(request.threads);
    const double idle = idle_resident_mb();
    restart_peak_resident();
    std::vector<std::unique_ptr<ReadyArm>> ready;
    for (const ArmConfig& arm : arms) {
        SEXTANT_TRY(one, ReadyArm::make(experiment, arm, request));
        ready.push_back(std::move(one));
    }
    for (std::int64_t block = 0; block <= request.blocks; ++block) {
        for (const auto& arm : ready) {
            const auto [passed, processor] = arm->block(request.steps);
            if (block == 0) continue;
            arm->timing().block_ms.push_back(passed);
            arm->timing().block_processor_ms.push_back(processor);
        }
    }
    std::vector<ArmTiming> timings;
    for (const auto& arm : ready) {
        arm->timing().idle_rss_mb = idle;
        arm->timing().peak_rss_mb = peak_resident_mb();
        timings.push_back(arm->timing());
    }
    return timings;
}

}  // namespace sextant
