// slurm submit|status|collect|cancel: one array job a project, a task a plan. The scheduler is Slurm's; the truth about
// a run is its folder, so status joins both and collect needs no scheduler at all.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/cli/captured_process.h"
#include "app/cli/commands.h"
#include "app/cli/run_request.h"
#include "core/base/atomic_file.h"
#include "core/base/json.h"
#include "core/base/text.h"
#include "core/experiment/config_io.h"
#include "core/results/artifact.h"
#include "core/run/slurm_job.h"

namespace sextant::cli {
namespace {

struct Options {
    std::string experiment, project, partition, time;
    std::vector<std::string> set;
    std::int64_t cpus = 1, gpus = 0, max_parallel = 0;
    bool json = false;
};

struct SubmittedJob {
    std::int64_t id = 0;
    std::vector<std::int64_t> tasks;
};

std::string jobs_file(const Project& project) {
    return project.path + "/slurm/jobs.json";
}

Result<std::vector<SubmittedJob>> read_jobs(const Project& project) {
    std::vector<SubmittedJob> jobs;
    std::error_code ignored;
    if (!std::filesystem::exists(jobs_file(project), ignored)) return jobs;
    SEXTANT_TRY(document, read_json_file(jobs_file(project)));
    const auto list = document.find("jobs");
    if (list == document.end() || !list->is_array()) return data_error("has no list of jobs", jobs_file(project));
    for (const Json& entry : *list) {
        const auto id = entry.is_object() ? entry.find("id") : entry.end();
        if (!entry.is_object() || id == entry.end() || !id->is_number_integer() || *id < 1) {
            return data_error("holds a job without a number", jobs_file(project));
        }
        SubmittedJob job;
        job.id = id->get<std::int64_t>();
        if (const auto tasks = entry.find("tasks"); tasks != entry.end() && tasks->is_array()) {
            for (const Json& task : *tasks)
                if (task.is_number_integer()) job.tasks.push_back(task.get<std::int64_t>());
        }
        jobs.push_back(std::move(job));
    }
    return jobs;
}

Status write_jobs(const Project& project, const std::vector<SubmittedJob>& jobs) {
    OrderedJson list = OrderedJson::array();
    for (const SubmittedJob& job : jobs)
        list.push_back({{"id", job.id}, {"tasks", job.tasks}});
    return write_file_atomically(jobs_file(project),
                                 dump_json(OrderedJson{{"schema_version", 1}, {"jobs", list}}) + "\n");
}

// Slurm's own words, on one line, when one of its programs fails.
Error scheduler_error(const std::string& program, const CapturedOutput& result) {
    return storage_error(fmt::format("{} failed with status {}: {}", program, result.status,
                                     single_line(trimmed(result.errors.empty() ? result.output : result.errors), 300)));
}

// What Slurm still knows of the project's tasks; ended jobs are forgotten after a few minutes, which is no error.
Result<std::map<std::int64_t, SlurmTask>> scheduler_view(const std::vector<SubmittedJob>& jobs) {
    std::map<std::int64_t, SlurmTask> view;
    for (const SubmittedJob& job : jobs) {
        SEXTANT_TRY(result, run_captured({"squeue", "-a", "-h", "-r", "-t", "all", "-j", fmt::format("{}", job.id),
                                          "-o", "%i|%T|%r"}));
        if (result.status != 0) {
            if (result.errors.find("Invalid job id") != std::string::npos) continue;
            return scheduler_error("squeue", result);
        }
        for (SlurmTask& task : parse_squeue(result.output))
            if (task.task >= 0) view[task.task] = std::move(task);  // later jobs are newer
    }
    return view;
}

bool waiting_or_running(const SlurmTask& task) {
    static const std::vector<std::string> live{"PENDING",   "RUNNING",   "CONFIGURING",  "COMPLETING",
                                               "REQUEUED",  "SUSPENDED", "REQUEUE_HOLD", "RESIZING",
                                               "SIGNALING", "STAGE_OUT", "STOPPED"};
    return std::find(live.begin(), live.end(), task.state) != live.end();
}

Status submit(const Options& options, Context& context) {
    if (options.cpus < 1 || options.cpus > 4096) return usage_error("--cpus must be 1 to 4096");
    if (options.gpus < 0 || options.gpus > 64) return usage_error("--gpus must be 0 to 64");
    if (options.max_parallel < 0) return usage_error("--max-parallel must be 1 or more");
    if (!options.partition.empty() && !valid_slurm_word(options.partition)) {
        return usage_error("--partition has characters that no partition's name has");
    }
    if (!options.time.empty() && !valid_slurm_time(options.time)) {
        return usage_error("--time must be as Slurm takes it: minutes, H:MM:SS or D-HH:MM:SS");
    }
    RunOptions run;
    run.experiment_file = options.experiment;
    run.project = options.project;
    run.set = options.set;
    SEXTANT_TRY(prepared, prepare_run(run, context));
    const Project project{std::filesystem::absolute(prepared.project.path).lexically_normal().string()};
    SEXTANT_TRY(jobs, read_jobs(project));
    SEXTANT_TRY(view, scheduler_view(jobs));
    SEXTANT_TRY(runs, list_runs(project));
    SlurmRequest request;
    for (const ListedRun& listed : runs) {
        const auto known = view.find(listed.plan.number);
        if (listed.state.phase == RunPhase::kCompleted || listed.state.phase == RunPhase::kDiverged) continue;
        if (known != view.end() && waiting_or_running(known->second)) continue;
        request.tasks.push_back(listed.plan.number);
    }
    if (request.tasks.empty()) {
        print_text(options.json
                       ? dump_json(OrderedJson{{"job", nullptr}, {"tasks", OrderedJson::array()}})
                       : std::string("nothing to submit: every run is complete, diverged, waiting or running"));
        return {};
    }
    std::sort(request.tasks.begin(), request.tasks.end());
    request.program = context.program;
    request.experiment = project.experiment_file();
    request.project = project.path;
    request.name = prepared.experiment.name;
    request.partition = options.partition;
    request.time = options.time;
    request.cpus = options.cpus;
    request.gpus = options.gpus;
    request.max_parallel = options.max_parallel;
    const std::string script = project.path + "/slurm/job.sh";
    SEXTANT_CHECK(make_directories(project.path + "/slurm"));
    SEXTANT_CHECK(write_file_atomically(script, slurm_script(request)));
    SEXTANT_TRY(result, run_captured({"sbatch", "--parsable", script}, project.path));
    if (result.status != 0) return scheduler_error("sbatch", result);
    const auto id = parse_integer(trimmed(split(std::string(trimmed(result.output)), ';')[0]));
    if (!id || *id <= 0) return scheduler_error("sbatch", result);
    jobs.push_back({*id, request.tasks});
    SEXTANT_CHECK(write_jobs(project, jobs));
    if (options.json) {
        print_text(dump_json(OrderedJson{{"job", *id}, {"tasks", request.tasks}, {"script", script}}));
    } else {
        print_text(fmt::format("job {}: {} task{} ({})\nscript: {}", *id, request.tasks.size(),
                               request.tasks.size() == 1 ? "" : "s", slurm_array(request.tasks, 0), script));
    }
    return {};
}

Status status(const Options& options) {
    const Project project{options.project};
    SEXTANT_TRY(jobs, read_jobs(project));
    SEXTANT_TRY(runs, list_runs(project));
    SEXTANT_TRY(view, scheduler_view(jobs));
    OrderedJson list = OrderedJson::array();
    std::string text =
        fmt::format("{:>5}  {:<24} {:>6}  {:<12} {:>13}  {}\n", "task", "arm", "seed", "run", "steps", "scheduler");
    std::map<std::string, int> counts;
    for (const ListedRun& run : runs) {
        const auto known = view.find(run.plan.number);
        const bool live = known != view.end() && waiting_or_running(known->second);
        std::string phase = phase_name(run.state.phase);
        if (run.interrupted && !live) phase = "interrupted";
        ++counts[phase];
        std::string scheduler = known == view.end() ? "-" : known->second.state;
        if (known != view.end() && !known->second.reason.empty() && known->second.reason != "None") {
            scheduler += " (" + known->second.reason + ")";
        }
        text +=
            fmt::format("{:>5}  {:<24} {:>6}  {:<12} {:>6}/{:<6}  {}\n", run.plan.number, single_line(run.plan.arm, 24),
                        run.plan.seed, phase, run.state.step, run.plan.training.steps, single_line(scheduler, 80));
        list.push_back({{"task", run.plan.number},
                        {"arm", run.plan.arm},
                        {"seed", run.plan.seed},
                        {"run", phase},
                        {"step", run.state.step},
                        {"steps", run.plan.training.steps},
                        {"job", known == view.end() ? OrderedJson(nullptr) : OrderedJson(known->second.job)},
                        {"scheduler", known == view.end() ? OrderedJson(nullptr) : OrderedJson(known->second.state)},
                        {"reason", known == view.end() ? OrderedJson(nullptr) : OrderedJson(known->second.reason)}});
    }
    for (const auto& [phase, count] : counts)
        text += fmt::format("{} {}  ", count, phase);
    print_text(options.json ? dump_json(OrderedJson{{"project", project.path}, {"runs", list}}) : text);
    return {};
}

Status collect(const Options& options, const Context& context) {
    const Project project{options.project};
    SEXTANT_TRY(loaded, load_experiment(project.experiment_file()));
    SEXTANT_TRY(data, read_dataset_info(project));
    SEXTANT_TRY(report, write_artifacts(project, loaded.experiment, data, context.arguments));
    if (options.json) {
        print_text(dump_json(
            OrderedJson{{"written", report.written}, {"unchanged", report.unchanged}, {"missing", report.missing}}));
    } else {
        std::string text;
        for (const std::string& path : report.written)
            text += "written: " + path + "\n";
        for (const std::string& path : report.unchanged)
            text += "unchanged: " + path + "\n";
        for (const std::string& sentence : report.missing)
            text += "missing: " + single_line(sentence, 300) + "\n";
        print_text(text.empty() ? "nothing to collect" : text);
    }
    if (report.written.empty() && report.unchanged.empty()) {
        return data_error("no artifact can be built yet: " + join_limited(report.missing, 3), project.path);
    }
    return {};
}

Status cancel(const Options& options) {
    const Project project{options.project};
    SEXTANT_TRY(jobs, read_jobs(project));
    SEXTANT_TRY(view, scheduler_view(jobs));
    std::vector<std::string> command{"scancel"};
    for (const SubmittedJob& job : jobs) {
        const bool live = std::any_of(view.begin(), view.end(), [&](const auto& entry) {
            return entry.second.job == job.id && waiting_or_running(entry.second);
        });
        if (live) command.push_back(fmt::format("{}", job.id));
    }
    if (command.size() > 1) {
        SEXTANT_TRY(result, run_captured(command));
        if (result.status != 0) return scheduler_error("scancel", result);
    }
    const std::size_t cancelled = command.size() - 1;
    command.erase(command.begin());
    print_text(options.json ? dump_json(OrderedJson{{"cancelled", command}})
               : cancelled == 0
                   ? std::string("no job is waiting or running")
                   : "cancelled: " + join_limited(command, 50) + "; finished steps are kept, submit continues them");
    return {};
}

}  // namespace

void add_slurm(CLI::App& app, Context& context) {
    auto options = std::make_shared<Options>();
    CLI::App* slurm = app.add_subcommand("slurm", "Run an experiment as a Slurm array job, one task a run");
    slurm->require_subcommand(1);
    const auto command = [&](const char* name, const char* help, auto action) {
        CLI::App* sub = slurm->add_subcommand(name, help);
        sub->add_option("--project", options->project, "Project folder")->required()->type_name("DIR");
        sub->add_flag("--json", options->json, "One JSON document on stdout");
        sub->callback([action, &context] {
            if (Status result = action(); !result.ok()) context.fail(result.error());
        });
        return sub;
    };
    CLI::App* sub = command("submit", "Prepare the project and submit every run that is not complete",
                            [options, &context] { return submit(*options, context); });
    sub->add_option("experiment", options->experiment, "Experiment file")->required()->type_name("EXPERIMENT");
    sub->add_option("--set", options->set, "Change a setting: /training/steps=200 (repeatable)")
        ->take_all()
        ->expected(1)
        ->allow_extra_args(false);
    sub->add_option("--partition", options->partition, "Partition (default: the cluster's)");
    sub->add_option("--time", options->time, "Time limit of a task, as Slurm takes it");
    sub->add_option("--cpus", options->cpus, "Cores a task")->capture_default_str();
    sub->add_option("--gpus", options->gpus, "GPUs a task")->capture_default_str();
    sub->add_option("--max-parallel", options->max_parallel, "Tasks at once (0: no limit)")->capture_default_str();
    command("status", "Join the scheduler's view with the run folders", [options] { return status(*options); });
    command("collect", "Build artifacts from whatever is complete and name what is missing",
            [options, &context] { return collect(*options, context); });
    command("cancel", "Cancel the project's waiting and running jobs", [options] { return cancel(*options); });
}

}  // namespace sextant::cli
