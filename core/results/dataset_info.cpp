#include "core/results/dataset_info.h"

#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "core/base/atomic_file.h"
#include "core/base/json.h"
#include "core/data/dataset.h"

namespace sextant {
namespace {

std::string info_file(const Project& project) {
    return project.data_directory() + "/dataset_info.json";
}

template <typename Visitor>
void for_each_count(DatasetInfo& info, const Visitor& visit) {
    visit("train_tokens", info.train_tokens);
    visit("validation_tokens", info.validation_tokens);
    visit("test_tokens", info.test_tokens);
    visit("narrative_tokens", info.narrative_tokens);
    visit("instruction_train", info.instruction_train);
    visit("instruction_validation", info.instruction_validation);
    visit("preference_validation", info.preference_validation);
    visit("vocab_size", info.vocab_size);
    visit("test_bytes", info.test_bytes);
    visit("test_words", info.test_words);
}

template <typename Visitor>
void for_each_text(DatasetInfo& info, const Visitor& visit) {
    visit("name", info.name);
    visit("tokenizer", info.tokenizer);
    visit("corpus_sha256", info.identity.corpus_sha256);
    visit("tokenizer_sha256", info.identity.tokenizer_sha256);
    visit("tokens_sha256", info.identity.tokens_sha256);
}

}  // namespace

DatasetInfo dataset_info(const Dataset& dataset, const DataConfig& config) {
    DatasetInfo info;
    const auto count = [](const auto& list) { return static_cast<std::int64_t>(list.size()); };
    info.name = dataset.name;
    info.train_tokens = count(dataset.train);
    info.validation_tokens = count(dataset.validation);
    info.test_tokens = count(dataset.test);
    info.narrative_tokens = dataset.narrative_tokens;
    info.instruction_train = dataset.instruction_train;
    info.instruction_validation = count(dataset.instruction_validation);
    info.preference_validation = count(dataset.preference_validation);
    info.vocab_size = dataset.tokenizer.vocab_size();
    info.tokenizer = config.tokenizer.kind == "file"
                         ? fmt::format("byte-level BPE, {} entries, from {}", info.vocab_size,
                                       std::filesystem::path(config.tokenizer.path).filename().string())
                         : fmt::format("byte-level BPE, {} entries, trained on the train split", info.vocab_size);
    info.test_bytes = dataset.test_bytes;
    info.test_words = dataset.test_words;
    info.notes = dataset.notes;
    info.identity = dataset.identity;
    return info;
}

OrderedJson to_json(const DatasetInfo& info) {
    OrderedJson document = {{"schema_version", 1}};
    DatasetInfo copy = info;
    for_each_text(copy, [&](const char* key, const std::string& text) { document[key] = text; });
    for_each_count(copy, [&](const char* key, std::int64_t value) { document[key] = value; });
    document["notes"] = info.notes;
    return document;
}

Result<DatasetInfo> dataset_info_from_json(const Json& document, const std::string& path) {
    DatasetInfo info;
    if (!document.is_object()) return data_error("is not an object", path);
    std::string bad;
    for_each_text(info, [&](const char* key, std::string& text) {
        const auto at = document.find(key);
        if (at != document.end() && at->is_string()) {
            text = at->get<std::string>();
        } else {
            bad = key;
        }
    });
    for_each_count(info, [&](const char* key, std::int64_t& value) {
        const auto at = document.find(key);
        if (at != document.end() && at->is_number_integer()) {
            value = at->get<std::int64_t>();
        } else {
            bad = key;
        }
    });
    if (const auto notes = document.find("notes"); notes != document.end() && notes->is_array()) {
        for (const Json& note : *notes)
            if (note.is_string()) info.notes.push_back(note.get<std::string>());
    }
    if (!bad.empty()) return data_error(fmt::format("has no usable {}; run the experiment again", bad), path);
    return info;
}

Status write_dataset_info(const Project& project, const DatasetInfo& info) {
    const std::string bytes = dump_json(to_json(info)) + "\n";
    const std::string path = info_file(project);
    if (auto old = read_file(path); old && *old == bytes) return {};
    SEXTANT_CHECK(make_directories(project.data_directory()));
    return write_file_atomically(path, bytes);
}

Result<DatasetInfo> read_dataset_info(const Project& project) {
    SEXTANT_TRY(document, read_json_file(info_file(project)));
    return dataset_info_from_json(document, info_file(project));
}

}  // namespace sextant
