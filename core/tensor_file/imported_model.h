#pragma once
// A model made by somebody else, in our terms: what its files say, where each fact came from, and its weights under our
// names. Describing never needs the weights, so a model that we cannot run can still be looked at.

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/experiment/experiment.h"
#include "core/tensor_file/npy.h"

namespace sextant {

struct DescribedTensor {
    std::string name;  // as in the file
    std::string dtype;
    Shape shape;
    std::string file;  // name without folder
};

struct Inference {
    std::string what;   // "n_head"
    std::string value;  // "8"
    std::string from;   // "config.json: num_attention_heads", "not stated; default of the architecture"
};

struct ModelDescription {
    std::string format;        // "hugging-face" | "llama2.c"
    std::string architecture;  // "llama", "gpt-neox", "bloom", "mpt", "falcon", "gpt2", "baichuan", or the file's word
    bool known = false;        // an architecture whose names and packing we know
    bool runnable = false;     // our model computes exactly this
    std::string why_not;       // one sentence when not runnable
    ModelConfig model;         // members that the files do not tell are 0
    EncodingConfig encoding;
    std::string qkv_packing;  // "separate", "per head [H][3][d]", "concatenated [3][H*d]", ...
    std::vector<DescribedTensor> tensors;
    std::int64_t parameters = 0;  // numbers in all tensors of the files
    std::vector<Inference> inferred;
    std::vector<std::string> warnings;
    std::vector<std::string> problems;  // missing tensors, wrong shapes, head counts that do not divide: exit 4
};
[[nodiscard]] nlohmann::ordered_json to_json(const ModelDescription& description);
[[nodiscard]] std::string to_text(const ModelDescription& description);  // for people, several lines

struct ImportedTensor {
    std::string name;  // of ParameterLayout: model.layers.0.self_attn.q_proj.weight, ...
    Shape shape;
    std::vector<float> values;
};

struct ImportedModel {
    ModelDescription description;
    std::vector<ImportedTensor> tensors;  // complete when this value exists
    [[nodiscard]] const ImportedTensor* find(const std::string& name) const;
};

// `path`: a llama2.c .bin, or a folder with config.json and *.safetensors. describe_model() fails only when there is
// nothing to describe; import_model() fails with kData on the first problem or when the model is not runnable.
[[nodiscard]] Result<ModelDescription> describe_model(const std::string& path);
[[nodiscard]] Result<ImportedModel> import_model(const std::string& path);

// Name and shape of every weight of our model, in the layout's order, position parameters excepted.
struct NamedShape {
    std::string name;
    Shape shape;
};
[[nodiscard]] std::vector<NamedShape> llama_tensor_shapes(const ModelConfig& model);

}  // namespace sextant
