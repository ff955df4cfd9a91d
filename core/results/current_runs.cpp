#include "core/results/current_runs.h"

namespace sextant {

std::vector<ListedRun> current_runs(const Experiment& experiment, std::span<const ListedRun> runs) {
    std::vector<ListedRun> current;
    for (const ArmConfig& arm : experiment.arms()) {
        for (const std::int64_t seed : experiment.seeds) {
            const ListedRun* found = nullptr;
            for (const ListedRun& run : runs) {
                if (run.plan.arm != arm.name || run.plan.seed != seed) continue;
                const std::string& hash = run.plan.plan_sha256;
                if (hash.empty() || hash == plan_hash(experiment, arm, seed, run.plan.identity)) found = &run;
            }
            if (found != nullptr) current.push_back(*found);
        }
    }
    return current;
}

}  // namespace sextant
