#pragma once
// config.json beside a checkpoint's weights: the keys of Hugging Face's LLaMA, and ours under "sextant". The model type
// is "llama" only where that architecture computes the same (plain half-split rotation); otherwise other software would
// load it and silently rotate.

#include <string>

#include "core/experiment/experiment.h"

namespace sextant {

struct CheckpointConfig {
    ModelConfig model;
    EncodingConfig encoding;
    std::string arm;
};

[[nodiscard]] std::string checkpoint_config_text(const ModelConfig& model, const EncodingConfig& encoding,
                                                 const std::string& arm);
// kData when the file is not one of ours.
[[nodiscard]] Result<CheckpointConfig> read_checkpoint_config(const std::string& path);
// Whether config.json carries our key; false when it cannot be read.
[[nodiscard]] bool is_checkpoint_config(const std::string& path);

}  // namespace sextant
