#pragma once
// <project>/runs/<folder>: plan.json, events.log, control.jsonl, checkpoints/, lock. And the project around it.

#include <string>
#include <vector>

#include "core/experiment/run_plan.h"
#include "core/run/run_state.h"

namespace sextant {

struct RunDirectory {
    std::string path;
    [[nodiscard]] std::string plan_file() const { return path + "/plan.json"; }
    [[nodiscard]] std::string event_log() const { return path + "/events.log"; }
    [[nodiscard]] std::string control_file() const { return path + "/control.jsonl"; }
    [[nodiscard]] std::string checkpoint_directory() const { return path + "/checkpoints"; }
    [[nodiscard]] std::string lock_file() const { return path + "/lock"; }
};

struct Project {
    std::string path;
    [[nodiscard]] std::string experiment_file() const { return path + "/experiment.json"; }
    [[nodiscard]] std::string plan_file() const { return path + "/plan.json"; }
    [[nodiscard]] std::string artifact_directory() const { return path + "/artifacts"; }
    [[nodiscard]] std::string data_directory() const { return path + "/data"; }
    [[nodiscard]] std::string export_directory() const { return path + "/exports"; }
    [[nodiscard]] RunDirectory run(const RunPlan& plan) const { return {path + "/runs/" + plan.folder}; }
};

struct ListedRun {
    RunPlan plan;
    RunDirectory directory;
    RunState state;
    std::vector<std::string> problems;  // unreadable parts, said once; other runs are unaffected
    bool interrupted = false;           // its log ends in the middle and no worker holds its lock
};
// False when the run's lock is absent or its holder is certainly gone (another host's holder counts as alive).
[[nodiscard]] bool worker_alive(const RunDirectory& directory);
// Every run of the project, in plan order, folded.
[[nodiscard]] Result<std::vector<ListedRun>> list_runs(const Project& project);
// kStorage error with a sentence when the folder cannot be written (created if missing).
[[nodiscard]] Status ensure_writable(const Project& project);

}  // namespace sextant
