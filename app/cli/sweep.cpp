#include "app/cli/sweep.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "app/cli/orchestrator.h"
#include "app/cli/run_results.h"
#include "core/base/json.h"
#include "core/base/text.h"
#include "core/results/current_runs.h"
#include "core/results/sweep_record.h"

namespace sextant::cli {
namespace {

constexpr std::size_t kMostTrials = 1000;

// What may differ between trials without giving one arm more tokens, a larger model or a faster machine.
const std::vector<std::string> kSweepable = {"/training/optimizer/", "/training/schedule/", "/training/gradient_clip",
                                             "/model/dropout",       "/model/initializer/", "/model/norm_epsilon"};

// "1,[0.9,0.95],a" at the commas outside of brackets and quotes.
std::vector<std::string> top_level_values(const std::string& text) {
    std::vector<std::string> values(1);
    int depth = 0;
    bool quoted = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (quoted) {
            quoted = c != '"' || text[i - 1] == '\\';
        } else if (c == '"') {
            quoted = true;
        } else if (c == '[' || c == '{') {
            ++depth;
        } else if (c == ']' || c == '}') {
            --depth;
        } else if (c == ',' && depth == 0) {
            values.emplace_back();
            continue;
        }
        values.back() += c;
    }
    return values;
}

struct SweptSetting {
    std::string pointer;
    std::vector<Json> values;
};

Result<SweptSetting> swept_setting(const std::string& text) {
    const std::size_t equals = text.find('=');
    if (text.empty() || text[0] != '/' || equals == std::string::npos) {
        return usage_error(fmt::format(
            "--sweep needs /pointer=value,value, as /training/optimizer/learning_rate=1e-3,3e-3, not \"{}\"",
            single_line(text, 80)));
    }
    SweptSetting setting;
    setting.pointer = text.substr(0, equals);
    const bool allowed = std::any_of(kSweepable.begin(), kSweepable.end(), [&](const std::string& one) {
        return one.back() == '/' ? setting.pointer.starts_with(one) && setting.pointer.size() > one.size()
                                 : setting.pointer == one;
    });
    if (!allowed) {
        return usage_error(fmt::format("--sweep: {} cannot be swept with equal budgets; what can is {}",
                                       single_line(setting.pointer, 80), join_limited(kSweepable, 10)));
    }
    for (const std::string& word : top_level_values(text.substr(equals + 1))) {
        if (trimmed(word).empty())
            return usage_error(fmt::format("--sweep: a value is empty in \"{}\"", single_line(text, 80)));
        auto parsed = parse_json(word);
        if (!parsed && invalid_utf8(word)) return usage_error("--sweep: a value is not valid UTF-8");
        Json value = parsed ? std::move(parsed).value() : Json(word);
        if (std::find(setting.values.begin(), setting.values.end(), value) != setting.values.end())
            return usage_error(fmt::format("--sweep: the value {} is there twice", single_line(word, 40)));
        setting.values.push_back(std::move(value));
    }
    return setting;
}

// Every combination of the values, the last pointer running fastest.
Result<std::vector<std::string>> trials_of(const std::vector<SweptSetting>& settings) {
    std::vector<Json> trials{Json::object()};
    for (const SweptSetting& setting : settings) {
        std::vector<Json> next;
        for (const Json& trial : trials) {
            for (const Json& value : setting.values) {
                next.push_back(trial);
                next.back()[setting.pointer] = value;
            }
        }
        trials = std::move(next);
        if (trials.size() > kMostTrials)
            return usage_error(fmt::format("--sweep: more than {} combinations", kMostTrials));
    }
    std::vector<std::string> texts;
    for (const Json& trial : trials)
        texts.push_back(canonical_json(trial));
    return texts;
}

Result<Experiment> with_settings(Experiment experiment, const std::string& settings) {
    experiment.baseline = sextant::with_settings(experiment.baseline, settings);
    for (ArmConfig& variant : experiment.variants)
        variant = sextant::with_settings(variant, settings);
    SEXTANT_TRY(checked, experiment_from_json(Json(to_json(experiment)), "."));
    return checked.experiment;
}

// What the logs hold of one trial of one arm.
SweepTrial trial_of(const Experiment& experiment, const ArmConfig& arm, const std::string& settings,
                    std::span<const ListedRun> runs) {
    SweepTrial trial{settings, {}, {}};
    for (const std::int64_t seed : experiment.seeds) {
        for (const ListedRun& run : runs) {
            if (run.plan.arm != arm.name || run.plan.seed != seed) continue;
            SweepRun found{seed, run.plan.folder, phase_name(run.state.phase), {}};
            const auto& validations = run.state.validations;
            if (run.state.phase == RunPhase::kCompleted && !validations.empty() &&
                validations.back().step == run.plan.training.steps && std::isfinite(validations.back().loss)) {
                found.validation_loss = validations.back().loss;
            }
            trial.runs.push_back(std::move(found));
        }
    }
    return trial;
}

std::string utc_now() {
    const auto now = std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
    return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::chrono::system_clock::to_time_t(now)));
}

// The record as it is before anything has run: the question that the sweep asks.
SweepRecord asked_record(const Experiment& experiment, const std::vector<SweptSetting>& settings,
                         const std::vector<std::string>& trials) {
    SweepRecord record;
    for (const SweptSetting& setting : settings)
        record.pointers.push_back(setting.pointer);
    record.seeds = experiment.seeds;
    for (const ArmConfig& arm : experiment.arms()) {
        SweepArm swept{arm.name, {}, {}};
        for (const std::string& trial : trials)
            swept.trials.push_back({trial, {}, {}});
        record.arms.push_back(std::move(swept));
    }
    return record;
}

Status run_trial(const PreparedRun& prepared, const RunOptions& options, const Context& context) {
    Orchestrator orchestrator(prepared, options, context);
    const std::vector<RunOutcome> outcomes = orchestrator.run();
    PreparedRun resolved = prepared;
    SEXTANT_CHECK(keep_resolved_settings(resolved));
    const std::optional<Error> error = overall_error(outcomes, orchestrator.stopped());
    // A diverged trial is a result of the sweep; anything else went wrong.
    if (error && error->code != ErrorCode::kDiverged) return *error;
    return {};
}

}  // namespace

Result<PreparedRun> prepare_swept(const RunOptions& options, Context& context) {
    std::vector<SweptSetting> settings;
    std::set<std::string> pointers;
    for (const std::string& text : options.sweep) {
        SEXTANT_TRY(setting, swept_setting(text));
        if (!pointers.insert(setting.pointer).second)
            return usage_error("--sweep names " + single_line(setting.pointer, 80) + " twice");
        settings.push_back(std::move(setting));
    }
    SEXTANT_TRY(trials, trials_of(settings));
    SEXTANT_TRY(asked, asked_experiment(options, context));
    const Project& project = asked.project;
    std::vector<Experiment> experiments;
    for (const std::string& trial : trials) {
        SEXTANT_TRY(experiment, with_settings(asked.experiment, trial));
        experiments.push_back(std::move(experiment));
    }
    SweepRecord record = asked_record(asked.experiment, settings, trials);
    SEXTANT_TRY(kept, read_sweep(project));
    if (kept && !kept->test_read.empty() && !kept->same_question(record)) {
        return config_error(
            fmt::format("the chosen trials of this project's sweep read the test split at {}; choosing "
                        "again afterwards would be choosing on the test, so use another --project",
                        single_line(kept->test_read, 40)));
    }
    if (kept && kept->same_question(record)) record.test_read = kept->test_read;

    RunOptions trial_options = options;
    trial_options.validation_only = true;
    for (std::size_t i = 0; i < trials.size(); ++i) {
        context.note(fmt::format("sweep: trial {} of {}, {}", i + 1, trials.size(), single_line(trials[i], 200)));
        const std::string file = fmt::format("{}/sweep/trial-{}.json", project.path, i);
        SEXTANT_TRY(prepared, prepare_experiment(experiments[i], project, trial_options, file));
        if (i == 0 && !kept) SEXTANT_CHECK(write_sweep(project, record));
        SEXTANT_CHECK(run_trial(prepared, trial_options, context));
        SEXTANT_TRY(listed, list_runs(project));
        const std::vector<ListedRun> runs = current_runs(experiments[i], listed);
        const std::vector<ArmConfig> arms = experiments[i].arms();
        for (std::size_t a = 0; a < arms.size(); ++a)
            record.arms[a].trials[i] = trial_of(experiments[i], arms[a], trials[i], runs);
        SEXTANT_CHECK(write_sweep(project, record));
    }
    SEXTANT_CHECK(choose_trials(record));
    // Written before the test split is read, so that a crash in between cannot hide the reading.
    if (record.test_read.empty()) record.test_read = utc_now();
    SEXTANT_CHECK(write_sweep(project, record));
    Experiment chosen = asked.experiment;
    const auto settled = [&](ArmConfig& arm) {
        for (const SweepArm& swept : record.arms)
            if (swept.arm == arm.name) arm = sextant::with_settings(arm, swept.trials[*swept.chosen].settings);
    };
    settled(chosen.baseline);
    for (ArmConfig& variant : chosen.variants)
        settled(variant);
    return prepare_experiment(chosen, project, options, project.experiment_file());
}

}  // namespace sextant::cli
