#include "app/cli/run_request.h"

#include <fmt/format.h>
#include <sched.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <thread>

#include "core/base/atomic_file.h"
#include "core/base/file_lock.h"
#include "core/base/json.h"
#include "core/base/text.h"
#include "core/data/dataset.h"
#include "core/engine/device.h"
#include "core/experiment/memory_estimate.h"
#include "core/experiment/presets.h"
#include "core/results/dataset_info.h"

namespace sextant::cli {
namespace {

namespace fs = std::filesystem;

bool exists(const std::string& path) {
    struct stat info {};
    return ::stat(path.c_str(), &info) == 0;
}

Result<LoadedExperiment> load(const RunOptions& options) {
    if (options.preset.empty()) {
        if (!options.experiment_file.empty()) return load_experiment(options.experiment_file, options.set);
        return load_experiment(options.project + "/experiment.json", options.set);
    }
    SEXTANT_TRY(preset, find_preset(options.preset));
    Json document = Json(to_json(preset.experiment));
    for (const std::string& assignment : options.set)
        SEXTANT_CHECK(apply_assignment(document, assignment));
    return experiment_from_json(document, ".");
}

Result<std::vector<std::int64_t>> seed_list(const std::string& text) {
    std::vector<std::int64_t> seeds;
    for (const std::string& word : split(text, ',')) {
        const auto seed = parse_integer(word);
        if (!seed || *seed < 0) {
            return usage_error(fmt::format("--seeds needs whole numbers from 0 to {}, as 1,2,3, not \"{}\"", INT64_MAX,
                                           single_line(text, 60)));
        }
        if (std::find(seeds.begin(), seeds.end(), *seed) != seeds.end()) {
            return usage_error(fmt::format("--seeds repeats seed {}; seeds must differ", *seed));
        }
        seeds.push_back(*seed);
    }
    return seeds;
}

Result<std::vector<std::string>> arm_list(const std::string& text, const Experiment& experiment) {
    std::vector<std::string> names;
    for (const ArmConfig& arm : experiment.arms())
        names.push_back(arm.name);
    // A name may hold a comma: the whole text is tried first.
    if (std::find(names.begin(), names.end(), text) != names.end()) return std::vector<std::string>{text};
    std::vector<std::string> chosen;
    for (const std::string& word : split(text, ',')) {
        if (std::find(names.begin(), names.end(), word) == names.end()) {
            const std::string near = nearest_name(word, names);
            return usage_error(fmt::format("--arms: there is no arm \"{}\"; {}", single_line(word, 60),
                                           near.empty() ? "the arms are " + single_line(join_limited(names), 200)
                                                        : "did you mean \"" + single_line(near, 60) + "\"?"));
        }
        chosen.push_back(word);
    }
    return chosen;
}

// The same experiment but for its seeds: then --seeds adds to the project's instead of replacing them.
bool same_but_seeds(Experiment a, const Experiment& b) {
    a.seeds = b.seeds;
    return a == b;
}

Result<std::optional<Experiment>> project_experiment(const Project& project) {
    if (!exists(project.experiment_file())) return std::optional<Experiment>();
    auto loaded = load_experiment(project.experiment_file());
    if (loaded) return std::optional<Experiment>(std::move(loaded->experiment));
    Error error = std::move(loaded).error();
    error.message +=
        "; this project's own experiment file cannot be read: mend or remove it, or choose another "
        "--project";
    return error;
}

// Folders this command made, removed again (only when empty) if it ends before anything is in them.
class FreshFolders {
  public:
    explicit FreshFolders(const std::string& path) {
        for (fs::path place = fs::path(path); !place.empty() && !exists(place.string()); place = place.parent_path())
            made_.push_back(place.string());
    }
    ~FreshFolders() {
        if (kept_ || made_.empty()) return;
        std::error_code ignored;
        fs::remove_all(made_.front() + "/data", ignored);  // made by this command: the project did not exist
        for (const std::string& folder : made_)
            ::rmdir(folder.c_str());
    }
    FreshFolders(const FreshFolders&) = delete;
    FreshFolders& operator=(const FreshFolders&) = delete;
    void keep() { kept_ = true; }

  private:
    std::vector<std::string> made_;  // deepest first
    bool kept_ = false;
};

// Planning is short; another process that plans is waited for.
Result<FileLock> planning_lock(const Project& project) {
    const std::string path = project.path + "/plan.lock";
    for (int attempt = 0;; ++attempt) {
        auto lock = FileLock::acquire(path);
        if (lock || attempt >= 600 || !FileLock::owner(path)) return lock;
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
    }
}

Status check_devices(const Experiment& experiment) {
    std::set<std::string> devices;
    for (const ArmConfig& arm : experiment.arms())
        devices.insert(experiment.training_of(arm).device);
    for (const std::string& device : devices) {
        const auto resolved = resolve_device(device);
        if (!resolved) return resolved.error();
    }
    return {};
}

// Whether the experiment has more than one run; then each takes one thread unless it says otherwise.
bool several_runs(const Experiment& experiment) {
    return experiment.arms().size() * experiment.seeds.size() > 1;
}

// Runs at once where --jobs does not say: small models gain more from runs side by side than from threads. It depends
// on the experiment and the machine alone, so that an interrupted command and its repetition resolve the same.
std::int64_t automatic_jobs(const Experiment& experiment) {
    if (!several_runs(experiment)) return 1;
    std::int64_t threads = 1;
    std::int64_t memory = 1;
    for (const ArmConfig& arm : experiment.arms()) {
        threads = std::max(threads, experiment.training_of(arm).threads);
        memory = std::max(memory, estimate_memory(experiment, arm).total());
    }
    const auto runs = static_cast<std::int64_t>(experiment.arms().size() * experiment.seeds.size());
    std::int64_t jobs = std::min(runs, usable_cores() / threads);
    const std::int64_t available = available_memory_bytes();
    if (available > 0) jobs = std::min(jobs, available / memory);
    return std::max<std::int64_t>(jobs, 1);
}

Status check_memory(const Experiment& experiment, std::int64_t jobs, bool force) {
    if (force) return {};
    const std::int64_t available = available_memory_bytes();
    if (available <= 0) return {};
    for (const ArmConfig& arm : experiment.arms()) {
        const MemoryEstimate estimate = estimate_memory(experiment, arm);
        if (estimate.total() <= available / jobs) continue;
        return device_error(
            fmt::format("arm \"{}\" needs about {} MiB of memory ({}), but {} MiB are free{}; make the "
                        "model, batch or lengths smaller, or start it anyway with --force",
                        single_line(arm.name, 40), grouped(estimate.total() >> 20), estimate.largest(),
                        grouped(available >> 20), jobs > 1 ? fmt::format(" for {} runs at once", jobs) : ""));
    }
    return {};
}

std::string experiment_text(const Experiment& experiment) {
    return dump_json(to_json(experiment)) + "\n";
}

Status write_if_different(const std::string& path, const std::string& text) {
    if (exists(path)) {
        const auto old = read_file(path);
        if (old && *old == text) return {};
    }
    return write_file_atomically(path, text);
}

Result<TrainingConfig> stored_training(const Project& project, const RunPlan& plan) {
    const std::string path = project.run(plan).plan_file();
    SEXTANT_TRY(document, read_json_file(path));
    SEXTANT_TRY(stored, run_plan_from_json(document, path));
    return stored.training;
}

// Threads, device and path of each selected plan: fixed at first start; before it, as asked now.
Status settle(RunPlan& plan, const TrainingConfig& asked, const Project& project, const RunOptions& options,
              std::int64_t automatic) {
    const RunDirectory directory = project.run(plan);
    const bool started = exists(directory.plan_file());
    if (started) {
        SEXTANT_TRY(fixed, stored_training(project, plan));
        SEXTANT_TRY(state, fold_log(directory.event_log()));
        if (state.completed || !options.restart) {
            const auto refuse = [&](const std::string& what, const std::string& was, const std::string& is) {
                return config_error(fmt::format(
                    "run {} was started with {} {} and cannot be continued with {}; repeat "
                    "the command without it{}",
                    plan.folder, what, was, is, state.completed ? "" : ", or begin the run anew with --restart"));
            };
            if (asked.threads != 0 && asked.threads != fixed.threads) {
                return refuse("threads", std::to_string(fixed.threads), std::to_string(asked.threads));
            }
            if (asked.device != "auto" && asked.device != fixed.device) {
                return refuse("device", fixed.device, asked.device);
            }
            if (asked.path != "auto" && asked.path != fixed.path) return refuse("path", fixed.path, asked.path);
            plan.training.threads = fixed.threads;
            plan.training.device = fixed.device;
            plan.training.path = fixed.path;
            return {};
        }
    }
    plan.training.threads = asked.threads != 0 ? asked.threads : automatic;
    plan.training.device = asked.device;
    plan.training.path = asked.path;
    return {};
}

struct Choice {
    Experiment experiment;          // to keep in the project
    std::vector<std::string> arms;  // to run now
    std::vector<std::int64_t> seeds;
};

Result<Choice> choose(const RunOptions& options, Context& context, Project& project) {
    SEXTANT_TRY(loaded, load(options));
    for (const ConfigProblem& warning : loaded.warnings)
        context.note("warning: " + single_line(warning.pointer + ": " + warning.message, 400));
    Choice choice{std::move(loaded.experiment), {}, {}};
    Experiment& experiment = choice.experiment;
    if (options.threads) experiment.training.threads = *options.threads;
    if (!options.device.empty()) experiment.training.device = options.device;
    if (!options.path.empty()) experiment.training.path = options.path;
    project.path = options.project.empty() ? escaped_file_name(experiment.name) : options.project;
    while (project.path.size() > 1 && project.path.back() == '/')
        project.path.pop_back();

    SEXTANT_TRY(kept, project_experiment(project));
    choice.seeds = experiment.seeds;
    if (!options.seeds.empty()) {
        SEXTANT_TRY(seeds, seed_list(options.seeds));
        choice.seeds = seeds;
        experiment.seeds = seeds;
        if (kept && same_but_seeds(*kept, experiment)) {
            experiment.seeds = kept->seeds;
            for (const std::int64_t seed : seeds) {
                if (std::find(kept->seeds.begin(), kept->seeds.end(), seed) == kept->seeds.end()) {
                    experiment.seeds.push_back(seed);
                }
            }
        }
    }
    for (const ArmConfig& arm : experiment.arms())
        choice.arms.push_back(arm.name);
    if (!options.arms.empty()) {
        SEXTANT_TRY(arms, arm_list(options.arms, experiment));
        choice.arms = arms;
    }
    return choice;
}

Result<PreparedRun> plan_project(Choice choice, Project project, const RunOptions& options,
                                 const std::string& experiment_file) {
    SEXTANT_CHECK(check_devices(choice.experiment));
    const std::int64_t jobs = options.jobs > 0 ? options.jobs : automatic_jobs(choice.experiment);
    SEXTANT_CHECK(check_memory(choice.experiment, jobs, options.force));
    const bool alone = options.task.has_value() || options.jobs == 1 || !several_runs(choice.experiment);
    const std::int64_t automatic = alone ? usable_cores() : 1;
    FreshFolders folders(project.path);
    SEXTANT_CHECK(ensure_writable(project));
    SEXTANT_TRY(lock, planning_lock(project));
    for (const std::string& folder : {project.path, project.artifact_directory(), project.data_directory()})
        remove_stale_temporaries(folder);
    SEXTANT_TRY(data, prepare_dataset(choice.experiment.data, project.data_directory()));
    const std::string& expected = choice.experiment.data.expected_sha256;
    if (!expected.empty() && expected != data.identity.tokens_sha256) {
        return data_error("the prepared tokens have SHA-256 " + data.identity.tokens_sha256 +
                          ", but the experiment expects " + single_line(expected, 80) + " (/data/expected_sha256)");
    }
    PreparedRun prepared;
    prepared.project = project;
    prepared.notes = data.notes;
    SEXTANT_CHECK(write_dataset_info(project, dataset_info(data, choice.experiment.data)));
    for (const auto& [first, second] : identical_arms(choice.experiment)) {
        prepared.notes.push_back("arms \"" + single_line(first, 60) + "\" and \"" + single_line(second, 60) +
                                 "\" are identical: an A/A comparison");
    }
    SEXTANT_TRY(plans, make_plan(choice.experiment, data.identity, project.path));
    std::set<std::string> wanted;
    for (const ArmConfig& arm : choice.experiment.arms()) {
        const TrainingConfig asked = choice.experiment.training_of(arm);
        const bool arm_chosen = std::find(choice.arms.begin(), choice.arms.end(), arm.name) != choice.arms.end();
        for (const std::int64_t seed : choice.experiment.seeds) {
            const std::string hash = plan_hash(choice.experiment, arm, seed, data.identity);
            const auto plan =
                std::find_if(plans.begin(), plans.end(), [&](const RunPlan& one) { return one.plan_sha256 == hash; });
            if (plan == plans.end()) return internal_error("a planned run is missing from its plan");
            const bool chosen =
                arm_chosen && std::find(choice.seeds.begin(), choice.seeds.end(), seed) != choice.seeds.end();
            if (chosen || !exists(project.run(*plan).plan_file())) {
                SEXTANT_CHECK(settle(*plan, asked, project, options, automatic));
            }
            if (chosen) wanted.insert(hash);
        }
    }
    SEXTANT_CHECK(make_directories(fs::path(experiment_file).parent_path().string()));
    SEXTANT_CHECK(write_if_different(experiment_file, experiment_text(choice.experiment)));
    folders.keep();
    bool same = false;
    if (exists(project.plan_file())) {
        const auto old = read_plan(project.path);
        same = old && old->size() == plans.size() &&
               std::equal(old->begin(), old->end(), plans.begin(), [](const RunPlan& a, const RunPlan& b) {
                   return dump_json(to_json(a), -1) == dump_json(to_json(b), -1);
               });
    }
    if (!same) SEXTANT_CHECK(write_plan(project.path, plans));
    std::vector<std::string> trashed;
    for (const RunPlan& plan : plans) {
        if (wanted.count(plan.plan_sha256) == 0) continue;
        // Whoever moved a run to the trash does not want it trained again by repeating the command; --task still does.
        if (!options.task && exists(project.path + "/trash/" + plan.folder) && !exists(project.run(plan).path)) {
            trashed.push_back(fmt::format("{} seed {} (--task {})", single_line(plan.arm, 60), plan.seed, plan.number));
            continue;
        }
        prepared.selected.push_back(plan);
    }
    if (!trashed.empty()) {
        prepared.notes.push_back("in the trash and not trained again: " + join_limited(trashed) +
                                 "; take them back in the window, or train one anew by its --task");
    }
    prepared.plans = std::move(plans);
    prepared.experiment = std::move(choice.experiment);
    prepared.jobs = jobs;
    prepared.experiment_file = experiment_file;
    return prepared;
}

}  // namespace

std::int64_t usable_cores() {
    cpu_set_t set;
    CPU_ZERO(&set);
    if (::sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) > 0) return CPU_COUNT(&set);
    return std::max<std::int64_t>(1, std::thread::hardware_concurrency());
}

Status keep_resolved_settings(PreparedRun& prepared) {
    SEXTANT_TRY(lock, planning_lock(prepared.project));
    SEXTANT_TRY(plans, read_plan(prepared.project.path));
    bool changed = false;
    for (RunPlan& plan : plans) {
        if (!exists(prepared.project.run(plan).plan_file())) continue;
        const auto stored = stored_training(prepared.project, plan);
        if (!stored) continue;  // told by list_runs
        changed = changed || plan.training.threads != stored->threads || plan.training.device != stored->device ||
                  plan.training.path != stored->path;
        plan.training.threads = stored->threads;
        plan.training.device = stored->device;
        plan.training.path = stored->path;
    }
    return changed ? write_plan(prepared.project.path, plans) : Status();
}

Result<PreparedRun> prepare_run(const RunOptions& options, Context& context) {
    Project project;
    SEXTANT_TRY(choice, choose(options, context, project));
    const std::string file = project.experiment_file();
    return plan_project(std::move(choice), std::move(project), options, file);
}

Result<AskedExperiment> asked_experiment(const RunOptions& options, Context& context) {
    AskedExperiment asked;
    SEXTANT_TRY(choice, choose(options, context, asked.project));
    asked.experiment = std::move(choice.experiment);
    return asked;
}

Result<PreparedRun> prepare_experiment(const Experiment& experiment, const Project& project, const RunOptions& options,
                                       const std::string& experiment_file) {
    Choice choice{experiment, {}, experiment.seeds};
    for (const ArmConfig& arm : experiment.arms())
        choice.arms.push_back(arm.name);
    return plan_project(std::move(choice), project, options, experiment_file);
}

Result<PreparedRun> prepare_task(const RunOptions& options, Context& context) {
    Project project;
    SEXTANT_TRY(choice, choose(options, context, project));
    PreparedRun prepared;
    if (exists(project.plan_file())) {
        SEXTANT_TRY(plans, read_plan(project.path));
        prepared = {project, choice.experiment, std::move(plans), {}, {}, 1, {}};
        for (const RunPlan& plan : prepared.plans) {
            if (plan.number != *options.task) continue;
            for (const ArmConfig& arm : prepared.experiment.arms()) {
                if (arm.name != plan.arm) continue;
                if (plan_hash(prepared.experiment, arm, plan.seed, plan.identity) == plan.plan_sha256) {
                    prepared.selected = {plan};
                }
            }
        }
    }
    if (prepared.selected.empty()) {
        SEXTANT_TRY(fresh, plan_project(std::move(choice), project, options, project.experiment_file()));
        prepared = std::move(fresh);
        std::erase_if(prepared.selected, [&](const RunPlan& plan) { return plan.number != *options.task; });
    }
    if (prepared.selected.empty()) {
        return usage_error(
            fmt::format("--task {}: the plan has no such run of this experiment; its runs are numbered "
                        "0 to {}",
                        *options.task, static_cast<std::int64_t>(prepared.plans.size()) - 1));
    }
    const TrainingConfig asked = [&] {
        for (const ArmConfig& arm : prepared.experiment.arms()) {
            if (arm.name == prepared.selected[0].arm) return prepared.experiment.training_of(arm);
        }
        return prepared.experiment.training;
    }();
    RunPlan& plan = prepared.selected[0];
    const std::int64_t planned_threads = plan.training.threads;
    SEXTANT_CHECK(settle(plan, asked, project, options, usable_cores()));
    // Asked for nothing: what the orchestrator resolved stands.
    if (asked.threads == 0 && planned_threads != 0) plan.training.threads = planned_threads;
    return prepared;
}

}  // namespace sextant::cli
