#pragma once
// Every evaluation an experiment asks of a run, as events: what is in the log already is not done again, so a completed
// run gets only what was added to its experiment since.

#include <functional>
#include <string>
#include <vector>

#include "core/data/dataset.h"
#include "core/engine/length_extrapolation.h"
#include "core/run/run_state.h"

namespace sextant {

struct RunEvaluation {
    ModelPath& path;
    const ModelConfig& model;
    const PositionEncoding& encoding;
    const Dataset& data;
    const EvaluationConfig& wanted;
};

// Calls `emit` for each value as it is known. `state`: what the log holds so far.
[[nodiscard]] Status evaluate_run(const RunEvaluation& run, const RunState& state,
                                  const std::function<Status(EvaluationEvent)>& emit, const ScoreOptions& options);
// Whether evaluate_run() would do anything.
[[nodiscard]] bool evaluations_missing(const ModelConfig& model, const EvaluationConfig& wanted, const RunState& state);

}  // namespace sextant
