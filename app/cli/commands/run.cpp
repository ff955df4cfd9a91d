#include <fmt/format.h>

#include <csignal>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/cli/commands.h"
#include "app/cli/orchestrator.h"
#include "app/cli/paper_claim.h"
#include "app/cli/run_request.h"
#include "app/cli/run_results.h"
#include "app/cli/stop_request.h"
#include "app/cli/sweep.h"
#include "core/base/json.h"
#include "core/base/text.h"
#include "core/engine/worker.h"

namespace sextant::cli {
namespace {

Status check_options(const RunOptions& options) {
    if (!options.preset.empty() && !options.experiment_file.empty()) {
        return usage_error("give either an experiment file or --preset, not both");
    }
    if (options.preset.empty() && options.experiment_file.empty() && options.project.empty()) {
        return usage_error("an experiment file is needed, as 'sextant-cli run EXPERIMENT.json', or --preset quick");
    }
    const auto one_of = [](const std::string& option, const std::string& value,
                           const std::vector<std::string>& choices) -> Status {
        if (value.empty() || std::find(choices.begin(), choices.end(), value) != choices.end()) return {};
        return usage_error(option + " must be one of " + join_limited(choices, 10) + ", not \"" +
                           single_line(value, 40) + "\"");
    };
    SEXTANT_CHECK(one_of("--device", options.device, {"auto", "cpu", "cuda", "mps"}));
    SEXTANT_CHECK(one_of("--path", options.path, {"fused", "reference", "auto"}));
    SEXTANT_CHECK(one_of("--progress", options.progress, {"auto", "plain", "json", "none"}));
    SEXTANT_CHECK(one_of("--control", options.control, {"stdin"}));
    if (options.threads && (*options.threads < 0 || *options.threads > 1024)) {
        return usage_error(fmt::format("--threads must be 0 (automatic) to 1024, not {}", *options.threads));
    }
    if (options.jobs < 0 || options.jobs > 1024) {
        return usage_error(fmt::format("--jobs must be 0 (automatic) to 1024, not {}", options.jobs));
    }
    if (options.task && *options.task < 0) return usage_error("--task must be the number of a plan, from 0");
    if (!options.sweep.empty() && (options.task || !options.arms.empty() || options.validation_only)) {
        return usage_error(
            "--sweep gives every arm the same trials and evaluates the chosen ones: it goes with none of --task, "
            "--arms and --validation-only");
    }
    return {};
}

// One run, in this process.
Status run_task(const RunOptions& options, Context& context) {
    SEXTANT_TRY(prepared, prepare_task(options, context));
    WorkerRequest request;
    request.project = prepared.project;
    request.experiment = prepared.experiment;
    request.plan = prepared.selected.front();
    request.restart = options.restart;
    request.validation_only = options.validation_only;
    return run_worker(request);
}

void print_summary(const PreparedRun& prepared, const std::vector<RunOutcome>& outcomes,
                   const WrittenResults& results) {
    OrderedJson json = {{"project", prepared.project.path}};
    json["runs"] = OrderedJson::array();
    for (const RunOutcome& outcome : outcomes) {
        json["runs"].push_back({{"number", outcome.plan.number},
                                {"arm", outcome.plan.arm},
                                {"seed", outcome.plan.seed},
                                {"folder", "runs/" + outcome.plan.folder},
                                {"phase", phase_name(outcome.phase)},
                                {"message", outcome.message}});
    }
    json["written"] = results.written;
    json["unchanged"] = results.unchanged;
    json["missing"] = results.missing;
    json["notes"] = prepared.notes;
    print_text(dump_json(json));
}

Status run_all(const RunOptions& options, Context& context) {
    const StopRequest signals;
    SEXTANT_TRY(prepared, options.sweep.empty() ? prepare_run(options, context) : prepare_swept(options, context));
    for (const std::string& note : prepared.notes)
        context.note("note: " + single_line(note, 480));
    Orchestrator orchestrator(prepared, options, context);
    const std::vector<RunOutcome> outcomes = orchestrator.run();
    SEXTANT_CHECK(keep_resolved_settings(prepared));
    const std::optional<Error> error = overall_error(outcomes, orchestrator.stopped());
    // After a stop the results stay as they were: the next repetition writes them.
    if (error && error->code == ErrorCode::kCancelled) return *error;
    if (options.validation_only) {
        print_text(
            fmt::format("trained and validated; the test split was not read\nproject: {}\n", prepared.project.path));
        if (error) return *error;
        return {};
    }
    SEXTANT_TRY(claim, error ? Result<std::string>(std::string()) : paper_claim(prepared, options, context));
    SEXTANT_TRY(results, write_results(prepared, context));
    if (options.json) {
        print_summary(prepared, outcomes, results);
    } else {
        std::string text = results.table;
        if (!claim.empty()) text += "\n" + claim + "\n";
        for (const std::string& missing : results.missing)
            text += "no artifact: " + single_line(missing, 400) + "\n";
        for (const std::string& path : results.written)
            text += "written: " + path + "\n";
        for (const std::string& path : results.unchanged)
            text += "unchanged: " + path + "\n";
        text += "project: " + prepared.project.path + "\n";
        print_text(text);
    }
    if (error) return *error;
    return {};
}

}  // namespace

void add_run(CLI::App& app, Context& context) {
    auto options = std::make_shared<RunOptions>();
    CLI::App* command = app.add_subcommand("run", "Train and evaluate all arms and seeds of an experiment");
    command->add_option("experiment", options->experiment_file, "Experiment file; or use --preset");
    command->add_option("--preset", options->preset, "An experiment that ships: see 'presets'");
    command->add_option("--project", options->project, "Project folder (default: named after the experiment, here)");
    command->add_option("--set", options->set, "Change a setting: /training/steps=200 (JSON pointer, repeatable)")
        ->take_all()
        ->expected(1)
        ->allow_extra_args(false);
    command->add_option("--seeds", options->seeds, "Run these seeds, as 1,2,3");
    command->add_option("--arms", options->arms, "Run these arms only, as a,b");
    command->add_option("--threads", options->threads, "Threads of each run (0: automatic)");
    command->add_option("--device", options->device, "auto, cpu, cuda or mps");
    command->add_option("--path", options->path, "auto, fused or reference");
    command->add_option("--jobs", options->jobs, "Runs at once (0: as the cores and the memory allow)");
    command->add_option("--task", options->task, "Only the run with this number, in this process (array jobs)");
    command->add_option("--progress", options->progress, "auto, plain, json or none");
    command->add_option("--control", options->control, "stdin: read pause, resume, checkpoint, stop, one a line");
    command
        ->add_option("--sweep", options->sweep,
                     "Choose a setting of each arm on validation: /training/optimizer/learning_rate=1e-3,3e-3,1e-2 "
                     "(every arm gets the same trials; the test split is read by the chosen ones alone; repeatable)")
        ->take_all()
        ->expected(1)
        ->allow_extra_args(false);
    command
        ->add_option("--time-blocks", options->time_blocks,
                     "Interleaved timing blocks an arm for the paper's claim (preset paper-claim); 0: no timing")
        ->check(CLI::Range(0, 10'000));
    command->add_flag("--validation-only", options->validation_only, "Train and validate; the test split is not read");
    command->add_flag("--restart", options->restart, "Begin unfinished runs anew");
    command->add_flag("--force", options->force, "Start although the memory estimate says it will not fit");
    command->add_flag("--json", options->json, "One JSON document on stdout instead of the table");
    command->callback([options, &context] {
        // A closing terminal or pipe ends neither training nor its results.
        std::signal(SIGHUP, SIG_IGN);
        std::signal(SIGPIPE, SIG_IGN);
        Status status = check_options(*options);
        if (status.ok()) status = options->task ? run_task(*options, context) : run_all(*options, context);
        if (!status.ok()) context.fail(status.error());
    });
}

}  // namespace sextant::cli
