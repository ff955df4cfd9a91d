#include "core/experiment/parameter_layout.h"

#include <algorithm>
#include <cmath>

#include "core/base/random.h"

namespace sextant {
namespace {

constexpr std::int64_t kAlignment = 16;  // floats: 64 bytes

std::int64_t aligned(std::int64_t offset) {
    return (offset + kAlignment - 1) / kAlignment * kAlignment;
}

enum class Place { kNewGroup, kSameGroup };

class Builder {
  public:
    void add(ParameterInfo info, Place place = Place::kNewGroup) {
        info.count = 1;
        for (const std::int64_t size : info.shape)
            info.count *= size;
        info.offset = place == Place::kNewGroup ? aligned(end_) : end_;
        end_ = info.offset + info.count;
        layout_.parameters.push_back(std::move(info));
    }
    void matrix(const std::string& name, std::int64_t out, std::int64_t in, double deviation, ParameterRole role,
                Place place = Place::kNewGroup) {
        ParameterInfo info;
        info.name = name;
        info.shape = {out, in};
        info.role = role;
        info.initializer = Initializer::kNormal;
        info.b = deviation;
        add(std::move(info), place);
    }
    void norm(const std::string& name, std::int64_t size) {
        ParameterInfo info;
        info.name = name;
        info.shape = {size};
        info.role = ParameterRole::kNorm;
        info.initializer = Initializer::kConstant;
        info.a = 1.0;
        add(std::move(info));
    }
    void learned(const std::string& prefix, const LearnedParameter& parameter) {
        ParameterInfo info;
        info.name = prefix + parameter.name;
        info.shape = parameter.shape;
        info.role = ParameterRole::kPosition;
        info.initializer = parameter.initializer;
        info.a = parameter.a;
        info.b = parameter.b;
        info.has_minimum = parameter.minimum.has_value();
        info.has_maximum = parameter.maximum.has_value();
        info.minimum = parameter.minimum.value_or(0.0);
        info.maximum = parameter.maximum.value_or(0.0);
        add(std::move(info));
    }
    ParameterLayout finish() {
        layout_.buffer_size = aligned(end_);
        return std::move(layout_);
    }

  private:
    ParameterLayout layout_;
    std::int64_t end_ = 0;
};

}  // namespace

std::int64_t ParameterLayout::parameter_count() const {
    std::int64_t total = 0;
    for (const ParameterInfo& parameter : parameters)
        total += parameter.count;
    return total;
}

const ParameterInfo* ParameterLayout::find(const std::string& name) const {
    const auto found =
        std::find_if(parameters.begin(), parameters.end(), [&](const ParameterInfo& p) { return p.name == name; });
    return found == parameters.end() ? nullptr : &*found;
}

ParameterLayout parameter_layout(const ModelConfig& model, const PositionEncoding& encoding) {
    const std::int64_t width = model.d_model;
    const std::int64_t query_rows = model.n_head * model.head_dim();
    const std::int64_t key_rows = model.n_kv_head * model.head_dim();
    const double deviation = model.initializer_std;
    const double residual = deviation / std::sqrt(2.0 * static_cast<double>(model.n_layer));

    Builder builder;
    builder.matrix("model.embed_tokens.weight", model.vocab_size, width, deviation, ParameterRole::kEmbedding);
    for (std::int64_t layer = 0; layer < model.n_layer; ++layer) {
        const std::string prefix = "model.layers." + std::to_string(layer) + ".";
        const auto hidden = [&](const char* name, std::int64_t out, std::int64_t in, double sd,
                                Place place = Place::kNewGroup) {
            builder.matrix(prefix + name, out, in, sd, ParameterRole::kHidden, place);
        };
        builder.norm(prefix + "input_layernorm.weight", width);
        hidden("self_attn.q_proj.weight", query_rows, width, deviation);
        hidden("self_attn.k_proj.weight", key_rows, width, deviation, Place::kSameGroup);
        hidden("self_attn.v_proj.weight", key_rows, width, deviation, Place::kSameGroup);
        hidden("self_attn.o_proj.weight", width, query_rows, residual);
        builder.norm(prefix + "post_attention_layernorm.weight", width);
        hidden("mlp.gate_proj.weight", model.d_ff, width, deviation);
        hidden("mlp.up_proj.weight", model.d_ff, width, deviation, Place::kSameGroup);
        hidden("mlp.down_proj.weight", width, model.d_ff, residual);
    }
    builder.norm("model.norm.weight", width);
    if (!model.tie_embeddings) {
        builder.matrix("lm_head.weight", model.vocab_size, width, deviation, ParameterRole::kEmbedding);
    }
    const std::vector<LearnedParameter> learned = encoding.learned_parameters();
    if (encoding.spec().traits.shared_by_layers) {
        for (const LearnedParameter& parameter : learned)
            builder.learned("position.", parameter);
    } else {
        for (std::int64_t layer = 0; layer < model.n_layer; ++layer) {
            for (const LearnedParameter& parameter : learned)
                builder.learned("position.layers." + std::to_string(layer) + ".", parameter);
        }
    }
    return builder.finish();
}

void initialize_parameter(const ParameterInfo& parameter, std::uint64_t seed, float* values) {
    Random random(derive_seed(seed, parameter.name));
    for (std::int64_t i = 0; i < parameter.count; ++i) {
        double value = parameter.a;
        if (parameter.initializer == Initializer::kNormal) value += parameter.b * random.normal();
        if (parameter.initializer == Initializer::kUniform) value += (parameter.b - parameter.a) * random.uniform();
        if (parameter.has_minimum) value = std::max(value, parameter.minimum);
        if (parameter.has_maximum) value = std::min(value, parameter.maximum);
        values[i] = static_cast<float>(value);
    }
}

}  // namespace sextant
