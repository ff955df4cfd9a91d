// Blocked causal attention, one copy a target: online softmax forward (Milakov and Gimelshein 2018; FlashAttention,
// arXiv 2205.14135), scores recomputed block by block backward. Blocks in the future or before the window are skipped,
// inside a diagonal block whole register tiles are. Rotation and score scale are applied while q and k are loaded.

#if defined(SEXTANT_FUSED_ATTENTION_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef SEXTANT_FUSED_ATTENTION_INL_H
#undef SEXTANT_FUSED_ATTENTION_INL_H
#else
#define SEXTANT_FUSED_ATTENTION_INL_H
#endif

#include <algorithm>
#include <cmath>

#include "core/engine/fused/rotation-inl.h"

HWY_BEFORE_NAMESPACE();
namespace sextant::fused {
namespace HWY_NAMESPACE {

constexpr std::int64_t kQueries = 4 * kBlockRows;  // query rows of a block
constexpr std::int64_t kKeys = 128;                // key columns of a block, a multiple of kPanel
constexpr std::int64_t kScoreStride = kKeys + 16;  // a vector that starts inside a row may end behind it
constexpr float kMasked = -1e30f;
static_assert(kKeys % kPanel == 0 && kLanes <= 16);

// One block: queries [first_query, + rows), keys [first_key, + columns).
struct Block {
    std::int64_t first_query, rows, first_key, columns;
    // Keys of row r that its query sees, relative to first_key: [from(r), to(r)).
    std::int64_t window;
    [[nodiscard]] std::int64_t from(std::int64_t r) const {
        return window == 0 ? 0 : std::max<std::int64_t>(0, first_query + r - window + 1 - first_key);
    }
    [[nodiscard]] std::int64_t to(std::int64_t r) const {
        return std::clamp<std::int64_t>(first_query + r + 1 - first_key, 0, columns);
    }
};

// First key of the key blocks that a block of queries needs.
HWY_INLINE std::int64_t first_key_of(std::int64_t first_query, std::int64_t window) {
    if (window == 0) return 0;
    return std::max<std::int64_t>(0, first_query - window + 1) / kPanel * kPanel;
}

// out[r, c] = a[r] . b(c) for the register tiles of the block that hold a visible entry; a [rows, head_dim padded].
HWY_INLINE void tile_products(const Block& block, std::int64_t head_dim, std::int64_t padded, const float* a,
                              const float* panels, float* out) {
    for (std::int64_t c = 0; c < block.columns; c += kPanel) {
        const std::int64_t key = block.first_key + c;
        const std::int64_t first = std::max<std::int64_t>(0, key - block.first_query) / kBlockRows * kBlockRows;
        std::int64_t end = block.rows;
        if (block.window != 0) end = std::min(end, key + kPanel - 1 + block.window - block.first_query);
        if (first >= end) continue;
        panel_product<2, false>(end - first, head_dim, a + first * padded, padded, panels + key * head_dim, kPanel,
                                nullptr, out + first * kScoreStride + c, kScoreStride, kPanel);
    }
}

// out[r] += sum over keys of weights[r, key] rows_of[key]; out and rows_of `padded` wide.
HWY_INLINE void mix_keys(const Block& block, std::int64_t padded, const float* weights, const float* rows_of,
                         float* out) {
    for (std::int64_t r = 0; r < block.rows; r += kBlockRows) {
        const std::int64_t rows = std::min<std::int64_t>(kBlockRows, block.rows - r);
        const std::int64_t seen = block.to(r + rows - 1);
        if (seen == 0) continue;
        product<false>(rows, padded, seen, weights + r * kScoreStride, kScoreStride, rows_of + block.first_key * padded,
                       padded, kPanel, out + r * padded, out + r * padded, padded);
    }
}

// out[key] += sum over queries of weights[r, key] rows_of[r].
HWY_INLINE void mix_queries(const Block& block, std::int64_t padded, const float* weights, const float* rows_of,
                            float* out) {
    for (std::int64_t c = 0; c < block.columns; c += kBlockRows) {
        const std::int64_t columns = std::min<std::int64_t>(kBlockRows, block.columns - c);
        const std::int64_t first = std::max<std::int64_t>(0, block.first_key + c - block.first_query);
        if (first >= block.rows) break;
        float* to = out + (block.first_key + c) * padded;
        product<true>(columns, padded, block.rows - first, weights + first * kScoreStride + c, kScoreStride,
                      rows_of + first * padded, padded, kPanel, to, to, padded);
    }
}

// Where row `query` of the reversed bias begins, so that key `key` is at [key].
HWY_INLINE const float* bias_row(const AttentionUnit& unit, std::int64_t head, std::int64_t query) {
    return unit.bias + head * unit.bias_stride + unit.length - 1 - query;
}

// Scores with bias added and everything behind the last visible key of the last vector masked; returns the maximum.
HWY_INLINE float biased_maximum(float* scores, const float* bias, std::int64_t from, std::int64_t to) {
    const Floats d;
    const V masked = hn::Set(d, kMasked);
    V best = masked;
    for (std::int64_t c = from; c < to; c += kLanes) {
        V value = hn::LoadU(d, scores + c);
        if (bias != nullptr) value = hn::Add(value, hn::LoadU(d, bias + c));
        if (to - c < kLanes) value = hn::IfThenElse(hn::FirstN(d, static_cast<std::size_t>(to - c)), value, masked);
        hn::StoreU(value, d, scores + c);
        best = hn::Max(best, value);
    }
    return maximum_of(best);
}

HWY_INLINE float exponentials(float* scores, float top, std::int64_t from, std::int64_t to) {
    const Floats d;
    const V shift = hn::Set(d, top);
    V total = hn::Zero(d);
    for (std::int64_t c = from; c < to; c += kLanes) {
        const V value = exponential(hn::Sub(hn::LoadU(d, scores + c), shift));
        total = hn::Add(total, value);
        hn::StoreU(value, d, scores + c);
    }
    return sum_of(total);
}

// Zeros around the visible part of a row. `to` may be rounded up: the vector loops leave zeros there.
HWY_INLINE void clear_masked(float* row, std::int64_t from, std::int64_t to, std::int64_t columns) {
    if (from > 0) std::fill_n(row, std::min(from, columns), 0.0f);
    if (to < columns) std::fill_n(row + to, columns - to, 0.0f);
}

HWY_INLINE void load_keys(const AttentionUnit& unit, std::int64_t padded, const float* from, bool rotated,
                          float* rows) {
    for (std::int64_t t = 0; t < unit.length; ++t)
        load_row(unit, from + t * unit.stride, t, rotated ? RowKind::kKey : RowKind::kPlain, 1.0f, rows + t * padded,
                 padded);
}

HWY_INLINE std::int64_t padded_width(std::int64_t head_dim) {
    return (head_dim + kLanes - 1) / kLanes * kLanes;
}
HWY_INLINE std::int64_t padded_length(std::int64_t length) {
    return (length + kPanel - 1) / kPanel * kPanel;
}

HWY_INLINE void reserve_attention(AttentionScratch& scratch, std::int64_t length, std::int64_t width, bool backward,
                                  bool block_bias) {
    const std::int64_t padded = padded_width(width);
    scratch.keys_transposed.reserve(padded_length(length) * width);
    scratch.values.reserve(length * padded);
    scratch.query.reserve(kQueries * padded);
    scratch.output.reserve(kQueries * padded);
    scratch.scores.reserve(kQueries * kScoreStride);
    scratch.row.reserve(kPanel * padded);
    if (block_bias) scratch.bias.reserve(kQueries * kScoreStride);
    if (!backward) return;
    scratch.values_transposed.reserve(padded_length(length) * width);
    for (AlignedBuffer* whole : {&scratch.keys, &scratch.dkeys, &scratch.dvalues})
        whole->reserve(length * padded);
    for (AlignedBuffer* block : {&scratch.doutput, &scratch.dquery})
        block->reserve(kQueries * padded);
    scratch.dscores.reserve(kQueries * kScoreStride);
}

HWY_NOINLINE inline void attention_forward(const AttentionUnit& unit, AttentionScratch& scratch) {
    const Floats d;
    const std::int64_t length = unit.length, width = unit.head_dim, padded = padded_width(width);
    reserve_attention(scratch, length, width, false, unit.block_bias != nullptr);
    transpose_keys(unit, unit.k, RowKind::kKey, scratch.row.data(), padded, scratch.keys_transposed.data());
    load_keys(unit, padded, unit.v, false, scratch.values.data());
    float* scores = scratch.scores.data();
    float* output = scratch.output.data();
    float top[kQueries], total[kQueries];
    for (std::int64_t head = 0; head < unit.group; ++head) {
        for (std::int64_t i = 0; i < length; i += kQueries) {
            const std::int64_t rows = std::min(kQueries, length - i);
            for (std::int64_t r = 0; r < rows; ++r)
                load_row(unit, unit.q + (i + r) * unit.stride + head * width, i + r, RowKind::kQuery, unit.scale,
                         scratch.query.data() + r * padded, padded);
            std::fill_n(output, rows * padded, 0.0f);
            std::fill_n(top, rows, kMasked);
            std::fill_n(total, rows, 0.0f);
            for (std::int64_t j = first_key_of(i, unit.window); j < i + rows; j += kKeys) {
                const Block block{i, rows, j, std::min(kKeys, i + rows - j), unit.window};
                tile_products(block, width, padded, scratch.query.data(), scratch.keys_transposed.data(), scores);
                if (unit.block_bias != nullptr)
                    unit.block_bias->fill(unit.first_head + head, i, rows, j, block.columns, scratch.bias.data(),
                                          kScoreStride);
                for (std::int64_t r = 0; r < rows; ++r) {
                    float* row = scores + r * kScoreStride;
                    const std::int64_t from = block.from(r), to = block.to(r);
                    if (from >= to) {
                        std::fill_n(row, block.columns, 0.0f);
                        continue;
                    }
                    const float* bias = nullptr;
                    if (unit.bias != nullptr) bias = bias_row(unit, head, i + r) + j;
                    if (unit.block_bias != nullptr) bias = scratch.bias.data() + r * kScoreStride;
                    const float best = std::max(top[r], biased_maximum(row, bias, from, to));
                    if (total[r] > 0.0f && best > top[r]) {
                        const V fade = exponential(hn::Set(d, top[r] - best));
                        total[r] *= hn::GetLane(fade);
                        for (std::int64_t c = 0; c < padded; c += kLanes)
                            hn::StoreU(hn::Mul(hn::LoadU(d, output + r * padded + c), fade), d,
                                       output + r * padded + c);
                    }
                    top[r] = best;
                    total[r] += exponentials(row, best, from, to);
                    clear_masked(row, from, to, block.columns);
                }
                mix_keys(block, padded, scores, scratch.values.data(), output);
            }
            for (std::int64_t r = 0; r < rows; ++r) {
                const V inverse = hn::Set(d, 1.0f / total[r]);
                float* out = unit.out + (i + r) * unit.out_stride + head * width;
                for (std::int64_t c = 0; c < width; c += kLanes)
                    store_some(hn::Mul(hn::LoadU(d, output + r * padded + c), inverse), out + c, width - c);
                if (unit.log_sum != nullptr) unit.log_sum[head * length + i + r] = top[r] + std::log(total[r]);
            }
        }
    }
}

// Scores become probabilities, `products` (dO . v) become score gradients; both zero where masked.
HWY_INLINE void probabilities(float* scores, float* products, const float* bias, float* dbias, float log_sum,
                              float delta, std::int64_t from, std::int64_t to) {
    const Floats d;
    const V shift = hn::Set(d, log_sum), mean = hn::Set(d, delta);
    for (std::int64_t c = from; c < to; c += kLanes) {
        V value = hn::Sub(hn::LoadU(d, scores + c), shift);
        if (bias != nullptr) value = hn::Add(value, hn::LoadU(d, bias + c));
        V weight = exponential(value);
        V gradient = hn::Mul(weight, hn::Sub(hn::LoadU(d, products + c), mean));
        if (to - c < kLanes) {
            const auto seen = hn::FirstN(d, static_cast<std::size_t>(to - c));
            weight = hn::IfThenElseZero(seen, weight);
            gradient = hn::IfThenElseZero(seen, gradient);
        }
        hn::StoreU(weight, d, scores + c);
        hn::StoreU(gradient, d, products + c);
        if (dbias != nullptr) hn::StoreU(hn::Add(hn::LoadU(d, dbias + c), gradient), d, dbias + c);
    }
}

HWY_NOINLINE inline void attention_backward(const AttentionUnit& unit, AttentionScratch& scratch) {
    const Floats d;
    const std::int64_t length = unit.length, width = unit.head_dim, padded = padded_width(width);
    reserve_attention(scratch, length, width, true, unit.block_bias != nullptr);
    load_keys(unit, padded, unit.k, true, scratch.keys.data());
    transpose_loaded(scratch.keys.data(), length, width, padded, scratch.keys_transposed.data());
    transpose_keys(unit, unit.v, RowKind::kPlain, scratch.row.data(), padded, scratch.values_transposed.data());
    std::fill_n(scratch.dkeys.data(), length * padded, 0.0f);
    std::fill_n(scratch.dvalues.data(), length * padded, 0.0f);
    float* scores = scratch.scores.data();
    float* dscores = scratch.dscores.data();
    float delta[kQueries];
    for (std::int64_t head = 0; head < unit.group; ++head) {
        for (std::int64_t i = 0; i < length; i += kQueries) {
            const std::int64_t rows = std::min(kQueries, length - i);
            for (std::int64_t r = 0; r < rows; ++r) {
                const std::int64_t at = (i + r) * unit.out_stride + head * width;
                load_row(unit, unit.q + (i + r) * unit.stride + head * width, i + r, RowKind::kQuery, unit.scale,
                         scratch.query.data() + r * padded, padded);
                load_row(unit, unit.dout + at, i + r, RowKind::kPlain, 1.0f, scratch.doutput.data() + r * padded,
                         padded);
                V product = hn::Zero(d);
                for (std::int64_t c = 0; c < width; c += kLanes)
                    product = hn::MulAdd(load_some(unit.dout + at + c, width - c),
                                         load_some(unit.out + at + c, width - c), product);
                delta[r] = sum_of(product);
            }
            std::fill_n(scratch.dquery.data(), rows * padded, 0.0f);
            for (std::int64_t j = first_key_of(i, unit.window); j < i + rows; j += kKeys) {
                const Block block{i, rows, j, std::min(kKeys, i + rows - j), unit.window};
                tile_products(block, width, padded, scratch.query.data(), scratch.keys_transposed.data(), scores);
                tile_products(block, width, padded, scratch.doutput.data(), scratch.values_transposed.data(), dscores);
                if (unit.block_bias != nullptr)
                    unit.block_bias->fill(unit.first_head + head, i, rows, j, block.columns, scratch.bias.data(),
                                          kScoreStride);
                for (std::int64_t r = 0; r < rows; ++r) {
                    const std::int64_t from = block.from(r), to = block.to(r);
                    const float* bias = nullptr;
                    float* dbias = nullptr;
                    if (unit.bias != nullptr) bias = bias_row(unit, head, i + r) + j;
                    if (unit.dbias != nullptr) dbias = unit.dbias + head * unit.bias_stride + length - 1 - (i + r) + j;
                    if (unit.block_bias != nullptr) bias = scratch.bias.data() + r * kScoreStride;
                    const bool lone =
                        i + r == 0 || unit.window == 1;  // one visible key: the weight is 1 whatever the score
                    probabilities(scores + r * kScoreStride, dscores + r * kScoreStride, bias, lone ? nullptr : dbias,
                                  unit.log_sum[head * length + i + r], delta[r], from, to);
                    if (lone) std::fill_n(dscores + r * kScoreStride, block.columns, 0.0f);
                    clear_masked(scores + r * kScoreStride, from, to, block.columns);
                    clear_masked(dscores + r * kScoreStride, from, to, block.columns);
                }
                if (unit.block_bias != nullptr)
                    unit.block_bias->accumulate(unit.worker, unit.first_head + head, i, rows, j, block.columns, dscores,
                                                kScoreStride);
                mix_queries(block, padded, scores, scratch.doutput.data(), scratch.dvalues.data());
                mix_queries(block, padded, dscores, scratch.query.data(), scratch.dkeys.data());
                mix_keys(block, padded, dscores, scratch.keys.data(), scratch.dquery.data());
            }
            for (std::int64_t r = 0; r < rows; ++r)
                store_row(unit, scratch.dquery.data() + r * padded, i + r, RowKind::kQuery, unit.scale,
                          unit.dq + (i + r) * unit.stride + head * width);
        }
    }
    for (std::int64_t t = 0; t < length; ++t) {
        store_row(unit, scratch.dkeys.data() + t * padded, t, RowKind::kKey, 1.0f, unit.dk + t * unit.stride);
        store_row(unit, scratch.dvalues.data() + t * padded, t, RowKind::kPlain, 1.0f, unit.dv + t * unit.stride);
    }
}

}  // namespace HWY_NAMESPACE
}  // namespace sextant::fused
HWY_AFTER_NAMESPACE();
#endif
