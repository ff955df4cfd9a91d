#pragma once
// One run, from wherever it stands to its end: prepare data, train or resume, evaluate, write events. Called by
// `sextant-cli run --task N` in a process of its own; nothing else trains. No torch type appears here.

#include <cstdint>
#include <string>

#include "core/base/result.h"
#include "core/experiment/experiment.h"
#include "core/experiment/run_plan.h"
#include "core/run/run_directory.h"

namespace sextant {

struct WorkerRequest {
    Project project;
    Experiment experiment;         // its evaluation settings; the rest is in the plan
    RunPlan plan;                  // threads 0, device "auto" and path "auto" are resolved by the worker at first start
    bool restart = false;          // begin an unfinished run anew instead of resuming it
    bool validation_only = false;  // train and validate; the test split is left for a later call
};

// Ok: the run is complete (trained now or before, every evaluation asked for is in its log). An error's code is the
// exit status: kCancelled (130) after SIGINT, SIGTERM or `stop` with a checkpoint written, kDiverged (5), kDevice (7),
// kStorage (6) also when another live process holds the run. The event log has the same outcome.
// Installs handlers for SIGINT and SIGTERM while it runs.
[[nodiscard]] Status run_worker(const WorkerRequest& request);

}  // namespace sextant
