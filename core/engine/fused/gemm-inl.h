// Small matrix products, one copy a target (Highway's include toggle instead of a guard). A register block of
// kRows x 2 vectors accumulates over k; B comes in panels of two vectors, A is broadcast element by element, so A needs
// no packing in either orientation. At the sizes of small models this beats a general sgemm's call and packing cost.

#if defined(SEXTANT_FUSED_GEMM_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef SEXTANT_FUSED_GEMM_INL_H
#undef SEXTANT_FUSED_GEMM_INL_H
#else
#define SEXTANT_FUSED_GEMM_INL_H
#endif

#include <cstdint>
#include <cstring>

#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace sextant::fused {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using Floats = hn::ScalableTag<float>;
using V = hn::Vec<Floats>;

constexpr std::int64_t kLanes = static_cast<std::int64_t>(hn::MaxLanes(Floats()));
constexpr std::int64_t kPanel = 2 * kLanes;                  // columns of a packed B panel
constexpr int kBlockRows = HWY_TARGET <= HWY_AVX3 ? 12 : 6;  // 24 or 12 accumulators

HWY_NOINLINE inline V load_tail(const float* from, std::int64_t count) {
    HWY_ALIGN float buffer[kLanes] = {};
    for (std::int64_t i = 0; i < count; ++i)
        buffer[i] = from[i];
    return hn::Load(Floats(), buffer);
}
HWY_NOINLINE inline void store_tail(V value, float* to, std::int64_t count) {
    HWY_ALIGN float buffer[kLanes];
    hn::Store(value, Floats(), buffer);
    for (std::int64_t i = 0; i < count; ++i)
        to[i] = buffer[i];
}
// A whole vector, or the first `count` floats of one with zeros behind.
HWY_INLINE V load_some(const float* from, std::int64_t count) {
    if (HWY_LIKELY(count >= kLanes)) return hn::LoadU(Floats(), from);
    return load_tail(from, count);
}
HWY_INLINE void store_some(V value, float* to, std::int64_t count) {
    if (HWY_LIKELY(count >= kLanes))
        hn::StoreU(value, Floats(), to);
    else
        store_tail(value, to, count);
}

// C[kRows, columns] = sum over k of A(row, k) B(k, column), plus `add` where given (which may be C itself).
// kTransposedA: A is stored [k, rows] with row stride lda, else [rows, k].
template <int kRows, int kVectors, bool kTransposedA>
HWY_INLINE void micro(std::int64_t k, const float* HWY_RESTRICT a, std::int64_t lda, const float* HWY_RESTRICT b,
                      std::int64_t ldb, const float* add, float* c, std::int64_t ldc, std::int64_t columns) {
    const Floats d;
    V sum[kRows][kVectors];
#pragma GCC unroll 16
    for (int r = 0; r < kRows; ++r)
#pragma GCC unroll 4
        for (int v = 0; v < kVectors; ++v)
            sum[r][v] = hn::Zero(d);
    if constexpr (kTransposedA) {
        for (std::int64_t i = 0; i < k; ++i, a += lda, b += ldb) {
            V column[kVectors];
#pragma GCC unroll 4
            for (int v = 0; v < kVectors; ++v)
                column[v] = hn::LoadU(d, b + v * kLanes);
#pragma GCC unroll 16
            for (int r = 0; r < kRows; ++r) {
                const V row = hn::Set(d, a[r]);
#pragma GCC unroll 4
                for (int v = 0; v < kVectors; ++v)
                    sum[r][v] = hn::MulAdd(row, column[v], sum[r][v]);
            }
        }
    } else {
        constexpr int kGroups =
            (kRows + 2) / 3;  // three rows a pointer: base, base + lda, base + 2 lda are addressable
        const float* base[kGroups];
#pragma GCC unroll 8
        for (int g = 0; g < kGroups; ++g)
            base[g] = a + 3 * g * lda;
        for (std::int64_t i = 0; i < k; ++i, b += ldb) {
            V column[kVectors];
#pragma GCC unroll 4
            for (int v = 0; v < kVectors; ++v)
                column[v] = hn::LoadU(d, b + v * kLanes);
#pragma GCC unroll 16
            for (int r = 0; r < kRows; ++r) {
                const V row = hn::Set(d, base[r / 3][(r % 3) * lda]);
#pragma GCC unroll 4
                for (int v = 0; v < kVectors; ++v)
                    sum[r][v] = hn::MulAdd(row, column[v], sum[r][v]);
            }
#pragma GCC unroll 8
            for (int g = 0; g < kGroups; ++g)
                ++base[g];
        }
    }
    if (columns == kVectors * kLanes) {
#pragma GCC unroll 16
        for (int r = 0; r < kRows; ++r)
#pragma GCC unroll 4
            for (int v = 0; v < kVectors; ++v) {
                const std::int64_t at = r * ldc + v * kLanes;
                V value = sum[r][v];
                if (add != nullptr) value = hn::Add(value, hn::LoadU(d, add + at));
                hn::StoreU(value, d, c + at);
            }
        return;
    }
    HWY_ALIGN float row[kVectors * kLanes];
#pragma GCC unroll 16
    for (int r = 0; r < kRows; ++r) {
#pragma GCC unroll 4
        for (int v = 0; v < kVectors; ++v)
            hn::Store(sum[r][v], d, row + v * kLanes);
        for (std::int64_t j = 0; j < columns; ++j)
            c[r * ldc + j] = row[j] + (add != nullptr ? add[r * ldc + j] : 0.0f);
    }
}

// Any number of rows of one panel, `columns` <= kPanel wide.
template <int kVectors, bool kTransposedA>
HWY_NOINLINE void panel_product(std::int64_t rows, std::int64_t k, const float* a, std::int64_t lda, const float* b,
                                std::int64_t ldb, const float* add, float* c, std::int64_t ldc, std::int64_t columns) {
    const std::int64_t step = kTransposedA ? 1 : lda;  // floats from one row of A to the next
    std::int64_t r = 0;
    const auto next = [&](std::int64_t count) HWY_ATTR {
        r += count;
        a += count * step;
        c += count * ldc;
        if (add != nullptr) add += count * ldc;
    };
    for (; r + kBlockRows <= rows; next(kBlockRows))
        micro<kBlockRows, kVectors, kTransposedA>(k, a, lda, b, ldb, add, c, ldc, columns);
    if constexpr (kBlockRows > 8) {
        if (r + 8 <= rows) {
            micro<8, kVectors, kTransposedA>(k, a, lda, b, ldb, add, c, ldc, columns);
            next(8);
        }
    }
    if (r + 4 <= rows) {
        micro<4, kVectors, kTransposedA>(k, a, lda, b, ldb, add, c, ldc, columns);
        next(4);
    }
    if (r + 2 <= rows) {
        micro<2, kVectors, kTransposedA>(k, a, lda, b, ldb, add, c, ldc, columns);
        next(2);
    }
    if (r < rows) micro<1, kVectors, kTransposedA>(k, a, lda, b, ldb, add, c, ldc, columns);
}

template <bool kTransposedA>
HWY_INLINE void product(std::int64_t rows, std::int64_t columns, std::int64_t k, const float* a, std::int64_t lda,
                        const float* b, std::int64_t ldb, std::int64_t panel_stride, const float* add, float* c,
                        std::int64_t ldc) {
    for (std::int64_t j = 0; j < columns; j += kPanel, b += panel_stride) {
        const std::int64_t width = columns - j < kPanel ? columns - j : kPanel;
        const float* more = add != nullptr ? add + j : nullptr;
        if (width > kLanes)
            panel_product<2, kTransposedA>(rows, k, a, lda, b, ldb, more, c + j, ldc, width);
        else
            panel_product<1, kTransposedA>(rows, k, a, lda, b, ldb, more, c + j, ldc, width);
    }
}

}  // namespace HWY_NAMESPACE
}  // namespace sextant::fused
HWY_AFTER_NAMESPACE();
#endif
