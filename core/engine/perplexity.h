#pragma once
// Losses of a token stream, window by window. Windows go through the model in batches of a fixed number of tokens and
// are summed in double in the order of the text, so the batch size does not show in the result beyond rounding.

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "core/base/result.h"
#include "core/engine/evaluation_windows.h"
#include "core/engine/model_path.h"

namespace sextant {

struct ScoreOptions {
    std::int64_t batch_tokens = 4096;
    std::function<bool()> cancelled;       // asked before each batch; true ends with kCancelled
    std::function<void(double)> progress;  // 0..1
};

// Called for each scored prediction in the order of the windows: its position in the window and its loss in nats.
using LossReceiver = std::function<void(std::int64_t position, double loss)>;
[[nodiscard]] Status score_windows(ModelPath& path, std::span<const std::int32_t> tokens,
                                   std::span<const EvaluationWindow> windows, const LossReceiver& receive,
                                   const ScoreOptions& options = {});
// Mean loss of tokens 1 .. size-1 at `length`, non-overlapping.
[[nodiscard]] Result<double> stream_loss(ModelPath& path, std::span<const std::int32_t> tokens, std::int64_t length,
                                         const ScoreOptions& options = {});

}  // namespace sextant
