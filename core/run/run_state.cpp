#include "core/run/run_state.h"

#include <algorithm>
#include <tuple>

#include "core/run/event_log.h"

namespace sextant {
namespace {

auto key_of(const EvaluationEvent& event) {
    return std::tie(event.metric, event.split, event.length, event.mode, event.stride);
}

class Fold {
  public:
    Fold(RunState& state, const RunEvent& event) : state_(state), event_(event) {}

    void operator()(const RunStarted& body) const {
        state_.started = body;
        // A trained run that gets a further evaluation stays complete.
        state_.phase = state_.completed ? RunPhase::kCompleted : RunPhase::kRunning;
        state_.failed.reset();
        state_.diverged.reset();
        state_.cancel_reason.clear();
        // A start at step 0 begins anew; a resume says from where in its own event.
        if (event_.step == 0) discard_after(0);
    }
    void operator()(const StepEvent& body) const {
        StepPoint point;
        point.step = event_.step;
        point.tokens = event_.tokens;
        point.time = event_.time;
        point.elapsed = state_.elapsed;
        point.loss = body.loss;
        point.learning_rate = body.learning_rate;
        point.gradient_norm = body.gradient_norm;
        point.tokens_per_s = body.tokens_per_s;
        if (!state_.steps.empty() && state_.steps.back().step >= point.step) discard_after(point.step - 1);
        state_.steps.push_back(point);
        state_.phase = RunPhase::kRunning;
    }
    void operator()(const ValidationEvent& body) const {
        std::erase_if(state_.validations, [&](const ValidationPoint& point) { return point.step >= event_.step; });
        state_.validations.push_back({event_.step, event_.tokens, state_.elapsed, body.loss});
    }
    void operator()(const CheckpointEvent& body) const {
        std::erase(state_.checkpoints, body.folder);
        state_.checkpoints.push_back(body.folder);
    }
    void operator()(const SnapshotEvent& body) const {
        std::erase_if(state_.snapshots, [&](const auto& snapshot) { return snapshot.first >= event_.step; });
        state_.snapshots.emplace_back(event_.step, body.file);
    }
    void operator()(const PausedEvent&) const { state_.phase = RunPhase::kPaused; }
    void operator()(const ResumedEvent& body) const {
        state_.phase = RunPhase::kRunning;
        const bool new_segment = state_.resumed_segment != event_.segment && event_.segment > 0;
        if (new_segment) {
            discard_after(body.from_step);
            state_.resumed_segment = event_.segment;
            state_.resumes.push_back(body.from_step);
        }
    }
    void operator()(const ControlEvent& body) const {
        state_.last_control_seq = std::max(state_.last_control_seq, body.seq);
    }
    void operator()(const EvaluationEvent& body) const {
        if (state_.completed) state_.failed.reset();  // the further evaluation that failed goes on
        const auto same = std::find_if(state_.evaluations.begin(), state_.evaluations.end(),
                                       [&](const EvaluationEvent& other) { return key_of(other) == key_of(body); });
        if (same != state_.evaluations.end()) {
            *same = body;
        } else {
            state_.evaluations.push_back(body);
        }
    }
    void operator()(const WarningEvent& body) const {
        if (std::find(state_.warnings.begin(), state_.warnings.end(), body.message) == state_.warnings.end()) {
            state_.warnings.push_back(body.message);
        }
    }
    void operator()(const CompletedEvent& body) const {
        state_.completed = body;
        state_.phase = RunPhase::kCompleted;
    }
    void operator()(const CancelledEvent& body) const {
        state_.cancel_reason = body.reason;
        state_.phase = RunPhase::kCancelled;
    }
    void operator()(const DivergedEvent& body) const {
        state_.diverged = body;
        state_.phase = RunPhase::kDiverged;
    }
    void operator()(const FailedEvent& body) const {
        // What was trained to its end stays so: killed on its way out, or failed in a further evaluation.
        state_.failed = body;
        state_.phase = state_.completed ? RunPhase::kCompleted : RunPhase::kFailed;
    }

  private:
    // What a resume from an earlier checkpoint supersedes: everything after `step`.
    void discard_after(std::int64_t step) const {
        std::erase_if(state_.steps, [&](const StepPoint& point) { return point.step > step; });
        std::erase_if(state_.validations, [&](const ValidationPoint& point) { return point.step > step; });
        std::erase_if(state_.snapshots, [&](const auto& snapshot) { return snapshot.first > step; });
    }
    RunState& state_;
    const RunEvent& event_;
};

}  // namespace

void apply(RunState& state, const RunEvent& event) {
    if (event.segment != state.segment) {
        state.elapsed_before = state.elapsed;
        state.segment = event.segment;
    }
    state.elapsed = state.elapsed_before + event.elapsed;
    state.last_time = event.time;
    std::visit(Fold(state, event), event.body);
    state.step = event.step;
    state.tokens = event.tokens;
}

Result<RunState> fold_log(const std::string& path) {
    RunState state;
    EventLogReader reader(path);
    for (;;) {
        SEXTANT_TRY(batch, reader.poll());
        if (batch.reset) state = RunState{};
        for (const RunEvent& event : batch.events)
            apply(state, event);
        for (const std::string& problem : batch.problems)
            state.problems.push_back(problem);
        if (!batch.more) return state;
    }
}

const char* phase_name(RunPhase phase) {
    switch (phase) {
        case RunPhase::kQueued:
            return "queued";
        case RunPhase::kRunning:
            return "running";
        case RunPhase::kPaused:
            return "paused";
        case RunPhase::kCompleted:
            return "completed";
        case RunPhase::kCancelled:
            return "cancelled";
        case RunPhase::kDiverged:
            return "diverged";
        case RunPhase::kFailed:
            return "failed";
    }
    return "unknown";
}

}  // namespace sextant
