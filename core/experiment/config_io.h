#pragma once
// Reading and writing experiment files: migrate, validate with every problem and its JSON pointer, write.

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "core/experiment/experiment.h"

namespace sextant {

struct ConfigProblem {
    std::string pointer;
    std::string message;
    bool warning = false;
};

struct LoadedExperiment {
    Experiment experiment;
    std::vector<ConfigProblem> warnings;
};

// `set` are JSON-pointer assignments ("/training/steps=200"; the value is JSON, else a string) applied before
// validation.
[[nodiscard]] Result<LoadedExperiment> load_experiment(const std::string& path,
                                                       const std::vector<std::string>& set = {});
// `directory`: what relative paths inside the document are relative to.
[[nodiscard]] Result<LoadedExperiment> experiment_from_json(const nlohmann::json& document,
                                                            const std::string& directory, const std::string& path = {});
// All problems of a document, errors and warnings; empty when it is good. The editor shows these beside its fields.
[[nodiscard]] std::vector<ConfigProblem> validate_experiment(const nlohmann::json& document);
[[nodiscard]] nlohmann::ordered_json to_json(const Experiment& experiment);
// kUsage on a malformed assignment; relative corpus paths in values are made absolute from the current folder.
[[nodiscard]] Status apply_assignment(nlohmann::json& document, const std::string& assignment);

[[nodiscard]] nlohmann::ordered_json to_json(const ModelConfig& model);
[[nodiscard]] nlohmann::ordered_json to_json(const TrainingConfig& training);
[[nodiscard]] nlohmann::ordered_json to_json(const DataConfig& data);
[[nodiscard]] nlohmann::ordered_json to_json(const EvaluationConfig& evaluation);
[[nodiscard]] nlohmann::ordered_json to_json(const EncodingConfig& encoding);
[[nodiscard]] nlohmann::ordered_json to_json(const ArmConfig& arm);

}  // namespace sextant
