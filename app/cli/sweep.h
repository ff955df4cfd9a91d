#pragma once
// run --sweep: every arm gets the same trials (settings x seeds), each arm's trial is chosen on the validation split,
// and what comes back is the experiment with the chosen settings, ready for the one reading of the test split.

#include "app/cli/run_request.h"

namespace sextant::cli {

// Trains what is not trained yet; a repetition after an interruption continues. kCancelled when it was stopped.
// Refuses other values once the chosen trials of a sweep have read the test split.
[[nodiscard]] Result<PreparedRun> prepare_swept(const RunOptions& options, Context& context);

}  // namespace sextant::cli
