// Loading a head's row with rotation and scale applied, storing a gradient with both undone, and the transposed panels
// that the score products read. One copy a target.

#if defined(SEXTANT_FUSED_ROTATION_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef SEXTANT_FUSED_ROTATION_INL_H
#undef SEXTANT_FUSED_ROTATION_INL_H
#else
#define SEXTANT_FUSED_ROTATION_INL_H
#endif

#include <algorithm>
#include <cstring>

#include "core/engine/fused/attention_unit.h"
#include "core/engine/fused/rows-inl.h"

HWY_BEFORE_NAMESPACE();
namespace sextant::fused {
namespace HWY_NAMESPACE {

enum class RowKind { kPlain, kQuery, kKey };

// Pairs (a, b) at distance `half`: forward (a c - b s, b c + a s), backward the transpose. `sign` is 1 or -1.
template <class D>
HWY_INLINE std::int64_t rotate_half_split(D d, const float* x, const float* cosine, const float* sine, float sign,
                                          std::int64_t half, std::int64_t i, float scale, float* y) {
    const auto factor = hn::Set(d, scale), flip = hn::Set(d, sign);
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
    for (; i + lanes <= half; i += lanes) {
        const auto a = hn::Mul(hn::LoadU(d, x + i), factor), b = hn::Mul(hn::LoadU(d, x + half + i), factor);
        const auto c = hn::LoadU(d, cosine + i), s = hn::Mul(hn::LoadU(d, sine + i), flip);
        hn::StoreU(hn::NegMulAdd(b, s, hn::Mul(a, c)), d, y + i);
        hn::StoreU(hn::MulAdd(a, s, hn::Mul(b, c)), d, y + half + i);
    }
    return i;
}

HWY_INLINE void rotate(const Rotation& rotation, bool key, std::int64_t position, const float* x, float sign,
                       float scale, float* y) {
    const std::int64_t half = rotation.dimension / 2;
    const float* cosine = key ? rotation.key_cos : rotation.query_cos;
    const float* sine = key ? rotation.key_sin : rotation.query_sin;
    std::int64_t i = 0;
    if (!rotation.interleaved) {
        cosine += position * half;
        sine += position * half;
        i = rotate_half_split(Floats(), x, cosine, sine, sign, half, i, scale, y);
        if (kLanes > 8) i = rotate_half_split(hn::CappedTag<float, 8>(), x, cosine, sine, sign, half, i, scale, y);
        for (; i < half; ++i) {
            const float a = x[i] * scale, b = x[half + i] * scale, s = sine[i] * sign;
            y[i] = a * cosine[i] - b * s;
            y[half + i] = b * cosine[i] + a * s;
        }
        return;
    }
    cosine += position * rotation.dimension;
    sine += position * rotation.dimension;
#if HWY_TARGET != HWY_SCALAR
    const Floats d;
    const V factor = hn::Set(d, scale);
    const V flip = hn::OddEven(hn::Set(d, sign), hn::Set(d, -sign));  // even lanes take -sin, odd ones sin
    for (; i + kLanes <= rotation.dimension; i += kLanes) {
        const V value = hn::Mul(hn::LoadU(d, x + i), factor);
        const V s = hn::Mul(hn::LoadU(d, sine + i), flip);
        hn::StoreU(hn::MulAdd(hn::Reverse2(d, value), s, hn::Mul(value, hn::LoadU(d, cosine + i))), d, y + i);
    }
#endif
    for (; i < rotation.dimension; i += 2) {
        const float a = x[i] * scale, b = x[i + 1] * scale, s = sine[i] * sign;
        y[i] = a * cosine[i] - b * s;
        y[i + 1] = b * cosine[i] + a * s;
    }
}

// y[padded] = scale * row as attention multiplies it, zeros behind head_dim.
HWY_INLINE void load_row(const AttentionUnit& unit, const float* x, std::int64_t position, RowKind kind, float factor,
                         float* y, std::int64_t padded) {
    const V scale = hn::Set(Floats(), factor);
    std::int64_t i = 0;
    if (kind != RowKind::kPlain && unit.rotation.dimension > 0) {
        const std::int64_t first = unit.rotation.dimension / kLanes * kLanes;
        for (i = first; i < padded; i += kLanes)
            hn::StoreU(hn::Mul(load_some(x + i, unit.head_dim - i), scale), Floats(), y + i);
        rotate(unit.rotation, kind == RowKind::kKey, position, x, 1.0f, factor, y);
        return;
    }
    for (; i < padded; i += kLanes)
        hn::StoreU(hn::Mul(load_some(x + i, unit.head_dim - i), scale), Floats(), y + i);
}

// y[head_dim] = scale * x with the rotation transposed: the gradient of what load_row read.
HWY_INLINE void store_row(const AttentionUnit& unit, const float* x, std::int64_t position, RowKind kind, float factor,
                          float* y) {
    std::int64_t i = 0;
    if (kind != RowKind::kPlain && unit.rotation.dimension > 0) {
        rotate(unit.rotation, kind == RowKind::kKey, position, x, -1.0f, factor, y);
        i = unit.rotation.dimension;
    }
    const V scale = hn::Set(Floats(), factor);
    for (; i < unit.head_dim; i += kLanes)
        store_some(hn::Mul(load_some(x + i, unit.head_dim - i), scale), y + i, unit.head_dim - i);
}

// panel[head_dim][kPanel] of `count` rows, zeros behind the last.
HWY_INLINE void transpose_panel(const float* rows, std::int64_t padded, std::int64_t count, std::int64_t head_dim,
                                float* panel) {
    if (count < kPanel) std::fill_n(panel, head_dim * kPanel, 0.0f);
    std::int64_t n = 0;
#if HWY_TARGET != HWY_SCALAR
    const hn::FixedTag<float, 4> four;
    for (; n + 4 <= count; n += 4) {  // squares of four by four
        const float* row = rows + n * padded;
        float* to = panel + n;
        std::int64_t c = 0;
        for (; c + 4 <= head_dim; c += 4) {
            const auto r0 = hn::LoadU(four, row + c), r1 = hn::LoadU(four, row + padded + c);
            const auto r2 = hn::LoadU(four, row + 2 * padded + c), r3 = hn::LoadU(four, row + 3 * padded + c);
            const auto low01 = hn::InterleaveLower(four, r0, r1), high01 = hn::InterleaveUpper(four, r0, r1);
            const auto low23 = hn::InterleaveLower(four, r2, r3), high23 = hn::InterleaveUpper(four, r2, r3);
            hn::StoreU(hn::ConcatLowerLower(four, low23, low01), four, to + c * kPanel);
            hn::StoreU(hn::ConcatUpperUpper(four, low23, low01), four, to + (c + 1) * kPanel);
            hn::StoreU(hn::ConcatLowerLower(four, high23, high01), four, to + (c + 2) * kPanel);
            hn::StoreU(hn::ConcatUpperUpper(four, high23, high01), four, to + (c + 3) * kPanel);
        }
        for (; c < head_dim; ++c)
            for (int i = 0; i < 4; ++i)
                to[c * kPanel + i] = row[i * padded + c];
    }
#endif
    for (; n < count; ++n)
        for (std::int64_t c = 0; c < head_dim; ++c)
            panel[c * kPanel + n] = rows[n * padded + c];
}

// panels [length / kPanel][head_dim][kPanel] of the rows as attention multiplies them.
HWY_INLINE void transpose_keys(const AttentionUnit& unit, const float* from, RowKind kind, float* rows,
                               std::int64_t padded, float* panels) {
    for (std::int64_t t = 0; t < unit.length; t += kPanel, panels += kPanel * unit.head_dim) {
        const std::int64_t count = unit.length - t < kPanel ? unit.length - t : kPanel;
        for (std::int64_t n = 0; n < count; ++n)
            load_row(unit, from + (t + n) * unit.stride, t + n, kind, 1.0f, rows + n * padded, padded);
        transpose_panel(rows, padded, count, unit.head_dim, panels);
    }
}
HWY_INLINE void transpose_loaded(const float* rows, std::int64_t length, std::int64_t head_dim, std::int64_t padded,
                                 float* panels) {
    for (std::int64_t t = 0; t < length; t += kPanel, panels += kPanel * head_dim)
        transpose_panel(rows + t * padded, padded, length - t < kPanel ? length - t : kPanel, head_dim, panels);
}

}  // namespace HWY_NAMESPACE
}  // namespace sextant::fused
HWY_AFTER_NAMESPACE();
#endif
