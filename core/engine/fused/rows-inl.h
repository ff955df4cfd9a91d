// Row-wise loops, one copy a target: norm, SwiGLU, cross-entropy, optimizer, and the exp they share.

#if defined(SEXTANT_FUSED_ROWS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef SEXTANT_FUSED_ROWS_INL_H
#undef SEXTANT_FUSED_ROWS_INL_H
#else
#define SEXTANT_FUSED_ROWS_INL_H
#endif

#include <algorithm>
#include <cmath>

#include "core/engine/fused/gemm-inl.h"
#include "core/engine/fused/kernels.h"

HWY_BEFORE_NAMESPACE();
namespace sextant::fused {
namespace HWY_NAMESPACE {

// exp with about 1e-7 relative error. Below -87 the result is an exact zero: products with tiny values would be
// denormal and an order of magnitude slower. NaN stays NaN, so that a diverged run is seen.
HWY_INLINE V exponential(V x) {
    const Floats d;
    const hn::RebindToSigned<Floats> integers;
    const auto zero = hn::Lt(x, hn::Set(d, -87.0f));
    const V capped = hn::IfThenElse(hn::Gt(x, hn::Set(d, 88.0f)), hn::Set(d, 88.0f), x);
    const V n = hn::Round(hn::Mul(capped, hn::Set(d, 1.44269504f)));
    V f = hn::NegMulAdd(n, hn::Set(d, 0.693145752f), capped);
    f = hn::NegMulAdd(n, hn::Set(d, 1.42860677e-6f), f);
    V p = hn::MulAdd(f, hn::Set(d, 1.0f / 5040), hn::Set(d, 1.0f / 720));
    p = hn::MulAdd(p, f, hn::Set(d, 1.0f / 120));
    p = hn::MulAdd(p, f, hn::Set(d, 1.0f / 24));
    p = hn::MulAdd(p, f, hn::Set(d, 1.0f / 6));
    p = hn::MulAdd(p, f, hn::Set(d, 0.5f));
    p = hn::MulAdd(p, f, hn::Set(d, 1.0f));
    p = hn::MulAdd(p, f, hn::Set(d, 1.0f));
    const auto exponent = hn::ShiftLeft<23>(hn::ConvertTo(integers, n));
    // Adding to the exponent field of p (between 0.7 and 1.5) multiplies it by 2^n.
    const V scaled = hn::BitCast(d, hn::Add(hn::BitCast(integers, p), exponent));
    return hn::IfThenZeroElse(zero, scaled);
}

HWY_INLINE float sum_of(V value) {
    return hn::GetLane(hn::SumOfLanes(Floats(), value));
}
HWY_INLINE float maximum_of(V value) {
    return hn::GetLane(hn::MaxOfLanes(Floats(), value));
}

HWY_INLINE void norm(const float* x, const float* gain, float epsilon, float* y, float* rstd, std::int64_t rows,
                     std::int64_t width) {
    const Floats d;
    for (std::int64_t r = 0; r < rows; ++r, x += width, y += width) {
        V squares = hn::Zero(d);
        for (std::int64_t i = 0; i < width; i += kLanes) {
            const V value = load_some(x + i, width - i);
            squares = hn::MulAdd(value, value, squares);
        }
        const float factor = 1.0f / std::sqrt(sum_of(squares) / static_cast<float>(width) + epsilon);
        rstd[r] = factor;
        const V s = hn::Set(d, factor);
        for (std::int64_t i = 0; i < width; i += kLanes) {
            const std::int64_t left = width - i;
            store_some(hn::Mul(hn::Mul(load_some(x + i, left), s), load_some(gain + i, left)), y + i, left);
        }
    }
}

HWY_INLINE void norm_backward(const float* dy, const float* x, const float* gain, const float* rstd, float* dx,
                              float* dgain, std::int64_t rows, std::int64_t width) {
    const Floats d;
    for (std::int64_t r = 0; r < rows; ++r, x += width, dy += width, dx += width) {
        V product = hn::Zero(d);
        for (std::int64_t i = 0; i < width; i += kLanes) {
            const std::int64_t left = width - i;
            product = hn::MulAdd(hn::Mul(load_some(dy + i, left), load_some(gain + i, left)), load_some(x + i, left),
                                 product);
        }
        const float factor = rstd[r];
        const V s = hn::Set(d, factor);
        const V c = hn::Set(d, sum_of(product) * factor * factor * factor / static_cast<float>(width));
        for (std::int64_t i = 0; i < width; i += kLanes) {
            const std::int64_t left = width - i;
            const V value = load_some(x + i, left);
            const V scaled = hn::Mul(load_some(dy + i, left), s);
            const V through = hn::NegMulAdd(c, value, hn::Mul(scaled, load_some(gain + i, left)));
            store_some(hn::Add(load_some(dx + i, left), through), dx + i, left);
            store_some(hn::MulAdd(scaled, value, load_some(dgain + i, left)), dgain + i, left);
        }
    }
}

HWY_INLINE V sigmoid(V x) {
    const Floats d;
    const V one = hn::Set(d, 1.0f);
    return hn::Div(one, hn::Add(one, exponential(hn::Neg(x))));
}

HWY_INLINE void swiglu(const float* gate_up, float* h, std::int64_t rows, std::int64_t width) {
    for (std::int64_t r = 0; r < rows; ++r, gate_up += 2 * width, h += width)
        for (std::int64_t i = 0; i < width; i += kLanes) {
            const std::int64_t left = width - i;
            const V gate = load_some(gate_up + i, left);
            const V up = load_some(gate_up + width + i, left);
            store_some(hn::Mul(hn::Mul(gate, sigmoid(gate)), up), h + i, left);
        }
}

HWY_INLINE void swiglu_backward(float* gate_up, float* dh, std::int64_t rows, std::int64_t width) {
    const Floats d;
    const V one = hn::Set(d, 1.0f);
    for (std::int64_t r = 0; r < rows; ++r, gate_up += 2 * width, dh += width)
        for (std::int64_t i = 0; i < width; i += kLanes) {
            const std::int64_t left = width - i;
            const V gate = load_some(gate_up + i, left);
            const V up = load_some(gate_up + width + i, left);
            const V gradient = load_some(dh + i, left);
            const V s = sigmoid(gate);
            const V silu = hn::Mul(gate, s);
            const V slope = hn::Mul(s, hn::MulAdd(gate, hn::Sub(one, s), one));
            store_some(hn::Mul(hn::Mul(gradient, up), slope), gate_up + i, left);
            store_some(hn::Mul(gradient, silu), gate_up + width + i, left);
            store_some(hn::Mul(silu, up), dh + i, left);
        }
}

HWY_INLINE void cross_entropy(float* logits, std::int64_t stride, const std::int32_t* targets, std::int64_t rows,
                              std::int64_t vocab, float weight, float* losses) {
    const Floats d;
    const std::int64_t whole = vocab / kLanes * kLanes;
    for (std::int64_t r = 0; r < rows; ++r, logits += stride) {
        if (targets[r] < 0) {
            losses[r] = 0.0f;
            if (weight > 0.0f) std::fill_n(logits, vocab, 0.0f);
            continue;
        }
        float top = logits[0];
        if (whole > 0) {
            V best = hn::LoadU(d, logits);
            for (std::int64_t i = kLanes; i < whole; i += kLanes)
                best = hn::Max(best, hn::LoadU(d, logits + i));
            top = maximum_of(best);
        }
        for (std::int64_t i = whole; i < vocab; ++i)
            top = std::max(top, logits[i]);
        const float target = logits[targets[r]] - top;
        const V shift = hn::Set(d, top);
        V total = hn::Zero(d);
        for (std::int64_t i = 0; i < whole; i += kLanes) {
            const V value = exponential(hn::Sub(hn::LoadU(d, logits + i), shift));
            total = hn::Add(total, value);
            if (weight > 0.0f) hn::StoreU(value, d, logits + i);
        }
        float sum = sum_of(total);
        for (std::int64_t i = whole; i < vocab; ++i) {
            const float value = hn::GetLane(exponential(hn::Set(d, logits[i] - top)));
            sum += value;
            if (weight > 0.0f) logits[i] = value;
        }
        losses[r] = std::log(sum) - target;
        if (weight <= 0.0f) continue;
        const V inverse = hn::Set(d, weight / sum);
        for (std::int64_t i = 0; i < vocab; i += kLanes) {
            const std::int64_t left = vocab - i;
            store_some(hn::Mul(load_some(logits + i, left), inverse), logits + i, left);
        }
        logits[targets[r]] -= weight;
    }
}

HWY_INLINE void add(const float* x, float* y, std::int64_t count) {
    for (std::int64_t i = 0; i < count; i += kLanes)
        store_some(hn::Add(load_some(x + i, count - i), load_some(y + i, count - i)), y + i, count - i);
}
HWY_INLINE void scale_add(float factor, const float* x, float* y, std::int64_t count) {
    const V f = hn::Set(Floats(), factor);
    for (std::int64_t i = 0; i < count; i += kLanes)
        store_some(hn::MulAdd(f, load_some(x + i, count - i), load_some(y + i, count - i)), y + i, count - i);
}
HWY_INLINE void scale(float factor, const float* x, float* y, std::int64_t count) {
    const V f = hn::Set(Floats(), factor);
    for (std::int64_t i = 0; i < count; i += kLanes)
        store_some(hn::Mul(f, load_some(x + i, count - i)), y + i, count - i);
}

HWY_INLINE void adamw(const AdamWStep& step, float* p, const float* g, float* m, float* v, std::int64_t count) {
    const Floats d;
    const V beta1 = hn::Set(d, step.beta1), rest1 = hn::Set(d, 1.0f - step.beta1);
    const V beta2 = hn::Set(d, step.beta2), rest2 = hn::Set(d, 1.0f - step.beta2);
    const V clip = hn::Set(d, step.gradient_scale), epsilon = hn::Set(d, step.epsilon);
    const V decay = hn::Set(d, 1.0f - step.learning_rate * step.weight_decay);
    const V rate = hn::Set(d, step.learning_rate / step.correction1);
    const V correction = hn::Set(d, 1.0f / std::sqrt(step.correction2));
    for (std::int64_t i = 0; i < count; i += kLanes) {
        const std::int64_t left = count - i;
        const V gradient = hn::Mul(load_some(g + i, left), clip);
        const V first = hn::MulAdd(beta1, load_some(m + i, left), hn::Mul(rest1, gradient));
        const V second = hn::MulAdd(beta2, load_some(v + i, left), hn::Mul(hn::Mul(rest2, gradient), gradient));
        store_some(first, m + i, left);
        store_some(second, v + i, left);
        const V root = hn::MulAdd(hn::Sqrt(second), correction, epsilon);
        store_some(hn::NegMulAdd(rate, hn::Div(first, root), hn::Mul(load_some(p + i, left), decay)), p + i, left);
    }
}

}  // namespace HWY_NAMESPACE
}  // namespace sextant::fused
HWY_AFTER_NAMESPACE();
#endif
