#include "app/cli/orchestrator.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <limits>
#include <thread>

#include "app/cli/stop_request.h"
#include "core/base/atomic_file.h"
#include "core/base/file_lock.h"
#include "core/base/text.h"
#include "core/engine/run_evaluation.h"
#include "core/experiment/same_training.h"
#include "core/run/disk_space.h"
#include "core/run/project_control.h"
#include "core/run/queue_order.h"

namespace sextant::cli {
namespace {

constexpr auto kTick = std::chrono::milliseconds(50);

bool finished(const RunState& state) {
    return state.phase == RunPhase::kCompleted;
}

std::string name_of(const RunPlan& plan) {
    return fmt::format("run {} ({} seed {})", plan.number, single_line(plan.arm, 60), plan.seed);
}

}  // namespace

Orchestrator::Orchestrator(const PreparedRun& prepared, const RunOptions& options, const Context& context)
    : prepared_(prepared),
      options_(options),
      context_(context),
      progress_(ProgressReporter::mode_of(options.progress, context.quiet)),
      project_control_(project_control_file(prepared.project.path), 0) {
    (void)project_control_.poll();  // what was said before was meant for others
    for (const RunPlan& plan : prepared.selected) {
        const RunDirectory directory = prepared.project.run(plan);
        Job job{plan, directory, EventLogReader(directory.event_log()), {}, {}, Stage::kWaiting, false, false, {}, {}};
        job.outcome.plan = plan;
        jobs_.push_back(std::move(job));
    }
    if (options.control == "stdin") {
        control_open_ = true;
        const int flags = ::fcntl(STDIN_FILENO, F_GETFL);
        if (flags >= 0) (void)::fcntl(STDIN_FILENO, F_SETFL, flags | O_NONBLOCK);
    }
}

std::vector<RunOutcome> Orchestrator::run() {
    for (Job& job : jobs_)
        follow(job);
    for (;;) {
        read_signals();
        read_control();
        watch_disk();
        start_waiting();
        bool busy = false;
        for (Job& job : jobs_) {
            if (job.stage != Stage::kDone) follow(job);
            collect(job);
            busy = busy || job.stage == Stage::kChild || job.stage == Stage::kElsewhere ||
                   (job.stage == Stage::kWaiting && !stopping_);
        }
        show();
        if (!busy) break;
        std::this_thread::sleep_for(kTick);
    }
    progress_.finish();
    std::vector<RunOutcome> outcomes;
    for (Job& job : jobs_) {
        if (job.stage == Stage::kWaiting) {
            job.outcome.code = ErrorCode::kCancelled;
            job.outcome.message = name_of(job.plan) + " was not started";
        }
        job.outcome.phase = job.state.phase;
        outcomes.push_back(job.outcome);
    }
    return outcomes;
}

void Orchestrator::follow(Job& job) {
    for (;;) {
        const auto batch = job.reader.poll();
        if (!batch) return;
        if (batch->reset) job.state = RunState{};
        for (const RunEvent& event : batch->events) {
            apply(job.state, event);
            if (std::holds_alternative<EvaluationEvent>(event.body)) {
                job.evaluating = true;
            } else if (std::holds_alternative<StepEvent>(event.body)) {
                job.evaluating = job.state.step >= job.plan.training.steps;
            }
        }
        if (!batch->more) return;
    }
}

void Orchestrator::start_waiting() {
    std::int64_t running = 0;
    for (const Job& job : jobs_)
        running += job.stage == Stage::kChild || job.stage == Stage::kElsewhere ? 1 : 0;
    if (stopping_ || paused_ || running >= prepared_.jobs || waits_for_room()) return;
    std::vector<std::string> folders;
    for (const Job& job : jobs_)
        folders.push_back(job.plan.folder);
    // Read anew each time: the window moves waiting runs while others train.
    for (const std::size_t index : starting_order(folders, read_queue_order(prepared_.project))) {
        Job& job = jobs_[index];
        if (job.stage != Stage::kWaiting || running >= prepared_.jobs) continue;
        if (worker_alive(job.directory)) {
            job.stage = Stage::kElsewhere;
            const auto owner = FileLock::owner(job.directory.lock_file());
            progress_.line(name_of(job.plan) + " is worked on by " + (owner ? owner->describe() : "another process") +
                           "; waiting for it");
            ++running;
            continue;
        }
        const bool evaluated = options_.validation_only ||
                               !evaluations_missing(job.plan.model, prepared_.experiment.evaluation, job.state);
        if (finished(job.state) && evaluated) {
            job.stage = Stage::kDone;
            job.outcome.ok = true;
            continue;
        }
        if (waits_for_training(job)) continue;
        if (const Status started = start(job); !started.ok()) {
            job.stage = Stage::kDone;
            job.outcome.code = started.error().code;
            job.outcome.message = started.error().sentence();
            continue;
        }
        ++running;
    }
}

bool Orchestrator::waits_for_training(const Job& job) const {
    if (!job.plan.evaluation_encoding || job.state.step > 0) return false;
    for (const Job& other : jobs_) {
        if (&other == &job) return false;  // the first of its kind trains
        if (same_training(other.plan, job.plan)) return other.stage != Stage::kDone;
    }
    return false;
}

bool Orchestrator::waits_for_room() const {
    return disk_full_ &&
           std::any_of(jobs_.begin(), jobs_.end(), [](const Job& job) { return job.stage == Stage::kChild; });
}

Status Orchestrator::start(Job& job) {
    SEXTANT_CHECK(make_directories(job.directory.path));
    remove_stale_temporaries(job.directory.path);
    std::vector<std::string> arguments = {
        "run",    prepared_.experiment_file,       "--project",  prepared_.project.path,
        "--task", std::to_string(job.plan.number), "--progress", "none"};
    if (options_.restart) arguments.push_back("--restart");
    if (options_.force) arguments.push_back("--force");
    if (options_.validation_only) arguments.push_back("--validation-only");
    if (context_.verbose) arguments.insert(arguments.begin(), "--verbose");
    SEXTANT_TRY(child, ChildProcess::start(context_.program, arguments, job.directory.path + "/worker.log"));
    job.child = child;
    job.stage = Stage::kChild;
    return {};
}

void Orchestrator::collect(Job& job) {
    if (job.stage == Stage::kElsewhere) {
        if (worker_alive(job.directory)) return;
        follow(job);
        // Its worker is gone: finished runs are only checked, others are continued by us.
        job.stage = Stage::kWaiting;
        return;
    }
    if (job.stage != Stage::kChild) return;
    const auto exit = job.child->poll();
    if (!exit) {
        relay(job);
        return;
    }
    follow(job);
    // Another command took this run first: follow it instead.
    if (exit->code == static_cast<int>(ErrorCode::kStorage) && !stopping_ &&
        last_line(job.directory.path + "/worker.log").find("is in use by") != std::string::npos) {
        job.stage = Stage::kElsewhere;
        return;
    }
    job.stage = Stage::kDone;
    if (exit->code == static_cast<int>(ErrorCode::kStorage) && !stopping_) {
        disk_checked_ = {};
        watch_disk();
        if (waits_for_room()) {
            job.stage = Stage::kWaiting;
            return;
        }
    }
    settle(job, *exit);
}

void Orchestrator::settle(Job& job, const ChildExit& exit) {
    RunOutcome& outcome = job.outcome;
    outcome.trained = true;
    if (exit.signal == 0 && exit.code == 0) {
        outcome.ok = finished(job.state);
        if (!outcome.ok) outcome.message = name_of(job.plan) + " ended without completing";
        return;
    }
    // Killed after its last word: nothing is missing.
    if (exit.signal != 0 && finished(job.state) &&
        !evaluations_missing(job.plan.model, prepared_.experiment.evaluation, job.state)) {
        outcome.ok = true;
        return;
    }
    std::string why = last_line(job.directory.path + "/worker.log");
    const std::string prefix = "sextant-cli: ";
    if (why.compare(0, prefix.size(), prefix) == 0) why.erase(0, prefix.size());
    if (exit.signal != 0) {
        outcome.code = exit.out_of_memory ? ErrorCode::kDevice : ErrorCode::kInternal;
        why = exit.out_of_memory
                  ? "its worker was killed by the system because memory ran out; make the model, batch or lengths "
                    "smaller, or free memory, and repeat the command"
                  : fmt::format("its worker was killed by signal {} ({}); repeat the command to continue it",
                                exit.signal, ::strsignal(exit.signal));
        if (stopping_) outcome.code = ErrorCode::kCancelled;
        // The worker could not write it down itself; the window and later commands should know.
        const bool said = job.state.phase == RunPhase::kDiverged || job.state.phase == RunPhase::kCancelled;
        if (auto log = EventLogWriter::open(job.directory.event_log()); log && !stopping_ && !said) {
            (void)log->append(job.state.step, job.state.tokens, FailedEvent{static_cast<int>(outcome.code), why}).ok();
            (void)log->sync().ok();
        }
        follow(job);
    } else {
        outcome.code = static_cast<ErrorCode>(exit.code);
        if (why.empty()) {
            why = outcome.code == ErrorCode::kStorage
                      ? "its worker could not write into " + job.directory.path + " (is the disk full?)"
                      : fmt::format("its worker ended with status {}", exit.code);
        }
    }
    outcome.message = name_of(job.plan) + ": " + why;
    if (outcome.code != ErrorCode::kCancelled) progress_.line(outcome.message);
}

void Orchestrator::read_signals() {
    const int signal = StopRequest::take();
    if (signal == 0) return;
    progress_.line("stopping: each run writes a checkpoint first");
    stop_all(signal);
}

void Orchestrator::stop_all(int signal) {
    stopping_ = true;
    for (Job& job : jobs_) {
        if (job.stage == Stage::kChild) job.child->send(signal);
        // Someone else's worker is not ours to stop; it is only no longer waited for.
        if (job.stage == Stage::kElsewhere) {
            job.stage = Stage::kDone;
            job.outcome.code = ErrorCode::kCancelled;
            job.outcome.message = name_of(job.plan) + " goes on in another process";
        }
    }
}

void Orchestrator::read_control() {
    for (const ControlRequest& request : project_control_.poll()) {
        if (request.command == ControlCommand::kStop) {
            progress_.line("stop was asked for: each run writes a checkpoint first");
            stop_all(SIGTERM);
        } else {
            obey(control_word(request.command));
        }
    }
    if (!control_open_) return;
    char buffer[4096];
    for (;;) {
        const ssize_t got = ::read(STDIN_FILENO, buffer, sizeof buffer);
        if (got < 0 && errno == EINTR) continue;
        if (got == 0) control_open_ = false;  // the end of stdin is not a command
        if (got <= 0) break;
        control_text_.append(buffer, static_cast<std::size_t>(got));
        if (control_text_.size() > (std::size_t{1} << 20U)) control_text_.clear();  // no word is that long
    }
    for (std::size_t end = control_text_.find('\n'); end != std::string::npos; end = control_text_.find('\n')) {
        const std::string word(trimmed(std::string_view(control_text_).substr(0, end)));
        control_text_.erase(0, end + 1);
        if (!word.empty()) obey(word);
    }
}

void Orchestrator::obey(const std::string& word) {
    const auto command = control_command(word);
    if (!command) {
        progress_.line("control: \"" + single_line(word, 60) + "\" is not pause, resume, checkpoint or stop");
        return;
    }
    for (Job& job : jobs_) {
        if (job.stage == Stage::kDone || finished(job.state)) continue;
        Status sent = make_directories(job.directory.path);
        if (sent.ok()) sent = send_control(job.directory.control_file(), *command);
        if (!sent.ok()) progress_.line(sent.error().sentence());
    }
    if (*command == ControlCommand::kPause) paused_ = true;
    if (*command == ControlCommand::kResume) paused_ = false;
    if (*command == ControlCommand::kStop) {
        stopping_ = true;
        paused_ = false;
    }
}

// A worker that cannot write waits for room; what it has to say may not fit on the disk either.
void Orchestrator::watch_disk() {
    const auto now = std::chrono::steady_clock::now();
    if (now - disk_checked_ < std::chrono::seconds(1)) return;
    disk_checked_ = now;
    std::int64_t parameters = 0;
    for (const Job& job : jobs_) {
        if (job.stage == Stage::kChild && job.state.started)
            parameters += std::max<std::int64_t>(job.state.started->parameters, 0);
    }
    const auto disk = disk_space(prepared_.project.path, parameters);
    if (!disk) return;
    const bool full = disk->full();
    if (full && !disk_full_) {
        progress_.line(
            fmt::format("the disk of {} is nearly full: {} MiB are free, about {} MiB are needed; a run that "
                        "cannot write waits at its step and goes on when there is room",
                        prepared_.project.path, disk->free >> 20U, (disk->needed >> 20U) + 1));
    }
    if (!full && disk_full_) progress_.line("there is room again on the disk of " + prepared_.project.path);
    disk_full_ = full;
}

void Orchestrator::relay(Job& job) {
    std::string line = last_line(job.directory.path + "/worker.log");
    const std::string own = "sextant-cli: ";  // its final line is told by settle()
    if (line.empty() || line == job.told || line.compare(0, own.size(), own) == 0) return;
    progress_.line(line);
    job.told = std::move(line);
}

void Orchestrator::show() {
    std::vector<RunProgress> runs;
    runs.reserve(jobs_.size());
    for (const Job& job : jobs_) {
        RunProgress run;
        run.number = job.plan.number;
        run.arm = job.plan.arm;
        run.seed = job.plan.seed;
        run.steps = job.plan.training.steps;
        run.step = job.state.step;
        run.tokens_per_step = job.plan.training.batch_size * job.plan.model.context_length;
        run.phase = job.state.phase;
        run.active = job.stage == Stage::kChild || job.stage == Stage::kElsewhere;
        run.evaluating = run.active && job.evaluating && run.phase == RunPhase::kRunning;
        run.loss = job.state.steps.empty() ? std::numeric_limits<double>::quiet_NaN() : job.state.steps.back().loss;
        run.tokens_per_s = job.state.steps.empty() ? 0.0 : job.state.steps.back().tokens_per_s;
        runs.push_back(std::move(run));
    }
    progress_.update(runs);
}

}  // namespace sextant::cli
