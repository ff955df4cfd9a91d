#pragma once
// Folders in the Hugging Face form: config.json, model.safetensors or shards behind model.safetensors.index.json. Each
// architecture has its own keys, names and packing of q, k and v; mixing them up gives a model that runs and is wrong,
// so every fact is kept with the key it came from. Only the LLaMA family is what our model computes.

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "core/tensor_file/imported_model.h"

namespace sextant {

[[nodiscard]] Result<ModelDescription> describe_hugging_face(const std::string& folder);
[[nodiscard]] Result<ImportedModel> import_hugging_face(const std::string& folder);

// The part that config.json alone decides; tensors are checked separately. Bad values become problems.
[[nodiscard]] ModelDescription describe_config(const nlohmann::json& config);
// Missing tensors and wrong shapes of a known architecture become problems, tensors nobody asked for warnings.
void check_tensors(const nlohmann::json& config, ModelDescription& description);

}  // namespace sextant
