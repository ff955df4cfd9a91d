#pragma once
// The vectorised loops of the fused path as one table of functions an instruction set. Everything here is
// single-threaded and works on caller-owned memory; threads are the business of the callers. Matrices are row-major.

#include <cstdint>

#include "core/engine/fused/attention_unit.h"
#include "core/engine/fused/isa.h"

namespace sextant::fused {

struct AdamWStep {
    float learning_rate, beta1, beta2, epsilon, weight_decay;
    float gradient_scale;            // clipping
    float correction1, correction2;  // 1 - beta^t
};

struct Kernels {
    Isa isa;
    std::int64_t panel;  // columns of a packed panel

    // Floats that pack_panels writes for a [k, n] matrix.
    std::int64_t (*packed_size)(std::int64_t n, std::int64_t k);
    // B(k, n) = b[k * row_stride + n * column_stride] into panels [n / panel][k][panel], zero-padded. One of the
    // strides is 1.
    void (*pack_panels)(const float* b, std::int64_t row_stride, std::int64_t column_stride, std::int64_t k,
                        std::int64_t n, float* packed);
    // C[m, n] = A[m, k] B (packed), plus `add` (leading dimension ldc, may be C) where not null.
    void (*product)(std::int64_t m, std::int64_t n, std::int64_t k, const float* a, std::int64_t lda,
                    const float* packed, const float* add, float* c, std::int64_t ldc);
    // C[m, n] += A^T B with A [k, m] and B [k, n]. Reads up to one panel past the end of B's rows.
    void (*transposed_product)(std::int64_t m, std::int64_t n, std::int64_t k, const float* a, std::int64_t lda,
                               const float* b, std::int64_t ldb, float* c, std::int64_t ldc);

    // y = x * gain / rms(x); rstd[rows].
    void (*norm)(const float* x, const float* gain, float epsilon, float* y, float* rstd, std::int64_t rows,
                 std::int64_t width);
    // dx += the gradient through the norm, dgain += the gain's.
    void (*norm_backward)(const float* dy, const float* x, const float* gain, const float* rstd, float* dx,
                          float* dgain, std::int64_t rows, std::int64_t width);
    // h = silu(gate) * up; gate_up [rows, 2 width].
    void (*swiglu)(const float* gate_up, float* h, std::int64_t rows, std::int64_t width);
    // Overwrites gate_up by its gradient and dh by h, which the weight's gradient needs.
    void (*swiglu_backward)(float* gate_up, float* dh, std::int64_t rows, std::int64_t width);
    // Loss of each row in nats, 0 where target is -1. With weight > 0 the logits become weight * d(loss)/d(logits).
    void (*cross_entropy)(float* logits, std::int64_t stride, const std::int32_t* targets, std::int64_t rows,
                          std::int64_t vocab, float weight, float* losses);
    // Sizes the scratch of both attention calls, which then allocate nothing.
    void (*reserve_attention)(AttentionScratch& scratch, std::int64_t length, std::int64_t head_dim, bool backward,
                              bool block_bias);
    void (*attention_forward)(const AttentionUnit& unit, AttentionScratch& scratch);
    void (*attention_backward)(const AttentionUnit& unit, AttentionScratch& scratch);

    void (*add)(const float* x, float* y, std::int64_t count);                      // y += x
    void (*scale_add)(float factor, const float* x, float* y, std::int64_t count);  // y += factor * x
    void (*scale)(float factor, const float* x, float* y, std::int64_t count);      // y = factor * x
    void (*adamw)(const AdamWStep& step, float* p, const float* g, float* m, float* v, std::int64_t count);
};

// Must be one of supported_isas().
[[nodiscard]] const Kernels& kernels(Isa isa);

}  // namespace sextant::fused
