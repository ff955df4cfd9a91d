#include "core/engine/fused/bfloat16.h"

#include "core/engine/fused/isa.h"

#if defined(__x86_64__)
#include <immintrin.h>

#include <algorithm>
#include <cstring>

#define SEXTANT_BF16 __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx512bf16")))

namespace sextant::fused::bfloat16 {
namespace {

constexpr int kBlockRows = 12;

std::int64_t pairs(std::int64_t k) {
    return (k + 1) / 2;
}
__mmask16 mask_of(std::int64_t count) {
    return count >= 16 ? static_cast<__mmask16>(0xffff)
                       : static_cast<__mmask16>((1u << std::max<std::int64_t>(0, count)) - 1u);
}

// C[kRows, columns <= 32] = sum over pairs of A B, plus `add`; A's element (row, pair) at a[row * row_step + pair *
// pair_step].
template <int kRows>
SEXTANT_BF16 inline void micro(std::int64_t count, const float* a, std::int64_t row_step, std::int64_t pair_step,
                               const float* b, std::int64_t ldb, const float* add, float* c, std::int64_t ldc,
                               __mmask16 left, __mmask16 right) {
    __m512 sum[kRows][2];
#pragma GCC unroll 16
    for (int r = 0; r < kRows; ++r)
        sum[r][0] = sum[r][1] = _mm512_setzero_ps();
    constexpr int kGroups = (kRows + 2) / 3;
    const float* base[kGroups];
#pragma GCC unroll 8
    for (int g = 0; g < kGroups; ++g)
        base[g] = a + 3 * g * row_step;
    for (std::int64_t i = 0; i < count; ++i, b += ldb) {
        const __m512bh first = (__m512bh)_mm512_loadu_ps(b), second = (__m512bh)_mm512_loadu_ps(b + 16);
#pragma GCC unroll 16
        for (int r = 0; r < kRows; ++r) {
            const __m512bh row = (__m512bh)_mm512_set1_ps(base[r / 3][(r % 3) * row_step]);
            sum[r][0] = _mm512_dpbf16_ps(sum[r][0], row, first);
            sum[r][1] = _mm512_dpbf16_ps(sum[r][1], row, second);
        }
#pragma GCC unroll 8
        for (int g = 0; g < kGroups; ++g)
            base[g] += pair_step;
    }
#pragma GCC unroll 16
    for (int r = 0; r < kRows; ++r) {
        if (add != nullptr) {
            sum[r][0] = _mm512_add_ps(sum[r][0], _mm512_maskz_loadu_ps(left, add + r * ldc));
            sum[r][1] = _mm512_add_ps(sum[r][1], _mm512_maskz_loadu_ps(right, add + r * ldc + 16));
        }
        _mm512_mask_storeu_ps(c + r * ldc, left, sum[r][0]);
        _mm512_mask_storeu_ps(c + r * ldc + 16, right, sum[r][1]);
    }
}

SEXTANT_BF16 void panel_product(std::int64_t rows, std::int64_t count, const float* a, std::int64_t row_step,
                                std::int64_t pair_step, const float* b, std::int64_t ldb, const float* add, float* c,
                                std::int64_t ldc, std::int64_t columns) {
    const __mmask16 left = mask_of(columns), right = mask_of(columns - 16);
    std::int64_t r = 0;
    const auto at = [&](std::int64_t row) { return add != nullptr ? add + row * ldc : nullptr; };
    for (; r + kBlockRows <= rows; r += kBlockRows)
        micro<kBlockRows>(count, a + r * row_step, row_step, pair_step, b, ldb, at(r), c + r * ldc, ldc, left, right);
    for (; r + 4 <= rows; r += 4)
        micro<4>(count, a + r * row_step, row_step, pair_step, b, ldb, at(r), c + r * ldc, ldc, left, right);
    for (; r < rows; ++r)
        micro<1>(count, a + r * row_step, row_step, pair_step, b, ldb, at(r), c + r * ldc, ldc, left, right);
}

SEXTANT_BF16 __m512i rounded(const float* from, __mmask16 mask) {
    return _mm512_maskz_cvtepu16_epi32(0xffff, (__m256i)_mm512_cvtneps_pbh(_mm512_maskz_loadu_ps(mask, from)));
}

// to[k / 2][stride]: rows 2p and 2p + 1 of x [k, n] interleaved.
SEXTANT_BF16 void interleave_rows(const float* x, std::int64_t ld, std::int64_t k, std::int64_t n, float* to,
                                  std::int64_t stride) {
    for (std::int64_t p = 0; p < pairs(k); ++p, to += stride)
        for (std::int64_t j = 0; j < n; j += 16) {
            const __mmask16 mask = mask_of(n - j);
            __m512i value = rounded(x + 2 * p * ld + j, mask);
            if (2 * p + 1 < k)
                value = _mm512_or_si512(value,
                                        _mm512_maskz_slli_epi32(0xffff, rounded(x + (2 * p + 1) * ld + j, mask), 16));
            _mm512_mask_storeu_ps(to + j, mask, _mm512_castsi512_ps(value));
        }
}

// to[m][pairs(k)]: neighbours of each row of a [m, k].
SEXTANT_BF16 void round_rows(const float* a, std::int64_t lda, std::int64_t m, std::int64_t k, float* to) {
    const std::int64_t width = pairs(k);
    for (std::int64_t r = 0; r < m; ++r, a += lda, to += width) {
        for (std::int64_t i = 0; i < k; i += 16) {
            const __m256i value = (__m256i)_mm512_cvtneps_pbh(_mm512_maskz_loadu_ps(mask_of(k - i), a + i));
            const std::int64_t words = std::min<std::int64_t>(8, width - i / 2);
            _mm256_mask_storeu_ps(to + i / 2, static_cast<__mmask8>(mask_of(words)), _mm256_castsi256_ps(value));
        }
    }
}

float pair_of(float first, float second) {
    const auto round = [](float value) {
        std::uint32_t bits;
        std::memcpy(&bits, &value, sizeof bits);
        if ((bits & 0x7fffffffu) > 0x7f800000u) return (bits >> 16) | 0x40u;  // NaN stays one
        return (bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16;
    };
    const std::uint32_t both = round(first) | (round(second) << 16);
    float result;
    std::memcpy(&result, &both, sizeof result);
    return result;
}

}  // namespace

bool supported() {
    const auto isa = selected_isa();
    return isa.ok() && isa.value() == Isa::kAvx512 && __builtin_cpu_supports("avx512bf16");
}

std::int64_t packed_size(std::int64_t n, std::int64_t k) {
    return (n + kPanel - 1) / kPanel * kPanel * pairs(k);
}

void pack_panels(const float* b, std::int64_t row_stride, std::int64_t column_stride, std::int64_t k, std::int64_t n,
                 float* packed) {
    for (std::int64_t j = 0; j < n; j += kPanel)
        for (std::int64_t p = 0; p < pairs(k); ++p, packed += kPanel)
            for (std::int64_t c = 0; c < kPanel; ++c) {
                const auto value = [&](std::int64_t i) {
                    return i < k && j + c < n ? b[i * row_stride + (j + c) * column_stride] : 0.0f;
                };
                packed[c] = pair_of(value(2 * p), value(2 * p + 1));
            }
}

void product(std::int64_t m, std::int64_t n, std::int64_t k, const float* a, std::int64_t lda, const float* packed,
             const float* add, float* c, std::int64_t ldc, AlignedBuffer& scratch) {
    const std::int64_t width = pairs(k);
    scratch.reserve(m * width);
    round_rows(a, lda, m, k, scratch.data());
    for (std::int64_t j = 0; j < n; j += kPanel, packed += kPanel * width)
        panel_product(m, width, scratch.data(), width, 1, packed, kPanel, add != nullptr ? add + j : nullptr, c + j,
                      ldc, std::min(kPanel, n - j));
}

void transposed_product(std::int64_t m, std::int64_t n, std::int64_t k, const float* a, std::int64_t lda,
                        const float* b, std::int64_t ldb, float* c, std::int64_t ldc, AlignedBuffer& scratch) {
    const std::int64_t width = pairs(k), stride = (n + kPanel - 1) / kPanel * kPanel;
    scratch.reserve(width * (m + stride));
    float* left = scratch.data();
    float* right = left + width * m;
    interleave_rows(a, lda, k, m, left, m);
    interleave_rows(b, ldb, k, n, right, stride);
    for (std::int64_t j = 0; j < n; j += kPanel)
        panel_product(m, width, left, 1, m, right + j, stride, c + j, c + j, ldc, std::min(kPanel, n - j));
}

}  // namespace sextant::fused::bfloat16

#else

namespace sextant::fused::bfloat16 {

bool supported() {
    return false;
}
std::int64_t packed_size(std::int64_t, std::int64_t) {
    return 0;
}
void pack_panels(const float*, std::int64_t, std::int64_t, std::int64_t, std::int64_t, float*) {}
void product(std::int64_t, std::int64_t, std::int64_t, const float*, std::int64_t, const float*, const float*, float*,
             std::int64_t, AlignedBuffer&) {}
void transposed_product(std::int64_t, std::int64_t, std::int64_t, const float*, std::int64_t, const float*,
                        std::int64_t, float*, std::int64_t, AlignedBuffer&) {}

}  // namespace sextant::fused::bfloat16

#endif
