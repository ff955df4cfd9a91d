#pragma once
// A chunk is one or more whole sequences that go through every layer together. With several chunks each thread takes
// its own, so activations stay in its cache and nothing waits; a lone long sequence is shared by the whole team
// instead, by row tiles and key-value heads. What lies between attention calls is done a tile of rows at a time.

#include <span>
#include <vector>

#include "core/engine/fused/model_weights.h"
#include "core/engine/fused/position_state.h"
#include "core/engine/fused/team.h"

namespace sextant::fused {

enum class Pass { kTrain, kForward };

struct LayerActivations {
    AlignedBuffer input, qkv, attention, log_sum, middle, gate_up;
};

// Of one chunk. A forward pass uses one layer's buffers again and again.
struct Activations {
    std::vector<LayerActivations> layers;
    AlignedBuffer output;                // of the last layer [rows, d]
    AlignedBuffer dx, dattention, dqkv;  // gradients [rows, ...]
    bool keeps_gate_up = false;          // else recomputed in the backward pass (long sequences)
};

// Scratch and gradients of one thread.
struct Worker {
    int index = 0;          // of the thread; a team of one always has rank 0, so the rank does not tell threads apart
    AlignedBuffer rounded;  // bfloat16 operands
    AlignedBuffer norm, rstd, hidden, dnorm, gate_up, logits, losses;
    AttentionScratch attention;
    AlignedBuffer own_gradients;  // unused by thread 0, which adds to the caller's buffer
    float* gradients = nullptr;   // flat, as the parameters
    PositionGradients position;
    double loss = 0.0;
};

// What a chunk reads. `rows` tokens of `rows / length` sequences.
struct ChunkInput {
    const std::int32_t* tokens = nullptr;
    const std::int32_t* targets = nullptr;  // null: logits wanted
    std::int64_t sequences = 0, length = 0;
    std::int64_t first_row = 0;  // of the batch
    float weight = 0.0f;         // of each scored target in the mean loss
    float* losses = nullptr;     // kForward: [rows]
    float* logits = nullptr;     // kForward: [rows, vocab]
    [[nodiscard]] std::int64_t rows() const { return sequences * length; }
};

class ChunkPass {
  public:
    ChunkPass(const ModelConfig& model, const Kernels& kernels, const ModelWeights& weights,
              const PositionState& positions, const float* parameters, bool bfloat16_products);

    // Sizes buffers outside the parallel region, so that running out of memory is an exception of the caller.
    void reserve(Activations& activations, std::int64_t rows, std::int64_t length, Pass pass) const;
    void reserve(Worker& worker, std::int64_t rows, std::int64_t length, Pass pass) const;

    void train(Team team, const ChunkInput& input, Activations& activations, Worker& worker) const;
    void forward(Team team, const ChunkInput& input, Activations& activations, Worker& worker) const;

  private:
    // y = x W^T, dx = dy W, dW += dy^T x; y and dx with `add` where not null.
    void multiply(Worker& worker, const Linear& w, std::int64_t rows, const float* x, std::int64_t ldx,
                  const float* add, float* y, std::int64_t ldy) const;
    void multiply_back(Worker& worker, const Linear& w, std::int64_t rows, const float* dy, std::int64_t ldy,
                       const float* add, float* dx, std::int64_t ldx) const;
    void add_gradient(Worker& worker, const Linear& w, std::int64_t rows, const float* dy, std::int64_t ldy,
                      const float* x, std::int64_t ldx) const;
    void embed(Team team, const ChunkInput& input, float* x) const;
    void embed_backward(Team team, const ChunkInput& input, const Activations& activations, Worker& worker) const;
    void layer_forward(Team team, const ChunkInput& input, std::int64_t layer, LayerActivations& now, float* next,
                       Worker& worker, bool keeps_gate_up) const;
    void layer_backward(Team team, const ChunkInput& input, std::int64_t layer, Activations& activations,
                        Worker& worker) const;
    void head_train(Team team, const ChunkInput& input, Activations& activations, Worker& worker) const;
    void head_forward(Team team, const ChunkInput& input, const float* x, Worker& worker) const;
    [[nodiscard]] AttentionUnit unit_of(const ChunkInput& input, std::int64_t layer, std::int64_t sequence,
                                        std::int64_t pair, LayerActivations& now) const;
    [[nodiscard]] std::int64_t logit_stride() const;
    [[nodiscard]] std::int64_t logit_rows() const;

    const ModelConfig& model_;
    const Kernels& kernels_;
    const ModelWeights& weights_;
    const PositionState& positions_;
    const float* parameters_;
    bool bfloat16_;
    std::int64_t d_, heads_width_, pairs_width_, qkv_width_;
};

}  // namespace sextant::fused
