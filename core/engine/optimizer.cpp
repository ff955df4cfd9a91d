#include "core/engine/optimizer.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/engine/newton_schulz.h"

namespace sextant {
namespace {

bool decays(const ParameterInfo& parameter) {
    return parameter.role == ParameterRole::kHidden || parameter.role == ParameterRole::kEmbedding;
}

}  // namespace

double schedule_factor(const ScheduleConfig& schedule, std::int64_t step, std::int64_t steps) {
    if (step < schedule.warmup_steps) return static_cast<double>(step + 1) / static_cast<double>(schedule.warmup_steps);
    if (schedule.kind != "cosine") return 1.0;
    const std::int64_t span = steps - 1 - schedule.warmup_steps;
    if (span <= 0) return 1.0;
    const double progress =
        std::min(1.0, static_cast<double>(step - schedule.warmup_steps) / static_cast<double>(span));
    return schedule.final_ratio + (1.0 - schedule.final_ratio) * 0.5 * (1.0 + std::cos(std::numbers::pi * progress));
}

Optimizer::Optimizer(const OptimizerConfig& config, const ScheduleConfig& schedule, std::int64_t total_steps,
                     double gradient_clip, const ParameterLayout& layout, int threads)
    : config_(config),
      schedule_(schedule),
      total_steps_(total_steps),
      gradient_clip_(gradient_clip),
      layout_(layout),
      threads_(threads) {
    if (config.kind == "sgd") return;
    for (const ParameterInfo& parameter : layout.parameters)
        if (!orthogonalised(parameter))
            fused::append_ranges(parameter.offset, parameter.count, decays(parameter), adamw_ranges_);
    first_ = FlatBuffer(layout.buffer_size);
    second_ = FlatBuffer(layout.buffer_size);
    if (config.kind == "muon") momentum_ = FlatBuffer(layout.buffer_size);
}

std::vector<Optimizer::Moment> Optimizer::moments() {
    std::vector<Moment> all;
    if (first_.size() > 0) {
        all.push_back({"first", first_.values()});
        all.push_back({"second", second_.values()});
    }
    if (momentum_.size() > 0) all.push_back({"momentum", momentum_.values()});
    return all;
}

Optimizer::Step Optimizer::apply(std::int64_t step, std::span<float> parameters, std::span<float> gradients) {
    Step result;
    result.gradient_norm = fused::flat_norm(gradients, threads_);  // padding is zero
    const double factor = schedule_factor(schedule_, step, total_steps_);
    result.learning_rate = config_.learning_rate * factor;
    if (!std::isfinite(result.gradient_norm)) {
        result.finite = false;
        return result;
    }
    const double scale = gradient_clip_ > 0.0 && result.gradient_norm > gradient_clip_
                             ? gradient_clip_ / (result.gradient_norm + 1e-6)
                             : 1.0;
    double error = 0.0;
    int matrices = 0;
    if (!adamw_ranges_.empty()) adamw(step, result.learning_rate, scale, parameters.data(), gradients.data());
    for (const ParameterInfo& parameter : layout_.parameters) {
        float* values = parameters.data() + parameter.offset;
        const float* slopes = gradients.data() + parameter.offset;
        if (config_.kind == "sgd") {
            const auto rate = static_cast<float>(result.learning_rate * scale);
            for (std::int64_t i = 0; i < parameter.count; ++i)
                values[i] -= rate * slopes[i];
        } else if (orthogonalised(parameter)) {
            muon(parameter, config_.muon_learning_rate * factor, scale, values, slopes);
            error += orthogonality_error_;
            ++matrices;
        }
        if (parameter.has_minimum || parameter.has_maximum) {
            // The nearest floats inside the bounds, so that a rounded bound is not outside its own range.
            auto low = static_cast<float>(parameter.minimum);
            auto high = static_cast<float>(parameter.maximum);
            if (static_cast<double>(low) < parameter.minimum) low = std::nextafter(low, INFINITY);
            if (static_cast<double>(high) > parameter.maximum) high = std::nextafter(high, -INFINITY);
            for (std::int64_t i = 0; i < parameter.count; ++i) {
                if (parameter.has_minimum) values[i] = std::max(values[i], low);
                if (parameter.has_maximum) values[i] = std::min(values[i], high);
            }
        }
    }
    orthogonality_error_ = matrices > 0 ? error / matrices : 0.0;
    return result;
}

void Optimizer::adamw(std::int64_t step, double rate, double scale, float* values, const float* gradients) {
    const auto count = static_cast<double>(step + 1);
    const fused::AdamWStep update{static_cast<float>(rate),
                                  static_cast<float>(config_.beta1),
                                  static_cast<float>(config_.beta2),
                                  static_cast<float>(config_.epsilon),
                                  static_cast<float>(config_.weight_decay),
                                  static_cast<float>(scale),
                                  static_cast<float>(1.0 - std::pow(config_.beta1, count)),
                                  static_cast<float>(1.0 - std::pow(config_.beta2, count))};
    fused::flat_adamw(adamw_ranges_, update, values, gradients, first_.data(), second_.data(), threads_);
}

// Jordan's Muon: momentum by interpolation, Nesterov's look-ahead, orthogonalised, scaled by sqrt(max(1,
// rows/columns)).
void Optimizer::muon(const ParameterInfo& parameter, double rate, double scale, float* values, const float* gradients) {
    const std::int64_t rows = parameter.shape[0];
    const std::int64_t columns = parameter.shape[1];
    float* momentum = momentum_.data() + parameter.offset;
    const auto beta = static_cast<float>(config_.muon_momentum);
    const auto clip = static_cast<float>(scale);
    std::vector<float> update(static_cast<std::size_t>(parameter.count));
    for (std::int64_t i = 0; i < parameter.count; ++i) {
        const float g = gradients[i] * clip;
        momentum[i] += (1.0F - beta) * (g - momentum[i]);
        update[static_cast<std::size_t>(i)] = g + beta * (momentum[i] - g);
    }
    newton_schulz(std::span<float>(update), rows, columns);
    orthogonality_error_ = sextant::orthogonality_error(std::span<const float>(update), rows, columns);
    const auto size =
        static_cast<float>(rate * std::sqrt(std::max(1.0, static_cast<double>(rows) / static_cast<double>(columns))));
    const auto keep = static_cast<float>(1.0 - rate * config_.weight_decay);
    for (std::int64_t i = 0; i < parameter.count; ++i)
        values[i] = keep * values[i] - size * update[static_cast<std::size_t>(i)];
}

}  // namespace sextant
