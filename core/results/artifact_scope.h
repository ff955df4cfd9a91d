#pragma once
// The words of an artifact: `scope`, one sentence of what was really run in English and Chinese, and the definitions of
// its numbers.

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "core/experiment/experiment.h"
#include "core/results/dataset_info.h"

namespace sextant {

[[nodiscard]] std::string artifact_scope(const Experiment& experiment, const ArmConfig& variant,
                                         const DatasetInfo& data, const std::vector<std::int64_t>& seeds,
                                         std::int64_t parameters);
[[nodiscard]] nlohmann::ordered_json artifact_definitions();

}  // namespace sextant
