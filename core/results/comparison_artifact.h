#pragma once
// Comparisons from artifact files, ours or strangers': files that share baseline, data and setup form one family,
// others stand alone. A file without single values per seed can be shown with its means, but nothing is tested on it.

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <utility>
#include <vector>

#include "core/results/comparison.h"

namespace sextant {

// `documents`: (path, artifact). kData when one is no artifact.
[[nodiscard]] Result<std::vector<ComparisonInput>> comparison_inputs_from_artifacts(
    const std::vector<std::pair<std::string, nlohmann::json>>& documents);

// What `compare` takes: artifact files and project folders (their runs where there are any, also in progress, else
// their artifacts/*.json).
[[nodiscard]] Result<std::vector<Comparison>> compare_paths(const std::vector<std::string>& paths);

}  // namespace sextant
