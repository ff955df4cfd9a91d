#include "core/results/sweep_record.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "core/base/atomic_file.h"
#include "core/base/json.h"
#include "core/base/text.h"

namespace sextant {
namespace {

const char kSelection[] =
    "lowest mean validation loss after the last step over the seeds, the earlier trial of equals; the test split is "
    "read afterwards, by the chosen trials alone";

OrderedJson or_null(const std::optional<double>& value) {
    return value ? OrderedJson(*value) : OrderedJson(nullptr);
}

std::optional<double> mean_validation(const SweepTrial& trial, std::size_t seeds) {
    if (trial.runs.size() != seeds || seeds == 0) return std::nullopt;
    double sum = 0.0;
    for (const SweepRun& run : trial.runs) {
        if (!run.validation_loss) return std::nullopt;
        sum += *run.validation_loss;
    }
    return sum / static_cast<double>(seeds);
}

std::optional<std::size_t> lowest(const SweepArm& arm) {
    std::optional<std::size_t> best;
    for (std::size_t i = 0; i < arm.trials.size(); ++i) {
        const auto& loss = arm.trials[i].validation_loss;
        if (loss && (!best || *loss < *arm.trials[*best].validation_loss)) best = i;
    }
    return best;
}

OrderedJson arm_json(const SweepArm& arm) {
    OrderedJson block = {{"arm", arm.arm}, {"trials", OrderedJson::array()}, {"chosen", nullptr}};
    for (const SweepTrial& trial : arm.trials) {
        OrderedJson runs = OrderedJson::array();
        for (const SweepRun& run : trial.runs)
            runs.push_back({{"seed", run.seed},
                            {"folder", run.folder},
                            {"state", run.state},
                            {"validation_loss", or_null(run.validation_loss)}});
        block["trials"].push_back({{"settings", OrderedJson::parse(trial.settings)},
                                   {"validation_loss", or_null(trial.validation_loss)},
                                   {"runs", std::move(runs)}});
    }
    if (arm.chosen) block["chosen"] = *arm.chosen;
    return block;
}

OrderedJson head_json(const SweepRecord& record) {
    return {{"pointers", record.pointers}, {"seeds", record.seeds}, {"selection", kSelection}};
}

std::string settings_text(const std::string& settings) {
    std::string text;
    const Json document = Json::parse(settings);
    for (const auto& [pointer, value] : document.items())
        text += fmt::format("{}{}={}", text.empty() ? "" : " ", pointer.substr(pointer.rfind('/') + 1), value.dump());
    return text;
}

// Reads what to_json() writes; anything else throws and is told as damaged.
SweepArm read_arm(const Json& block) {
    SweepArm arm;
    arm.arm = block.at("arm").get<std::string>();
    const auto real = [](const Json& value) {
        return value.is_null() ? std::optional<double>() : std::optional(value.get<double>());
    };
    for (const Json& entry : block.at("trials")) {
        SweepTrial trial;
        trial.settings = canonical_json(Json(entry.at("settings").get<Json::object_t>()));
        trial.validation_loss = real(entry.at("validation_loss"));
        for (const Json& run : entry.at("runs")) {
            trial.runs.push_back({run.at("seed").get<std::int64_t>(), run.at("folder").get<std::string>(),
                                  run.at("state").get<std::string>(), real(run.at("validation_loss"))});
        }
        arm.trials.push_back(std::move(trial));
    }
    const Json& chosen = block.at("chosen");
    if (!chosen.is_null()) {
        arm.chosen = chosen.get<std::size_t>();
        (void)block.at("trials").at(*arm.chosen);
    }
    return arm;
}

}  // namespace

bool SweepRecord::same_question(const SweepRecord& other) const {
    const auto question = [](const SweepRecord& record) {
        Json json = {{"pointers", record.pointers}, {"seeds", record.seeds}, {"arms", Json::array()}};
        for (const SweepArm& arm : record.arms) {
            Json settings = Json::array();
            for (const SweepTrial& trial : arm.trials)
                settings.push_back(trial.settings);
            json["arms"].push_back({{"arm", arm.arm}, {"settings", settings}});
        }
        return json;
    };
    return question(*this) == question(other);
}

Status choose_trials(SweepRecord& record) {
    for (SweepArm& arm : record.arms) {
        for (SweepTrial& trial : arm.trials)
            trial.validation_loss = mean_validation(trial, record.seeds.size());
        arm.chosen = lowest(arm);
        if (!arm.chosen) {
            return Error{ErrorCode::kDiverged,
                         fmt::format("no trial of arm \"{}\" ended with a finite validation loss on every seed; sweep "
                                     "other values, as lower learning rates",
                                     single_line(arm.arm, 60)),
                         {},
                         {},
                         {}};
        }
    }
    return {};
}

std::string sweep_file(const Project& project) {
    return project.path + "/sweep.json";
}

Result<std::optional<SweepRecord>> read_sweep(const Project& project) {
    std::error_code ignored;
    const std::string path = sweep_file(project);
    if (!std::filesystem::exists(path, ignored)) return std::optional<SweepRecord>();
    SEXTANT_TRY(document, read_json_file(path));
    SEXTANT_TRY(record, sweep_from_json(document, path));
    return std::optional<SweepRecord>(std::move(record));
}

Status write_sweep(const Project& project, const SweepRecord& record) {
    return write_file_atomically(sweep_file(project), dump_json(to_json(record)) + "\n");
}

OrderedJson to_json(const SweepRecord& record) {
    OrderedJson document = {{"schema_version", 1}};
    document.update(head_json(record));
    document["arms"] = OrderedJson::array();
    for (const SweepArm& arm : record.arms)
        document["arms"].push_back(arm_json(arm));
    document["test_split_read"] = record.test_read.empty() ? OrderedJson(nullptr) : OrderedJson(record.test_read);
    return document;
}

Result<SweepRecord> sweep_from_json(const Json& document, const std::string& path) {
    try {
        SweepRecord record;
        record.pointers = document.at("pointers").get<std::vector<std::string>>();
        record.seeds = document.at("seeds").get<std::vector<std::int64_t>>();
        for (const Json& block : document.at("arms"))
            record.arms.push_back(read_arm(block));
        if (const auto read = document.find("test_split_read"); read != document.end() && !read->is_null())
            record.test_read = read->get<std::string>();
        return record;
    } catch (const Json::exception&) {
        return data_error("is not the record of a sweep", path);
    }
}

OrderedJson sweep_of_arms(const SweepRecord& record, const std::string& baseline, const std::string& variant) {
    OrderedJson document = head_json(record);
    document["arms"] = OrderedJson::array();
    for (const SweepArm& arm : record.arms)
        if (arm.arm == baseline || arm.arm == variant) document["arms"].push_back(arm_json(arm));
    return document;
}

ArmConfig with_settings(ArmConfig arm, const std::string& settings) {
    const Json document = Json::parse(settings);
    for (const auto& [pointer, value] : document.items()) {
        const bool model = pointer.starts_with("/model/");
        std::string& overrides = model ? arm.model_overrides : arm.training_overrides;
        Json patch = Json::parse(overrides);
        patch[Json::json_pointer(pointer.substr(pointer.find('/', 1)))] = value;
        overrides = canonical_json(patch);
    }
    return arm;
}

bool swept_as_chosen(const SweepRecord& record, const Experiment& experiment, const ArmConfig& arm) {
    for (const SweepArm& swept : record.arms) {
        if (swept.arm != arm.name || !swept.chosen) continue;
        const ArmConfig chosen = with_settings(arm, swept.trials[*swept.chosen].settings);
        return experiment.training_of(chosen) == experiment.training_of(arm) &&
               experiment.model_of(chosen) == experiment.model_of(arm);
    }
    return false;
}

std::vector<std::string> sweep_lines(const SweepRecord& record) {
    std::vector<std::string> lines;
    for (const SweepArm& arm : record.arms) {
        std::string trials;
        for (const SweepTrial& trial : arm.trials) {
            trials += fmt::format(
                "{}{}: {}", trials.empty() ? "" : "; ", settings_text(trial.settings),
                trial.validation_loss ? fmt::format("{:.4f}", *trial.validation_loss) : std::string("no value"));
        }
        lines.push_back(fmt::format(
            "sweep of {}, {} trials on {} seed{}, validation loss {}; chosen {}, the only one that reads the test "
            "split",
            single_line(arm.arm, 40), arm.trials.size(), record.seeds.size(), record.seeds.size() == 1 ? "" : "s",
            trials, arm.chosen ? settings_text(arm.trials[*arm.chosen].settings) : std::string("none yet")));
    }
    return lines;
}

std::vector<std::string> sweep_problems(const SweepRecord& record) {
    std::vector<std::string> problems;
    for (const SweepArm& arm : record.arms) {
        const std::string name = single_line(arm.arm, 40);
        const SweepArm& first = record.arms.front();
        bool equal = arm.trials.size() == first.trials.size();
        for (std::size_t i = 0; equal && i < arm.trials.size(); ++i)
            equal = arm.trials[i].settings == first.trials[i].settings;
        if (!equal) problems.push_back(fmt::format("{} did not get the trials of {}", name, first.arm));
        for (const SweepTrial& trial : arm.trials) {
            std::vector<std::int64_t> seeds;
            for (const SweepRun& run : trial.runs)
                seeds.push_back(run.seed);
            if (seeds != record.seeds) {
                problems.push_back(fmt::format("{} {} was not run on the sweep's seeds", name, trial.settings));
                continue;
            }
            const auto mean = mean_validation(trial, record.seeds.size());
            const bool agrees = mean.has_value() == trial.validation_loss.has_value() &&
                                (!mean || std::abs(*mean - *trial.validation_loss) <= 1e-9 * std::abs(*mean));
            if (!agrees)
                problems.push_back(fmt::format("{} {} does not have the mean of its runs", name, trial.settings));
        }
        if (arm.chosen != lowest(arm))
            problems.push_back(
                fmt::format("{}: the chosen trial is not the one with the lowest validation loss", name));
    }
    return problems;
}

}  // namespace sextant
