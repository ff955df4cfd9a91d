#include "core/engine/fused/flat_optimizer.h"

#include <omp.h>

#include <algorithm>
#include <cmath>

#include "core/engine/fused/flush_denormals.h"
#include "core/engine/fused/kernels.h"

namespace sextant::fused {
namespace {

constexpr std::int64_t kPart = 16384;  // floats; parts are the same for any thread count, so the norm is too

const Kernels& selected_kernels() {
    const auto isa = selected_isa();
    return kernels(isa.ok() ? isa.value() : supported_isas().back());
}

}  // namespace

double flat_norm(std::span<const float> values, int threads) {
    const Kernels& k = selected_kernels();
    const auto count = static_cast<std::int64_t>(values.size());
    std::vector<double> sums(static_cast<std::size_t>((count + kPart - 1) / kPart));
    const auto parts = static_cast<std::int64_t>(sums.size());
#pragma omp parallel for schedule(static) num_threads(threads) if (threads > 1 && parts > 1)
    for (std::int64_t part = 0; part < parts; ++part)
        sums[static_cast<std::size_t>(part)] =
            k.squares(values.data() + part * kPart, std::min(kPart, count - part * kPart));
    double total = 0.0;
    for (const double sum : sums)
        total += sum;
    return std::sqrt(total);
}

void flat_adamw(std::span<float> parameters, std::span<const float> gradients, std::span<float> first,
                std::span<float> second, std::int64_t step, const FlatAdamWOptions& options, double gradient_scale,
                int threads) {
    const Kernels& k = selected_kernels();
    const auto at = static_cast<double>(step);
    const AdamWStep values{static_cast<float>(options.learning_rate),
                           static_cast<float>(options.beta1),
                           static_cast<float>(options.beta2),
                           static_cast<float>(options.epsilon),
                           static_cast<float>(options.weight_decay),
                           static_cast<float>(gradient_scale),
                           static_cast<float>(1.0 - std::pow(options.beta1, at)),
                           static_cast<float>(1.0 - std::pow(options.beta2, at))};
    const auto count = static_cast<std::int64_t>(parameters.size());
    const std::int64_t parts = (count + kPart - 1) / kPart;
#pragma omp parallel for schedule(static) num_threads(threads) if (threads > 1 && parts > 1)
    for (std::int64_t part = 0; part < parts; ++part) {
        const FlushDenormals flush;
        const std::int64_t from = part * kPart;
        k.adamw(values, parameters.data() + from, gradients.data() + from, first.data() + from, second.data() + from,
                std::min(kPart, count - from));
    }
}

FlatAdamW::FlatAdamW(const ParameterLayout& layout, int threads)
    : first_(static_cast<std::size_t>(layout.buffer_size)),
      second_(static_cast<std::size_t>(layout.buffer_size)),
      threads_(threads) {
    for (const ParameterInfo& info : layout.parameters) {
        const bool decays = info.role == ParameterRole::kEmbedding || info.role == ParameterRole::kHidden;
        if (!ranges_.empty() && ranges_.back().decays == decays &&
            ranges_.back().first + ranges_.back().count == info.offset)
            ranges_.back().count += info.count;
        else
            ranges_.push_back({info.offset, info.count, decays});
    }
}

double FlatAdamW::step(std::span<float> parameters, std::span<const float> gradients, const FlatAdamWOptions& options) {
    ++steps_;
    const double norm = flat_norm(gradients, threads_);
    const double scale = options.gradient_clip > 0.0 ? std::min(1.0, options.gradient_clip / (norm + 1e-6)) : 1.0;
    FlatAdamWOptions plain = options;
    plain.weight_decay = 0.0;
    for (const Range& range : ranges_) {
        const auto from = static_cast<std::size_t>(range.first), count = static_cast<std::size_t>(range.count);
        flat_adamw(parameters.subspan(from, count), gradients.subspan(from, count),
                   std::span(first_).subspan(from, count), std::span(second_).subspan(from, count), steps_,
                   range.decays ? options : plain, scale, threads_);
    }
    return norm;
}

}  // namespace sextant::fused
