#pragma once
// One function a section of the experiment file: JSON to value, every problem collected. Ranges are generous limits
// that keep arithmetic and memory sane; what fits together is checked in config_validation.

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "core/experiment/config_reader.h"

namespace sextant {

void read_data(const nlohmann::json& value, const std::string& pointer, DataConfig& out, ConfigProblems& problems);
void read_model(const nlohmann::json& value, const std::string& pointer, ModelConfig& out, ConfigProblems& problems);
void read_training(const nlohmann::json& value, const std::string& pointer, TrainingConfig& out,
                   ConfigProblems& problems);
void read_evaluation(const nlohmann::json& value, const std::string& pointer, EvaluationConfig& out,
                     ConfigProblems& problems);
void read_encoding(const nlohmann::json& value, const std::string& pointer, EncodingConfig& out,
                   ConfigProblems& problems);
void read_arm(const nlohmann::json& value, const std::string& pointer, ArmConfig& out, ConfigProblems& problems);
// Empty when `name` may name an experiment or an arm, else a sentence.
[[nodiscard]] std::string name_problem(const std::string& name);

}  // namespace sextant
