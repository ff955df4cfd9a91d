#include "core/engine/fused/speed.h"

#include <omp.h>
#include <oneapi/dnnl/dnnl.h>

#include <algorithm>
#include <chrono>
#include <vector>

#include "core/base/random.h"
#include "core/engine/fused/flush_denormals.h"
#include "core/engine/fused/kernels.h"
#include "core/engine/fused/position_state.h"

namespace sextant::fused {
namespace {

using Clock = std::chrono::steady_clock;

double milliseconds_since(Clock::time_point start) {
    return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

void fill_random(AlignedBuffer& buffer, std::int64_t count, std::uint64_t seed) {
    buffer.reserve(count);
    Random random(seed);
    for (std::int64_t i = 0; i < count; ++i)
        buffer.data()[i] = static_cast<float>(2.0 * random.uniform() - 1.0) * 1.7320508f;  // unit variance
}

}  // namespace

AttentionSpeed measure_attention(const PositionEncoding& encoding, std::int64_t batch, std::int64_t length,
                                 std::int64_t window, int threads, int repeats) {
    ModelConfig model;
    model.d_model = encoding.site().d_model;
    model.n_head = model.n_kv_head = encoding.site().n_head;
    model.n_layer = 1;
    model.context_length = length;
    const ParameterLayout layout = parameter_layout(model, encoding);
    AlignedBuffer parameters(layout.buffer_size);
    parameters.fill(0.0f);
    for (const ParameterInfo& info : layout.parameters)
        if (info.role == ParameterRole::kPosition) initialize_parameter(info, 1, parameters.data() + info.offset);
    PositionState positions(model, encoding, layout);
    positions.refresh(length, parameters.data(), threads);

    const auto isa = selected_isa();
    const Kernels& k = kernels(isa.ok() ? isa.value() : supported_isas().back());
    const std::int64_t heads = model.n_head, width = model.head_dim(), d = heads * width;
    AlignedBuffer qkv, dout, dqkv(batch * length * 3 * d), out(batch * length * d), log_sum(batch * heads * length);
    fill_random(qkv, batch * length * 3 * d, 1);
    fill_random(dout, batch * length * d, 2);
    std::vector<AttentionScratch> scratch(static_cast<std::size_t>(threads));
    std::vector<PositionGradients> gradients(static_cast<std::size_t>(threads));
    for (std::size_t t = 0; t < scratch.size(); ++t) {
        k.reserve_attention(scratch[t], length, width, true, positions.block_bias(0) != nullptr);
        positions.prepare(gradients[t]);
    }
    const auto unit_of = [&](std::int64_t number, int worker) {
        const std::int64_t h = number % heads, row = number / heads * length;
        AttentionUnit unit;
        unit.length = length;
        unit.head_dim = width;
        unit.window = window;
        unit.scale = positions.score_scale();
        unit.rotation = positions.rotation();
        unit.stride = 3 * d;
        unit.q = qkv.data() + row * 3 * d + h * width;
        unit.k = unit.q + d;
        unit.v = unit.k + d;
        unit.out = out.data() + row * d + h * width;
        unit.out_stride = d;
        unit.log_sum = log_sum.data() + number * length;
        if (const float* bias = positions.bias(0)) unit.bias = bias + h * positions.bias_stride();
        unit.bias_stride = positions.bias_stride();
        unit.block_bias = positions.block_bias(0);
        unit.first_head = h;
        unit.worker = worker;
        unit.dout = dout.data() + row * d + h * width;
        unit.dq = dqkv.data() + row * 3 * d + h * width;
        unit.dk = unit.dq + d;
        unit.dv = unit.dk + d;
        if (float* dbias = positions.bias_gradient(gradients[static_cast<std::size_t>(worker)], 0))
            unit.dbias = dbias + h * positions.bias_stride();
        return unit;
    };
    std::vector<double> forward, both;
    for (int repeat = 0; repeat <= repeats; ++repeat) {
        const auto start = Clock::now();
        double forward_ms = 0.0;
#pragma omp parallel num_threads(threads)
        {
            const FlushDenormals flush;
            const int worker = omp_get_thread_num();
            AttentionScratch& mine = scratch[static_cast<std::size_t>(worker)];
#pragma omp for schedule(dynamic, 1)
            for (std::int64_t u = 0; u < batch * heads; ++u)
                k.attention_forward(unit_of(u, worker), mine);
#pragma omp single
            forward_ms = milliseconds_since(start);
#pragma omp for schedule(dynamic, 1)
            for (std::int64_t u = 0; u < batch * heads; ++u)
                k.attention_backward(unit_of(u, worker), mine);
        }
        if (repeat == 0) continue;  // the first one touches the memory
        forward.push_back(forward_ms);
        both.push_back(milliseconds_since(start));
    }
    return {median(forward), median(both)};
}

double measure_product_peak(int threads, int size, int repeats) {
    const int before = omp_get_max_threads();
    omp_set_num_threads(threads);
    const auto n = static_cast<std::int64_t>(size);
    AlignedBuffer a, b, c(n * n);
    fill_random(a, n * n, 3);
    fill_random(b, n * n, 4);
    std::vector<double> ms;
    for (int repeat = 0; repeat <= repeats; ++repeat) {
        const auto start = Clock::now();
        dnnl_sgemm('N', 'N', n, n, n, 1.0f, a.data(), n, b.data(), n, 0.0f, c.data(), n);
        if (repeat > 0) ms.push_back(milliseconds_since(start));
    }
    omp_set_num_threads(before);
    return 2.0 * static_cast<double>(n * n * n) / median(ms) * 1e-6;
}

void warm_up_products(int threads) {
    (void)measure_product_peak(threads, 64, 1);
}

}  // namespace sextant::fused
