#include "double_model.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sextant::test {
namespace {

using Doubles = std::vector<double>;
using Index = std::int64_t;

double& at(Doubles& values, Index index) {
    return values[static_cast<std::size_t>(index)];
}
double at(const Doubles& values, Index index) {
    return values[static_cast<std::size_t>(index)];
}
Doubles zeros(Index count) {
    return Doubles(static_cast<std::size_t>(count), 0.0);
}

// y[rows, out] = x[rows, in] W^T; the backward pass adds to dx and dw.
Doubles linear(const Doubles& x, const double* w, Index rows, Index out, Index in) {
    Doubles y = zeros(rows * out);
    for (Index r = 0; r < rows; ++r)
        for (Index o = 0; o < out; ++o)
            for (Index i = 0; i < in; ++i)
                at(y, r * out + o) += at(x, r * in + i) * w[o * in + i];
    return y;
}
void linear_backward(const Doubles& dy, const Doubles& x, const double* w, Index rows, Index out, Index in, Doubles& dx,
                     double* dw) {
    for (Index r = 0; r < rows; ++r)
        for (Index o = 0; o < out; ++o)
            for (Index i = 0; i < in; ++i) {
                at(dx, r * in + i) += at(dy, r * out + o) * w[o * in + i];
                dw[o * in + i] += at(dy, r * out + o) * at(x, r * in + i);
            }
}

Doubles norm(const Doubles& x, const double* g, double epsilon, Index rows, Index d) {
    Doubles y = zeros(rows * d);
    for (Index r = 0; r < rows; ++r) {
        double square = 0.0;
        for (Index i = 0; i < d; ++i)
            square += at(x, r * d + i) * at(x, r * d + i);
        const double s = 1.0 / std::sqrt(square / static_cast<double>(d) + epsilon);
        for (Index i = 0; i < d; ++i)
            at(y, r * d + i) = at(x, r * d + i) * s * g[i];
    }
    return y;
}
void norm_backward(const Doubles& dy, const Doubles& x, const double* g, double epsilon, Index rows, Index d,
                   Doubles& dx, double* dg) {
    for (Index r = 0; r < rows; ++r) {
        double square = 0.0, dot = 0.0;
        for (Index i = 0; i < d; ++i) {
            square += at(x, r * d + i) * at(x, r * d + i);
            dot += at(dy, r * d + i) * g[i] * at(x, r * d + i);
        }
        const double s = 1.0 / std::sqrt(square / static_cast<double>(d) + epsilon);
        for (Index i = 0; i < d; ++i) {
            at(dx, r * d + i) +=
                s * g[i] * at(dy, r * d + i) - s * s * s * dot / static_cast<double>(d) * at(x, r * d + i);
            dg[i] += at(dy, r * d + i) * at(x, r * d + i) * s;
        }
    }
}

struct Positions {
    Index length = 0;
    std::optional<AdditiveTable> additive;
    std::optional<RotaryTable> rotary;
    std::vector<Array> bias;  // a set each, [H, T, T], empty when none
    bool by_distance = false;
};

class Model {
  public:
    Model(const ModelConfig& m, const PositionEncoding& e, const ParameterLayout& l, const Doubles& p)
        : m_(m), encoding_(e), layout_(l), p_(p), g_(zeros(l.buffer_size)) {}

    DoubleResult run(const std::vector<std::int32_t>& tokens, const std::vector<std::int32_t>& targets, Index batch,
                     Index length);

  private:
    struct Layer {
        Doubles x, n1, qkv, att, probabilities, middle, n2, gate_up, h;
    };
    Index offset(const std::string& name) const { return layout_.find(name)->offset; }
    std::string prefix(Index l) const { return "model.layers." + std::to_string(l) + "."; }
    std::size_t set_of(Index l) const { return learned_.size() == 1 ? 0 : static_cast<std::size_t>(l); }
    void make_positions();
    void rotate(Doubles& qkv, bool back) const;
    double bias(Index layer, Index h, Index i, Index j) const;
    void attention(Index l, Layer& s) const;
    void attention_backward(Index l, const Layer& s, const Doubles& datt, Doubles& dqkv);
    double scale() const { return encoding_.score_scale() / std::sqrt(static_cast<double>(m_.head_dim())); }
    bool visible(Index i, Index j) const { return j <= i && (m_.attention_window == 0 || i - j < m_.attention_window); }

    const ModelConfig& m_;
    const PositionEncoding& encoding_;
    const ParameterLayout& layout_;
    const Doubles& p_;
    Doubles g_;
    Index B_ = 0, T_ = 0;
    std::vector<LearnedValues> learned_;
    Positions positions_;
    std::vector<Array> d_bias_;
};

void Model::make_positions() {
    const auto parameters = encoding_.learned_parameters();
    const bool shared = parameters.empty() || encoding_.spec().traits.shared_by_layers;
    for (Index set = 0; set < (shared ? 1 : m_.n_layer); ++set) {
        LearnedValues values;
        for (const auto& parameter : parameters) {
            const ParameterInfo* info = layout_.find(
                (shared ? std::string("position.") : "position.layers." + std::to_string(set) + ".") + parameter.name);
            values.emplace_back(p_.begin() + info->offset, p_.begin() + info->offset + info->count);
        }
        learned_.push_back(values);
        if (auto table = encoding_.bias({T_, T_, 0, false}, values)) {
            positions_.by_distance = table->kind == BiasTable::Kind::kByDistance;
            positions_.bias.push_back(table->values);
            d_bias_.emplace_back(table->values.shape);
        }
    }
    positions_.additive = encoding_.additive(T_, learned_[0]);
    positions_.rotary = encoding_.rotary(T_);
}

void Model::rotate(Doubles& qkv, bool back) const {
    if (!positions_.rotary) return;
    const RotaryTable& table = *positions_.rotary;
    const Index hd = m_.head_dim(), width = (m_.n_head + 2 * m_.n_kv_head) * hd;
    const auto half = static_cast<Index>(table.inverse_frequencies.size());
    for (Index r = 0; r < B_ * T_; ++r)
        for (Index h = 0; h < m_.n_head + m_.n_kv_head; ++h)
            for (Index i = 0; i < half; ++i) {
                const auto pair = static_cast<std::size_t>(i);
                const auto t = static_cast<double>(r % T_);
                double factor = table.attention_factor;
                if (!table.zeta.empty()) {
                    const double z = std::pow(table.zeta[pair], t / table.scale_base);
                    factor *= h < m_.n_head ? z : 1.0 / z;
                }
                const double angle = t * table.inverse_frequencies[pair];
                const double c = std::cos(angle) * factor, s = (back ? -1 : 1) * std::sin(angle) * factor;
                const bool interleaved = table.layout == RotaryLayout::kInterleaved;
                const Index base = r * width + h * hd;
                const Index first = base + (interleaved ? 2 * i : i),
                            second = base + (interleaved ? 2 * i + 1 : i + half);
                const double a = at(qkv, first), b = at(qkv, second);
                at(qkv, first) = a * c - b * s;
                at(qkv, second) = b * c + a * s;
            }
}

double Model::bias(Index layer, Index h, Index i, Index j) const {
    if (positions_.bias.empty()) return 0.0;
    const Array& table = positions_.bias[set_of(layer)];
    const Index k = positions_.by_distance ? h * table.shape[1] + i - j : (h * T_ + i) * T_ + j;
    return table.values[static_cast<std::size_t>(k)];
}

void Model::attention(Index l, Layer& s) const {
    const Index hd = m_.head_dim(), H = m_.n_head, group = H / m_.n_kv_head, width = (H + 2 * m_.n_kv_head) * hd;
    s.att = zeros(B_ * T_ * H * hd);
    s.probabilities = zeros(B_ * H * T_ * T_);
    for (Index b = 0; b < B_; ++b)
        for (Index h = 0; h < H; ++h)
            for (Index i = 0; i < T_; ++i) {
                double* p = s.probabilities.data() + ((b * H + h) * T_ + i) * T_;
                const Index q = (b * T_ + i) * width + h * hd;
                double top = -std::numeric_limits<double>::infinity(), sum = 0.0;
                for (Index j = 0; j < T_; ++j) {
                    p[j] = -std::numeric_limits<double>::infinity();
                    if (!visible(i, j)) continue;
                    const Index k = (b * T_ + j) * width + (H + h / group) * hd;
                    double dot = 0.0;
                    for (Index c = 0; c < hd; ++c)
                        dot += at(s.qkv, q + c) * at(s.qkv, k + c);
                    p[j] = dot * scale() + bias(l, h, i, j);
                    top = std::max(top, p[j]);
                }
                for (Index j = 0; j < T_; ++j)
                    sum += p[j] = std::exp(p[j] - top);
                for (Index j = 0; j < T_; ++j) {
                    p[j] /= sum;
                    const Index v = (b * T_ + j) * width + (H + m_.n_kv_head + h / group) * hd;
                    for (Index c = 0; c < hd; ++c)
                        at(s.att, (b * T_ + i) * H * hd + h * hd + c) += p[j] * at(s.qkv, v + c);
                }
            }
}

void Model::attention_backward(Index l, const Layer& s, const Doubles& datt, Doubles& dqkv) {
    const Index hd = m_.head_dim(), H = m_.n_head, group = H / m_.n_kv_head, width = (H + 2 * m_.n_kv_head) * hd;
    for (Index b = 0; b < B_; ++b)
        for (Index h = 0; h < H; ++h)
            for (Index i = 0; i < T_; ++i) {
                const double* p = s.probabilities.data() + ((b * H + h) * T_ + i) * T_;
                const Index q = (b * T_ + i) * width + h * hd, o = (b * T_ + i) * H * hd + h * hd;
                Doubles dp = zeros(T_);
                double mean = 0.0;
                for (Index j = 0; j <= i; ++j) {
                    const Index v = (b * T_ + j) * width + (H + m_.n_kv_head + h / group) * hd;
                    for (Index c = 0; c < hd; ++c) {
                        at(dp, j) += at(datt, o + c) * at(s.qkv, v + c);
                        at(dqkv, v + c) += p[j] * at(datt, o + c);
                    }
                    mean += p[j] * at(dp, j);
                }
                for (Index j = 0; j <= i; ++j) {
                    if (!visible(i, j)) continue;
                    const double ds = p[j] * (at(dp, j) - mean);
                    const Index k = (b * T_ + j) * width + (H + h / group) * hd;
                    for (Index c = 0; c < hd; ++c) {
                        at(dqkv, q + c) += ds * scale() * at(s.qkv, k + c);
                        at(dqkv, k + c) += ds * scale() * at(s.qkv, q + c);
                    }
                    if (d_bias_.empty()) continue;
                    Array& table = d_bias_[set_of(l)];
                    const Index at_bias = positions_.by_distance ? h * table.shape[1] + i - j : (h * T_ + i) * T_ + j;
                    table.values[static_cast<std::size_t>(at_bias)] += ds;
                }
            }
}

DoubleResult Model::run(const std::vector<std::int32_t>& tokens, const std::vector<std::int32_t>& targets, Index batch,
                        Index length) {
    B_ = batch;
    T_ = length;
    make_positions();
    const Index R = B_ * T_, d = m_.d_model, F = m_.d_ff, V = m_.vocab_size, H = m_.n_head * m_.head_dim();
    const Index width = H + 2 * m_.n_kv_head * m_.head_dim();
    const Index embedding = offset("model.embed_tokens.weight");
    const double multiplier = positions_.additive ? positions_.additive->embedding_multiplier : 1.0;
    Doubles x = zeros(R * d);
    for (Index r = 0; r < R; ++r)
        for (Index i = 0; i < d; ++i) {
            at(x, r * d + i) = multiplier * at(p_, embedding + tokens[static_cast<std::size_t>(r)] * d + i);
            if (positions_.additive) at(x, r * d + i) += positions_.additive->values(r % T_, i);
        }
    std::vector<Layer> layers(static_cast<std::size_t>(m_.n_layer));
    for (Index l = 0; l < m_.n_layer; ++l) {
        Layer& s = layers[static_cast<std::size_t>(l)];
        const auto w = [&](const std::string& name) { return p_.data() + offset(prefix(l) + name); };
        s.x = x;
        s.n1 = norm(x, w("input_layernorm.weight"), m_.norm_epsilon, R, d);
        s.qkv = linear(s.n1, w("self_attn.q_proj.weight"), R, width, d);
        rotate(s.qkv, false);
        attention(l, s);
        s.middle = linear(s.att, w("self_attn.o_proj.weight"), R, d, H);
        for (Index i = 0; i < R * d; ++i)
            at(s.middle, i) += at(x, i);
        s.n2 = norm(s.middle, w("post_attention_layernorm.weight"), m_.norm_epsilon, R, d);
        s.gate_up = linear(s.n2, w("mlp.gate_proj.weight"), R, 2 * F, d);
        s.h = zeros(R * F);
        for (Index r = 0; r < R; ++r)
            for (Index i = 0; i < F; ++i) {
                const double gate = at(s.gate_up, r * 2 * F + i);
                at(s.h, r * F + i) = gate / (1.0 + std::exp(-gate)) * at(s.gate_up, r * 2 * F + F + i);
            }
        x = linear(s.h, w("mlp.down_proj.weight"), R, d, F);
        for (Index i = 0; i < R * d; ++i)
            at(x, i) += at(s.middle, i);
    }
    const double* final_norm = p_.data() + offset("model.norm.weight");
    const Index head = m_.tie_embeddings ? embedding : offset("lm_head.weight");
    const Doubles nf = norm(x, final_norm, m_.norm_epsilon, R, d);
    Doubles logits = linear(nf, p_.data() + head, R, V, d);
    DoubleResult result;
    result.token_losses = zeros(R);
    const auto scored = std::count_if(targets.begin(), targets.end(), [](std::int32_t t) { return t >= 0; });
    for (Index r = 0; r < R; ++r) {
        const auto row = logits.begin() + r * V;
        const std::int32_t target = targets[static_cast<std::size_t>(r)];
        const double top = *std::max_element(row, row + V);
        double sum = 0.0;
        for (Index i = 0; i < V; ++i)
            sum += std::exp(row[i] - top);
        if (target >= 0) at(result.token_losses, r) = std::log(sum) + top - row[target];
        result.loss += at(result.token_losses, r) / static_cast<double>(scored);
        for (Index i = 0; i < V; ++i)
            row[i] = target < 0 ? 0.0 : (std::exp(row[i] - top) / sum - (i == target)) / static_cast<double>(scored);
    }

    Doubles dnf = zeros(R * d), dx = zeros(R * d);
    linear_backward(logits, nf, p_.data() + head, R, V, d, dnf, g_.data() + head);
    norm_backward(dnf, x, final_norm, m_.norm_epsilon, R, d, dx, g_.data() + offset("model.norm.weight"));
    for (Index l = m_.n_layer; l-- > 0;) {
        const Layer& s = layers[static_cast<std::size_t>(l)];
        const auto w = [&](const std::string& name) { return p_.data() + offset(prefix(l) + name); };
        const auto g = [&](const std::string& name) { return g_.data() + offset(prefix(l) + name); };
        Doubles dh = zeros(R * F), dgu = zeros(R * 2 * F), dn2 = zeros(R * d), datt = zeros(R * H);
        linear_backward(dx, s.h, w("mlp.down_proj.weight"), R, d, F, dh, g("mlp.down_proj.weight"));
        for (Index r = 0; r < R; ++r)
            for (Index i = 0; i < F; ++i) {
                const double gate = at(s.gate_up, r * 2 * F + i), up = at(s.gate_up, r * 2 * F + F + i);
                const double sigma = 1.0 / (1.0 + std::exp(-gate));
                at(dgu, r * 2 * F + i) = at(dh, r * F + i) * up * sigma * (1.0 + gate * (1.0 - sigma));
                at(dgu, r * 2 * F + F + i) = at(dh, r * F + i) * gate * sigma;
            }
        linear_backward(dgu, s.n2, w("mlp.gate_proj.weight"), R, 2 * F, d, dn2, g("mlp.gate_proj.weight"));
        norm_backward(dn2, s.middle, w("post_attention_layernorm.weight"), m_.norm_epsilon, R, d, dx,
                      g("post_attention_layernorm.weight"));
        linear_backward(dx, s.att, w("self_attn.o_proj.weight"), R, d, H, datt, g("self_attn.o_proj.weight"));
        Doubles dqkv = zeros(R * width), dn1 = zeros(R * d);
        attention_backward(l, s, datt, dqkv);
        rotate(dqkv, true);
        linear_backward(dqkv, s.n1, w("self_attn.q_proj.weight"), R, width, d, dn1, g("self_attn.q_proj.weight"));
        norm_backward(dn1, s.x, w("input_layernorm.weight"), m_.norm_epsilon, R, d, dx, g("input_layernorm.weight"));
    }
    Array additive({T_, d});
    for (Index r = 0; r < R; ++r)
        for (Index i = 0; i < d; ++i) {
            at(g_, embedding + tokens[static_cast<std::size_t>(r)] * d + i) += multiplier * at(dx, r * d + i);
            additive.values[static_cast<std::size_t>(r % T_ * d + i)] += at(dx, r * d + i);
        }
    const auto parameters = encoding_.learned_parameters();
    for (std::size_t set = 0; !parameters.empty() && set < learned_.size(); ++set) {
        LearnedValues gradient;
        for (const auto& values : learned_[set])
            gradient.emplace_back(values.size(), 0.0);
        if (positions_.additive) encoding_.accumulate_gradient({T_, T_, 0, false}, learned_[set], additive, gradient);
        if (!d_bias_.empty()) encoding_.accumulate_gradient({T_, T_, 0, false}, learned_[set], d_bias_[set], gradient);
        for (std::size_t i = 0; i < parameters.size(); ++i) {
            const std::string name = (learned_.size() == 1 && encoding_.spec().traits.shared_by_layers
                                          ? std::string("position.")
                                          : "position.layers." + std::to_string(set) + ".") +
                                     parameters[i].name;
            std::copy(gradient[i].begin(), gradient[i].end(), g_.begin() + offset(name));
        }
    }
    result.gradients = g_;
    return result;
}

}  // namespace

DoubleResult double_model(const ModelConfig& model, const PositionEncoding& encoding, const ParameterLayout& layout,
                          const std::vector<double>& parameters, const std::vector<std::int32_t>& tokens,
                          const std::vector<std::int32_t>& targets, std::int64_t batch, std::int64_t length) {
    return Model(model, encoding, layout, parameters).run(tokens, targets, batch, length);
}

}  // namespace sextant::test
