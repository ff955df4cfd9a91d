#include "core/experiment/config_io.h"

#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>

#include "core/base/json.h"
#include "core/base/text.h"
#include "core/experiment/config_validation.h"

namespace sextant {
namespace {

const std::vector<std::string> kPathPointers = {
    "/data/corpus/directory",    "/data/corpus/train",      "/data/corpus/validation",    "/data/corpus/test",
    "/data/narrative/directory", "/data/narrative/train",   "/data/narrative/validation", "/data/narrative/test",
    "/data/tokenizer/path",      "/data/instructions/path", "/data/preferences/path"};

// Makes the relative paths at or below `pointer` absolute from `directory`.
void make_paths_absolute(Json& document, const std::string& pointer, const std::filesystem::path& directory) {
    for (const std::string& candidate : kPathPointers) {
        const bool below = pointer.empty() || candidate == pointer ||
                           (candidate.size() > pointer.size() && candidate[pointer.size()] == '/' &&
                            candidate.compare(0, pointer.size(), pointer) == 0);
        const Json::json_pointer place(candidate);
        if (!below || !document.contains(place)) continue;
        Json& value = document[place];
        if (!value.is_string() || value.get_ref<const std::string&>().empty()) continue;
        const std::filesystem::path path(value.get_ref<const std::string&>());
        if (path.is_relative()) value = (directory / path).lexically_normal().string();
    }
}

std::filesystem::path absolute_directory(const std::string& directory) {
    std::error_code failed;
    const std::filesystem::path path = std::filesystem::absolute(
        directory.empty() ? std::filesystem::path(".") : std::filesystem::path(directory), failed);
    return (failed ? std::filesystem::path(directory) : path).lexically_normal();
}

// "/a/b~1c" to {"a", "b/c"}; nothing when an escape is malformed.
std::optional<std::vector<std::string>> reference_tokens(const std::string& pointer) {
    std::vector<std::string> tokens = split(pointer.substr(1), '/');
    for (std::string& token : tokens) {
        std::string plain;
        for (std::size_t i = 0; i < token.size(); ++i) {
            if (token[i] != '~') {
                plain += token[i];
            } else if (i + 1 < token.size() && (token[i + 1] == '0' || token[i + 1] == '1')) {
                plain += token[++i] == '0' ? '~' : '/';
            } else {
                return std::nullopt;
            }
        }
        token = std::move(plain);
    }
    return tokens;
}

// The place a pointer names, created on the way: objects grow keys, lists only at their end.
Json* place_of(Json& document, const std::vector<std::string>& tokens) {
    Json* place = &document;
    for (const std::string& token : tokens) {
        if (place->is_null()) *place = Json::object();
        if (place->is_object()) {
            place = &(*place)[token];
        } else if (place->is_array()) {
            const auto index =
                token == "-" ? static_cast<std::int64_t>(place->size()) : parse_integer(token).value_or(-1);
            if (index < 0 || index > static_cast<std::int64_t>(place->size())) return nullptr;
            if (index == static_cast<std::int64_t>(place->size())) place->push_back(nullptr);
            place = &(*place)[static_cast<std::size_t>(index)];
        } else {
            return nullptr;
        }
    }
    return place;
}

Result<LoadedExperiment> checked(const Json& document, const std::string& path) {
    ConfigProblems problems;
    LoadedExperiment loaded;
    loaded.experiment = read_experiment(document, problems);
    if (has_errors(problems)) return problems_error(problems, path);
    loaded.warnings = std::move(problems);
    return loaded;
}

}  // namespace

Status apply_assignment(Json& document, const std::string& assignment) {
    const std::size_t equals = assignment.find('=');
    const std::string shown = fmt::format("\"{}\"", single_line(assignment, 80));
    if (assignment.empty() || assignment[0] != '/' || equals == std::string::npos || equals < 2) {
        return usage_error("--set needs /pointer=value, as /training/steps=200, not " + shown);
    }
    const std::string pointer = assignment.substr(0, equals);
    const std::string text = assignment.substr(equals + 1);
    const auto tokens = reference_tokens(pointer);
    if (!tokens)
        return usage_error("--set " + shown + ": \"~\" in a JSON pointer is written ~0, \"/\" inside a key ~1");
    if (tokens->size() > 32) return usage_error("--set " + shown + ": the pointer is deeper than 32 levels");
    Json value;
    if (auto parsed = parse_json(text)) {
        value = std::move(*parsed);
    } else if (!invalid_utf8(text)) {
        value = text;
    } else {
        return usage_error("--set " + shown + ": the value is not valid UTF-8");
    }
    Json* place = place_of(document, *tokens);
    if (place == nullptr) {
        return usage_error("--set " + shown + ": the pointer goes through a value that has no such entry");
    }
    *place = std::move(value);
    make_paths_absolute(document, pointer, absolute_directory("."));
    return {};
}

Result<LoadedExperiment> load_experiment(const std::string& path, const std::vector<std::string>& set) {
    SEXTANT_TRY(document, read_json_file(path, ErrorCode::kConfig));
    if (document.is_object()) {
        make_paths_absolute(document, "", absolute_directory(std::filesystem::path(path).parent_path().string()));
    }
    for (const std::string& assignment : set)
        SEXTANT_CHECK(apply_assignment(document, assignment));
    return checked(document, path);
}

Result<LoadedExperiment> experiment_from_json(const Json& document, const std::string& directory,
                                              const std::string& path) {
    Json copy = document;
    if (copy.is_object()) make_paths_absolute(copy, "", absolute_directory(directory));
    return checked(copy, path);
}

std::vector<ConfigProblem> validate_experiment(const Json& document) {
    ConfigProblems problems;
    (void)read_experiment(document, problems);
    return problems;
}

}  // namespace sextant
