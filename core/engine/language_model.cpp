#include "core/engine/language_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "core/encoding/registry.h"
#include "core/engine/checkpoint.h"
#include "core/engine/checkpoint_config.h"
#include "core/experiment/memory_estimate.h"
#include "core/tensor_file/imported_model.h"

namespace sextant {
namespace {

namespace fs = std::filesystem;

bool exists(const std::string& path) {
    std::error_code code;
    return fs::exists(path, code);
}

Result<TextCodec> load_codec(const std::string& path) {
    if (path.size() > 4 && path.substr(path.size() - 4) == ".bin") {
        SEXTANT_TRY(tokenizer, Llama2cTokenizer::load(path));
        return TextCodec(std::move(tokenizer));
    }
    SEXTANT_TRY(encoder, BytePairEncoder::load(path));
    return TextCodec(std::move(encoder));
}

Status prepare(LanguageModel& model) {
    auto encoding = make_encoding(model.encoding_config, model.config.encoding_site());
    if (!encoding.ok()) return std::move(encoding).error();
    model.encoding = std::move(encoding).value();
    model.layout = std::make_unique<ParameterLayout>(parameter_layout(model.config, *model.encoding));
    const double need = 8.0 * static_cast<double>(model.layout->buffer_size);  // weights and what is read into them
    if (const auto free = static_cast<double>(available_memory_bytes()); free > 0.0 && need > free) {
        return device_error(
            fmt::format("the model needs about {:.0f} MB and {:.0f} MB are free", need / 1048576.0, free / 1048576.0));
    }
    model.parameters = FlatBuffer(model.layout->buffer_size);
    return {};
}

Result<LanguageModel> load_ours(const std::string& folder) {
    LanguageModel model;
    model.path = folder;
    model.format = "sextant";
    SEXTANT_TRY(config, read_checkpoint_config(folder + "/config.json"));
    model.config = config.model;
    model.encoding_config = config.encoding;
    model.arm = config.arm;
    if (exists(folder + "/state.json")) {
        SEXTANT_TRY(state, verify_checkpoint(folder, CheckpointUse::kLook));
        model.step = state.step;
    }
    SEXTANT_CHECK(prepare(model));
    SEXTANT_CHECK(read_parameters(folder + "/model.safetensors", *model.layout, model.parameters.values()));
    return model;
}

// Bytes of the weight files behind a path; 0 where that cannot be told.
double weight_bytes(const std::string& path) {
    std::error_code code;
    if (fs::is_regular_file(path, code)) return static_cast<double>(fs::file_size(path, code));
    double sum = 0.0;
    for (fs::directory_iterator file(path, code), end; !code && file != end; file.increment(code)) {
        if (file->path().extension() == ".safetensors") sum += static_cast<double>(file->file_size(code));
    }
    return sum;
}

Result<LanguageModel> load_imported(const std::string& path) {
    // What is read and what it is copied into; said before anything is read.
    const double need = 2.0 * weight_bytes(path);
    if (const auto free = static_cast<double>(available_memory_bytes()); free > 0.0 && need > free) {
        return device_error(
            fmt::format("the model needs about {:.0f} MB and {:.0f} MB are free", need / 1048576.0, free / 1048576.0));
    }
    SEXTANT_TRY(imported, import_model(path));
    LanguageModel model;
    model.path = path;
    model.format = imported.description.format;
    model.config = imported.description.model;
    model.encoding_config = imported.description.encoding;
    model.notes = imported.description.warnings;
    SEXTANT_CHECK(prepare(model));
    for (const ParameterInfo& parameter : model.layout->parameters) {
        const ImportedTensor* tensor = imported.find(parameter.name);
        if (tensor == nullptr) return data_error("tensor " + parameter.name + " is missing", path);
        if (tensor->shape != parameter.shape) {
            return data_error(fmt::format("tensor {} has shape {}, the model needs {}", parameter.name,
                                          shape_text(tensor->shape), shape_text(parameter.shape)),
                              path);
        }
        std::copy(tensor->values.begin(), tensor->values.end(), model.parameters.data() + parameter.offset);
    }
    return model;
}

Result<std::string> newest_checkpoint(const std::string& run) {
    const std::string directory = run + "/checkpoints";
    const std::vector<std::string> names = list_checkpoints(directory);
    std::string why;
    for (auto name = names.rbegin(); name != names.rend(); ++name) {
        const auto state = verify_checkpoint(directory + "/" + *name, CheckpointUse::kLook);
        if (state.ok()) return directory + "/" + *name;
        if (why.empty()) why = state.error().sentence();
    }
    if (names.empty()) return data_error("this run has no checkpoint yet", run);
    return data_error("no checkpoint of this run is whole: " + why, run);
}

}  // namespace

std::vector<std::int32_t> TextCodec::encode(std::string_view text) const {
    return std::visit([&](const auto& tokenizer) { return tokenizer.encode(text); }, tokenizer_);
}
std::vector<EncodedPiece> TextCodec::encode_pieces(std::string_view text) const {
    return std::visit([&](const auto& tokenizer) { return tokenizer.encode_pieces(text); }, tokenizer_);
}
Result<std::string> TextCodec::decode(const std::vector<std::int32_t>& ids) const {
    return std::visit([&](const auto& tokenizer) { return tokenizer.decode(ids); }, tokenizer_);
}
std::string TextCodec::bytes_of(std::int32_t id) const {
    return std::visit([&](const auto& tokenizer) { return tokenizer.bytes_of(id); }, tokenizer_);
}
std::int64_t TextCodec::vocab_size() const {
    return std::visit([](const auto& tokenizer) { return tokenizer.vocab_size(); }, tokenizer_);
}
std::int32_t TextCodec::first_token() const {
    if (const auto* encoder = std::get_if<BytePairEncoder>(&tokenizer_)) return encoder->end_of_text();
    return Llama2cTokenizer::kBeginning;
}
bool TextCodec::ends_text(std::int32_t id) const {
    if (const auto* encoder = std::get_if<BytePairEncoder>(&tokenizer_)) return id == encoder->end_of_text();
    return id == Llama2cTokenizer::kBeginning || id == Llama2cTokenizer::kEnd;
}

bool is_run_folder(const std::string& path) {
    return exists(path + "/plan.json") && exists(path + "/checkpoints");
}

std::string run_folder_of(const std::string& path) {
    std::error_code code;
    fs::path folder = fs::weakly_canonical(path, code);
    for (int up = 0; up < 3 && !folder.empty(); ++up, folder = folder.parent_path()) {
        if (exists((folder / "plan.json").string()) && exists((folder / "events.log").string())) return folder.string();
    }
    return {};
}

Result<LanguageModel> load_language_model(const ModelRequest& request) {
    std::string path = request.path;
    if (!exists(path)) return data_error("no such file or folder", path);
    if (request.is_run || is_run_folder(path)) {
        SEXTANT_TRY(newest, newest_checkpoint(path));
        path = newest;
    }
    std::error_code code;
    if (fs::is_regular_file(path, code) && fs::path(path).filename() == "model.safetensors")
        path = fs::path(path).parent_path().string();
    if (path.empty()) path = ".";
    auto loaded = is_checkpoint_config(path + "/config.json") ? load_ours(path) : load_imported(path);
    if (!loaded.ok()) return loaded;
    LanguageModel& model = *loaded;
    std::string tokenizer = request.tokenizer;
    if (tokenizer.empty()) {
        const std::string folder = fs::is_directory(path, code) ? path : fs::path(path).parent_path().string();
        for (const char* name : {"/tokenizer.json", "/tok512.bin", "/tokenizer.bin"}) {
            if (exists(folder + name)) {
                tokenizer = folder + name;
                break;
            }
        }
    }
    if (!tokenizer.empty()) {
        SEXTANT_TRY(codec, load_codec(tokenizer));
        if (codec.vocab_size() != model.config.vocab_size) {
            return data_error(fmt::format("has {} entries but the model's vocabulary is {}", codec.vocab_size(),
                                          model.config.vocab_size),
                              tokenizer);
        }
        model.codec = std::move(codec);
    }
    return loaded;
}

}  // namespace sextant
