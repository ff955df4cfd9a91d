#include "core/engine/worker.h"

namespace sextant {

Status run_worker(const WorkerRequest& request) {
    return internal_error("run " + request.plan.folder + " cannot be trained by this build yet");
}

}  // namespace sextant
