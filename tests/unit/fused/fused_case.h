#pragma once
// A model, its buffers, a batch and the fused path over them, ready to be compared with the double model.

#include <algorithm>
#include <cmath>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "core/base/random.h"
#include "core/encoding/registry.h"
#include "core/engine/fused/aligned_buffer.h"
#include "core/engine/fused/fused_path.h"
#include "double_model.h"

namespace sextant::test {

inline ModelConfig small_model() {
    ModelConfig model;
    model.vocab_size = 61;
    model.d_model = 24;
    model.n_layer = 2;
    model.n_head = 4;
    model.n_kv_head = 2;
    model.d_ff = 37;
    model.context_length = 80;
    model.initializer_std = 0.2;  // large enough that every gradient is well above rounding
    return model;
}

inline bool decays(const ParameterLayout& layout, std::int64_t index) {
    for (const ParameterInfo& info : layout.parameters)
        if (index >= info.offset && index < info.offset + info.count)
            return info.role == ParameterRole::kEmbedding || info.role == ParameterRole::kHidden;
    return false;
}

class FusedCase {
  public:
    FusedCase(ModelConfig config, const EncodingConfig& encoding_config, std::int64_t batch_size,
              std::int64_t sequence_length, int threads, bool bfloat16 = false)
        : model(std::move(config)), batch(batch_size), length(sequence_length) {
        auto made = make_encoding(encoding_config, model.encoding_site());
        if (!made.ok()) throw std::runtime_error(made.error().sentence());
        encoding = std::move(made).value();
        layout = parameter_layout(model, *encoding);
        parameters.reserve(layout.buffer_size);
        gradients.reserve(layout.buffer_size);
        std::fill_n(parameters.data(), layout.buffer_size, 0.0f);
        for (const ParameterInfo& info : layout.parameters)
            initialize_parameter(info, 7, parameters.data() + info.offset);
        Random random(11);
        for (std::int64_t i = 0; i < batch * length; ++i) {
            tokens.push_back(static_cast<std::int32_t>(random.below(static_cast<std::uint32_t>(model.vocab_size))));
            targets.push_back(static_cast<std::int32_t>(random.below(static_cast<std::uint32_t>(model.vocab_size))));
        }
        path =
            fused::make_fused_path(model, *encoding, layout, parameters_span(), gradients_span(), {threads, bfloat16});
    }
    // Replaces the initial values by random ones that keep every gradient above rounding: weights of standard deviation
    // `gain` / sqrt(inputs). At 1 scores are of the order of 1; far above it a softmax saturates, and the gradients are
    // small differences of large numbers in any float32 program.
    void wake_gradients(std::uint64_t seed, double gain) {
        Random random(seed + 1000);
        for (const ParameterInfo& info : layout.parameters) {
            if (info.role == ParameterRole::kPosition) continue;
            const double deviation = gain / std::sqrt(static_cast<double>(info.shape.back()));
            for (std::int64_t i = 0; i < info.count; ++i)
                parameters.data()[info.offset + i] = static_cast<float>(
                    info.role == ParameterRole::kNorm ? 1.0 + 0.2 * random.normal() : deviation * random.normal());
        }
        path->parameters_changed();
    }
    double loss_and_gradients() { return path->loss_and_gradients(tokens, targets, batch, length, 0); }
    [[nodiscard]] DoubleResult expected() const {
        const std::vector<double> p(parameters.data(), parameters.data() + layout.buffer_size);
        return double_model(model, *encoding, layout, p, tokens, targets, batch, length);
    }
    [[nodiscard]] std::pair<double, std::string> worst_gradient(const std::vector<double>& expected_gradients) const {
        return worst_gradient(expected_gradients, gradients.data());
    }
    // max|difference| / max|gradient| of the worst tensor, and its name. A gradient that is zero by symmetry (fire's b2
    // adds the same to every key, which a softmax does not see) is rounding in the double model too; there the
    // difference counts against a hundredth of the largest gradient of all.
    [[nodiscard]] std::pair<double, std::string> worst_gradient(const std::vector<double>& expected_gradients,
                                                                const float* found_gradients) const {
        std::pair<double, std::string> worst{0.0, ""};
        double overall = 0.0;
        for (const ParameterInfo& info : layout.parameters)
            for (std::int64_t i = info.offset; i < info.offset + info.count; ++i)
                overall = std::max(overall, std::abs(expected_gradients[static_cast<std::size_t>(i)]));
        for (const ParameterInfo& info : layout.parameters) {
            double difference = 0.0, largest = 0.0;
            for (std::int64_t i = info.offset; i < info.offset + info.count; ++i) {
                const double wanted = expected_gradients[static_cast<std::size_t>(i)];
                const double found = static_cast<double>(found_gradients[i]);
                difference = std::max(difference, std::isfinite(found) ? std::abs(found - wanted) : 1e30);
                largest = std::max(largest, std::abs(wanted));
            }
            const bool null = largest <= 1e-9 * overall;
            const double scale = null ? 1e-2 * overall : largest;
            const double ratio = difference / std::max(scale, 1e-12);
            if (ratio > worst.first) worst = {ratio, info.name};
        }
        return worst;
    }
    template <class Values>
    void clamp(Values&& values) const {
        for (const ParameterInfo& info : layout.parameters)
            for (std::int64_t i = info.offset; i < info.offset + info.count; ++i) {
                auto& value = values[static_cast<std::size_t>(i)];
                using Value = std::decay_t<decltype(value)>;
                if (info.has_minimum) value = std::max(value, static_cast<Value>(info.minimum));
                if (info.has_maximum) value = std::min(value, static_cast<Value>(info.maximum));
            }
    }
    [[nodiscard]] std::span<float> parameters_span() {
        return {parameters.data(), static_cast<std::size_t>(layout.buffer_size)};
    }
    [[nodiscard]] std::span<float> gradients_span() {
        return {gradients.data(), static_cast<std::size_t>(layout.buffer_size)};
    }

    [[nodiscard]] std::string description() const {
        return encoding->spec().id + " H" + std::to_string(model.n_head) + " kv" + std::to_string(model.n_kv_head) +
               " hd" + std::to_string(model.head_dim()) + " V" + std::to_string(model.vocab_size) + " B" +
               std::to_string(batch) + " T" + std::to_string(length) + " window " +
               std::to_string(model.attention_window);
    }

    ModelConfig model;
    std::int64_t batch, length;
    std::unique_ptr<PositionEncoding> encoding;
    ParameterLayout layout;
    fused::AlignedBuffer parameters, gradients;
    std::vector<std::int32_t> tokens, targets;
    std::unique_ptr<ModelPath> path;
};

// Any encoding on any shape: odd head_dim where the encoding allows it, key-value groups, windows, lengths that are no
// multiple of a block, one token, one sequence, one to three threads.
inline FusedCase random_case(std::uint64_t seed) {
    Random random(seed);
    const auto& catalog = encoding_catalog();
    const EncodingSpec& spec = catalog[random.below(static_cast<std::uint32_t>(catalog.size()))];
    ModelConfig model;
    const std::int64_t kv = 1 + random.below(3), group = 1 + random.below(3);
    std::int64_t head_dim = 1 + random.below(40);
    if (spec.traits.rotary || spec.traits.additive) head_dim += head_dim % 2;
    model.n_kv_head = kv;
    model.n_head = kv * group;
    if (model.n_head * head_dim == 1) head_dim = 3;  // a norm of one number leaves its sign: every gradient is rounding
    model.d_model = model.n_head * head_dim;
    model.n_layer = 1 + random.below(2);
    model.d_ff = 1 + random.below(70);
    model.vocab_size = 2 + random.below(90);
    model.tie_embeddings = random.below(2) == 0;
    const std::int64_t batch = 1 + random.below(3);
    const std::int64_t lengths[] = {1, 2, 31, 65, 130, 1 + random.below(40)};
    const std::int64_t length = lengths[random.below(6)];
    model.context_length = length;
    if (random.below(3) == 0) model.attention_window = 1 + random.below(static_cast<std::uint32_t>(length));
    EncodingConfig config{spec.id, {}};
    if (spec.id == "rope" && random.below(2) == 0) config.parameters["layout"] = std::string("interleaved");
    if (spec.id == "rope" && head_dim % 4 == 0 && random.below(2) == 0) config.parameters["rotary_fraction"] = 0.5;
    return {model, config, batch, length, 1 + static_cast<int>(random.below(3))};
}

}  // namespace sextant::test
