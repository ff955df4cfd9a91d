#pragma once
// The metrics artifact, schema 2: one file for a baseline and one variant, with every key of the published files and
// ours beside them. It is a fold of the event logs: the same runs give the same bytes apart from `timing`, `memory` and
// `provenance`. What was not measured is null, with a sentence under `reasons` keyed by its JSON pointer.

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/experiment/experiment.h"
#include "core/results/dataset_info.h"
#include "core/results/provenance.h"
#include "core/results/sweep_record.h"
#include "core/run/run_directory.h"

namespace sextant {

inline constexpr int kArtifactSchema = 2;
inline constexpr double kInstructionWeight = 0.15;

// `runs`: all runs of the project (list_runs): the Holm family needs the other variants. kData when the variant and the
// baseline have no complete seed in common. `sweep`: what chose the arms' settings, where there was one.
[[nodiscard]] Result<nlohmann::ordered_json> build_artifact(const Experiment& experiment, const ArmConfig& variant,
                                                            std::span<const ListedRun> runs, const DatasetInfo& data,
                                                            const Provenance& provenance,
                                                            const std::optional<SweepRecord>& sweep = {});
[[nodiscard]] std::string artifact_file_name(const std::string& variant);  // "<variant, escaped>.json"

struct ArtifactReport {
    std::vector<std::string> written;    // paths whose bytes changed
    std::vector<std::string> unchanged;  // paths left alone
    std::vector<std::string> missing;    // sentences: what could not be built, and which runs are not complete
};
// One artifact a variant under <project>/artifacts; a file is rewritten only when something outside timing, memory and
// provenance changed.
[[nodiscard]] Result<ArtifactReport> write_artifacts(const Project& project, const Experiment& experiment,
                                                     const DatasetInfo& data,
                                                     const std::vector<std::string>& arguments);

// The documents are equal apart from `timing`, `memory` and `provenance`.
[[nodiscard]] bool same_results(const nlohmann::json& a, const nlohmann::json& b);

// Trained numbers of a LLaMA-style model without position parameters.
[[nodiscard]] std::int64_t base_parameter_count(const ModelConfig& model);
// d_ff where a published file does not give one: 8d/3 rounded up to a multiple of 64.
[[nodiscard]] std::int64_t default_d_ff(std::int64_t d_model);

}  // namespace sextant
