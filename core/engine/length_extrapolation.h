#pragma once
// Loss at a length that need not be the training length: the fixed targets of the protocol in one mode, with loss by
// position and loss beyond the training length from the same pass.

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "core/encoding/position_encoding.h"
#include "core/engine/perplexity.h"
#include "core/experiment/experiment.h"

namespace sextant {

struct LengthRequest {
    std::int64_t length = 64;
    std::string mode = "non-overlapping";  // non-overlapping | sliding | cold-start | attention-sink
    std::int64_t stride = 16;              // sliding and cold-start
    std::int64_t context = 64;             // C: context-only tokens before the first target
    std::int64_t targets = 0;              // N: tokens C+1 .. C+N are the targets
};

struct LengthResult {
    double loss = std::numeric_limits<double>::quiet_NaN();
    double loss_beyond = std::numeric_limits<double>::quiet_NaN();  // targets at positions >= the training length
    double short_context = 0.0;                                     // share of targets with at most length/4 tokens
    std::vector<double> by_position;  // mean loss by position in the window; NaN where nothing is scored
    double tokens_per_s = 0.0;        // targets a second
    double peak_rss_mb = 0.0;
    std::string reason;  // why there is no value: beyond a learned table, too large for memory
};

// Why this model cannot be evaluated at the length, or empty: beyond the encoding's table; the reference path's
// estimate above the memory there is.
[[nodiscard]] std::string length_obstacle(const ModelConfig& model, const PositionEncoding& encoding,
                                          const ModelPath& path, std::int64_t length, const ScoreOptions& options = {});
// `tokens` must hold context + targets + 1. kCancelled when stopped; an obstacle is a reason, not an error.
[[nodiscard]] Result<LengthResult> evaluate_length(ModelPath& path, const ModelConfig& model,
                                                   const PositionEncoding& encoding,
                                                   std::span<const std::int32_t> tokens, const LengthRequest& request,
                                                   const ScoreOptions& options = {});

}  // namespace sextant
