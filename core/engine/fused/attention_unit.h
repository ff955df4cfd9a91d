#pragma once
// What one call of the attention kernels works on: one sequence and one key-value head with the query heads that share
// it. Scores exist only a block at a time; the bias is read by distance while a block is in cache.

#include <cstdint>

#include "core/engine/fused/aligned_buffer.h"

namespace sextant::fused {

// Rotation of the leading channels, factors in float: xPos and attention_factor are already multiplied in, so query and
// key have their own tables. Rows are positions.
struct Rotation {
    std::int64_t dimension = 0;        // rotated channels; 0: none
    bool interleaved = false;          // pairs (2i, 2i + 1), else (i, i + dimension / 2)
    const float* query_cos = nullptr;  // [length, dimension / 2]; interleaved: [length, dimension], each value twice
    const float* query_sin = nullptr;
    const float* key_cos = nullptr;
    const float* key_sin = nullptr;
};

// A bias that is no function of the distance alone: filled a block at a time.
class BlockBias {
  public:
    virtual ~BlockBias() = default;
    // out[r * stride + c] = bias of query first_query + r and key first_key + c; entries in the future are ignored.
    virtual void fill(std::int64_t head, std::int64_t first_query, std::int64_t queries, std::int64_t first_key,
                      std::int64_t keys, float* out, std::int64_t stride) const = 0;
    // Takes d(loss)/d(bias) of a block, zero where masked. `worker` names the calling thread's accumulator.
    virtual void accumulate(int worker, std::int64_t head, std::int64_t first_query, std::int64_t queries,
                            std::int64_t first_key, std::int64_t keys, const float* gradient, std::int64_t stride) = 0;
};

struct AttentionUnit {
    std::int64_t length = 0;
    std::int64_t head_dim = 0;
    std::int64_t group = 1;   // query heads of this key-value head
    std::int64_t window = 0;  // keys a query sees, itself included; 0: all
    float scale = 1.0f;       // of the scores
    Rotation rotation;

    const float* q = nullptr;  // head h of the group at q + h * head_dim, rows `stride` apart; k and v likewise
    const float* k = nullptr;
    const float* v = nullptr;
    std::int64_t stride = 0;
    float* out = nullptr;  // head h at out + h * head_dim
    std::int64_t out_stride = 0;
    float* log_sum = nullptr;  // [group, length]: log of the softmax denominator; may be null in a forward-only pass

    // Bias by distance, reversed so that it is read forward: head h, distance m at bias[h * bias_stride + length - 1 -
    // m]; AlignedBuffer::kSlack readable floats behind each head's row. Null: none.
    const float* bias = nullptr;
    std::int64_t bias_stride = 0;
    BlockBias* block_bias = nullptr;
    std::int64_t first_head = 0;  // query head number of the group's first head, for block_bias
    int worker = 0;

    // Backward only.
    const float* dout = nullptr;  // as out
    float* dq = nullptr;          // as q, k, v; overwritten
    float* dk = nullptr;
    float* dv = nullptr;
    float* dbias = nullptr;  // as bias, accumulated; null: not wanted
};

struct AttentionScratch {
    AlignedBuffer keys, keys_transposed, values, values_transposed, dkeys, dvalues;  // whole sequence
    AlignedBuffer query, output, doutput, dquery, scores, dscores, bias, row;        // one block
};

}  // namespace sextant::fused
