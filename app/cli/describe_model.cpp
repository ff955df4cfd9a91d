// describe_file(): what a model's files say, for ours and for others'.

#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "app/cli/model_requests.h"
#include "core/encoding/registry.h"
#include "core/engine/checkpoint.h"
#include "core/engine/checkpoint_config.h"
#include "core/tensor_file/imported_model.h"
#include "core/tensor_file/safetensors.h"

namespace sextant::cli {
namespace {

namespace fs = std::filesystem;

OrderedJson encoding_json(const EncodingConfig& encoding) {
    OrderedJson parameters = OrderedJson::object();
    for (const auto& [name, value] : encoding.parameters)
        parameters[name] = to_json(value);
    return {{"id", encoding.id}, {"parameters", parameters}};
}

Result<Described> describe_ours(const std::string& folder) {
    SEXTANT_TRY(config, read_checkpoint_config(folder + "/config.json"));
    SEXTANT_TRY(encoding, make_encoding(config.encoding, config.model.encoding_site()));
    const ParameterLayout layout = parameter_layout(config.model, *encoding);
    SEXTANT_TRY(file, SafetensorsFile::open(folder + "/model.safetensors"));
    Described described;
    OrderedJson tensors = OrderedJson::array();
    std::int64_t parameters = 0;
    for (const TensorEntry& tensor : file.tensors()) {
        tensors.push_back({{"name", tensor.name}, {"dtype", tensor.dtype}, {"shape", tensor.shape}});
        parameters += tensor.count();
        if (layout.find(tensor.name) == nullptr)
            described.problems.push_back("tensor " + tensor.name + " is not expected");
    }
    for (const ParameterInfo& parameter : layout.parameters) {
        const TensorEntry* tensor = file.find(parameter.name);
        if (tensor == nullptr) {
            described.problems.push_back("tensor " + parameter.name + " is missing");
        } else if (tensor->shape != parameter.shape) {
            described.problems.push_back(fmt::format("tensor {} has shape {}, not {}", parameter.name,
                                                     shape_text(tensor->shape), shape_text(parameter.shape)));
        }
    }
    const ModelConfig& model = config.model;
    EncodingConfig complete{config.encoding.id, encoding->parameters()};
    OrderedJson& document = described.document;
    document = {{"format", "sextant"},
                {"architecture", "llama"},
                {"runnable", described.problems.empty()},
                {"arm", config.arm},
                {"encoding", encoding_json(complete)},
                {"n_layer", model.n_layer},
                {"n_head", model.n_head},
                {"n_kv_head", model.n_kv_head},
                {"head_dim", model.head_dim()},
                {"d_model", model.d_model},
                {"d_ff", model.d_ff},
                {"vocab_size", model.vocab_size},
                {"context_length", model.context_length},
                {"tie_embeddings", model.tie_embeddings},
                {"attention_window", model.attention_window},
                {"norm_epsilon", model.norm_epsilon},
                {"qkv_packing", "separate"},
                {"parameters", parameters},
                {"inferred", OrderedJson::array()},
                {"problems", described.problems},
                {"tensors", std::move(tensors)}};
    if (const auto state = verify_checkpoint(folder, CheckpointUse::kLook); state.ok()) {
        document["step"] = state->step;
        document["training_tokens"] = state->tokens;
    }
    described.text = fmt::format(
        "Sextant checkpoint, arm {}, encoding {}\n{} layers, {} heads ({} for keys and values) of {}, width {}, "
        "feed-forward {}, vocabulary {}, context {}\n{} parameters in {} tensors\n",
        config.arm, encoding->spec().name, model.n_layer, model.n_head, model.n_kv_head, model.head_dim(),
        model.d_model, model.d_ff, model.vocab_size, model.context_length, parameters, file.tensors().size());
    for (const auto& [name, value] : complete.parameters)
        described.text += fmt::format("  {} = {}\n", name, to_text(value));
    for (const TensorEntry& tensor : file.tensors())
        described.text += fmt::format("  {} {} {}\n", tensor.name, tensor.dtype, shape_text(tensor.shape));
    for (const std::string& problem : described.problems)
        described.text += "problem: " + problem + "\n";
    return described;
}

}  // namespace

Result<Described> describe_file(const std::string& path, const std::string& /*tokenizer*/) {
    std::string folder = path;
    if (is_run_folder(path)) {
        const auto names = list_checkpoints(path + "/checkpoints");
        if (names.empty()) return data_error("this run has no checkpoint yet", path);
        folder = path + "/checkpoints/" + names.back();
    }
    std::error_code code;
    if (fs::is_directory(folder, code) && is_checkpoint_config(folder + "/config.json")) return describe_ours(folder);
    SEXTANT_TRY(description, describe_model(folder));
    Described described;
    described.document = to_json(description);
    described.text = to_text(description);
    described.problems = description.problems;
    return described;
}

}  // namespace sextant::cli
