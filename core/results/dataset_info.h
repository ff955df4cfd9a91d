#pragma once
// What an artifact says about its data, without the tokens: kept beside them as <project>/data/dataset_info.json, so
// that tables, artifacts and reports never tokenize a corpus again.

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "core/experiment/run_plan.h"
#include "core/run/run_directory.h"

namespace sextant {

struct Dataset;

struct DatasetInfo {
    std::string name;
    std::int64_t train_tokens = 0, validation_tokens = 0, test_tokens = 0, narrative_tokens = 0;
    std::int64_t instruction_train = 0, instruction_validation = 0, preference_validation = 0;
    std::int64_t vocab_size = 0;
    std::string tokenizer;  // in words, no path
    std::int64_t test_bytes = 0, test_words = 0;
    std::vector<std::string> notes;
    DataIdentity identity;
};

[[nodiscard]] DatasetInfo dataset_info(const Dataset& dataset, const DataConfig& config);
[[nodiscard]] nlohmann::ordered_json to_json(const DatasetInfo& info);
[[nodiscard]] Result<DatasetInfo> dataset_info_from_json(const nlohmann::json& document, const std::string& path = {});
// Writes only when the content changed.
[[nodiscard]] Status write_dataset_info(const Project& project, const DatasetInfo& info);
// kData when it is not there: no run of the project has prepared its data yet.
[[nodiscard]] Result<DatasetInfo> read_dataset_info(const Project& project);

}  // namespace sextant
