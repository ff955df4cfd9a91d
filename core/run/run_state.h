#pragma once
// apply(state, event): the one pure fold of a run's events, used by the window, the tables, the artifact and the tests.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/run/run_event.h"

namespace sextant {

enum class RunPhase { kQueued, kRunning, kPaused, kCompleted, kCancelled, kDiverged, kFailed };

struct StepPoint {
    std::int64_t step = 0, tokens = 0;
    std::int64_t time = 0;
    double elapsed = 0.0;  // training seconds over all segments
    double loss = 0.0, learning_rate = 0.0, gradient_norm = 0.0, tokens_per_s = 0.0;
};
struct ValidationPoint {
    std::int64_t step = 0, tokens = 0;
    double elapsed = 0.0;
    double loss = 0.0;
};

struct RunState {
    RunPhase phase = RunPhase::kQueued;
    std::int64_t segment = -1;
    std::int64_t step = 0, tokens = 0;
    std::int64_t last_time = 0;
    double elapsed = 0.0;
    std::optional<RunStarted> started;
    std::vector<StepPoint> steps;  // superseded ones are discarded when a resume goes back
    std::vector<ValidationPoint> validations;
    std::vector<EvaluationEvent> evaluations;  // the last value for each (metric, split, length, mode, stride)
    std::vector<std::string> checkpoints;
    std::vector<std::pair<std::int64_t, std::string>> snapshots;
    std::vector<std::int64_t> resumes;  // steps at which a segment began anew
    std::vector<std::string> warnings;
    std::optional<CompletedEvent> completed;
    std::optional<DivergedEvent> diverged;
    std::optional<FailedEvent> failed;
    std::string cancel_reason;
    std::int64_t last_control_seq = 0;
    std::vector<std::string> problems;  // damaged records that were skipped
    double elapsed_before = 0.0;        // training seconds of earlier segments
    std::int64_t resumed_segment = 0;   // last segment counted in `resumes`
};

void apply(RunState& state, const RunEvent& event);
[[nodiscard]] Result<RunState> fold_log(const std::string& path);
[[nodiscard]] const char* phase_name(RunPhase phase);  // "queued", "running", ...

}  // namespace sextant
