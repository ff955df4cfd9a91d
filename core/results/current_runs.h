#pragma once
// The runs that belong to an experiment as it stands now. A project keeps the plans of earlier settings for good, under
// the same arm names and seeds; only a plan whose hash the experiment still has may enter its tables and artifacts.

#include <span>
#include <vector>

#include "core/experiment/experiment.h"
#include "core/run/run_directory.h"

namespace sextant {

// At most one run for each arm and seed, arms in the experiment's order. Where the data changed as well, the newest
// plan counts. Runs without a hash (made by hand) are taken by name and seed.
[[nodiscard]] std::vector<ListedRun> current_runs(const Experiment& experiment, std::span<const ListedRun> runs);

}  // namespace sextant
