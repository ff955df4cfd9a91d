#pragma once
// What a finished `run` leaves behind: one artifact a variant, the comparison table, and the list of files written.

#include <string>
#include <vector>

#include "app/cli/orchestrator.h"

namespace sextant::cli {

struct WrittenResults {
    std::string table;                   // for people
    std::vector<std::string> written;    // artifacts whose bytes changed
    std::vector<std::string> unchanged;  // artifacts left alone
    std::vector<std::string> missing;    // what has no artifact yet, and why
};

// Folds every run of the experiment. An artifact whose content is as it was keeps its bytes.
[[nodiscard]] Result<WrittenResults> write_results(const PreparedRun& prepared, const Context& context);
// The error a command ends with: cancelled first, then the worst of the runs; nothing when all are complete.
[[nodiscard]] std::optional<Error> overall_error(const std::vector<RunOutcome>& outcomes, bool stopped);

}  // namespace sextant::cli
