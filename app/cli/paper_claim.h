#pragma once
// The claim of Press et al. 2022 held against an experiment of its shape: ALiBi trained at L against sinusoidal trained
// at 2L with as many tokens a batch, both judged at 2L. Time and memory are measured on both engine paths in processes
// of their own and kept in <project>/paper-claim.json, so that repeating the command measures nothing twice.

#include "app/cli/run_request.h"

namespace sextant::cli {

// The arm trained at half the baseline's length, where the experiment has that shape.
[[nodiscard]] std::optional<ArmConfig> half_length_arm(const Experiment& experiment);
// Measures what is not measured yet; the text for people, empty where the experiment has another shape, blocks is 0 or
// a run is not complete.
[[nodiscard]] Result<std::string> paper_claim(const PreparedRun& prepared, const RunOptions& options,
                                              const Context& context);

}  // namespace sextant::cli
