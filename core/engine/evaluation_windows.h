#pragma once
// Which inputs score which targets, in every mode of the protocol (INTERFACES.md section 3). Plain arithmetic, so the
// golden window counts hold for it without a model.

#include <cstdint>
#include <string>
#include <vector>

namespace sextant {

// Inputs are tokens [start, end); input i predicts token i + 1. Predictions of inputs [scored_from, end) count.
struct EvaluationWindow {
    std::int64_t start = 0, end = 0, scored_from = 0;
    friend bool operator==(const EvaluationWindow&, const EvaluationWindow&) = default;
};

// Inputs first .. first+count-1 scored once each, in windows of `length` that begin anew.
[[nodiscard]] std::vector<EvaluationWindow> non_overlapping_windows(std::int64_t first, std::int64_t count,
                                                                    std::int64_t length);
// Every window has exactly `length` inputs and scores its last `stride`; reaches length - stride inputs before `first`.
[[nodiscard]] std::vector<EvaluationWindow> sliding_windows(std::int64_t first, std::int64_t count, std::int64_t length,
                                                            std::int64_t stride);
// The papers' variant: 1 + ceil((count - length) / stride) passes, the first from a cold start, the last moved back to
// end with the text.
[[nodiscard]] std::vector<EvaluationWindow> cold_start_windows(std::int64_t first, std::int64_t count,
                                                               std::int64_t length, std::int64_t stride);
// By name: non-overlapping (also attention-sink), sliding, cold-start.
[[nodiscard]] std::vector<EvaluationWindow> evaluation_windows(const std::string& mode, std::int64_t first,
                                                               std::int64_t count, std::int64_t length,
                                                               std::int64_t stride);
// Share of scored predictions that see at most a quarter of `length` tokens, the current one included.
[[nodiscard]] double short_context_share(const std::vector<EvaluationWindow>& windows, std::int64_t length);

}  // namespace sextant
