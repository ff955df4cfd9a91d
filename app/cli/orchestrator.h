#pragma once
// Starts a worker for each unfinished run, at most --jobs at once, forwards signals and control words, and follows the
// event logs. Never trains. A run that another live process works on is followed and waited for, not started twice.

#include <chrono>
#include <string>
#include <vector>

#include "app/cli/child_process.h"
#include "app/cli/run_progress.h"
#include "app/cli/run_request.h"
#include "core/run/event_log.h"
#include "core/run/run_control.h"

namespace sextant::cli {

struct RunOutcome {
    RunPlan plan;
    RunPhase phase = RunPhase::kQueued;
    ErrorCode code = ErrorCode::kInternal;  // of a failure; meaningless when `ok`
    bool ok = false;
    bool trained = false;  // a worker was started for it now
    std::string message;   // why it is not complete
};

class Orchestrator {
  public:
    Orchestrator(const PreparedRun& prepared, const RunOptions& options, const Context& context);
    // One outcome a selected run, in plan order.
    [[nodiscard]] std::vector<RunOutcome> run();
    [[nodiscard]] bool stopped() const { return stopping_; }

  private:
    enum class Stage { kWaiting, kChild, kElsewhere, kDone };
    struct Job {
        RunPlan plan;
        RunDirectory directory;
        EventLogReader reader;
        RunState state;
        std::optional<ChildProcess> child;
        Stage stage = Stage::kWaiting;
        bool evaluating = false;
        bool stop_sent = false;
        std::string told;  // last line of its output that was shown
        RunOutcome outcome;
    };

    void follow(Job& job);
    void start_waiting();
    // Another run trains what this one only judges otherwise, and is not done yet.
    [[nodiscard]] bool waits_for_training(const Job& job) const;
    // The disk is full and a worker that began earlier waits for room: a new one could not even begin.
    [[nodiscard]] bool waits_for_room() const;
    [[nodiscard]] Status start(Job& job);
    void collect(Job& job);
    void settle(Job& job, const ChildExit& exit);
    void read_signals();
    void read_control();
    void obey(const std::string& word);
    void stop_all(int signal);
    void relay(Job& job);
    void watch_disk();
    void show();

    const PreparedRun& prepared_;
    const RunOptions& options_;
    const Context& context_;
    ProgressReporter progress_;
    std::vector<Job> jobs_;
    std::string control_text_;
    ControlReader project_control_;  // a window that did not start us still reaches us
    bool stopping_ = false;
    bool paused_ = false;
    bool control_open_ = false;
    bool disk_full_ = false;
    std::chrono::steady_clock::time_point disk_checked_{};
};

}  // namespace sextant::cli
