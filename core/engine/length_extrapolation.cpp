#include "core/engine/length_extrapolation.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstring>

#include "core/engine/process_memory.h"
#include "core/engine/reference_path.h"
#include "core/engine/system/machine.h"
#include "core/experiment/memory_estimate.h"

namespace sextant {

std::string length_obstacle(const ModelConfig& model, const PositionEncoding& encoding, const ModelPath& path,
                            std::int64_t length, const ScoreOptions& options) {
    if (const auto longest = encoding.maximum_length(); longest && length > *longest) {
        return fmt::format("{} has positions 0 to {} only; length {} is beyond its table", encoding.spec().id,
                           *longest - 1, length);
    }
    if (std::strcmp(path.name(), "reference") == 0) {
        const std::int64_t batch = std::max<std::int64_t>(1, options.batch_tokens / length);
        const double need = reference_forward_bytes(model, batch, length);
        const auto free = static_cast<double>(available_memory_bytes());
        if (free > 0.0 && need > 0.9 * free) {
            return fmt::format("length {} needs about {:.0f} MB on the reference path and {:.0f} MB are free", length,
                               need / 1048576.0, free / 1048576.0);
        }
    }
    return {};
}

Result<LengthResult> evaluate_length(ModelPath& path, const ModelConfig& model, const PositionEncoding& encoding,
                                     std::span<const std::int32_t> tokens, const LengthRequest& request,
                                     const ScoreOptions& options) {
    LengthResult result;
    const std::int64_t length = request.length;
    if (request.context + request.targets + 1 > static_cast<std::int64_t>(tokens.size()) || request.context < length) {
        return config_error(fmt::format("{} targets behind {} context tokens need {} tokens at length {}; there are {}",
                                        request.targets, request.context, request.context + request.targets + 1, length,
                                        tokens.size()));
    }
    result.reason = length_obstacle(model, encoding, path, length, options);
    if (!result.reason.empty()) return result;

    const auto windows = evaluation_windows(request.mode, request.context, request.targets, length, request.stride);
    result.short_context = short_context_share(windows, length);
    const auto positions = static_cast<std::size_t>(length);
    std::vector<double> sums(positions, 0.0);
    std::vector<std::int64_t> counts(positions, 0);
    restart_peak_resident();
    const auto begin = std::chrono::steady_clock::now();
    SEXTANT_CHECK(score_windows(
        path, tokens, windows,
        [&](std::int64_t position, double loss) {
            sums[static_cast<std::size_t>(position)] += loss;
            ++counts[static_cast<std::size_t>(position)];
        },
        options));
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
    result.peak_rss_mb = peak_resident_mb();
    result.tokens_per_s = static_cast<double>(request.targets) / std::max(seconds.count(), 1e-9);

    double sum = 0.0;
    double beyond = 0.0;
    std::int64_t beyond_count = 0;
    result.by_position.resize(positions, std::numeric_limits<double>::quiet_NaN());
    for (std::size_t p = 0; p < positions; ++p) {
        sum += sums[p];
        if (counts[p] > 0) result.by_position[p] = sums[p] / static_cast<double>(counts[p]);
        if (static_cast<std::int64_t>(p) >= model.context_length) {
            beyond += sums[p];
            beyond_count += counts[p];
        }
    }
    result.loss = sum / static_cast<double>(request.targets);
    if (beyond_count > 0) result.loss_beyond = beyond / static_cast<double>(beyond_count);
    return result;
}

}  // namespace sextant
