#include "core/tensor_file/hugging_face_config.h"

#include <fmt/format.h>

#include <initializer_list>
#include <nlohmann/json.hpp>
#include <optional>

#include "core/base/json.h"
#include "core/base/text.h"

namespace sextant {
namespace {

// Reads keys, remembers which one answered, and turns wrong types into problems.
class ConfigReader {
  public:
    ConfigReader(const Json& config, ModelDescription& description) : config_(config), out_(description) {}

    // First of the alternative keys that is there; `none` when no key is (recorded with the reason given).
    std::int64_t count(const char* what, std::initializer_list<const char*> keys, std::int64_t none = 0,
                       const char* why = nullptr) {
        for (const char* key : keys) {
            const Json* value = find(key);
            if (value == nullptr) continue;
            if (!value->is_number_integer() || *value < 1 || *value > (std::int64_t{1} << 28)) {
                out_.problems.push_back(
                    fmt::format("config.json: {} is {}, not a whole number from 1 to 2^28", key, brief(*value)));
                return 0;
            }
            record(what, value->dump(), key);
            return value->get<std::int64_t>();
        }
        if (none > 0) {
            out_.inferred.push_back({what, fmt::format("{}", none), why});
        } else {
            out_.problems.push_back(
                fmt::format("config.json: none of the keys {} gives {}", fmt::join(keys, ", "), what));
        }
        return none;
    }
    std::optional<double> real(const char* what, const char* key) {
        const Json* value = find(key);
        if (value == nullptr) return std::nullopt;
        if (!value->is_number()) {
            out_.problems.push_back(fmt::format("config.json: {} is {}, not a number", key, brief(*value)));
            return std::nullopt;
        }
        record(what, value->dump(), key);
        return value->get<double>();
    }
    double real(const char* what, const char* key, double otherwise) {
        if (const auto value = real(what, key)) return *value;
        out_.inferred.push_back(
            {what, format_exact(otherwise), fmt::format("{} is not stated; the architecture's default", key)});
        return otherwise;
    }
    bool flag(const char* what, const char* key, bool otherwise) {
        const Json* value = find(key);
        if (value != nullptr && !value->is_boolean()) {
            out_.problems.push_back(fmt::format("config.json: {} is {}, not true or false", key, brief(*value)));
            value = nullptr;
        }
        const bool result = value != nullptr ? value->get<bool>() : otherwise;
        record(what, result ? "true" : "false",
               value != nullptr ? std::string(key) : fmt::format("{} is not stated; the architecture's default", key));
        return result;
    }
    // Dotted path; null counts as absent.
    [[nodiscard]] const Json* find(std::string_view key) const {
        const Json* at = &config_;
        for (const std::string& step : split(key, '.')) {
            if (!at->is_object() || !at->contains(step)) return nullptr;
            at = &at->at(step);
        }
        return at->is_null() ? nullptr : at;
    }
    static std::string brief(const Json& value) { return single_line(dump_json(value, -1), 60); }
    void record(const char* what, std::string value, const std::string& from) {
        out_.inferred.push_back(
            {what, std::move(value), from.find(' ') == std::string::npos ? "config.json: " + from : from});
    }

  private:
    const Json& config_;
    ModelDescription& out_;
};

void cannot_run(ModelDescription& out, std::string why) {
    out.runnable = false;
    if (out.why_not.empty()) out.why_not = std::move(why);
}

void check_heads(ModelDescription& out) {
    const ModelConfig& model = out.model;
    if (model.n_head > 0 && model.d_model > 0 && model.d_model % model.n_head != 0) {
        out.problems.push_back(fmt::format("{} heads do not divide a width of {}", model.n_head, model.d_model));
    }
    if (model.n_head > 0 && model.n_kv_head > 0 && model.n_head % model.n_kv_head != 0) {
        out.problems.push_back(fmt::format("{} kv heads do not divide {} heads", model.n_kv_head, model.n_head));
    }
    if (model.n_layer > 10'000) out.problems.push_back(fmt::format("{} layers are not believable", model.n_layer));
}

// rope_scaling (or rope_parameters of newer files) to our parameter names. A scaling without its factor is a problem:
// other programs then silently take 2.
void read_rope_scaling(ConfigReader& reader, ModelDescription& out) {
    ParameterValues& parameters = out.encoding.parameters;
    const bool newer = reader.find("rope_parameters") != nullptr;
    const std::string block = newer ? "rope_parameters" : "rope_scaling";
    if (reader.find(block) == nullptr) return;
    const Json* type = reader.find(block + ".rope_type");
    if (type == nullptr) type = reader.find(block + ".type");
    if (type == nullptr || !type->is_string()) {
        out.problems.push_back(fmt::format("config.json: {} has no rope_type", block));
        return;
    }
    const auto word = type->get<std::string>();
    reader.record("scaling", word, block);
    if (word == "default") return;
    const std::initializer_list<std::pair<const char*, const char*>> names = {
        {"linear", "linear"}, {"dynamic", "dynamic-ntk"}, {"yarn", "yarn"}, {"llama3", "llama3"}};
    std::string ours;
    for (const auto& [theirs, mine] : names) {
        if (word == theirs) ours = mine;
    }
    if (ours.empty()) {
        cannot_run(out, fmt::format("RoPE scaling '{}' is not one we compute", single_line(word, 40)));
        return;
    }
    parameters["scaling"] = ours;
    const auto factor = reader.real("factor", (block + ".factor").c_str());
    if (!factor || !(*factor >= 1.0)) {
        out.problems.push_back(fmt::format("config.json: {} '{}' needs a factor of at least 1", block, word));
    } else {
        parameters["factor"] = *factor;
    }
    std::int64_t original = out.model.context_length;
    if (reader.find(block + ".original_max_position_embeddings") != nullptr) {
        original = reader.count("original_length", {(block + ".original_max_position_embeddings").c_str()});
    } else {
        reader.record("original_length", fmt::format("{}", original),
                      "not stated; max_position_embeddings, as the reference code does");
    }
    if (ours != "linear" && original > 0) parameters["original_length"] = original;
    const auto optional_real = [&](const char* key, const char* name, const char* only) {
        if (ours != only) return;
        if (const auto value = reader.real(name, (block + "." + key).c_str())) parameters[name] = *value;
    };
    optional_real("low_freq_factor", "low_freq_factor", "llama3");
    optional_real("high_freq_factor", "high_freq_factor", "llama3");
    optional_real("beta_fast", "beta_fast", "yarn");
    optional_real("beta_slow", "beta_slow", "yarn");
    for (const char* key : {"attention_factor", "mscale", "mscale_all_dim"}) {
        if (reader.find(block + "." + key) != nullptr) {
            cannot_run(out,
                       fmt::format("{}.{} sets an attention factor of its own, which we do not compute", block, key));
        }
    }
}

void llama(ConfigReader& reader, ModelDescription& out) {
    ModelConfig& model = out.model;
    out.runnable = true;
    out.qkv_packing = "separate";
    model.n_layer = reader.count("n_layer", {"num_hidden_layers"});
    model.n_head = reader.count("n_head", {"num_attention_heads"});
    model.n_kv_head = reader.count("n_kv_head", {"num_key_value_heads"}, model.n_head,
                                   "num_key_value_heads is not stated; as many as heads");
    model.d_model = reader.count("d_model", {"hidden_size"});
    model.d_ff = reader.count("d_ff", {"intermediate_size"});
    model.vocab_size = reader.count("vocab_size", {"vocab_size"});
    model.context_length = reader.count("context_length", {"max_position_embeddings"}, 2048,
                                        "max_position_embeddings is not stated; the architecture's default");
    model.norm_epsilon = reader.real("norm_epsilon", "rms_norm_eps", 1e-6);
    model.tie_embeddings = reader.flag("tie_embeddings", "tie_word_embeddings", false);
    out.encoding.id = "rope";
    out.encoding.parameters["layout"] = std::string("half-split");
    reader.record("layout", "half-split", "the architecture: Hugging Face permutes the rows of q and k");
    const char* theta =
        reader.find("rope_parameters.rope_theta") != nullptr ? "rope_parameters.rope_theta" : "rope_theta";
    out.encoding.parameters["base"] = reader.real("base", theta, 10000.0);
    if (const auto share = reader.real("rotary_fraction", "partial_rotary_factor")) {
        out.encoding.parameters["rotary_fraction"] = *share;
    }
    read_rope_scaling(reader, out);
    if (reader.find("head_dim") != nullptr) {
        const std::int64_t head = reader.count("head_dim", {"head_dim"});
        if (model.n_head > 0 && head * model.n_head != model.d_model) {
            cannot_run(out, fmt::format("head_dim {} times {} heads is not the width {}, which our model needs", head,
                                        model.n_head, model.d_model));
        }
    }
    if (const Json* act = reader.find("hidden_act"); act != nullptr && *act != "silu") {
        cannot_run(out, "its activation is " + ConfigReader::brief(*act) + "; our model has silu");
    }
    for (const char* key : {"attention_bias", "mlp_bias"}) {
        if (const Json* bias = reader.find(key); bias != nullptr && *bias == true) {
            cannot_run(out, fmt::format("it has biases ({}), which our model has not", key));
        }
    }
    if (const Json* window = reader.find("sliding_window"); window != nullptr && window->is_number_integer()) {
        const Json* used = reader.find("use_sliding_window");
        if (used == nullptr || *used == true) {
            model.attention_window = reader.count("attention_window", {"sliding_window"});
        }
    }
}

void gpt_neox(ConfigReader& reader, ModelDescription& out) {
    ModelConfig& model = out.model;
    out.qkv_packing = "per head [H][3][d]";
    model.n_layer = reader.count("n_layer", {"num_hidden_layers"});
    model.n_head = model.n_kv_head = reader.count("n_head", {"num_attention_heads"});
    model.d_model = reader.count("d_model", {"hidden_size"});
    model.d_ff = reader.count("d_ff", {"intermediate_size"}, 4 * model.d_model, "not stated; 4 times the width");
    model.vocab_size = reader.count("vocab_size", {"vocab_size"});
    model.context_length = reader.count("context_length", {"max_position_embeddings"});
    model.norm_epsilon = reader.real("norm_epsilon", "layer_norm_eps", 1e-5);
    model.tie_embeddings = reader.flag("tie_embeddings", "tie_word_embeddings", false);
    reader.flag("parallel_residual", "use_parallel_residual", true);
    out.encoding.id = "rope";
    out.encoding.parameters["layout"] = std::string("half-split");
    reader.record("layout", "half-split", "the architecture");
    const char* theta = reader.find("rotary_emb_base") != nullptr ? "rotary_emb_base" : "rope_theta";
    out.encoding.parameters["base"] = reader.real("base", theta, 10000.0);
    out.encoding.parameters["rotary_fraction"] = reader.real("rotary_fraction", "rotary_pct", 0.25);
    read_rope_scaling(reader, out);
    cannot_run(out, "GPT-NeoX has LayerNorm, biases and parallel residuals, which our model has not");
}

void bloom(ConfigReader& reader, ModelDescription& out) {
    ModelConfig& model = out.model;
    out.qkv_packing = "per head [H][3][d]";
    model.n_layer = reader.count("n_layer", {"n_layer", "num_hidden_layers"});
    model.n_head = model.n_kv_head = reader.count("n_head", {"n_head", "num_attention_heads"});
    model.d_model = reader.count("d_model", {"hidden_size", "n_embed"});
    model.d_ff = 4 * model.d_model;
    reader.record("d_ff", fmt::format("{}", model.d_ff), "the architecture: 4 times the width");
    model.vocab_size = reader.count("vocab_size", {"vocab_size"});
    if (reader.find("seq_length") != nullptr) model.context_length = reader.count("context_length", {"seq_length"});
    model.norm_epsilon = reader.real("norm_epsilon", "layer_norm_epsilon", 1e-5);
    out.encoding.id = "alibi";
    out.encoding.parameters["slopes"] = std::string("interleave");
    reader.record("encoding", "alibi, interleaved slopes", "the architecture");
    cannot_run(out, "BLOOM has LayerNorm, biases and a GELU layer, which our model has not");
}

void mpt(ConfigReader& reader, ModelDescription& out) {
    ModelConfig& model = out.model;
    model.n_layer = reader.count("n_layer", {"n_layers"});
    model.n_head = reader.count("n_head", {"n_heads"});
    model.n_kv_head = model.n_head;
    if (reader.find("attn_config.kv_n_heads") != nullptr) {
        model.n_kv_head = reader.count("n_kv_head", {"attn_config.kv_n_heads"});
    } else if (const Json* type = reader.find("attn_config.attn_type");
               type != nullptr && *type == "multiquery_attention") {
        model.n_kv_head = 1;
        reader.record("n_kv_head", "1", "attn_config.attn_type");
    }
    out.qkv_packing =
        model.n_kv_head == model.n_head ? "concatenated [3][H*d]" : "concatenated q [H*d] | k [KV*d] | v [KV*d]";
    model.d_model = reader.count("d_model", {"d_model"});
    model.d_ff = reader.count("expansion_ratio", {"expansion_ratio"}, 4, "not stated; the architecture's default") *
                 model.d_model;
    model.vocab_size = reader.count("vocab_size", {"vocab_size"});
    model.context_length = reader.count("context_length", {"max_seq_len"});
    if (reader.flag("alibi", "attn_config.alibi", false)) {
        out.encoding.id = "alibi";
        out.encoding.parameters["slopes"] = std::string("interleave");
        out.encoding.parameters["bias_max"] = reader.real("bias_max", "attn_config.alibi_bias_max", 8.0);
    } else if (reader.flag("rope", "attn_config.rope", false)) {
        out.encoding.id = "rope";
        out.encoding.parameters["base"] = reader.real("base", "attn_config.rope_theta", 10000.0);
    } else {
        out.encoding.id = "learned";
    }
    for (const char* key : {"attn_config.clip_qkv", "attn_config.qk_ln", "attn_config.softmax_scale"}) {
        if (const Json* value = reader.find(key); value != nullptr && *value != false) {
            out.warnings.push_back(fmt::format("{} is {}: part of its attention", key, ConfigReader::brief(*value)));
        }
    }
    cannot_run(out, "MPT has LayerNorm and a GELU layer, which our model has not");
}

void falcon(ConfigReader& reader, ModelDescription& out) {
    ModelConfig& model = out.model;
    model.n_layer = reader.count("n_layer", {"num_hidden_layers", "n_layer"});
    model.n_head = reader.count("n_head", {"num_attention_heads", "n_head"});
    const bool newer = reader.flag("new_decoder_architecture", "new_decoder_architecture", false);
    const bool shared = reader.flag("multi_query", "multi_query", true);
    model.n_kv_head = model.n_head;
    if (newer) {
        model.n_kv_head =
            reader.count("n_kv_head", {"num_kv_heads", "n_head_kv"}, model.n_head, "not stated; as many as heads");
        out.qkv_packing = "per kv group [KV][H/KV + 2][d]";
    } else if (shared) {
        model.n_kv_head = 1;
        reader.record("n_kv_head", "1", "multi_query");
        out.qkv_packing = "concatenated q [H*d] | k [d] | v [d]";
    } else {
        out.qkv_packing = "per head [H][3][d]";
    }
    model.d_model = reader.count("d_model", {"hidden_size"});
    model.d_ff = reader.count("d_ff", {"ffn_hidden_size"}, 4 * model.d_model, "not stated; 4 times the width");
    model.vocab_size = reader.count("vocab_size", {"vocab_size"});
    model.context_length = reader.count("context_length", {"max_position_embeddings"}, 2048,
                                        "max_position_embeddings is not stated; the architecture's default");
    if (reader.flag("alibi", "alibi", false)) {
        out.encoding.id = "alibi";
        out.encoding.parameters["slopes"] = std::string("interleave");
        out.warnings.push_back(
            "Falcon multiplies (q.k + bias) by 1/sqrt(head_dim), so its slopes are effectively slope/sqrt(head_dim); "
            "plain ALiBi is not the same");
    } else {
        out.encoding.id = "rope";
        out.encoding.parameters["base"] = reader.real("base", "rope_theta", 10000.0);
        out.encoding.parameters["layout"] = std::string("half-split");
    }
    cannot_run(out, "Falcon has LayerNorm and parallel attention, which our model has not");
}

void gpt2(ConfigReader& reader, ModelDescription& out) {
    ModelConfig& model = out.model;
    out.qkv_packing = "concatenated [3][H*d], weights transposed [in, out]";
    model.n_layer = reader.count("n_layer", {"n_layer", "num_hidden_layers"});
    model.n_head = model.n_kv_head = reader.count("n_head", {"n_head", "num_attention_heads"});
    model.d_model = reader.count("d_model", {"n_embd", "hidden_size"});
    model.d_ff = reader.count("d_ff", {"n_inner"}, 4 * model.d_model, "n_inner is not stated; 4 times the width");
    model.vocab_size = reader.count("vocab_size", {"vocab_size"});
    model.context_length = reader.count("context_length", {"n_positions", "n_ctx"});
    model.norm_epsilon = reader.real("norm_epsilon", "layer_norm_epsilon", 1e-5);
    out.encoding.id = "learned";
    reader.record("encoding", "learned", "the architecture: wpe");
    cannot_run(out, "GPT-2 has LayerNorm, biases and a GELU layer, which our model has not");
}

void baichuan(ConfigReader& reader, ModelDescription& out) {
    ModelConfig& model = out.model;
    out.qkv_packing = "concatenated [3][H*d]";
    model.n_layer = reader.count("n_layer", {"num_hidden_layers"});
    model.n_head = model.n_kv_head = reader.count("n_head", {"num_attention_heads"});
    model.d_model = reader.count("d_model", {"hidden_size"});
    model.d_ff = reader.count("d_ff", {"intermediate_size"});
    model.vocab_size = reader.count("vocab_size", {"vocab_size"});
    model.context_length = reader.count("context_length", {"model_max_length", "max_position_embeddings"});
    model.norm_epsilon = reader.real("norm_epsilon", "rms_norm_eps", 1e-6);
    model.tie_embeddings = reader.flag("tie_embeddings", "tie_word_embeddings", false);
    const bool rotary = model.d_model < 5000;
    out.encoding.id = rotary ? "rope" : "alibi";
    reader.record("encoding", out.encoding.id,
                  "guessed: the config does not say; hidden_size below 5000 means rotary in the reference code");
    out.warnings.push_back(
        "The config does not say whether positions are rotary or ALiBi; it was guessed from hidden_size");
    cannot_run(out, "Baichuan's packing and head differ from our model's");
}

}  // namespace

ModelDescription describe_config(const Json& config) {
    ModelDescription out;
    out.format = "hugging-face";
    out.model = ModelConfig{};
    out.model.vocab_size = out.model.d_model = out.model.n_layer = out.model.n_head = out.model.n_kv_head = 0;
    out.model.d_ff = out.model.context_length = 0;
    out.encoding.id.clear();
    out.qkv_packing = "not known";
    ConfigReader reader(config, out);
    std::string type;
    if (const Json* value = reader.find("model_type"); value != nullptr && value->is_string()) {
        type = value->get<std::string>();
        reader.record("architecture", type, "model_type");
    }
    std::string class_name;
    if (const Json* list = reader.find("architectures");
        list != nullptr && list->is_array() && !list->empty() && (*list)[0].is_string()) {
        class_name = (*list)[0].get<std::string>();
    }
    if (type.empty() && !class_name.empty()) {
        const std::initializer_list<std::pair<const char*, const char*>> classes = {
            {"Llama", "llama"}, {"LLaMA", "llama"}, {"Mistral", "mistral"},   {"GPTNeoX", "gpt_neox"},
            {"Bloom", "bloom"}, {"MPT", "mpt"},     {"Mpt", "mpt"},           {"Falcon", "falcon"},
            {"RW", "falcon"},   {"GPT2", "gpt2"},   {"BaiChuan", "baichuan"}, {"Baichuan", "baichuan"}};
        for (const auto& [prefix, name] : classes) {
            if (type.empty() && class_name.starts_with(prefix)) type = name;
        }
        reader.record("architecture", type.empty() ? class_name : type, "architectures[0]");
    }
    struct Known {
        const char* type;
        const char* name;
        void (*read)(ConfigReader&, ModelDescription&);
    };
    const std::initializer_list<Known> architectures = {{"llama", "llama", llama},
                                                        {"mistral", "llama", llama},
                                                        {"gpt_neox", "gpt-neox", gpt_neox},
                                                        {"bloom", "bloom", bloom},
                                                        {"mpt", "mpt", mpt},
                                                        {"phogpt", "mpt", mpt},
                                                        {"falcon", "falcon", falcon},
                                                        {"RefinedWeb", "falcon", falcon},
                                                        {"RefinedWebModel", "falcon", falcon},
                                                        {"gpt2", "gpt2", gpt2},
                                                        {"baichuan", "baichuan", baichuan}};
    for (const Known& known : architectures) {
        if (type != known.type) continue;
        out.architecture = known.name;
        out.known = true;
        known.read(reader, out);
        check_heads(out);
        return out;
    }
    out.architecture = type.empty() ? (class_name.empty() ? "not stated" : class_name) : type;
    out.why_not = fmt::format("architecture '{}' is not one we know", single_line(out.architecture, 60));
    return out;
}

}  // namespace sextant
