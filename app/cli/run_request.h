#pragma once
// From the words of `sextant-cli run` to a project that is ready to train: experiment read and checked, data prepared,
// plan numbered and written. Nothing is written before everything that can be checked without writing has been.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/commands.h"
#include "core/experiment/config_io.h"
#include "core/experiment/run_plan.h"
#include "core/run/run_directory.h"

namespace sextant::cli {

struct RunOptions {
    std::string experiment_file;
    std::string preset;
    std::string project;
    std::vector<std::string> set;
    std::string seeds;  // "1,2,3"
    std::string arms;   // "a,b"
    std::optional<std::int64_t> threads;
    std::string device;
    std::string path;
    std::int64_t jobs = 0;  // 0: as many as the cores and the memory allow
    std::optional<std::int64_t> task;
    std::string progress = "auto";
    std::string control;
    bool restart = false;
    bool force = false;              // start although the memory estimate says no
    bool validation_only = false;    // the test split is not read
    std::int64_t time_blocks = 8;    // of each arm, where the experiment has the shape of the paper's claim; 0: none
    std::vector<std::string> sweep;  // "/training/optimizer/learning_rate=1e-3,3e-3", each a pointer and its values
    bool json = false;
};

struct PreparedRun {
    Project project;
    Experiment experiment;          // as kept in the project
    std::vector<RunPlan> plans;     // the whole plan
    std::vector<RunPlan> selected;  // what this command runs, in plan order
    std::vector<std::string> notes;
    std::int64_t jobs = 1;        // runs at once
    std::string experiment_file;  // what the workers read
};

// Cores this process may use (affinity, cgroup cpuset).
[[nodiscard]] std::int64_t usable_cores();
[[nodiscard]] Result<PreparedRun> prepare_run(const RunOptions& options, Context& context);
// The experiment that the words ask for, and the project it goes into; nothing is written.
struct AskedExperiment {
    Experiment experiment;
    Project project;
};
[[nodiscard]] Result<AskedExperiment> asked_experiment(const RunOptions& options, Context& context);
// All arms and seeds of `experiment` planned into the project, with the experiment kept in `experiment_file`.
[[nodiscard]] Result<PreparedRun> prepare_experiment(const Experiment& experiment, const Project& project,
                                                     const RunOptions& options, const std::string& experiment_file);
// After the workers: the project's plan gets the threads, device and path each run resolved at its first start.
[[nodiscard]] Status keep_resolved_settings(PreparedRun& prepared);
// The plan with number --task: read from the project when it fits the experiment, else planned now (an array job's
// first task may find an empty folder).
[[nodiscard]] Result<PreparedRun> prepare_task(const RunOptions& options, Context& context);

}  // namespace sextant::cli
