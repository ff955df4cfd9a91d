#include "core/engine/trainer.h"

#include <cmath>

#include "core/base/hash.h"

namespace sextant {

Trainer::Trainer(ModelPath& path, Optimizer& optimizer, std::span<const std::int32_t> tokens, std::int64_t length,
                 std::int64_t batch, std::uint64_t seed)
    : path_(path),
      optimizer_(optimizer),
      tokens_(tokens),
      length_(length),
      batch_(batch),
      sampler_(static_cast<std::int64_t>(tokens.size()), length, batch, seed),
      inputs_(static_cast<std::size_t>(length * batch)),
      targets_(inputs_.size()) {}

TrainingStep Trainer::advance() {
    std::size_t next = 0;
    for (const std::int64_t offset : sampler_.offsets(done_)) {
        for (std::int64_t i = 0; i < length_; ++i, ++next) {
            inputs_[next] = tokens_[static_cast<std::size_t>(offset + i)];
            targets_[next] = tokens_[static_cast<std::size_t>(offset + i + 1)];
        }
    }
    TrainingStep result;
    result.loss = path_.loss_and_gradients(inputs_, targets_, batch_, length_, done_);
    if (!std::isfinite(result.loss)) {
        result.step = done_ + 1;
        result.not_finite = "loss";
        return result;
    }
    const Optimizer::Step update = optimizer_.apply(done_, path_.parameters(), path_.gradients());
    result.learning_rate = update.learning_rate;
    result.gradient_norm = update.gradient_norm;
    if (!update.finite) {
        result.step = done_ + 1;
        result.not_finite = "gradient";
        return result;
    }
    path_.parameters_changed();
    result.step = ++done_;
    return result;
}

std::string Trainer::batch_sha256() const {
    Sha256 hash;
    hash.update(inputs_.data(), inputs_.size() * sizeof(std::int32_t));
    hash.update(targets_.data(), targets_.size() * sizeof(std::int32_t));
    return hash.hex();
}

void initialize_parameters(const ParameterLayout& layout, std::uint64_t seed, std::span<float> parameters) {
    std::fill(parameters.begin(), parameters.end(), 0.0F);
    for (const ParameterInfo& parameter : layout.parameters)
        initialize_parameter(parameter, seed, parameters.data() + parameter.offset);
}

std::string shared_weights_sha256(const ParameterLayout& layout, std::span<const float> parameters) {
    Sha256 hash;
    for (const ParameterInfo& parameter : layout.parameters) {
        if (parameter.role == ParameterRole::kPosition) continue;
        hash.update(parameter.name);
        hash.update(parameters.data() + parameter.offset, static_cast<std::size_t>(parameter.count) * sizeof(float));
    }
    return hash.hex();
}

}  // namespace sextant
