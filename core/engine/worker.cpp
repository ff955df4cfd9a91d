#include "core/engine/worker.h"

#include "core/engine/device.h"
#include "core/engine/run_session.h"
#include "core/engine/stop_signal.h"

namespace sextant {

Status run_worker(const WorkerRequest& request) {
    const StopSignals signals;
    RunSession session(request);
    Status status = guarded([&] { return session.run(); });
    if (!status.ok()) session.record_failure(status.error());
    return status;
}

}  // namespace sextant
