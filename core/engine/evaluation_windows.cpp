#include "core/engine/evaluation_windows.h"

#include <algorithm>

namespace sextant {

std::vector<EvaluationWindow> non_overlapping_windows(std::int64_t first, std::int64_t count, std::int64_t length) {
    std::vector<EvaluationWindow> windows;
    for (std::int64_t start = first; start < first + count; start += length)
        windows.push_back({start, std::min(start + length, first + count), start});
    return windows;
}

std::vector<EvaluationWindow> sliding_windows(std::int64_t first, std::int64_t count, std::int64_t length,
                                              std::int64_t stride) {
    std::vector<EvaluationWindow> windows;
    stride = std::min(stride, length);
    for (std::int64_t scored = first; scored < first + count; scored += stride) {
        const std::int64_t end = std::min(scored + stride, first + count);
        windows.push_back({end - length, end, scored});
    }
    return windows;
}

std::vector<EvaluationWindow> cold_start_windows(std::int64_t first, std::int64_t count, std::int64_t length,
                                                 std::int64_t stride) {
    std::vector<EvaluationWindow> windows;
    const std::int64_t last = first + count;
    stride = std::min(stride, length);
    std::int64_t end = std::min(first + length, last);
    windows.push_back({first, end, first});
    while (end < last) {
        const std::int64_t scored = end;
        end = std::min(end + stride, last);
        windows.push_back({end - length, end, scored});
    }
    return windows;
}

std::vector<EvaluationWindow> evaluation_windows(const std::string& mode, std::int64_t first, std::int64_t count,
                                                 std::int64_t length, std::int64_t stride) {
    if (mode == "sliding") return sliding_windows(first, count, length, stride);
    if (mode == "cold-start") return cold_start_windows(first, count, length, stride);
    return non_overlapping_windows(first, count, length);
}

double short_context_share(const std::vector<EvaluationWindow>& windows, std::int64_t length) {
    std::int64_t scored = 0;
    std::int64_t few = 0;
    for (const EvaluationWindow& window : windows) {
        scored += window.end - window.scored_from;
        const std::int64_t limit = std::min(window.end, window.start + length / 4);
        few += std::max<std::int64_t>(0, limit - window.scored_from);
    }
    return scored > 0 ? static_cast<double>(few) / static_cast<double>(scored) : 0.0;
}

}  // namespace sextant
