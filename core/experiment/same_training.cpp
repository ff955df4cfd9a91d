#include "core/experiment/same_training.h"

namespace sextant {

bool same_training(const RunPlan& a, const RunPlan& b) {
    const auto deciding = [](TrainingConfig training) {
        const TrainingConfig usual;
        training.device = usual.device;
        training.path = usual.path;
        training.threads = usual.threads;
        training.log_every = usual.log_every;
        training.evaluate_every = usual.evaluate_every;
        training.checkpoint_every = usual.checkpoint_every;
        training.snapshot_every = usual.snapshot_every;
        return training;
    };
    return a.seed == b.seed && a.encoding == b.encoding && a.model == b.model &&
           deciding(a.training) == deciding(b.training) && !a.identity.tokens_sha256.empty() &&
           a.identity.tokens_sha256 == b.identity.tokens_sha256;
}

}  // namespace sextant
