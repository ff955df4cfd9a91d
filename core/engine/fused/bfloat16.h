#pragma once
// Matrix products with bfloat16 operands and float32 accumulation (AVX512_BF16), the counterparts of the products in
// kernels.h. Operands are rounded to nearest even as they are packed; two neighbours along k share 32 bits.

#include <cstdint>

#include "core/engine/fused/aligned_buffer.h"

namespace sextant::fused::bfloat16 {

// Whether this CPU has the instructions and SEXTANT_MAX_ISA allows AVX-512.
[[nodiscard]] bool supported();

inline constexpr std::int64_t kPanel = 32;  // columns of a packed panel
// Floats (of 32 bits, two values each) that pack_panels writes.
[[nodiscard]] std::int64_t packed_size(std::int64_t n, std::int64_t k);
void pack_panels(const float* b, std::int64_t row_stride, std::int64_t column_stride, std::int64_t k, std::int64_t n,
                 float* packed);
void product(std::int64_t m, std::int64_t n, std::int64_t k, const float* a, std::int64_t lda, const float* packed,
             const float* add, float* c, std::int64_t ldc, AlignedBuffer& scratch);
void transposed_product(std::int64_t m, std::int64_t n, std::int64_t k, const float* a, std::int64_t lda,
                        const float* b, std::int64_t ldb, float* c, std::int64_t ldc, AlignedBuffer& scratch);

}  // namespace sextant::fused::bfloat16
