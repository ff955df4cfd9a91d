#include "core/engine/fused/chunk.h"

#include <algorithm>

#include "core/engine/fused/bfloat16.h"

namespace sextant::fused {
namespace {

constexpr std::int64_t kTileRows = 128;
constexpr std::int64_t kLogitFloats = 1 << 16;     // of one tile of logits
constexpr std::int64_t kGateUpLimit = 16'000'000;  // floats of all layers that are kept rather than recomputed

// Calls body(first, rows) for the tiles of `team.rank`.
template <class Body>
void for_tiles(Team team, std::int64_t rows, std::int64_t tile, Body body) {
    for (std::int64_t t = team.rank; t * tile < rows; t += team.size)
        body(t * tile, std::min(tile, rows - t * tile));
}

}  // namespace

ChunkPass::ChunkPass(const ModelConfig& model, const Kernels& kernels, const ModelWeights& weights,
                     const PositionState& positions, const float* parameters, bool bfloat16_products)
    : model_(model),
      kernels_(kernels),
      weights_(weights),
      positions_(positions),
      parameters_(parameters),
      bfloat16_(bfloat16_products),
      d_(model.d_model),
      heads_width_(model.n_head * model.head_dim()),
      pairs_width_(model.n_kv_head * model.head_dim()),
      qkv_width_(heads_width_ + 2 * pairs_width_) {}

std::int64_t ChunkPass::logit_stride() const {
    return (model_.vocab_size + 15) / 16 * 16;
}
std::int64_t ChunkPass::logit_rows() const {
    return std::clamp<std::int64_t>(kLogitFloats / logit_stride(), 16, kTileRows);
}

void ChunkPass::reserve(Activations& activations, std::int64_t rows, std::int64_t length, Pass pass) const {
    const bool train = pass == Pass::kTrain;
    const std::int64_t layers = train ? model_.n_layer : 1;
    activations.layers.resize(static_cast<std::size_t>(layers));
    activations.keeps_gate_up = train && rows * 2 * model_.d_ff * layers <= kGateUpLimit;
    for (LayerActivations& layer : activations.layers) {
        layer.input.reserve(rows * d_);
        layer.qkv.reserve(rows * qkv_width_);
        layer.attention.reserve(rows * heads_width_);
        layer.middle.reserve(rows * d_);
        if (train) layer.log_sum.reserve(rows / length * model_.n_head * length);
        if (activations.keeps_gate_up) layer.gate_up.reserve(rows * 2 * model_.d_ff);
    }
    if (!train) return;
    activations.output.reserve(rows * d_);
    activations.dx.reserve(rows * d_);
    activations.dattention.reserve(rows * heads_width_);
    activations.dqkv.reserve(rows * qkv_width_);
}

void ChunkPass::reserve(Worker& worker, std::int64_t rows, std::int64_t length, Pass pass) const {
    const std::int64_t tile = std::min(rows, kTileRows);
    worker.norm.reserve(tile * d_);
    worker.rstd.reserve(tile);
    worker.hidden.reserve(tile * model_.d_ff);
    worker.gate_up.reserve(tile * 2 * model_.d_ff);
    worker.logits.reserve(std::min(logit_rows(), rows) * logit_stride());
    worker.losses.reserve(kTileRows);
    if (pass == Pass::kTrain) worker.dnorm.reserve(tile * d_);
    if (bfloat16_) {
        const std::int64_t widest = std::max({2 * model_.d_ff, logit_stride(), qkv_width_, d_});
        worker.rounded.reserve((tile + 1) / 2 * (2 * widest + 64));
    }
    kernels_.reserve_attention(worker.attention, length, model_.head_dim(), pass == Pass::kTrain,
                               positions_.block_bias(0) != nullptr);
}

void ChunkPass::multiply(Worker& worker, const Linear& w, std::int64_t rows, const float* x, std::int64_t ldx,
                         const float* add, float* y, std::int64_t ldy) const {
    if (bfloat16_)
        bfloat16::product(rows, w.out, w.in, x, ldx, weights_.forward(w), add, y, ldy, worker.rounded);
    else
        kernels_.product(rows, w.out, w.in, x, ldx, weights_.forward(w), add, y, ldy);
}

void ChunkPass::multiply_back(Worker& worker, const Linear& w, std::int64_t rows, const float* dy, std::int64_t ldy,
                              const float* add, float* dx, std::int64_t ldx) const {
    if (bfloat16_)
        bfloat16::product(rows, w.in, w.out, dy, ldy, weights_.backward(w), add, dx, ldx, worker.rounded);
    else
        kernels_.product(rows, w.in, w.out, dy, ldy, weights_.backward(w), add, dx, ldx);
}

void ChunkPass::add_gradient(Worker& worker, const Linear& w, std::int64_t rows, const float* dy, std::int64_t ldy,
                             const float* x, std::int64_t ldx) const {
    float* gradient = worker.gradients + w.offset;
    if (bfloat16_)
        bfloat16::transposed_product(w.out, w.in, rows, dy, ldy, x, ldx, gradient, w.in, worker.rounded);
    else
        kernels_.transposed_product(w.out, w.in, rows, dy, ldy, x, ldx, gradient, w.in);
}

void ChunkPass::embed(Team team, const ChunkInput& input, float* x) const {
    const float* table = parameters_ + weights_.embedding();
    const float* additive = positions_.additive();
    for_tiles(team, input.rows(), kTileRows, [&](std::int64_t first, std::int64_t rows) {
        for (std::int64_t r = first; r < first + rows; ++r) {
            const float* from = table + input.tokens[r] * d_;
            float* to = x + r * d_;
            if (positions_.embedding_multiplier() == 1.0f)
                std::copy_n(from, d_, to);
            else
                kernels_.scale(positions_.embedding_multiplier(), from, to, d_);
            if (additive != nullptr) kernels_.add(additive + r % input.length * d_, to, d_);
        }
    });
}

void ChunkPass::embed_backward(Team team, const ChunkInput& input, const Activations& activations,
                               Worker& worker) const {
    float* table = worker.gradients + weights_.embedding();
    float* additive = positions_.additive_gradient(worker.position);
    for_tiles(team, input.rows(), kTileRows, [&](std::int64_t first, std::int64_t rows) {
        for (std::int64_t r = first; r < first + rows; ++r) {
            const float* dx = activations.dx.data() + r * d_;
            kernels_.scale_add(positions_.embedding_multiplier(), dx, table + input.tokens[r] * d_, d_);
            if (additive != nullptr) kernels_.add(dx, additive + r % input.length * d_, d_);
        }
    });
}

AttentionUnit ChunkPass::unit_of(const ChunkInput& input, std::int64_t layer, std::int64_t sequence, std::int64_t pair,
                                 LayerActivations& now) const {
    const std::int64_t group = model_.n_head / model_.n_kv_head, width = model_.head_dim();
    const std::int64_t row = sequence * input.length;
    AttentionUnit unit;
    unit.length = input.length;
    unit.head_dim = width;
    unit.group = group;
    unit.window = model_.attention_window;
    unit.scale = positions_.score_scale();
    unit.rotation = positions_.rotation();
    unit.stride = qkv_width_;
    unit.q = now.qkv.data() + row * qkv_width_ + pair * group * width;
    unit.k = now.qkv.data() + row * qkv_width_ + heads_width_ + pair * width;
    unit.v = unit.k + pairs_width_;
    unit.out = now.attention.data() + row * heads_width_ + pair * group * width;
    unit.out_stride = heads_width_;
    if (now.log_sum.data() != nullptr)
        unit.log_sum = now.log_sum.data() + (sequence * model_.n_head + pair * group) * input.length;
    if (const float* bias = positions_.bias(layer)) {
        unit.bias = bias + pair * group * positions_.bias_stride();
        unit.bias_stride = positions_.bias_stride();
    }
    unit.block_bias = positions_.block_bias(layer);
    unit.first_head = pair * group;
    return unit;
}

void ChunkPass::layer_forward(Team team, const ChunkInput& input, std::int64_t layer, LayerActivations& now,
                              float* next, Worker& worker, bool keeps_gate_up) const {
    const LayerWeights& w = weights_.layer(layer);
    const std::int64_t rows = input.rows(), wide = 2 * model_.d_ff;
    const float epsilon = static_cast<float>(model_.norm_epsilon);
    for_tiles(team, rows, kTileRows, [&](std::int64_t first, std::int64_t count) {
        kernels_.norm(now.input.data() + first * d_, parameters_ + w.input_norm, epsilon, worker.norm.data(),
                      worker.rstd.data(), count, d_);
        multiply(worker, w.qkv, count, worker.norm.data(), d_, nullptr, now.qkv.data() + first * qkv_width_,
                 qkv_width_);
    });
    team.wait();
    const std::int64_t units = input.sequences * model_.n_kv_head;
    for (std::int64_t u = team.rank; u < units; u += team.size)
        kernels_.attention_forward(unit_of(input, layer, u / model_.n_kv_head, u % model_.n_kv_head, now),
                                   worker.attention);
    team.wait();
    for_tiles(team, rows, kTileRows, [&](std::int64_t first, std::int64_t count) {
        float* middle = now.middle.data() + first * d_;
        float* gate_up = keeps_gate_up ? now.gate_up.data() + first * wide : worker.gate_up.data();
        multiply(worker, w.o, count, now.attention.data() + first * heads_width_, heads_width_,
                 now.input.data() + first * d_, middle, d_);
        kernels_.norm(middle, parameters_ + w.post_norm, epsilon, worker.norm.data(), worker.rstd.data(), count, d_);
        multiply(worker, w.gate_up, count, worker.norm.data(), d_, nullptr, gate_up, wide);
        kernels_.swiglu(gate_up, worker.hidden.data(), count, model_.d_ff);
        multiply(worker, w.down, count, worker.hidden.data(), model_.d_ff, middle, next + first * d_, d_);
    });
}

void ChunkPass::layer_backward(Team team, const ChunkInput& input, std::int64_t layer, Activations& activations,
                               Worker& worker) const {
    const LayerWeights& w = weights_.layer(layer);
    LayerActivations& now = activations.layers[static_cast<std::size_t>(layer)];
    const std::int64_t rows = input.rows(), wide = 2 * model_.d_ff;
    const float epsilon = static_cast<float>(model_.norm_epsilon);
    float* g = worker.gradients;
    for_tiles(team, rows, kTileRows, [&](std::int64_t first, std::int64_t count) {
        const float* middle = now.middle.data() + first * d_;
        float* dx = activations.dx.data() + first * d_;
        float* gate_up = activations.keeps_gate_up ? now.gate_up.data() + first * wide : worker.gate_up.data();
        kernels_.norm(middle, parameters_ + w.post_norm, epsilon, worker.norm.data(), worker.rstd.data(), count, d_);
        if (!activations.keeps_gate_up)
            multiply(worker, w.gate_up, count, worker.norm.data(), d_, nullptr, gate_up, wide);
        multiply_back(worker, w.down, count, dx, d_, nullptr, worker.hidden.data(), model_.d_ff);
        kernels_.swiglu_backward(gate_up, worker.hidden.data(), count, model_.d_ff);
        add_gradient(worker, w.down, count, dx, d_, worker.hidden.data(), model_.d_ff);
        multiply_back(worker, w.gate_up, count, gate_up, wide, nullptr, worker.dnorm.data(), d_);
        add_gradient(worker, w.gate_up, count, gate_up, wide, worker.norm.data(), d_);
        kernels_.norm_backward(worker.dnorm.data(), middle, parameters_ + w.post_norm, worker.rstd.data(), dx,
                               g + w.post_norm, count, d_);
        multiply_back(worker, w.o, count, dx, d_, nullptr, activations.dattention.data() + first * heads_width_,
                      heads_width_);
        add_gradient(worker, w.o, count, dx, d_, now.attention.data() + first * heads_width_, heads_width_);
    });
    team.wait();
    const std::int64_t units = input.sequences * model_.n_kv_head;
    for (std::int64_t u = team.rank; u < units; u += team.size) {
        const std::int64_t sequence = u / model_.n_kv_head, pair = u % model_.n_kv_head;
        AttentionUnit unit = unit_of(input, layer, sequence, pair, now);
        unit.worker = worker.index;
        unit.dout = activations.dattention.data() + (unit.out - now.attention.data());
        unit.dq = activations.dqkv.data() + (unit.q - now.qkv.data());
        unit.dk = activations.dqkv.data() + (unit.k - now.qkv.data());
        unit.dv = activations.dqkv.data() + (unit.v - now.qkv.data());
        if (float* dbias = positions_.bias_gradient(worker.position, layer))
            unit.dbias = dbias + unit.first_head * positions_.bias_stride();
        kernels_.attention_backward(unit, worker.attention);
    }
    team.wait();
    for_tiles(team, rows, kTileRows, [&](std::int64_t first, std::int64_t count) {
        const float* x = now.input.data() + first * d_;
        const float* dqkv = activations.dqkv.data() + first * qkv_width_;
        kernels_.norm(x, parameters_ + w.input_norm, epsilon, worker.norm.data(), worker.rstd.data(), count, d_);
        multiply_back(worker, w.qkv, count, dqkv, qkv_width_, nullptr, worker.dnorm.data(), d_);
        add_gradient(worker, w.qkv, count, dqkv, qkv_width_, worker.norm.data(), d_);
        kernels_.norm_backward(worker.dnorm.data(), x, parameters_ + w.input_norm, worker.rstd.data(),
                               activations.dx.data() + first * d_, g + w.input_norm, count, d_);
    });
}

void ChunkPass::head_train(Team team, const ChunkInput& input, Activations& activations, Worker& worker) const {
    const Linear& head = weights_.head();
    const std::int64_t vocab = model_.vocab_size, stride = logit_stride();
    for_tiles(team, input.rows(), kTileRows, [&](std::int64_t begin, std::int64_t tile) {
        for (std::int64_t first = begin; first < begin + tile; first += logit_rows()) {
            const std::int64_t count = std::min(logit_rows(), begin + tile - first);
            const float* x = activations.output.data() + first * d_;
            float* dx = activations.dx.data() + first * d_;
            kernels_.norm(x, parameters_ + weights_.final_norm(), static_cast<float>(model_.norm_epsilon),
                          worker.norm.data(), worker.rstd.data(), count, d_);
            multiply(worker, head, count, worker.norm.data(), d_, nullptr, worker.logits.data(), stride);
            kernels_.cross_entropy(worker.logits.data(), stride, input.targets + first, count, vocab, input.weight,
                                   worker.losses.data());
            for (std::int64_t r = 0; r < count; ++r)
                worker.loss += static_cast<double>(worker.losses.data()[r]);
            multiply_back(worker, head, count, worker.logits.data(), stride, nullptr, worker.dnorm.data(), d_);
            add_gradient(worker, head, count, worker.logits.data(), stride, worker.norm.data(), d_);
            std::fill_n(dx, count * d_, 0.0f);
            kernels_.norm_backward(worker.dnorm.data(), x, parameters_ + weights_.final_norm(), worker.rstd.data(), dx,
                                   worker.gradients + weights_.final_norm(), count, d_);
        }
    });
}

void ChunkPass::head_forward(Team team, const ChunkInput& input, const float* x, Worker& worker) const {
    const std::int64_t vocab = model_.vocab_size, stride = logit_stride();
    for_tiles(team, input.rows(), kTileRows, [&](std::int64_t begin, std::int64_t tile) {
        for (std::int64_t first = begin; first < begin + tile; first += logit_rows()) {
            const std::int64_t count = std::min(logit_rows(), begin + tile - first);
            kernels_.norm(x + first * d_, parameters_ + weights_.final_norm(), static_cast<float>(model_.norm_epsilon),
                          worker.norm.data(), worker.rstd.data(), count, d_);
            if (input.logits != nullptr) {
                multiply(worker, weights_.head(), count, worker.norm.data(), d_, nullptr, input.logits + first * vocab,
                         vocab);
                continue;
            }
            multiply(worker, weights_.head(), count, worker.norm.data(), d_, nullptr, worker.logits.data(), stride);
            kernels_.cross_entropy(worker.logits.data(), stride, input.targets + first, count, vocab, 0.0f,
                                   input.losses + first);
        }
    });
}

void ChunkPass::train(Team team, const ChunkInput& input, Activations& activations, Worker& worker) const {
    embed(team, input, activations.layers[0].input.data());
    for (std::int64_t l = 0; l < model_.n_layer; ++l) {
        const auto at = static_cast<std::size_t>(l);
        float* next = l + 1 < model_.n_layer ? activations.layers[at + 1].input.data() : activations.output.data();
        layer_forward(team, input, l, activations.layers[at], next, worker, activations.keeps_gate_up);
    }
    head_train(team, input, activations, worker);
    for (std::int64_t l = model_.n_layer; l-- > 0;)
        layer_backward(team, input, l, activations, worker);
    embed_backward(team, input, activations, worker);
}

void ChunkPass::forward(Team team, const ChunkInput& input, Activations& activations, Worker& worker) const {
    LayerActivations& layer = activations.layers[0];
    embed(team, input, layer.input.data());
    for (std::int64_t l = 0; l < model_.n_layer; ++l) {
        layer_forward(team, input, l, layer, layer.input.data(), worker, false);
        team.wait();
    }
    head_forward(team, input, layer.input.data(), worker);
}

}  // namespace sextant::fused
