#include "core/engine/perplexity.h"

#include <algorithm>

namespace sextant {

Status score_windows(ModelPath& path, std::span<const std::int32_t> tokens, std::span<const EvaluationWindow> windows,
                     const LossReceiver& receive, const ScoreOptions& options) {
    std::vector<std::int32_t> inputs, targets;
    std::vector<float> losses;
    std::size_t next = 0;
    while (next < windows.size()) {
        if (options.cancelled && options.cancelled())
            return Error{ErrorCode::kCancelled, "evaluation was stopped", {}, {}, {}};
        const std::int64_t length = windows[next].end - windows[next].start;
        const std::int64_t most = std::max<std::int64_t>(1, options.batch_tokens / length);
        std::size_t stop = next;
        while (stop < windows.size() && static_cast<std::int64_t>(stop - next) < most &&
               windows[stop].end - windows[stop].start == length)
            ++stop;
        const auto batch = static_cast<std::int64_t>(stop - next);
        inputs.clear();
        targets.clear();
        for (std::size_t w = next; w < stop; ++w) {
            for (std::int64_t i = windows[w].start; i < windows[w].end; ++i) {
                inputs.push_back(tokens[static_cast<std::size_t>(i)]);
                targets.push_back(i < windows[w].scored_from ? -1 : tokens[static_cast<std::size_t>(i + 1)]);
            }
        }
        losses.assign(inputs.size(), 0.0F);
        path.token_losses(inputs, targets, batch, length, losses);
        for (std::size_t w = next; w < stop; ++w) {
            const auto row = static_cast<std::int64_t>(w - next) * length;
            for (std::int64_t i = windows[w].scored_from; i < windows[w].end; ++i) {
                const std::int64_t position = i - windows[w].start;
                receive(position, losses[static_cast<std::size_t>(row + position)]);
            }
        }
        next = stop;
        if (options.progress) options.progress(static_cast<double>(next) / static_cast<double>(windows.size()));
    }
    return {};
}

Result<double> stream_loss(ModelPath& path, std::span<const std::int32_t> tokens, std::int64_t length,
                           const ScoreOptions& options) {
    const auto count = static_cast<std::int64_t>(tokens.size()) - 1;
    if (count < 1) return data_error("there are fewer than two tokens to score");
    double sum = 0.0;
    SEXTANT_CHECK(score_windows(
        path, tokens, non_overlapping_windows(0, count, length), [&](std::int64_t, double loss) { sum += loss; },
        options));
    return sum / static_cast<double>(count);
}

}  // namespace sextant
