#include "core/experiment/experiment.h"

#include <nlohmann/json.hpp>

#include "core/base/json.h"
#include "core/experiment/config_io.h"
#include "core/experiment/config_sections.h"

namespace sextant {
namespace {

// Settings with an arm's merge patch applied. The experiment was validated with its patches, so nothing can be wrong
// here; a key a patch set to null falls back to its default.
template <typename Config, typename Read>
Config patched(const Config& config, const std::string& overrides, Read read) {
    if (overrides == "{}") return config;
    Json merged = Json(to_json(config));
    merged.merge_patch(Json::parse(overrides));
    Config result;
    ConfigProblems problems;
    read(merged, "", result, problems);
    return result;
}

}  // namespace

std::vector<ArmConfig> Experiment::arms() const {
    std::vector<ArmConfig> all{baseline};
    all.insert(all.end(), variants.begin(), variants.end());
    return all;
}

ModelConfig Experiment::model_of(const ArmConfig& arm) const {
    ModelConfig result = patched(model, arm.model_overrides, read_model);
    result.vocab_size = model.vocab_size;
    return result;
}

TrainingConfig Experiment::training_of(const ArmConfig& arm) const {
    return patched(training, arm.training_overrides, read_training);
}

}  // namespace sextant
