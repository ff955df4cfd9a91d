#include "widgets/models/run_snapshot.h"

#include <algorithm>
#include <cmath>

namespace sextant {

RunStatus RunSnapshot::status() const {
    switch (state->phase) {
        case RunPhase::kQueued:
            return RunStatus::kQueued;
        case RunPhase::kRunning:
            return writerAlive ? RunStatus::kRunning : RunStatus::kInterrupted;
        case RunPhase::kPaused:
            return writerAlive ? RunStatus::kPaused : RunStatus::kInterrupted;
        case RunPhase::kCompleted:
            return RunStatus::kCompleted;
        case RunPhase::kCancelled:
            return RunStatus::kCancelled;
        case RunPhase::kDiverged:
            return RunStatus::kDiverged;
        case RunPhase::kFailed:
            return RunStatus::kFailed;
    }
    return RunStatus::kQueued;
}

bool RunSnapshot::live() const {
    const RunStatus now = status();
    return now == RunStatus::kRunning || now == RunStatus::kPaused;
}

bool RunSnapshot::finished() const {
    const RunStatus now = status();
    return now == RunStatus::kCompleted || now == RunStatus::kDiverged;
}

double RunSnapshot::progress() const {
    if (state->phase == RunPhase::kCompleted) return 1.0;
    if (totalSteps() <= 0) return 0.0;
    return std::clamp(static_cast<double>(state->step) / static_cast<double>(totalSteps()), 0.0, 1.0);
}

double RunSnapshot::tokensPerSecond() const {
    if (state->completed && state->completed->tokens_per_s > 0) return state->completed->tokens_per_s;
    std::vector<double> recent;
    for (auto it = state->steps.rbegin(); it != state->steps.rend() && recent.size() < 21; ++it) {
        if (std::isfinite(it->tokens_per_s) && it->tokens_per_s > 0) recent.push_back(it->tokens_per_s);
    }
    if (recent.empty()) return 0.0;
    const auto middle = recent.begin() + static_cast<std::ptrdiff_t>(recent.size() / 2);
    std::nth_element(recent.begin(), middle, recent.end());
    return *middle;
}

std::optional<double> RunSnapshot::secondsLeft() const {
    const double speed = tokensPerSecond();
    if (status() != RunStatus::kRunning || speed <= 0) return std::nullopt;
    return static_cast<double>(std::max<std::int64_t>(0, totalTokens() - state->tokens)) / speed;
}

std::optional<double> RunSnapshot::validationLoss() const {
    if (state->validations.empty()) return std::nullopt;
    return state->validations.back().loss;
}

std::optional<double> RunSnapshot::evaluation(const std::string& metric, std::int64_t length,
                                              const std::string& mode) const {
    for (const EvaluationEvent& event : state->evaluations) {
        if (event.metric == metric && event.split == "test" && event.length == length && event.mode == mode &&
            std::isfinite(event.value))
            return event.value;
    }
    return std::nullopt;
}

std::int64_t RunSnapshot::totalTokens() const {
    return plan->training.steps * plan->training.batch_size * plan->model.context_length;
}

std::vector<const RunSnapshot*> ProjectSnapshot::runsOf(const QString& arm) const {
    std::vector<const RunSnapshot*> found;
    for (const RunSnapshot& run : runs) {
        if (run.arm() == arm) found.push_back(&run);
    }
    return found;
}

const RunSnapshot* ProjectSnapshot::find(const QString& folder) const {
    const std::string name = folder.toStdString();
    for (const RunSnapshot& run : runs) {
        if (run.plan->folder == name) return &run;
    }
    return nullptr;
}

int ProjectSnapshot::slotOf(const QString& arm) const {
    const qsizetype index = arms.indexOf(arm);
    return index < 0 ? 0 : static_cast<int>(index);
}

bool ProjectSnapshot::anyLive() const {
    return std::any_of(runs.begin(), runs.end(), [](const RunSnapshot& run) { return run.live() && !run.external; });
}

}  // namespace sextant
