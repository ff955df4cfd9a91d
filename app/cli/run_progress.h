#pragma once
// How far a command is, on stderr: a bar redrawn in place on a terminal, one line a change otherwise, JSON lines for
// programs, or nothing. Only folded states come in, so it shows what the event logs say.

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "core/run/run_state.h"

namespace sextant::cli {

struct RunProgress {
    std::int64_t number = 0;
    std::string arm;
    std::int64_t seed = 0;
    std::int64_t steps = 0;  // to do in all
    std::int64_t step = 0;
    std::int64_t tokens_per_step = 0;
    RunPhase phase = RunPhase::kQueued;
    bool active = false;
    bool evaluating = false;
    double loss = 0.0;  // of the last step; NaN before the first
    double tokens_per_s = 0.0;
};

class ProgressReporter {
  public:
    enum class Mode { kBar, kPlain, kJson, kNone };
    // "auto" is a bar on a terminal, else plain.
    static Mode mode_of(const std::string& word, bool quiet);
    explicit ProgressReporter(Mode mode) : mode_(mode) {}
    void update(const std::vector<RunProgress>& runs);
    // A line of its own, above the bar.
    void line(const std::string& text);
    void finish();

  private:
    void draw(const std::vector<RunProgress>& runs);
    void clear();
    Mode mode_;
    bool drawn_ = false;
    std::chrono::steady_clock::time_point last_{};
    std::vector<RunPhase> phases_;
    std::vector<bool> evaluating_;
};

// "0:42", "12:03", "3 h 20 min"
[[nodiscard]] std::string duration_text(double seconds);
// "41.2k", "950", "1.3M"
[[nodiscard]] std::string rate_text(double value);

}  // namespace sextant::cli
