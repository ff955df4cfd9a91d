#include "core/engine/fused/flat_optimizer.h"

#include <omp.h>

#include <algorithm>
#include <cmath>

#include "core/engine/fused/flush_denormals.h"

namespace sextant::fused {
namespace {

constexpr std::int64_t kPart = 4096;           // floats
constexpr std::size_t kPartsWorthThreads = 8;  // fewer are done before a second thread wakes up

const Kernels& selected_kernels() {
    const auto isa = selected_isa();
    return kernels(isa.ok() ? isa.value() : supported_isas().back());
}

double squares(const float* values, std::int64_t count) {
    double lanes[8] = {};
    std::int64_t i = 0;
    for (; i + 8 <= count; i += 8)
        for (int lane = 0; lane < 8; ++lane)
            lanes[lane] += static_cast<double>(values[i + lane]) * static_cast<double>(values[i + lane]);
    for (; i < count; ++i)
        lanes[0] += static_cast<double>(values[i]) * static_cast<double>(values[i]);
    double sum = 0.0;
    for (const double lane : lanes)
        sum += lane;
    return sum;
}

}  // namespace

void append_ranges(std::int64_t first, std::int64_t count, bool decays, std::vector<FlatRange>& ranges) {
    for (std::int64_t at = 0; at < count; at += kPart)
        ranges.push_back({first + at, std::min(kPart, count - at), decays});
}

double flat_norm(std::span<const float> values, [[maybe_unused]] int threads) {
    const auto count = static_cast<std::int64_t>(values.size());
    std::vector<double> sums(static_cast<std::size_t>((count + kPart - 1) / kPart));
#pragma omp parallel for schedule(static) num_threads(threads) if (threads > 1 && sums.size() >= kPartsWorthThreads)
    for (std::size_t part = 0; part < sums.size(); ++part) {
        const std::int64_t from = static_cast<std::int64_t>(part) * kPart;
        sums[part] = squares(values.data() + from, std::min(kPart, count - from));
    }
    double total = 0.0;
    for (const double sum : sums)
        total += sum;
    return std::sqrt(total);
}

void flat_adamw(std::span<const FlatRange> ranges, const AdamWStep& step, float* parameters, const float* gradients,
                float* first, float* second, [[maybe_unused]] int threads) {
    const Kernels& k = selected_kernels();
    AdamWStep plain = step;
    plain.weight_decay = 0.0f;
#pragma omp parallel for schedule(static) num_threads(threads) if (threads > 1 && ranges.size() >= kPartsWorthThreads)
    for (std::size_t i = 0; i < ranges.size(); ++i) {
        const FlushDenormals flush;
        const FlatRange& range = ranges[i];
        k.adamw(range.decays ? step : plain, parameters + range.first, gradients + range.first, first + range.first,
                second + range.first, range.count);
    }
}

}  // namespace sextant::fused
