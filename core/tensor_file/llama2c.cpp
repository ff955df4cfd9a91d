#include "core/tensor_file/llama2c.h"

#include <fmt/format.h>

#include <array>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>

#include "core/base/atomic_file.h"

namespace sextant {
namespace {

constexpr std::size_t kHeaderBytes = 28;
constexpr std::int32_t kNewerMagic = 0x616B3432;  // "ak42": llama2.c's version 1 and 2 exports

struct Section {
    std::string file_name;  // as llama2.c calls it
    std::string our_name;   // with {} for the layer, empty when it is not one of our weights
    Shape shape;            // of one layer
    std::int64_t copies = 1;
};

struct Header {
    ModelConfig model;
    std::vector<Section> sections;
};

Result<Header> read_header(std::string_view bytes, std::uint64_t file_size, const std::string& path) {
    if (bytes.size() < kHeaderBytes) return data_error("is not a llama2.c model: it is shorter than its header", path);
    std::array<std::int32_t, 7> words{};
    std::memcpy(words.data(), bytes.data(), kHeaderBytes);
    if (words[0] == kNewerMagic) {
        return data_error("is a llama2.c export of version 1 or 2; export it again as the legacy version 0", path);
    }
    Header header;
    ModelConfig& model = header.model;
    model.d_model = words[0];
    model.d_ff = words[1];
    model.n_layer = words[2];
    model.n_head = words[3];
    model.n_kv_head = words[4];
    model.tie_embeddings = words[5] > 0;
    model.vocab_size = words[5] > 0 ? words[5] : -static_cast<std::int64_t>(words[5]);
    model.context_length = words[6];
    model.norm_epsilon = 1e-5;
    const auto in_range = [](std::int64_t value, std::int64_t most) { return value >= 1 && value <= most; };
    if (!in_range(model.d_model, 1 << 17) || !in_range(model.d_ff, 1 << 20) || !in_range(model.n_layer, 1 << 12) ||
        !in_range(model.n_head, 1 << 12) || !in_range(model.n_kv_head, model.n_head) ||
        !in_range(model.vocab_size, 1 << 24) || !in_range(model.context_length, 1 << 24)) {
        return data_error(fmt::format("is not a llama2.c model: its header would mean {}",
                                      fmt::join(words.begin(), words.end(), ", ")),
                          path);
    }
    if (model.d_model % model.n_head != 0 || model.n_head % model.n_kv_head != 0 || model.head_dim() % 2 != 0) {
        return data_error(fmt::format("has {} heads and {} kv heads, which do not divide a width of {} into even heads",
                                      model.n_head, model.n_kv_head, model.d_model),
                          path);
    }
    const std::int64_t d = model.d_model;
    const std::int64_t kv = model.head_dim() * model.n_kv_head;
    const std::int64_t layers = model.n_layer;
    const std::string layer = "model.layers.{}.";
    header.sections = {
        {"token_embedding_table", "model.embed_tokens.weight", {model.vocab_size, d}, 1},
        {"rms_att_weight", layer + "input_layernorm.weight", {d}, layers},
        {"wq", layer + "self_attn.q_proj.weight", {d, d}, layers},
        {"wk", layer + "self_attn.k_proj.weight", {kv, d}, layers},
        {"wv", layer + "self_attn.v_proj.weight", {kv, d}, layers},
        {"wo", layer + "self_attn.o_proj.weight", {d, d}, layers},
        {"rms_ffn_weight", layer + "post_attention_layernorm.weight", {d}, layers},
        {"w1", layer + "mlp.gate_proj.weight", {model.d_ff, d}, layers},
        {"w2", layer + "mlp.down_proj.weight", {d, model.d_ff}, layers},
        {"w3", layer + "mlp.up_proj.weight", {model.d_ff, d}, layers},
        {"rms_final_weight", "model.norm.weight", {d}, 1},
        {"freq_cis_real", "", {model.context_length, model.head_dim() / 2}, 1},
        {"freq_cis_imag", "", {model.context_length, model.head_dim() / 2}, 1},
    };
    if (!model.tie_embeddings) header.sections.push_back({"wcls", "lm_head.weight", {model.vocab_size, d}, 1});
    std::uint64_t expected = kHeaderBytes;
    for (const Section& section : header.sections) {
        std::int64_t count = 0;
        if (!checked_element_count(section.shape, count)) return data_error("has a header too large to exist", path);
        // At most 2^41 numbers a layer and 2^12 layers: the sum fits.
        expected += static_cast<std::uint64_t>(count) * static_cast<std::uint64_t>(section.copies) * 4;
    }
    if (expected != file_size) {
        return data_error(fmt::format("is {} bytes long; its header needs {}: {}", file_size, expected,
                                      file_size < expected ? "the file is cut off" : "not a legacy llama2.c model"),
                          path);
    }
    return header;
}

ModelDescription describe(const Header& header, const std::string& path) {
    ModelDescription description;
    description.format = "llama2.c";
    description.architecture = "llama";
    description.known = true;
    description.runnable = true;
    description.model = header.model;
    description.encoding.id = "rope";
    description.encoding.parameters["base"] = 10000.0;
    description.encoding.parameters["layout"] = std::string("interleaved");
    description.qkv_packing = "separate";
    const std::string file = std::filesystem::path(path).filename().string();
    for (const Section& section : header.sections) {
        Shape shape = section.shape;
        if (section.copies > 1 || section.our_name.find("{}") != std::string::npos) {
            shape.insert(shape.begin(), section.copies);
        }
        std::int64_t count = 0;
        if (checked_element_count(shape, count)) description.parameters += count;
        description.tensors.push_back({section.file_name, "F32", shape, file});
    }
    const ModelConfig& model = header.model;
    const auto add = [&](const char* what, std::int64_t value, const char* from) {
        description.inferred.push_back({what, fmt::format("{}", value), from});
    };
    add("d_model", model.d_model, "header word 0");
    add("d_ff", model.d_ff, "header word 1");
    add("n_layer", model.n_layer, "header word 2");
    add("n_head", model.n_head, "header word 3");
    add("n_kv_head", model.n_kv_head, "header word 4");
    add("vocab_size", model.vocab_size, "header word 5");
    add("context_length", model.context_length, "header word 6");
    description.inferred.push_back(
        {"tie_embeddings", model.tie_embeddings ? "true" : "false", "sign of header word 5"});
    description.inferred.push_back({"encoding", "rope, interleaved, base 10000", "the format: llama2.c has no other"});
    description.inferred.push_back({"norm_epsilon", "1e-05", "the format: llama2.c has no other"});
    return description;
}

// The header judged against the size of the file, before the rest of it is read: a large stranger costs nothing.
Result<Header> header_of(const std::string& path) {
    std::error_code failed;
    if (!std::filesystem::is_regular_file(path, failed)) {
        SEXTANT_TRY(bytes, read_file(path));  // says what it is instead
        return read_header(bytes, bytes.size(), path);
    }
    const std::uint64_t size = std::filesystem::file_size(path, failed);
    std::ifstream file(path, std::ios::binary);
    if (failed || !file) return data_error("cannot be read", path);
    std::string bytes(kHeaderBytes, '\0');
    file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    bytes.resize(static_cast<std::size_t>(file.gcount()));
    return read_header(bytes, size, path);
}

}  // namespace

Result<ModelDescription> describe_llama2c(const std::string& path) {
    SEXTANT_TRY(header, header_of(path));
    return describe(header, path);
}

Result<ImportedModel> parse_llama2c(std::string_view bytes, const std::string& path) {
    SEXTANT_TRY(header, read_header(bytes, bytes.size(), path));
    ImportedModel imported;
    imported.description = describe(header, path);
    std::size_t at = kHeaderBytes;
    for (const Section& section : header.sections) {
        std::int64_t count = 0;
        if (!checked_element_count(section.shape, count)) return data_error("has a header too large to exist", path);
        const std::size_t size = static_cast<std::size_t>(count) * sizeof(float);
        for (std::int64_t copy = 0; copy < section.copies; ++copy, at += size) {
            if (section.our_name.empty()) continue;
            ImportedTensor tensor;
            tensor.name = fmt::format(fmt::runtime(section.our_name), copy);
            tensor.shape = section.shape;
            tensor.values.resize(static_cast<std::size_t>(count));
            std::memcpy(tensor.values.data(), bytes.data() + at, size);
            imported.tensors.push_back(std::move(tensor));
        }
    }
    return imported;
}

Result<ImportedModel> import_llama2c(const std::string& path) {
    SEXTANT_TRY(header, header_of(path));
    (void)header;
    SEXTANT_TRY(bytes, read_file(path));
    return parse_llama2c(bytes, path);
}

}  // namespace sextant
