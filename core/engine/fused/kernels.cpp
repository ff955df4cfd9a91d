#include "core/engine/fused/kernels.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/engine/fused/kernels.cpp"
#include "hwy/foreach_target.h"

#include "core/engine/fused/attention-inl.h"

HWY_BEFORE_NAMESPACE();
namespace sextant::fused {
namespace HWY_NAMESPACE {
namespace {

std::int64_t packed_size(std::int64_t n, std::int64_t k) {
    return (n + kPanel - 1) / kPanel * kPanel * k;
}

void pack_panels(const float* b, std::int64_t row_stride, std::int64_t column_stride, std::int64_t k, std::int64_t n,
                 float* packed) {
    const Floats d;
    for (std::int64_t j = 0; j < n; j += kPanel, packed += kPanel * k) {
        const std::int64_t width = n - j < kPanel ? n - j : kPanel;
        const float* panel = b + j * column_stride;
        if (row_stride == 1) {
            transpose_panel(panel, column_stride, width, k, packed);
            continue;
        }
        for (std::int64_t i = 0; i < k; ++i) {  // column_stride is 1
            hn::StoreU(load_some(panel + i * row_stride, width), d, packed + i * kPanel);
            hn::StoreU(width > kLanes ? load_some(panel + i * row_stride + kLanes, width - kLanes) : hn::Zero(d), d,
                       packed + i * kPanel + kLanes);
        }
    }
}

void packed_product(std::int64_t m, std::int64_t n, std::int64_t k, const float* a, std::int64_t lda,
                    const float* packed, const float* add, float* c, std::int64_t ldc) {
    product<false>(m, n, k, a, lda, packed, kPanel, kPanel * k, add, c, ldc);
}

void transposed_product(std::int64_t m, std::int64_t n, std::int64_t k, const float* a, std::int64_t lda,
                        const float* b, std::int64_t ldb, float* c, std::int64_t ldc) {
    product<true>(m, n, k, a, lda, b, ldb, kPanel, c, c, ldc);
}

}  // namespace

Kernels table(Isa isa) {
    return {isa,
            kPanel,
            packed_size,
            pack_panels,
            packed_product,
            transposed_product,
            norm,
            norm_backward,
            swiglu,
            swiglu_backward,
            cross_entropy,
            reserve_attention,
            attention_forward,
            attention_backward,
            add,
            scale_add,
            scale,
            adamw};
}

}  // namespace HWY_NAMESPACE
}  // namespace sextant::fused
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sextant::fused {

// Each table is made only when it is asked for: the function that makes it is itself compiled for that instruction set.
const Kernels& kernels(Isa isa) {
#if HWY_TARGETS & HWY_AVX3
    if (isa == Isa::kAvx512) {
        static const Kernels avx512 = N_AVX3::table(isa);
        return avx512;
    }
#endif
#if HWY_TARGETS & HWY_AVX2
    if (isa == Isa::kAvx2) {
        static const Kernels avx2 = N_AVX2::table(isa);
        return avx2;
    }
#endif
    static const Kernels baseline = HWY_STATIC_DISPATCH(table)(Isa::kBaseline);
    return baseline;
}

}  // namespace sextant::fused
#endif
