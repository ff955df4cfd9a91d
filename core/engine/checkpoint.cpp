#include "core/engine/checkpoint.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "core/base/atomic_file.h"
#include "core/base/hash.h"
#include "core/base/json.h"
#include "core/engine/checkpoint_config.h"
#include "core/tensor_file/safetensors.h"

namespace sextant {
namespace {

constexpr const char* kOptimizerFile = "optimizer.safetensors";

namespace fs = std::filesystem;

constexpr int kCheckpointSchema = 1;

Status write_tensors(const std::string& path, const ParameterLayout& layout, const std::string& prefix,
                     std::span<const float> values, const TensorMetadata& metadata) {
    std::vector<TensorView> views;
    for (const ParameterInfo& parameter : layout.parameters) {
        views.push_back(
            {prefix + parameter.name, parameter.shape,
             values.subspan(static_cast<std::size_t>(parameter.offset), static_cast<std::size_t>(parameter.count))});
    }
    return write_safetensors(path, views, metadata);
}

Status write_optimizer(const std::string& path, const ParameterLayout& layout, Optimizer& optimizer) {
    std::vector<TensorView> views;
    for (const Optimizer::Moment& moment : optimizer.moments()) {
        for (const ParameterInfo& parameter : layout.parameters) {
            views.push_back(
                {moment.name + "." + parameter.name, parameter.shape,
                 std::span<const float>(moment.values)
                     .subspan(static_cast<std::size_t>(parameter.offset), static_cast<std::size_t>(parameter.count))});
        }
    }
    return write_safetensors(path, views, {{"format", "pt"}});
}

Status read_tensors(const SafetensorsFile& file, const ParameterLayout& layout, const std::string& prefix,
                    std::span<float> values) {
    for (const ParameterInfo& parameter : layout.parameters) {
        const TensorEntry* entry = file.find(prefix + parameter.name);
        if (entry == nullptr) return data_error("tensor " + prefix + parameter.name + " is missing", file.path());
        if (entry->shape != parameter.shape) {
            return data_error(fmt::format("tensor {}{} has shape {}, the model needs {}", prefix, parameter.name,
                                          shape_text(entry->shape), shape_text(parameter.shape)),
                              file.path());
        }
        SEXTANT_CHECK(file.read(prefix + parameter.name, values.subspan(static_cast<std::size_t>(parameter.offset),
                                                                        static_cast<std::size_t>(parameter.count))));
    }
    return {};
}

std::string state_text(const CheckpointState& state) {
    OrderedJson files = OrderedJson::object();
    for (const auto& [name, hash] : state.files)
        files[name] = hash;
    OrderedJson document = {
        {"schema_version", kCheckpointSchema},
        {"step", state.step},
        {"tokens", state.tokens},
        {"sampler", {{"step", state.step}, {"seed", state.seed}}},
        {"generators", {{"dropout", "derived from seed and step"}, {"seed", state.seed}}},
        {"training_seconds", state.training_seconds},
        {"peak_rss_mb", state.peak_rss_mb},
        {"last_loss", state.last_loss},
        {"orthogonality_error", state.orthogonality_error},
        {"files", files},
    };
    return dump_json(document) + "\n";
}

Result<CheckpointState> read_state(const std::string& path) {
    SEXTANT_TRY(document, read_json_file(path));
    try {
        if (document.at("schema_version").get<int>() > kCheckpointSchema)
            return data_error("was written by a newer Sextant", path);
        CheckpointState state;
        state.step = document.at("step").get<std::int64_t>();
        state.tokens = document.at("tokens").get<std::int64_t>();
        state.seed = document.at("sampler").at("seed").get<std::uint64_t>();
        state.training_seconds = document.at("training_seconds").get<double>();
        state.peak_rss_mb = document.at("peak_rss_mb").get<double>();
        state.last_loss = document.at("last_loss").is_number() ? document.at("last_loss").get<double>() : 0.0;
        state.orthogonality_error = document.at("orthogonality_error").get<double>();
        state.files = document.at("files").get<std::map<std::string, std::string>>();
        return state;
    } catch (const nlohmann::json::exception& error) {
        return data_error(std::string("is not a checkpoint's state: ") + error.what(), path);
    }
}

Status remove_folder(const std::string& path) {
    std::error_code code;
    fs::remove_all(path, code);
    if (code) return errno_error("cannot remove", path, code.value());
    return {};
}

}  // namespace

std::string checkpoint_name(std::int64_t step) {
    return fmt::format("step-{:08}", step);
}

std::vector<std::string> list_checkpoints(const std::string& directory) {
    std::vector<std::string> names;
    std::error_code code;
    for (const auto& entry : fs::directory_iterator(directory, code)) {
        const std::string name = entry.path().filename().string();
        if (name.rfind("step-", 0) == 0 && name.find('.') == std::string::npos &&
            fs::exists(entry.path() / "state.json", code))
            names.push_back(name);
    }
    std::sort(names.begin(), names.end());
    return names;
}

Result<CheckpointState> verify_checkpoint(const std::string& folder, CheckpointUse use) {
    SEXTANT_TRY(state, read_state(folder + "/state.json"));
    for (const auto& [name, hash] : state.files) {
        if (use == CheckpointUse::kLook && name == kOptimizerFile) continue;
        SEXTANT_TRY(found, sha256_file(folder + "/" + name));
        if (found != hash) return data_error("differs from the hash in state.json", folder + "/" + name);
    }
    return state;
}

Status read_parameters(const std::string& file, const ParameterLayout& layout, std::span<float> parameters) {
    SEXTANT_TRY(tensors, SafetensorsFile::open(file));
    return read_tensors(tensors, layout, "", parameters);
}

Status write_checkpoint(const std::string& directory, const CheckpointModel& model, std::span<const float> parameters,
                        Optimizer* optimizer, CheckpointState& state, int keep) {
    const std::string folder = directory + "/" + checkpoint_name(state.step);
    const std::string partial = folder + ".partial";
    SEXTANT_CHECK(make_directories(directory));
    SEXTANT_CHECK(remove_folder(partial));
    SEXTANT_CHECK(make_directories(partial));

    SEXTANT_CHECK(write_tensors(partial + "/model.safetensors", *model.layout, "", parameters, {{"format", "pt"}}));
    SEXTANT_CHECK(write_file_atomically(partial + "/config.json",
                                        checkpoint_config_text(*model.model, *model.encoding, model.arm)));
    std::vector<std::string> names{"model.safetensors", "config.json"};
    if (!model.tokenizer_json.empty()) {
        SEXTANT_CHECK(write_file_atomically(partial + "/tokenizer.json", model.tokenizer_json));
        names.emplace_back("tokenizer.json");
    }
    if (optimizer != nullptr) {
        SEXTANT_CHECK(write_optimizer(partial + "/" + kOptimizerFile, *model.layout, *optimizer));
        names.emplace_back(kOptimizerFile);
    }
    state.files.clear();
    for (const std::string& name : names) {
        SEXTANT_TRY(hash, sha256_file(partial + "/" + name));
        state.files[name] = hash;
    }
    // The same step again, whole: it stays, for between its removal and the renaming there would be neither.
    std::error_code code;
    if (fs::exists(folder, code)) {
        if (const auto there = verify_checkpoint(folder); there && there->files == state.files)
            return remove_folder(partial);
        SEXTANT_CHECK(remove_folder(folder));
    }
    SEXTANT_CHECK(write_file_atomically(partial + "/state.json", state_text(state)));
    if (file_operations().rename(partial.c_str(), folder.c_str()) != 0)
        return errno_error("cannot rename a finished checkpoint to", folder, errno);
    SEXTANT_CHECK(sync_directory(directory));

    if (keep > 0) {
        std::vector<std::string> all = list_checkpoints(directory);
        while (static_cast<int>(all.size()) > keep) {
            SEXTANT_CHECK(remove_folder(directory + "/" + all.front()));
            all.erase(all.begin());
        }
    }
    return {};
}

Result<std::optional<FoundCheckpoint>> load_newest_checkpoint(const std::string& directory,
                                                              const ParameterLayout& layout,
                                                              std::span<float> parameters, Optimizer* optimizer) {
    std::vector<std::string> names = list_checkpoints(directory);
    FoundCheckpoint found;
    for (auto name = names.rbegin(); name != names.rend(); ++name) {
        const std::string folder = directory + "/" + *name;
        const auto load = [&]() -> Status {
            SEXTANT_TRY(state, verify_checkpoint(folder));
            SEXTANT_CHECK(read_parameters(folder + "/model.safetensors", layout, parameters));
            if (optimizer != nullptr) {
                SEXTANT_TRY(moments, SafetensorsFile::open(folder + "/" + kOptimizerFile));
                for (const Optimizer::Moment& moment : optimizer->moments())
                    SEXTANT_CHECK(read_tensors(moments, layout, moment.name + ".", moment.values));
            }
            found.state = std::move(state);
            return {};
        };
        if (Status status = load(); !status.ok()) {
            found.notes.push_back("checkpoint " + *name +
                                  " is damaged and was passed over: " + status.error().sentence());
            continue;
        }
        found.folder = *name;
        return std::optional<FoundCheckpoint>(std::move(found));
    }
    if (!found.notes.empty()) {
        found.state = {};
        return std::optional<FoundCheckpoint>(std::move(found));
    }
    return std::optional<FoundCheckpoint>();
}

}  // namespace sextant
