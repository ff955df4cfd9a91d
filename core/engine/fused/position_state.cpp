#include "core/engine/fused/position_state.h"

#include <cmath>
#include <stdexcept>

#include "core/engine/fused/block_bias.h"

namespace sextant::fused {

PositionState::PositionState(const ModelConfig& model, const PositionEncoding& encoding, const ParameterLayout& layout)
    : model_(model), encoding_(encoding) {
    const std::vector<LearnedParameter> parameters = encoding.learned_parameters();
    learned_ = !parameters.empty();
    const bool shared = encoding.spec().traits.shared_by_layers || !learned_;
    const std::int64_t count = shared ? 1 : model.n_layer;
    for (std::int64_t set = 0; set < count; ++set) {
        std::vector<Slot> slots;
        const std::string prefix = shared ? "position." : "position.layers." + std::to_string(set) + ".";
        for (const LearnedParameter& parameter : parameters) {
            const ParameterInfo* info = layout.find(prefix + parameter.name);
            if (info == nullptr) throw std::logic_error("the parameter layout has no " + prefix + parameter.name);
            slots.push_back({info->offset, info->count});
        }
        sets_.push_back(std::move(slots));
    }
    score_scale_ = static_cast<float>(encoding.score_scale() / std::sqrt(static_cast<double>(model.head_dim())));
}

std::size_t PositionState::set_of(std::int64_t layer) const {
    return sets_.size() == 1 ? 0 : static_cast<std::size_t>(layer);
}

LearnedValues PositionState::values_of(std::size_t set, const float* parameters) const {
    LearnedValues values;
    for (const Slot& slot : sets_[set])
        values.emplace_back(parameters + slot.offset, parameters + slot.offset + slot.count);
    return values;
}

void PositionState::refresh(std::int64_t length, const float* parameters, int workers) {
    if (length == length_ && !(learned_ && stale_)) return;
    if (const auto longest = encoding_.maximum_length(); longest && length > *longest)
        throw std::invalid_argument("position encoding '" + encoding_.spec().id + "' is defined for at most " +
                                    std::to_string(*longest) + " positions, not " + std::to_string(length));
    const bool same_length = length == length_;
    length_ = length;
    stale_ = false;
    learned_values_.clear();
    for (std::size_t set = 0; set < sets_.size(); ++set)
        learned_values_.push_back(values_of(set, parameters));

    has_additive_ = false;
    multiplier_ = 1.0f;
    if (const auto table = encoding_.additive(length, learned_values_[0])) {
        has_additive_ = true;
        multiplier_ = static_cast<float>(table->embedding_multiplier);
        additive_.reserve(length * model_.d_model);
        for (std::size_t i = 0; i < table->values.values().size(); ++i)
            additive_.data()[i] = static_cast<float>(table->values.values()[i]);
    }
    if (!same_length) {
        rotation_ = {};
        if (const auto table = encoding_.rotary(length)) make_rotation(*table);
    }

    has_bias_ = false;
    if (!encoding_.spec().traits.bias) return;
    if (!encoding_.spec().traits.distance_only) {
        block_bias_.clear();
        for (const LearnedValues& values : learned_values_)
            block_bias_.push_back(make_block_bias(encoding_, values, model_.n_head, length, workers));
        return;
    }
    bias_.resize(sets_.size());
    for (std::size_t set = 0; set < sets_.size(); ++set) {
        const auto table = encoding_.bias({length, length, 0, false}, learned_values_[set]);
        if (!table) continue;
        if (table->kind != BiasTable::Kind::kByDistance || table->values.shape.size() != 2)
            throw std::logic_error("the bias of '" + encoding_.spec().id + "' is no table by distance");
        has_bias_ = true;
        distances_ = table->values.shape[1];
        if (distances_ < length) throw std::logic_error("the bias table of '" + encoding_.spec().id + "' is too short");
        bias_stride_ = length + AlignedBuffer::kSlack;
        bias_[set].reserve(model_.n_head * bias_stride_);
        for (std::int64_t h = 0; h < model_.n_head; ++h) {
            float* row = bias_[set].data() + h * bias_stride_;
            const double* from = table->values.values.data() + h * distances_;
            for (std::int64_t m = 0; m < length; ++m)
                row[length - 1 - m] = static_cast<float>(from[m]);
            std::fill_n(row + length, AlignedBuffer::kSlack, 0.0f);
        }
    }
}

void PositionState::make_rotation(const RotaryTable& table) {
    const auto half = static_cast<std::int64_t>(table.inverse_frequencies.size());
    rotation_.dimension = 2 * half;
    rotation_.interleaved = table.layout == RotaryLayout::kInterleaved;
    const std::int64_t width = rotation_.interleaved ? 2 * half : half;
    const bool scaled = !table.zeta.empty();
    // xPos multiplies q by zeta^(p / base) and k by its reciprocal; only their product counts, so positions are taken
    // from the middle of the sequence, which keeps both factors in range at any length.
    const auto centre = static_cast<double>(length_ / 2);
    for (AlignedBuffer* buffer : {&cos_, &sin_})
        buffer->reserve(length_ * width);
    if (scaled)
        for (AlignedBuffer* buffer : {&key_cos_, &key_sin_})
            buffer->reserve(length_ * width);
    for (std::int64_t t = 0; t < length_; ++t)
        for (std::int64_t i = 0; i < width; ++i) {
            const auto pair = static_cast<std::size_t>(rotation_.interleaved ? i / 2 : i);
            const double angle = static_cast<double>(t) * table.inverse_frequencies[pair];
            const double c = std::cos(angle) * table.attention_factor, s = std::sin(angle) * table.attention_factor;
            const double zeta =
                scaled ? std::pow(table.zeta[pair], (static_cast<double>(t) - centre) / table.scale_base) : 1.0;
            const std::int64_t at = t * width + i;
            cos_.data()[at] = static_cast<float>(c * zeta);
            sin_.data()[at] = static_cast<float>(s * zeta);
            if (!scaled) continue;
            key_cos_.data()[at] = static_cast<float>(c / zeta);
            key_sin_.data()[at] = static_cast<float>(s / zeta);
        }
    rotation_.query_cos = cos_.data();
    rotation_.query_sin = sin_.data();
    rotation_.key_cos = scaled ? key_cos_.data() : cos_.data();
    rotation_.key_sin = scaled ? key_sin_.data() : sin_.data();
}

const float* PositionState::bias(std::int64_t layer) const {
    return has_bias_ ? bias_[set_of(layer)].data() : nullptr;
}
BlockBias* PositionState::block_bias(std::int64_t layer) const {
    return block_bias_.empty() ? nullptr : block_bias_[set_of(layer)].get();
}

void PositionState::prepare(PositionGradients& gradients) const {
    if (!learned_) return;
    if (has_additive_) {
        gradients.additive.reserve(length_ * model_.d_model);
        std::fill_n(gradients.additive.data(), length_ * model_.d_model, 0.0f);
    }
    if (!has_bias_) return;
    gradients.bias.resize(sets_.size());
    for (AlignedBuffer& bias : gradients.bias) {
        bias.reserve(model_.n_head * bias_stride_);
        std::fill_n(bias.data(), model_.n_head * bias_stride_, 0.0f);
    }
}

float* PositionState::bias_gradient(PositionGradients& gradients, std::int64_t layer) const {
    return learned_ && has_bias_ ? gradients.bias[set_of(layer)].data() : nullptr;
}
float* PositionState::additive_gradient(PositionGradients& gradients) const {
    return learned_ && has_additive_ ? gradients.additive.data() : nullptr;
}

void PositionState::finish(std::vector<PositionGradients*> threads, float* flat_gradients) const {
    if (!learned_) return;
    for (std::size_t set = 0; set < sets_.size(); ++set) {
        LearnedValues gradient;
        for (const Slot& slot : sets_[set])
            gradient.emplace_back(static_cast<std::size_t>(slot.count), 0.0);
        if (has_additive_ && set == 0) {
            Array table({length_, model_.d_model});
            for (const PositionGradients* thread : threads)
                for (std::size_t i = 0; i < table.values.size(); ++i)
                    table.values[i] += static_cast<double>(thread->additive.data()[i]);
            encoding_.accumulate_gradient({length_, length_, 0, false}, learned_values_[set], table, gradient);
        }
        if (has_bias_) {
            Array table({model_.n_head, distances_});
            for (const PositionGradients* thread : threads)
                for (std::int64_t h = 0; h < model_.n_head; ++h)
                    for (std::int64_t m = 0; m < length_; ++m)
                        table.values[static_cast<std::size_t>(h * distances_ + m)] +=
                            static_cast<double>(thread->bias[set].data()[h * bias_stride_ + length_ - 1 - m]);
            encoding_.accumulate_gradient({length_, length_, 0, false}, learned_values_[set], table, gradient);
        }
        if (!block_bias_.empty()) finish_block_bias(*block_bias_[set], gradient);
        for (std::size_t i = 0; i < sets_[set].size(); ++i)
            for (std::int64_t j = 0; j < sets_[set][i].count; ++j)
                flat_gradients[sets_[set][i].offset + j] = static_cast<float>(gradient[i][static_cast<std::size_t>(j)]);
    }
}

}  // namespace sextant::fused
