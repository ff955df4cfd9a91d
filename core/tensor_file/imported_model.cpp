#include "core/tensor_file/imported_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "core/base/json.h"
#include "core/base/text.h"
#include "core/tensor_file/hugging_face_config.h"
#include "core/tensor_file/llama2c.h"

namespace sextant {
namespace {

bool is_folder(const std::string& path) {
    std::error_code error;
    return std::filesystem::is_directory(path, error);
}

}  // namespace

const ImportedTensor* ImportedModel::find(const std::string& name) const {
    const auto at =
        std::find_if(tensors.begin(), tensors.end(), [&](const ImportedTensor& tensor) { return tensor.name == name; });
    return at == tensors.end() ? nullptr : &*at;
}

std::vector<NamedShape> llama_tensor_shapes(const ModelConfig& model) {
    const std::int64_t d = model.d_model;
    const std::int64_t head = model.n_head == 0 ? 0 : d / model.n_head;
    const std::int64_t kv = head * model.n_kv_head;
    std::vector<NamedShape> list{{"model.embed_tokens.weight", {model.vocab_size, d}}};
    for (std::int64_t l = 0; l < model.n_layer; ++l) {
        const std::string layer = fmt::format("model.layers.{}.", l);
        list.push_back({layer + "input_layernorm.weight", {d}});
        list.push_back({layer + "self_attn.q_proj.weight", {head * model.n_head, d}});
        list.push_back({layer + "self_attn.k_proj.weight", {kv, d}});
        list.push_back({layer + "self_attn.v_proj.weight", {kv, d}});
        list.push_back({layer + "self_attn.o_proj.weight", {d, head * model.n_head}});
        list.push_back({layer + "post_attention_layernorm.weight", {d}});
        list.push_back({layer + "mlp.gate_proj.weight", {model.d_ff, d}});
        list.push_back({layer + "mlp.up_proj.weight", {model.d_ff, d}});
        list.push_back({layer + "mlp.down_proj.weight", {d, model.d_ff}});
    }
    list.push_back({"model.norm.weight", {d}});
    if (!model.tie_embeddings) list.push_back({"lm_head.weight", {model.vocab_size, d}});
    return list;
}

Result<ModelDescription> describe_model(const std::string& path) {
    if (is_folder(path)) return describe_hugging_face(path);
    return describe_llama2c(path);
}

Result<ImportedModel> import_model(const std::string& path) {
    if (is_folder(path)) return import_hugging_face(path);
    return import_llama2c(path);
}

OrderedJson to_json(const ModelDescription& description) {
    const auto known = [](std::int64_t value) { return value > 0 ? OrderedJson(value) : OrderedJson(nullptr); };
    const ModelConfig& model = description.model;
    OrderedJson parameters = OrderedJson::object();
    for (const auto& [name, value] : description.encoding.parameters)
        parameters[name] = to_json(value);
    OrderedJson document = {
        {"format", description.format},
        {"architecture", description.architecture},
        {"known_architecture", description.known},
        {"runnable", description.runnable},
        {"why_not_runnable", description.runnable ? OrderedJson(nullptr) : OrderedJson(description.why_not)},
        {"encoding", {{"id", description.encoding.id}, {"parameters", parameters}}},
        {"n_layer", known(model.n_layer)},
        {"n_head", known(model.n_head)},
        {"n_kv_head", known(model.n_kv_head)},
        {"d_model", known(model.d_model)},
        {"head_dim", model.n_head > 0 && model.d_model > 0 ? OrderedJson(model.d_model / model.n_head) : nullptr},
        {"d_ff", known(model.d_ff)},
        {"vocab_size", known(model.vocab_size)},
        {"context_length", known(model.context_length)},
        {"tie_embeddings", model.tie_embeddings},
        {"attention_window", model.attention_window},
        {"norm_epsilon", model.norm_epsilon},
        {"qkv_packing", description.qkv_packing},
        {"parameters", description.parameters},
    };
    if (description.encoding.id.empty()) document["encoding"] = nullptr;
    const auto layout = description.encoding.parameters.find("layout");
    document["layout"] =
        layout == description.encoding.parameters.end() ? OrderedJson(nullptr) : OrderedJson(to_text(layout->second));
    document["inferred"] = OrderedJson::array();
    for (const Inference& fact : description.inferred)
        document["inferred"].push_back({{"what", fact.what}, {"value", fact.value}, {"from", fact.from}});
    document["warnings"] = description.warnings;
    document["problems"] = description.problems;
    document["tensors"] = OrderedJson::array();
    for (const DescribedTensor& tensor : description.tensors) {
        document["tensors"].push_back(
            {{"name", tensor.name}, {"dtype", tensor.dtype}, {"shape", tensor.shape}, {"file", tensor.file}});
    }
    return document;
}

std::string to_text(const ModelDescription& description) {
    const ModelConfig& model = description.model;
    const auto number = [](std::int64_t value) { return value > 0 ? grouped(value) : std::string("not stated"); };
    std::string text =
        fmt::format("{} model, architecture {}{}\n", description.format, single_line(description.architecture, 80),
                    description.known ? "" : " (not one we know: names and packing are not checked)");
    std::string parameters;
    for (const auto& [name, value] : description.encoding.parameters)
        parameters += fmt::format(" {}={}", name, single_line(to_text(value), 60));
    text += fmt::format("encoding   {}{}\n", description.encoding.id.empty() ? "not known" : description.encoding.id,
                        parameters);
    text += fmt::format("layers     {}\nheads      {}, kv heads {}\nd_model    {}, d_ff {}\n", number(model.n_layer),
                        number(model.n_head), number(model.n_kv_head), number(model.d_model), number(model.d_ff));
    text += fmt::format("vocabulary {}, context {}, {} head\n", number(model.vocab_size), number(model.context_length),
                        model.tie_embeddings ? "tied" : "untied");
    text += fmt::format("packing    q, k, v {}\n", description.qkv_packing);
    text += fmt::format("runnable   {}\n", description.runnable ? "yes" : "no: " + description.why_not);
    for (const Inference& fact : description.inferred)
        text +=
            fmt::format("  {} = {}  from {}\n", fact.what, single_line(fact.value, 80), single_line(fact.from, 120));
    for (const std::string& warning : description.warnings)
        text += "warning: " + single_line(warning, 400) + "\n";
    for (const std::string& problem : description.problems)
        text += "problem: " + single_line(problem, 400) + "\n";
    text += fmt::format("{} tensors, {} numbers\n", description.tensors.size(), grouped(description.parameters));
    for (const DescribedTensor& tensor : description.tensors)
        text += fmt::format("  {} {} {}\n", single_line(tensor.name, 160), tensor.dtype, shape_text(tensor.shape));
    return text;
}

}  // namespace sextant
