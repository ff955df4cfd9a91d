#include "core/results/comparison_artifact.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "core/base/json.h"
#include "core/base/text.h"
#include "core/experiment/config_io.h"
#include "core/results/sweep_record.h"

namespace sextant {
namespace {

const Json* member(const Json* from, const std::string& key) {
    if (from == nullptr || !from->is_object()) return nullptr;
    const auto at = from->find(key);
    return at == from->end() ? nullptr : &*at;
}
std::string text(const Json* from, const std::string& key, std::string otherwise = {}) {
    const Json* value = member(from, key);
    return value != nullptr && value->is_string() ? value->get<std::string>() : std::move(otherwise);
}
std::int64_t whole(const Json* from, const std::string& key) {
    const Json* value = member(from, key);
    return value != nullptr && value->is_number_integer() ? value->get<std::int64_t>() : 0;
}
std::optional<double> real(const Json* from, const std::string& key) {
    const Json* value = member(from, key);
    if (value == nullptr || !value->is_number()) return std::nullopt;
    const auto number = value->get<double>();
    return std::isfinite(number) ? std::optional(number) : std::nullopt;
}

struct Group {
    std::string key;
    ComparisonInput input;
};

ArmResult read_arm(const Json& document, const std::string& side, ComparisonInput& input) {
    const Json* block = member(&document, side);
    const Json* setup = member(&document, "setup");
    ArmResult arm;
    arm.name = text(block, "name", side);
    arm.parameters = whole(block, "parameters");
    const Json* encoding = member(block, "encoding");
    arm.encoding = text(encoding, "id", text(member(block, "architecture_stats"), "position_encoding"));
    if (encoding != nullptr) {
        Json same = {{"encoding", *encoding}};
        if (const Json* overrides = member(block, "overrides"); overrides != nullptr) same["overrides"] = *overrides;
        arm.configuration = canonical_json(same);
    }
    arm.context_length = whole(member(member(&document, "extrapolation"), "training_length"), side);
    if (arm.context_length == 0) arm.context_length = whole(setup, "sequence_length");
    const Json* per_seed = member(&document, "per_seed");
    if (per_seed != nullptr && per_seed->is_array()) {
        for (const Json& entry : *per_seed) {
            const Json* values = member(&entry, side);
            ArmSeed& seed = arm.seeds[whole(&entry, "seed")];
            seed.state = text(values, "state", "complete");
            seed.complete = seed.state == "complete";
            seed.initial_loss = real(values, "initial_loss");
            seed.final_loss = real(values, "final_loss");
            const Json* evaluations = member(values, "evaluations");
            if (evaluations == nullptr || !evaluations->is_array()) continue;
            for (const Json& item : *evaluations) {
                if (const auto value = real(&item, "value")) {
                    seed.values[{text(&item, "metric"), whole(&item, "length"), text(&item, "mode"),
                                 whole(&item, "stride"), whole(&item, "targets")}] = *value;
                }
            }
        }
        return arm;
    }
    const Json* seeds = member(block, "seeds");
    if (seeds != nullptr && seeds->is_array() && seeds->size() == 1 && (*seeds)[0].is_number_integer()) {
        ArmSeed& seed = arm.seeds[(*seeds)[0].get<std::int64_t>()];
        seed.state = "complete";
        seed.complete = true;
        for (const char* metric : {"lm_loss", "instruction_loss"}) {
            if (const auto value = real(block, metric)) {
                const bool main = std::string(metric) == "lm_loss";
                seed.values[{metric, arm.context_length, main ? "as the file defines it" : "", 0,
                             whole(member(&document, "dataset"), "test_tokens")}] = *value;
            }
        }
    } else if (side == "method") {
        input.notes.push_back(
            fmt::format("{}: the file has means over seeds but no single values, so nothing can be tested",
                        single_line(arm.name, 80)));
    }
    return arm;
}

std::string group_key(const Json& document) {
    Json key = {{"dataset", document.value("dataset", Json())},
                {"setup", document.value("setup", Json())},
                {"baseline", document.value("baseline", Json())}};
    if (key["setup"].is_object()) {
        key["setup"].erase("evolve_architecture");
        key["setup"].erase("same_tokens_optimizer_and_budget");
        key["setup"].erase("evolve_optimizer");
    }
    return canonical_json(key);
}

bool exists(const std::string& path) {
    std::error_code ignored;
    return std::filesystem::exists(path, ignored);
}

}  // namespace

Result<std::vector<ComparisonInput>> comparison_inputs_from_artifacts(
    const std::vector<std::pair<std::string, Json>>& documents) {
    std::vector<Group> groups;
    for (const auto& [path, document] : documents) {
        const Json* baseline = member(&document, "baseline");
        const Json* method = member(&document, "method");
        if (baseline == nullptr || !baseline->is_object() || method == nullptr || !method->is_object()) {
            return data_error("is not a metrics artifact: it has no baseline and method", path);
        }
        const std::string key = group_key(document);
        auto group = std::find_if(groups.begin(), groups.end(), [&](const Group& g) { return g.key == key; });
        if (group == groups.end()) {
            groups.push_back({key, {}});
            group = groups.end() - 1;
            ComparisonInput& input = group->input;
            input.title = std::filesystem::path(path).filename().string();
            input.baseline = read_arm(document, "baseline", input);
            input.test_tokens = whole(member(&document, "dataset"), "test_tokens");
            const Json* statistics = member(&document, "statistics");
            if (const Json* primary = member(statistics, "primary"); primary != nullptr && primary->is_object()) {
                input.primary = PrimaryEndpoint{text(primary, "metric"), whole(primary, "length"),
                                                text(primary, "mode"), text(primary, "contrast")};
            }
            input.margin = real(statistics, "margin");
            if (const Json* sweep = member(&document, "sweep"); sweep != nullptr && sweep->is_object())
                input.sweep = dump_json(*sweep, -1);
        }
        ComparisonInput& input = group->input;
        input.family_size =
            std::max(input.family_size,
                     std::clamp<std::int64_t>(whole(member(&document, "statistics"), "family_size"), 0, 1000));
        input.variants.push_back(read_arm(document, "method", input));
    }
    std::vector<ComparisonInput> inputs;
    for (Group& group : groups)
        inputs.push_back(std::move(group.input));
    return inputs;
}

Result<std::vector<Comparison>> compare_paths(const std::vector<std::string>& paths) {
    std::vector<Comparison> comparisons;
    std::vector<std::pair<std::string, Json>> documents;
    const auto add_file = [&](const std::string& path) -> Status {
        SEXTANT_TRY(document, read_json_file(path));
        documents.emplace_back(path, std::move(document));
        return {};
    };
    for (const std::string& path : paths) {
        std::error_code ignored;
        if (!std::filesystem::is_directory(path, ignored)) {
            SEXTANT_CHECK(add_file(path));
            continue;
        }
        const Project project{path};
        if (exists(project.experiment_file()) && exists(project.plan_file())) {
            SEXTANT_TRY(loaded, load_experiment(project.experiment_file()));
            SEXTANT_TRY(runs, list_runs(project));
            ComparisonInput input = comparison_input(loaded.experiment, runs);
            SEXTANT_TRY(sweep, read_sweep(project));
            if (sweep) input.sweep = dump_json(to_json(*sweep), -1);
            for (const ListedRun& run : runs) {
                for (const std::string& problem : run.problems)
                    input.notes.push_back(fmt::format("{}: {}", run.plan.folder, problem));
            }
            comparisons.push_back(compare_arms(input));
            continue;
        }
        std::vector<std::string> files;
        for (const auto& entry : std::filesystem::directory_iterator(project.artifact_directory(), ignored)) {
            if (entry.path().extension() == ".json") files.push_back(entry.path().string());
        }
        if (files.empty()) {
            return data_error("is not a project: it has neither experiment.json with plan.json nor artifacts/*.json",
                              path);
        }
        std::sort(files.begin(), files.end());
        for (const std::string& file : files)
            SEXTANT_CHECK(add_file(file));
    }
    SEXTANT_TRY(inputs, comparison_inputs_from_artifacts(documents));
    for (const ComparisonInput& input : inputs)
        comparisons.push_back(compare_arms(input));
    return comparisons;
}

}  // namespace sextant
