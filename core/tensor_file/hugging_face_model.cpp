// The files behind a config: which tensors an architecture must have, shards, and reading a LLaMA's weights.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "core/base/json.h"
#include "core/base/text.h"
#include "core/tensor_file/hugging_face_config.h"
#include "core/tensor_file/safetensors.h"

namespace sextant {
namespace {

struct Expectation {
    std::vector<NamedShape> tensors;
    std::string optional_prefix;         // may stand before every name
    std::vector<std::string> ignorable;  // suffixes of buffers that are not weights
};

void add_layers(std::vector<NamedShape>& list, std::int64_t layers, const std::string& prefix,
                const std::vector<NamedShape>& of_layer) {
    for (std::int64_t l = 0; l < layers; ++l) {
        for (const NamedShape& tensor : of_layer)
            list.push_back({fmt::format("{}{}.{}", prefix, l, tensor.name), tensor.shape});
    }
}

// Weight matrices that decide names and packing; norms and biases follow their architecture and are not counted
// missing.
Expectation expectation(const ModelDescription& description) {
    const ModelConfig& m = description.model;
    const std::int64_t d = m.d_model;
    const std::int64_t f = m.d_ff;
    const std::int64_t v = m.vocab_size;
    const std::int64_t head = m.n_head > 0 ? d / m.n_head : 0;
    const std::int64_t packed = (m.n_head + 2 * m.n_kv_head) * head;
    Expectation out;
    if (description.architecture == "llama") {
        out.tensors = llama_tensor_shapes(m);
        out.ignorable = {"rotary_emb.inv_freq"};
    } else if (description.architecture == "gpt-neox") {
        out.tensors = {{"gpt_neox.embed_in.weight", {v, d}}};
        add_layers(out.tensors, m.n_layer, "gpt_neox.layers.",
                   {{"attention.query_key_value.weight", {packed, d}},
                    {"attention.dense.weight", {d, d}},
                    {"mlp.dense_h_to_4h.weight", {f, d}},
                    {"mlp.dense_4h_to_h.weight", {d, f}}});
        if (!m.tie_embeddings) out.tensors.push_back({"embed_out.weight", {v, d}});
        out.ignorable = {"attention.bias", "attention.masked_bias", "rotary_emb.inv_freq"};
    } else if (description.architecture == "bloom") {
        out.optional_prefix = "transformer.";
        out.tensors = {{"word_embeddings.weight", {v, d}}};
        add_layers(out.tensors, m.n_layer, "h.",
                   {{"self_attention.query_key_value.weight", {packed, d}},
                    {"self_attention.dense.weight", {d, d}},
                    {"mlp.dense_h_to_4h.weight", {f, d}},
                    {"mlp.dense_4h_to_h.weight", {d, f}}});
    } else if (description.architecture == "mpt") {
        out.tensors = {{"transformer.wte.weight", {v, d}}};
        if (description.encoding.id == "learned")
            out.tensors.push_back({"transformer.wpe.weight", {m.context_length, d}});
        add_layers(out.tensors, m.n_layer, "transformer.blocks.",
                   {{"attn.Wqkv.weight", {packed, d}},
                    {"attn.out_proj.weight", {d, d}},
                    {"ffn.up_proj.weight", {f, d}},
                    {"ffn.down_proj.weight", {d, f}}});
    } else if (description.architecture == "falcon") {
        out.optional_prefix = "transformer.";
        out.tensors = {{"word_embeddings.weight", {v, d}}};
        add_layers(out.tensors, m.n_layer, "h.",
                   {{"self_attention.query_key_value.weight", {packed, d}},
                    {"self_attention.dense.weight", {d, d}},
                    {"mlp.dense_h_to_4h.weight", {f, d}},
                    {"mlp.dense_4h_to_h.weight", {d, f}}});
    } else if (description.architecture == "gpt2") {
        out.optional_prefix = "transformer.";
        out.tensors = {{"wte.weight", {v, d}}, {"wpe.weight", {m.context_length, d}}};
        add_layers(out.tensors, m.n_layer, "h.",
                   {{"attn.c_attn.weight", {d, packed}},
                    {"attn.c_proj.weight", {d, d}},
                    {"mlp.c_fc.weight", {d, f}},
                    {"mlp.c_proj.weight", {f, d}}});
        out.ignorable = {"attn.bias", "attn.masked_bias"};
    } else if (description.architecture == "baichuan") {
        out.tensors = {{"model.embed_tokens.weight", {v, d}}};
        add_layers(out.tensors, m.n_layer, "model.layers.",
                   {{"self_attn.W_pack.weight", {packed, d}},
                    {"self_attn.o_proj.weight", {d, d}},
                    {"mlp.gate_proj.weight", {f, d}},
                    {"mlp.up_proj.weight", {f, d}},
                    {"mlp.down_proj.weight", {d, f}}});
    }
    return out;
}

struct Files {
    Json config;
    std::vector<SafetensorsFile> shards;
    std::map<std::string, std::size_t> shard_of;  // tensor name -> index
};

// A file name of the index must stay inside the folder.
bool plain_file_name(const std::string& name) {
    return !name.empty() && name != "." && name != ".." && name.find('/') == std::string::npos &&
           name.find('\0') == std::string::npos;
}

Result<Files> open_files(const std::string& folder) {
    Files files;
    SEXTANT_TRY(config, read_json_file(folder + "/config.json", ErrorCode::kData));
    if (!config.is_object()) return data_error("is not an object", folder + "/config.json");
    files.config = std::move(config);
    std::set<std::string> names;
    std::error_code ignored;
    const std::string index_path = folder + "/model.safetensors.index.json";
    if (std::filesystem::exists(index_path, ignored)) {
        SEXTANT_TRY(index, read_json_file(index_path, ErrorCode::kData));
        const auto map = index.find("weight_map");
        if (map == index.end() || !map->is_object()) return data_error("has no weight_map", index_path);
        for (const auto& [tensor, file] : map->items()) {
            if (!file.is_string() || !plain_file_name(file.get<std::string>())) {
                return data_error(
                    fmt::format("weight_map names a file for {} that is not in this folder", single_line(tensor, 80)),
                    index_path);
            }
            names.insert(file.get<std::string>());
        }
    } else if (std::filesystem::exists(folder + "/model.safetensors", ignored)) {
        names.insert("model.safetensors");
    } else {
        for (const auto& entry : std::filesystem::directory_iterator(folder, ignored)) {
            if (entry.path().extension() == ".safetensors") names.insert(entry.path().filename().string());
        }
    }
    for (const std::string& name : names) {
        SEXTANT_TRY(file, SafetensorsFile::open((std::filesystem::path(folder) / name).string()));
        for (const TensorEntry& tensor : file.tensors()) {
            if (!files.shard_of.emplace(tensor.name, files.shards.size()).second) {
                return data_error(fmt::format("tensor {} is in two files", single_line(tensor.name, 120)), folder);
            }
        }
        files.shards.push_back(std::move(file));
    }
    return files;
}

ModelDescription describe_files(const Files& files) {
    ModelDescription description = describe_config(files.config);
    for (const SafetensorsFile& shard : files.shards) {
        for (const TensorEntry& tensor : shard.tensors()) {
            description.tensors.push_back(
                {tensor.name, tensor.dtype, tensor.shape, std::filesystem::path(shard.path()).filename().string()});
            description.parameters += tensor.count();
        }
    }
    if (files.shards.empty()) description.problems.emplace_back("the folder has no *.safetensors file");
    check_tensors(files.config, description);
    return description;
}

}  // namespace

void check_tensors(const Json&, ModelDescription& description) {
    if (!description.known || !description.problems.empty()) return;
    const Expectation expected = expectation(description);
    std::map<std::string, const DescribedTensor*> present;
    for (const DescribedTensor& tensor : description.tensors)
        present[tensor.name] = &tensor;
    std::string prefix;
    if (!expected.optional_prefix.empty() && !expected.tensors.empty() &&
        present.count(expected.optional_prefix + expected.tensors.front().name) != 0) {
        prefix = expected.optional_prefix;
    }
    std::set<std::string> used;
    for (const NamedShape& wanted : expected.tensors) {
        const auto at = present.find(prefix + wanted.name);
        if (at == present.end()) {
            description.problems.push_back(fmt::format("tensor {} is missing", prefix + wanted.name));
        } else if (at->second->shape != wanted.shape) {
            description.problems.push_back(fmt::format("tensor {} has shape {}; the config needs {}", at->first,
                                                       shape_text(at->second->shape), shape_text(wanted.shape)));
        }
        used.insert(prefix + wanted.name);
    }
    if (description.architecture != "llama") return;
    for (const DescribedTensor& tensor : description.tensors) {
        if (used.count(tensor.name) != 0) continue;
        const bool buffer = std::any_of(expected.ignorable.begin(), expected.ignorable.end(),
                                        [&](const std::string& end) { return tensor.name.ends_with(end); });
        if (buffer) continue;
        if (tensor.name == "lm_head.weight" && description.model.tie_embeddings) {
            description.warnings.emplace_back("lm_head.weight is not used: the config ties it to the embedding");
            continue;
        }
        description.warnings.push_back(fmt::format("tensor {} is not one of a LLaMA", single_line(tensor.name, 120)));
        if (description.runnable) {
            description.runnable = false;
            description.why_not =
                fmt::format("it has a tensor that our model has not: {}", single_line(tensor.name, 120));
        }
    }
}

Result<ModelDescription> describe_hugging_face(const std::string& folder) {
    SEXTANT_TRY(files, open_files(folder));
    return describe_files(files);
}

Result<ImportedModel> import_hugging_face(const std::string& folder) {
    SEXTANT_TRY(files, open_files(folder));
    ImportedModel imported;
    imported.description = describe_files(files);
    const ModelDescription& description = imported.description;
    if (!description.problems.empty()) {
        return data_error("cannot be loaded: " + join_limited(description.problems, 3), folder);
    }
    if (!description.runnable) return data_error("cannot be run: " + description.why_not, folder);
    for (const NamedShape& wanted : llama_tensor_shapes(description.model)) {
        const SafetensorsFile& shard = files.shards[files.shard_of.at(wanted.name)];
        SEXTANT_TRY(values, shard.read_floats(wanted.name));
        imported.tensors.push_back({wanted.name, wanted.shape, std::move(values)});
    }
    return imported;
}

}  // namespace sextant
