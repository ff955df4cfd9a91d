#include "core/engine/checkpoint_config.h"

#include <nlohmann/json.hpp>

#include "core/base/json.h"
#include "core/encoding/registry.h"

namespace sextant {
namespace {

bool is_plain_rope(const ModelConfig& model, const EncodingConfig& encoding) {
    if (encoding.id != "rope" || model.attention_window != 0) return false;
    const auto made = make_encoding(encoding, model.encoding_site());
    if (!made.ok()) return false;
    const auto table = (*made)->rotary(model.context_length);
    if (!table || table->layout != RotaryLayout::kHalfSplit || table->rotary_dim != model.head_dim()) return false;
    const auto scaling = (*made)->parameters().find("scaling");
    return scaling == (*made)->parameters().end() || to_text(scaling->second) == "none";
}

double rope_base(const ModelConfig& model, const EncodingConfig& encoding) {
    const auto made = make_encoding(encoding, model.encoding_site());
    if (!made.ok()) return 10000.0;
    const auto base = (*made)->parameters().find("base");
    if (base == (*made)->parameters().end()) return 10000.0;
    if (const auto* whole = std::get_if<std::int64_t>(&base->second)) return static_cast<double>(*whole);
    return std::get<double>(base->second);
}

}  // namespace

std::string checkpoint_config_text(const ModelConfig& model, const EncodingConfig& encoding, const std::string& arm) {
    const bool plain = is_plain_rope(model, encoding);
    OrderedJson parameters = OrderedJson::object();
    for (const auto& [name, value] : encoding.parameters)
        parameters[name] = to_json(value);
    OrderedJson document;
    document["architectures"] = OrderedJson::array({plain ? "LlamaForCausalLM" : "SextantForCausalLM"});
    document["model_type"] = plain ? "llama" : "sextant";
    document["hidden_size"] = model.d_model;
    document["intermediate_size"] = model.d_ff;
    document["num_hidden_layers"] = model.n_layer;
    document["num_attention_heads"] = model.n_head;
    document["num_key_value_heads"] = model.n_kv_head;
    document["vocab_size"] = model.vocab_size;
    document["max_position_embeddings"] = model.context_length;
    document["rms_norm_eps"] = model.norm_epsilon;
    if (plain) document["rope_theta"] = rope_base(model, encoding);
    document["tie_word_embeddings"] = model.tie_embeddings;
    document["hidden_act"] = "silu";
    document["torch_dtype"] = "float32";
    document["sextant"] = {{"schema_version", 1},
                           {"arm", arm},
                           {"encoding", {{"id", encoding.id}, {"parameters", parameters}}},
                           {"attention_window", model.attention_window},
                           {"dropout", model.dropout},
                           {"initializer", {{"kind", model.initializer}, {"std", model.initializer_std}}}};
    return dump_json(document) + "\n";
}

bool is_checkpoint_config(const std::string& path) {
    const auto document = read_json_file(path);
    return document.ok() && document->is_object() && document->contains("sextant");
}

Result<CheckpointConfig> read_checkpoint_config(const std::string& path) {
    SEXTANT_TRY(document, read_json_file(path));
    CheckpointConfig config;
    try {
        ModelConfig& model = config.model;
        model.d_model = document.at("hidden_size").get<std::int64_t>();
        model.d_ff = document.at("intermediate_size").get<std::int64_t>();
        model.n_layer = document.at("num_hidden_layers").get<std::int64_t>();
        model.n_head = document.at("num_attention_heads").get<std::int64_t>();
        model.n_kv_head = document.at("num_key_value_heads").get<std::int64_t>();
        model.vocab_size = document.at("vocab_size").get<std::int64_t>();
        model.context_length = document.at("max_position_embeddings").get<std::int64_t>();
        model.norm_epsilon = document.at("rms_norm_eps").get<double>();
        model.tie_embeddings = document.at("tie_word_embeddings").get<bool>();
        const Json& ours = document.at("sextant");
        config.arm = ours.at("arm").get<std::string>();
        config.encoding.id = ours.at("encoding").at("id").get<std::string>();
        for (const auto& [name, value] : ours.at("encoding").at("parameters").items()) {
            SEXTANT_TRY(parsed, parameter_from_json(value, "/sextant/encoding/parameters/" + name));
            config.encoding.parameters[name] = parsed;
        }
        model.attention_window = ours.at("attention_window").get<std::int64_t>();
        model.dropout = ours.at("dropout").get<double>();
        model.initializer = ours.at("initializer").at("kind").get<std::string>();
        model.initializer_std = ours.at("initializer").at("std").get<double>();
        const std::int64_t limit = std::int64_t{1} << 24;
        for (const std::int64_t size : {model.d_model, model.d_ff, model.n_layer, model.n_head, model.n_kv_head,
                                        model.vocab_size, model.context_length}) {
            if (size < 1 || size > limit) return data_error("has a size out of range", path);
        }
        if (model.d_model % model.n_head != 0 || model.n_head % model.n_kv_head != 0)
            return data_error("head counts do not divide", path);
    } catch (const nlohmann::json::exception& error) {
        return data_error(std::string("is not a checkpoint's configuration: ") + error.what(), path);
    }
    return config;
}

}  // namespace sextant
