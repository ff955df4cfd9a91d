#include "core/engine/position_tables.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sextant {
namespace {

constexpr std::int64_t kCachedBiasElements = 16'000'000;
constexpr double kHidden = -std::numeric_limits<double>::infinity();

at::Tensor tensor_of(const double* values, at::IntArrayRef shape, const at::TensorOptions& options) {
    return at::from_blob(const_cast<double*>(values), shape, at::kDouble).to(options, false, true);
}

// Distances are asked for from a range of its own, so a table by distance always reaches every pair of `range`.
BiasRange distance_range(const BiasRange& range) {
    const std::int64_t reach = std::max(range.first_query + range.queries, range.keys);
    return {reach, reach, 0, range.symmetric};
}

Array to_array(const at::Tensor& tensor, std::vector<std::int64_t> shape) {
    Array array(std::move(shape));
    const at::Tensor source = tensor.detach().to(at::kCPU, at::kDouble).contiguous();
    std::copy_n(source.data_ptr<double>(), array.values.size(), array.values.begin());
    return array;
}

at::Tensor flatten(const LearnedValues& values, const at::TensorOptions& options) {
    std::vector<double> flat;
    for (const auto& part : values)
        flat.insert(flat.end(), part.begin(), part.end());
    return tensor_of(flat.data(), {static_cast<std::int64_t>(flat.size())}, options);
}

LearnedValues zeros_like(const LearnedValues& values) {
    LearnedValues zeros;
    for (const auto& part : values)
        zeros.emplace_back(part.size(), 0.0);
    return zeros;
}

// flat learned parameters -> [H, queries, keys]
class LearnedBias : public torch::autograd::Function<LearnedBias> {
  public:
    static at::Tensor forward(torch::autograd::AutogradContext* context, const at::Tensor& flat, std::int64_t tables,
                              std::int64_t queries, std::int64_t keys, std::int64_t first_query) {
        const auto& owner = *reinterpret_cast<const PositionTables*>(tables);
        context->saved_data["tables"] = tables;
        context->saved_data["queries"] = queries;
        context->saved_data["keys"] = keys;
        context->saved_data["first"] = first_query;
        context->save_for_backward({flat});
        std::vector<double> values;
        std::int64_t heads = 0;
        owner.fill_bias({queries, keys, first_query, false}, owner.learned_values(flat), values, heads);
        return tensor_of(values.data(), {heads, queries, keys}, flat.options());
    }
    static torch::autograd::variable_list backward(torch::autograd::AutogradContext* context,
                                                   torch::autograd::variable_list gradients) {
        const auto& owner = *reinterpret_cast<const PositionTables*>(context->saved_data["tables"].toInt());
        const BiasRange range{context->saved_data["queries"].toInt(), context->saved_data["keys"].toInt(),
                              context->saved_data["first"].toInt(), false};
        const at::Tensor flat = context->get_saved_variables()[0];
        const LearnedValues learned = owner.learned_values(flat);
        LearnedValues gradient = zeros_like(learned);
        const std::int64_t heads = gradients[0].size(0);
        Array whole = to_array(gradients[0], {heads, range.queries, range.keys});
        if (owner.encoding().spec().traits.distance_only) {
            const BiasRange distances = distance_range(range);
            Array table({heads, distances.keys});
            for (std::int64_t h = 0; h < heads; ++h) {
                double* sums = table.values.data() + h * distances.keys;
                for (std::int64_t r = 0; r < range.queries; ++r) {
                    const double* row = whole.values.data() + (h * range.queries + r) * range.keys;
                    const std::int64_t query = range.first_query + r;
                    for (std::int64_t k = 0; k <= std::min(query, range.keys - 1); ++k)
                        sums[query - k] += row[k];
                }
            }
            owner.encoding().accumulate_gradient(distances, learned, table, gradient);
        } else {
            owner.encoding().accumulate_gradient(range, learned, whole, gradient);
        }
        return {flatten(gradient, flat.options()), at::Tensor(), at::Tensor(), at::Tensor(), at::Tensor()};
    }
};

// flat learned parameters -> [length, d_model]
class LearnedAdditive : public torch::autograd::Function<LearnedAdditive> {
  public:
    static at::Tensor forward(torch::autograd::AutogradContext* context, const at::Tensor& flat, std::int64_t tables,
                              std::int64_t length) {
        const auto& owner = *reinterpret_cast<const PositionTables*>(tables);
        context->saved_data["tables"] = tables;
        context->saved_data["length"] = length;
        context->save_for_backward({flat});
        const auto table = owner.encoding().additive(length, owner.learned_values(flat));
        return tensor_of(table->values.values().data(), {table->values.rows(), table->values.columns()},
                         flat.options());
    }
    static torch::autograd::variable_list backward(torch::autograd::AutogradContext* context,
                                                   torch::autograd::variable_list gradients) {
        const auto& owner = *reinterpret_cast<const PositionTables*>(context->saved_data["tables"].toInt());
        const std::int64_t length = context->saved_data["length"].toInt();
        const at::Tensor flat = context->get_saved_variables()[0];
        const LearnedValues learned = owner.learned_values(flat);
        LearnedValues gradient = zeros_like(learned);
        owner.encoding().accumulate_gradient({length, length, 0, false}, learned,
                                             to_array(gradients[0], {length, gradients[0].size(1)}), gradient);
        return {flatten(gradient, flat.options()), at::Tensor(), at::Tensor()};
    }
};

}  // namespace

PositionTables::PositionTables(const PositionEncoding& encoding, const ModelConfig& model, const AttentionSink& sink,
                               at::TensorOptions options)
    : encoding_(encoding), model_(model), sink_(sink), options_(options) {}

void PositionTables::forget_learned() {
    if (!encoding_.spec().traits.learned) return;
    additive_.clear();
    bias_.clear();
    cached_elements_ = 0;
}

LearnedValues PositionTables::learned_values(const at::Tensor& flat) const {
    LearnedValues values;
    if (!flat.defined()) return values;
    const at::Tensor host = flat.detach().to(at::kCPU, at::kDouble).contiguous();
    const double* next = host.data_ptr<double>();
    for (const LearnedParameter& parameter : encoding_.learned_parameters()) {
        std::int64_t count = 1;
        for (const std::int64_t size : parameter.shape)
            count *= size;
        values.emplace_back(next, next + count);
        next += count;
    }
    return values;
}

const PositionTables::Rotary* PositionTables::rotary(std::int64_t length) {
    if (!encoding_.spec().traits.rotary) return nullptr;
    if (const auto found = rotary_.find(length); found != rotary_.end()) return &found->second;
    const auto table = encoding_.rotary(length);
    if (!table) return nullptr;
    const auto pairs = static_cast<std::int64_t>(table->inverse_frequencies.size());
    const auto cells = static_cast<std::size_t>(length * pairs);
    std::vector<double> parts[4];
    for (auto& part : parts)
        part.resize(cells);
    for (std::int64_t p = 0; p < length; ++p) {
        for (std::int64_t i = 0; i < pairs; ++i) {
            const auto pair = static_cast<std::size_t>(i);
            const auto cell = static_cast<std::size_t>(p * pairs + i);
            const double angle = static_cast<double>(p) * table->inverse_frequencies[pair];
            const double growth =
                table->zeta.empty() ? 1.0 : std::pow(table->zeta[pair], static_cast<double>(p) / table->scale_base);
            const double cosine = std::cos(angle) * table->attention_factor;
            const double sine = std::sin(angle) * table->attention_factor;
            parts[0][cell] = cosine * growth;
            parts[1][cell] = sine * growth;
            parts[2][cell] = cosine / growth;
            parts[3][cell] = sine / growth;
        }
    }
    Rotary rotary;
    const std::vector<std::int64_t> shape{length, pairs};
    rotary.query_cos = tensor_of(parts[0].data(), shape, options_);
    rotary.query_sin = tensor_of(parts[1].data(), shape, options_);
    rotary.key_cos = tensor_of(parts[2].data(), shape, options_);
    rotary.key_sin = tensor_of(parts[3].data(), shape, options_);
    rotary.layout = table->layout;
    rotary.rotary_dim = table->rotary_dim;
    if (rotary_.size() > 8) rotary_.clear();
    return &(rotary_[length] = std::move(rotary));
}

PositionTables::Additive PositionTables::additive(std::int64_t length, const at::Tensor& learned) {
    if (!encoding_.spec().traits.additive) return {};
    if (const auto found = additive_.find(length); found != additive_.end()) return found->second;
    Additive result;
    if (learned.defined()) {
        result.values = LearnedAdditive::apply(learned, reinterpret_cast<std::int64_t>(this), length);
    } else if (const auto table = encoding_.additive(length, {})) {
        result.values =
            tensor_of(table->values.values().data(), {table->values.rows(), table->values.columns()}, options_);
        result.embedding_multiplier = table->embedding_multiplier;
    }
    if (additive_.size() > 8) additive_.clear();
    additive_[length] = result;
    return result;
}

void PositionTables::fill_bias(const BiasRange& range, const LearnedValues& learned, std::vector<double>& out,
                               std::int64_t& heads) const {
    const bool whole = encoding_.spec().traits.bias && !encoding_.spec().traits.distance_only;
    std::optional<BiasTable> table;
    std::optional<BiasTable> capped;  // rows for the sink's capped query positions, when a whole table needs them
    const std::int64_t cap =
        sink_.window > 0 ? sink_.sink + sink_.window - 1 : std::numeric_limits<std::int64_t>::max();
    if (encoding_.spec().traits.bias) {
        table = encoding_.bias(whole ? range : distance_range(range), learned);
        if (whole && sink_.window > 0) capped = encoding_.bias({1, cap + 1, cap, false}, learned);
    }
    heads = table ? table->values.shape[0] : 1;
    out.assign(static_cast<std::size_t>(heads * range.queries * range.keys), kHidden);
    const std::int64_t window = model_.attention_window;
    const bool by_distance = table && table->kind == BiasTable::Kind::kByDistance;
    const std::int64_t reach = by_distance ? table->values.shape[1] : 0;
    for (std::int64_t h = 0; h < heads; ++h) {
        for (std::int64_t r = 0; r < range.queries; ++r) {
            const std::int64_t query = range.first_query + r;
            double* row = out.data() + (h * range.queries + r) * range.keys;
            for (std::int64_t k = 0; k < range.keys; ++k) {
                std::int64_t distance = query - k;
                if (distance < 0 && !range.symmetric) break;
                if (window > 0 && std::abs(distance) >= window) continue;
                const bool in_sink = sink_.window > 0 && distance >= sink_.window;
                if (in_sink) {
                    if (k >= sink_.sink) continue;
                    distance = std::min(query, cap) - k;
                }
                if (!table) {
                    row[k] = 0.0;
                } else if (by_distance) {
                    const Array& side = distance < 0 && table->after.size() > 0 ? table->after : table->values;
                    row[k] = side.values[static_cast<std::size_t>(h * reach + std::abs(distance))];
                } else if (in_sink && capped) {
                    row[k] = capped->values.values[static_cast<std::size_t>(h * (cap + 1) + k)];
                } else {
                    row[k] = table->values.values[static_cast<std::size_t>((h * range.queries + r) * range.keys + k)];
                }
            }
        }
    }
}

at::Tensor PositionTables::bias(std::int64_t layer, const BiasRange& range, const at::Tensor& learned) {
    const auto& traits = encoding_.spec().traits;
    const bool from_learned = traits.bias && traits.learned && learned.defined();
    const std::int64_t set = from_learned && !traits.shared_by_layers ? layer : 0;
    const BiasKey key{set, range.queries, range.keys, range.first_query, range.symmetric};
    if (const auto found = bias_.find(key); found != bias_.end()) return found->second;
    at::Tensor result;
    if (from_learned && !range.symmetric) {
        result = LearnedBias::apply(learned, reinterpret_cast<std::int64_t>(this), range.queries, range.keys,
                                    range.first_query);
    } else if (!traits.bias && sink_.window == 0 && !range.symmetric) {
        // Only the mask: what comes after the query, and what is further back than the window.
        result = at::full({1, range.queries, range.keys}, kHidden, options_).triu(range.first_query + 1);
        if (model_.attention_window > 0) {
            result = result + at::full({1, range.queries, range.keys}, kHidden, options_)
                                  .tril(range.first_query - model_.attention_window);
        }
    } else {
        std::vector<double> values;
        std::int64_t heads = 1;
        fill_bias(range, learned_values(learned), values, heads);
        result = tensor_of(values.data(), {heads, range.queries, range.keys}, options_);
    }
    if (cached_elements_ + result.numel() > kCachedBiasElements) {
        bias_.clear();
        cached_elements_ = 0;
    }
    if (result.numel() <= kCachedBiasElements) {
        bias_[key] = result;
        cached_elements_ += result.numel();
    }
    return result;
}

at::Tensor rotate(const at::Tensor& x, const at::Tensor& cos, const at::Tensor& sin, RotaryLayout layout,
                  std::int64_t rotary_dim) {
    const std::int64_t half = rotary_dim / 2;
    const std::int64_t width = x.size(-1);
    if (layout == RotaryLayout::kHalfSplit) {
        const at::Tensor first = x.narrow(-1, 0, half);
        const at::Tensor second = x.narrow(-1, half, half);
        std::vector<at::Tensor> parts{first * cos - second * sin, first * sin + second * cos};
        if (width > rotary_dim) parts.push_back(x.narrow(-1, rotary_dim, width - rotary_dim));
        return at::cat(parts, -1);
    }
    const at::Tensor pairs = x.narrow(-1, 0, rotary_dim).reshape({x.size(0), x.size(1), x.size(2), half, 2});
    const at::Tensor first = pairs.select(-1, 0);
    const at::Tensor second = pairs.select(-1, 1);
    at::Tensor turned = at::stack({first * cos - second * sin, first * sin + second * cos}, -1)
                            .reshape({x.size(0), x.size(1), x.size(2), rotary_dim});
    if (width > rotary_dim) turned = at::cat({turned, x.narrow(-1, rotary_dim, width - rotary_dim)}, -1);
    return turned;
}

}  // namespace sextant
