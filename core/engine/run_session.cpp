#include "core/engine/run_session.h"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <thread>

#include "core/base/atomic_file.h"
#include "core/base/build_info.h"
#include "core/base/json.h"
#include "core/encoding/registry.h"
#include "core/engine/device.h"
#include "core/engine/perplexity.h"
#include "core/engine/run_evaluation.h"
#include "core/engine/stop_signal.h"
#include "core/engine/system/library_info.h"
#include "core/engine/system/machine.h"
#include "core/experiment/same_training.h"

namespace sextant {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

// Commands written before this process was started were meant for the one before it.
const fs::file_time_type kProcessStart = fs::file_time_type::clock::now();

double now_seconds() {
    return std::chrono::duration<double>(Clock::now().time_since_epoch()).count();
}

Error cancelled_error(std::string message) {
    return Error{ErrorCode::kCancelled, std::move(message), {}, {}, {}};
}

std::string host_name() {
    char name[256] = {};
    return ::gethostname(name, sizeof name - 1) == 0 ? name : "unknown";
}

bool due(std::int64_t step, std::int64_t every) {
    return every > 0 && step % every == 0;
}

}  // namespace

RunSession::RunSession(const WorkerRequest& request)
    : request_(request), directory_(request.project.run(request.plan)), plan_(request.plan) {}

Status RunSession::run() {
    SEXTANT_CHECK(open());
    if (request_.restart && !before_.completed) SEXTANT_CHECK(begin_anew());
    if (before_.diverged) {
        return Error{
            ErrorCode::kDiverged,
            fmt::format("run {} diverged at step {} ({} not finite); lower the learning rate, or use --restart "
                        "to train it again",
                        plan_.folder, before_.step, before_.diverged->quantity),
            {},
            {},
            {}};
    }
    const bool evaluated =
        request_.validation_only || !evaluations_missing(plan_.model, request_.experiment.evaluation, before_);
    if (before_.completed && evaluated) return {};
    SEXTANT_CHECK(settle_plan());
    SEXTANT_CHECK(build());
    SEXTANT_CHECK(start_segment());
    if (!before_.completed) SEXTANT_CHECK(train());
    if (!request_.validation_only) SEXTANT_CHECK(evaluate());
    return before_.completed ? log_->sync() : complete();
}

Status RunSession::open() {
    SEXTANT_CHECK(make_directories(directory_.path));
    SEXTANT_TRY(lock, FileLock::acquire(directory_.lock_file()));
    lock_ = std::move(lock);
    SEXTANT_TRY(state, fold_log(directory_.event_log()));
    before_ = std::move(state);
    return {};
}

Status RunSession::begin_anew() {
    std::error_code code;
    for (const std::string& path : {directory_.event_log(), directory_.plan_file(), directory_.control_file(),
                                    directory_.checkpoint_directory(), directory_.path + "/snapshots"}) {
        fs::remove_all(path, code);
        if (code) return errno_error("cannot remove", path, code.value());
    }
    before_ = {};
    return {};
}

Status RunSession::settle_plan() {
    TrainingConfig& training = plan_.training;
    const TrainingConfig& asked = request_.plan.training;
    std::error_code code;
    if (fs::exists(directory_.plan_file(), code)) {
        SEXTANT_TRY(document, read_json_file(directory_.plan_file()));
        SEXTANT_TRY(stored, run_plan_from_json(document, directory_.plan_file()));
        const auto refuse = [&](const std::string& what, const std::string& was, const std::string& is) -> Error {
            return config_error(
                fmt::format("run {} was started with {} {} and cannot be resumed with {}; leave it out, "
                            "or use --restart to train it again",
                            plan_.folder, what, was, is));
        };
        const TrainingConfig& fixed = stored.training;
        if (asked.threads != 0 && asked.threads != fixed.threads)
            return refuse("threads", std::to_string(fixed.threads), std::to_string(asked.threads));
        if (asked.device != "auto" && asked.device != fixed.device) return refuse("device", fixed.device, asked.device);
        if (asked.path != "auto" && asked.path != fixed.path) return refuse("path", fixed.path, asked.path);
        training.threads = fixed.threads;
        training.device = fixed.device;
        training.path = fixed.path;
    } else {
        training.threads = resolve_threads(asked.threads);
    }
    SEXTANT_TRY(device, resolve_device(training.device));
    device_ = device;
    return {};
}

Status RunSession::build() {
    use_threads(plan_.training.threads);
    idle_rss_mb_ = idle_resident_mb();
    SEXTANT_TRY(data, prepare_dataset(plan_.data, request_.project.data_directory()));
    data_ = std::move(data);
    if (const DataIdentity& planned = plan_.identity;
        !planned.tokens_sha256.empty() && planned.tokens_sha256 != data_->identity.tokens_sha256) {
        return data_error(
            fmt::format("run {} was planned for other tokens than the data gives now; restore the corpus, "
                        "or plan again by repeating the command without --task",
                        plan_.folder),
            request_.project.data_directory());
    }
    SEXTANT_TRY(encoding, make_encoding(plan_.encoding, plan_.model.encoding_site()));
    encoding_ = std::move(encoding);
    layout_ = parameter_layout(plan_.model, *encoding_);
    parameters_ = FlatBuffer(layout_.buffer_size);
    gradients_ = FlatBuffer(layout_.buffer_size);
    SEXTANT_TRY(path, choose_path(plan_.model, *encoding_, layout_, parameters_.values(), gradients_.values(),
                                  {plan_.training.path,
                                   device_,
                                   plan_.training.precision,
                                   plan_.training.threads,
                                   static_cast<std::uint64_t>(plan_.seed),
                                   {}}));
    path_ = std::move(path);
    optimizer_ = std::make_unique<Optimizer>(plan_.training.optimizer, plan_.training.schedule, plan_.training.steps,
                                             plan_.training.gradient_clip, layout_, plan_.training.threads);
    trainer_ = std::make_unique<Trainer>(*path_.path, *optimizer_, data_->train, plan_.model.context_length,
                                         plan_.training.batch_size, static_cast<std::uint64_t>(plan_.seed));
    return {};
}

Status RunSession::start_segment() {
    std::error_code code;
    plan_.training.device = device_;
    plan_.training.path = path_.path->name();
    const bool first = !fs::exists(directory_.plan_file(), code);
    if (first) SEXTANT_CHECK(write_file_atomically(directory_.plan_file(), dump_json(to_json(plan_)) + "\n"));

    initialize_parameters(layout_, static_cast<std::uint64_t>(plan_.seed), parameters_.values());
    const std::string shared_hash = shared_weights_sha256(layout_, parameters_.values());
    SEXTANT_TRY(found, load_newest_checkpoint(directory_.checkpoint_directory(), layout_, parameters_.values(),
                                              optimizer_.get()));
    const bool resumed = found && !found->folder.empty();
    if (resumed) {
        trainer_->resume_at(found->state.step);
        earlier_seconds_ = found->state.training_seconds;
        earlier_peak_mb_ = found->state.peak_rss_mb;
        last_loss_ = found->state.last_loss;
        orthogonality_error_ = found->state.orthogonality_error;
        saved_step_ = found->state.step;
        last_checkpoint_ = "checkpoints/" + found->folder;
        model_sha256_ = found->state.files.at("model.safetensors");
        optimizer_sha256_ = found->state.files.at("optimizer.safetensors");
    } else if (found) {
        initialize_parameters(layout_, static_cast<std::uint64_t>(plan_.seed), parameters_.values());
        for (const Optimizer::Moment& moment : optimizer_->moments())
            std::fill(moment.values.begin(), moment.values.end(), 0.0F);
    }
    if (before_.completed && !resumed)
        return data_error("the finished run's checkpoint is gone or damaged, so it cannot be evaluated further",
                          directory_.checkpoint_directory());
    path_.path->parameters_changed();

    SEXTANT_TRY(log, EventLogWriter::open(directory_.event_log()));
    log_ = std::move(log);
    std::error_code time_code;
    const auto written = fs::last_write_time(directory_.control_file(), time_code);
    control_.emplace(directory_.control_file(), before_.last_control_seq);
    if (!time_code && written < kProcessStart) {
        for (const ControlRequest& old : control_->poll())
            SEXTANT_CHECK(emit(ControlEvent{old.seq, std::string(control_word(old.command)) + " (came too late)"}));
    }
    if (before_.completed) return {};

    RunStarted started;
    started.segment = log_->segment();
    started.parameters = layout_.parameter_count();
    started.device = device_;
    started.path = path_.path->name();
    started.threads = plan_.training.threads;
    started.process = ::getpid();
    started.host = host_name();
    started.commit = build_info().commit;
    started.idle_rss_mb = idle_rss_mb_;
    started.batch_order_sha256 = trainer_->sampler().order_sha256(plan_.training.steps);
    started.shared_weights_sha256 = shared_hash;
    started.libraries = Json(library_versions()).dump();
    SEXTANT_CHECK(emit(std::move(started)));
    if (found) {
        for (const std::string& note : found->notes)
            SEXTANT_CHECK(emit(WarningEvent{note}));
    }
    if (first && !path_.note.empty() && plan_.training.device == "cpu") SEXTANT_CHECK(emit(WarningEvent{path_.note}));
    if (before_.segment >= 0) {
        const std::int64_t step = trainer_->steps_done();
        SEXTANT_CHECK(emit(ResumedEvent{step, resumed ? "continued from " + last_checkpoint_ : "no checkpoint yet"}));
    }
    return log_->sync();
}

Status RunSession::train() {
    segment_begin_ = now_seconds();
    logged_seconds_ = segment_begin_;
    logged_step_ = trainer_->steps_done();
    training_ = true;
    if (plan_.evaluation_encoding && trainer_->steps_done() == 0) {
        SEXTANT_TRY(adopted, adopt_training());
        if (adopted) return {};
    }
    while (trainer_->steps_done() < plan_.training.steps) {
        if (StopSignals::received()) return stop(std::string("received ") + StopSignals::name());
        SEXTANT_CHECK(obey_control());
        const TrainingStep step = trainer_->advance();
        if (!step.not_finite.empty()) return diverge(step);
        SEXTANT_CHECK(after_step(step));
    }
    if (saved_step_ != trainer_->steps_done()) SEXTANT_CHECK(save_checkpoint());
    return {};
}

Result<bool> RunSession::adopt_training() {
    const auto plans = read_plan(request_.project.path);
    if (!plans) return false;  // planned by hand: it trains
    for (const RunPlan& other : *plans) {
        if (other.folder == plan_.folder || !same_training(other, plan_)) continue;
        const RunDirectory donor = request_.project.run(other);
        const auto state = fold_log(donor.event_log());
        // The same arithmetic too: another path or team of threads rounds otherwise.
        if (!state || !state->completed || !state->started || state->started->path != path_.path->name() ||
            state->started->device != device_ || state->started->threads != plan_.training.threads) {
            continue;
        }
        const auto found =
            load_newest_checkpoint(donor.checkpoint_directory(), layout_, parameters_.values(), optimizer_.get());
        if (!found || !*found || (*found)->folder.empty() || (*found)->state.step != plan_.training.steps) {
            initialize_parameters(layout_, static_cast<std::uint64_t>(plan_.seed), parameters_.values());
            for (const Optimizer::Moment& moment : optimizer_->moments())
                std::fill(moment.values.begin(), moment.values.end(), 0.0F);
            continue;
        }
        const CheckpointState& reached = (*found)->state;
        SEXTANT_CHECK(emit(WarningEvent{"trained once: weights, curve, time and memory of training are those of run " +
                                        other.folder + ", which differs in what it is judged with alone"}));
        auto validation = state->validations.begin();
        const auto validations_before = [&](std::int64_t step) -> Status {
            for (; validation != state->validations.end() && validation->step < step; ++validation) {
                SEXTANT_CHECK(persist([&] {
                    return log_->append(validation->step, validation->tokens, ValidationEvent{validation->loss});
                }));
            }
            return {};
        };
        for (const StepPoint& point : state->steps) {
            SEXTANT_CHECK(validations_before(point.step));
            const StepEvent step{point.loss, point.learning_rate, point.gradient_norm, point.tokens_per_s};
            SEXTANT_CHECK(persist([&] { return log_->append(point.step, point.tokens, step); }));
        }
        SEXTANT_CHECK(validations_before(INT64_MAX));
        path_.path->parameters_changed();
        trainer_->resume_at(reached.step);
        training_ = false;
        earlier_seconds_ = reached.training_seconds;
        earlier_peak_mb_ = reached.peak_rss_mb;
        last_loss_ = reached.last_loss;
        orthogonality_error_ = reached.orthogonality_error;
        SEXTANT_CHECK(save_checkpoint());
        return true;
    }
    return false;
}

Status RunSession::after_step(const TrainingStep& step) {
    const TrainingConfig& training = plan_.training;
    last_loss_ = step.loss;
    orthogonality_error_ = optimizer_->orthogonality_error();
    if (step.step == 1 || due(step.step, training.log_every) || step.step == training.steps) {
        const double now = now_seconds();
        const double tokens = static_cast<double>((step.step - logged_step_) * trainer_->tokens_per_step());
        const double rate = tokens / std::max(now - logged_seconds_, 1e-9);
        logged_step_ = step.step;
        logged_seconds_ = now;
        SEXTANT_CHECK(emit(StepEvent{step.loss, step.learning_rate, step.gradient_norm, rate}));
    }
    // The last step is validated whatever the cadence: sweeps choose by it.
    if (due(step.step, training.evaluate_every) || step.step == training.steps) SEXTANT_CHECK(validate());
    if (due(step.step, training.snapshot_every)) SEXTANT_CHECK(save_snapshot());
    if (due(step.step, training.checkpoint_every)) SEXTANT_CHECK(save_checkpoint());
    return {};
}

Status RunSession::obey_control() {
    for (const ControlRequest& request : control_->poll()) {
        SEXTANT_CHECK(emit(ControlEvent{request.seq, control_word(request.command)}));
        switch (request.command) {
            case ControlCommand::kPause: {
                SEXTANT_TRY(why, wait_while_paused());
                if (!why.empty()) return stop(why);
                break;
            }
            case ControlCommand::kResume:
                break;
            case ControlCommand::kCheckpoint:
                SEXTANT_CHECK(save_checkpoint());
                break;
            case ControlCommand::kStop:
                return stop("stop was asked for");
        }
    }
    return {};
}

Result<std::string> RunSession::wait_while_paused() {
    const double begin = now_seconds();
    SEXTANT_CHECK(emit(PausedEvent{}));
    SEXTANT_CHECK(log_->sync());
    bool paused = true;
    while (paused) {
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
        if (StopSignals::received()) return std::string("received ") + StopSignals::name() + " while paused";
        for (const ControlRequest& request : control_->poll()) {
            SEXTANT_CHECK(emit(ControlEvent{request.seq, control_word(request.command)}));
            if (request.command == ControlCommand::kResume) paused = false;
            if (request.command == ControlCommand::kCheckpoint) SEXTANT_CHECK(save_checkpoint());
            if (request.command == ControlCommand::kStop) return std::string("stop was asked for while paused");
        }
    }
    const double waited = now_seconds() - begin;
    segment_begin_ += waited;
    logged_seconds_ += waited;
    SEXTANT_CHECK(emit(ResumedEvent{trainer_->steps_done(), "resume was asked for"}));
    return std::string();
}

Status RunSession::stop(const std::string& why) {
    if (saved_step_ != trainer_->steps_done()) SEXTANT_CHECK(save_checkpoint());
    SEXTANT_CHECK(emit(CancelledEvent{why}));
    outcome_written_ = true;
    SEXTANT_CHECK(log_->sync());
    return cancelled_error(fmt::format("run {} was stopped at step {} of {} ({}); the same command continues it",
                                       plan_.folder, trainer_->steps_done(), plan_.training.steps, why));
}

Status RunSession::diverge(const TrainingStep& step) {
    // Recorded at the step whose batch it was, though that step was not done: what is said here and later must agree.
    const RunEventBody body = DivergedEvent{step.not_finite, trainer_->batch_sha256(), last_checkpoint_};
    SEXTANT_CHECK(persist([&] { return log_->append(step.step, step.step * trainer_->tokens_per_step(), body); }));
    outcome_written_ = true;
    SEXTANT_CHECK(log_->sync());
    return Error{
        ErrorCode::kDiverged,
        fmt::format("run {} diverged at step {}: the {} is not finite; the last good checkpoint is {}", plan_.folder,
                    step.step, step.not_finite, last_checkpoint_.empty() ? "none" : last_checkpoint_),
        {},
        {},
        {}};
}

Status RunSession::validate() {
    if (data_->validation.size() < 2) return {};
    const double begin = now_seconds();
    SEXTANT_TRY(loss, stream_loss(*path_.path, data_->validation, plan_.model.context_length));
    const double spent = now_seconds() - begin;
    segment_begin_ += spent;
    logged_seconds_ += spent;
    return emit(ValidationEvent{loss});
}

double RunSession::training_seconds() const {
    return earlier_seconds_ + (training_ ? now_seconds() - segment_begin_ : 0.0);
}

CheckpointModel RunSession::checkpoint_model() const {
    return {&plan_.model, &plan_.encoding, &layout_, data_->tokenizer.to_json(), plan_.arm};
}

Status RunSession::save_checkpoint() {
    const double begin = now_seconds();
    CheckpointState state;
    state.step = trainer_->steps_done();
    state.tokens = state.step * trainer_->tokens_per_step();
    state.seed = static_cast<std::uint64_t>(plan_.seed);
    state.training_seconds = training_seconds();
    state.peak_rss_mb = std::max(earlier_peak_mb_, peak_resident_mb());
    state.last_loss = last_loss_;
    state.orthogonality_error = orthogonality_error_;
    SEXTANT_CHECK(persist([&] {
        return write_checkpoint(directory_.checkpoint_directory(), checkpoint_model(), parameters_.values(),
                                optimizer_.get(), state);
    }));
    saved_step_ = state.step;
    last_checkpoint_ = "checkpoints/" + checkpoint_name(state.step);
    model_sha256_ = state.files.at("model.safetensors");
    optimizer_sha256_ = state.files.at("optimizer.safetensors");
    SEXTANT_CHECK(emit(CheckpointEvent{last_checkpoint_}));
    const double spent = now_seconds() - begin;
    segment_begin_ += spent;
    logged_seconds_ += spent;
    return {};
}

Status RunSession::save_snapshot() {
    CheckpointState state;
    state.step = trainer_->steps_done();
    state.tokens = state.step * trainer_->tokens_per_step();
    state.seed = static_cast<std::uint64_t>(plan_.seed);
    state.last_loss = last_loss_;
    SEXTANT_CHECK(persist([&] {
        return write_checkpoint(directory_.path + "/snapshots", checkpoint_model(), parameters_.values(), nullptr,
                                state, 0);
    }));
    return emit(SnapshotEvent{"snapshots/" + checkpoint_name(state.step) + "/model.safetensors"});
}

Status RunSession::evaluate() {
    if (!before_.completed) earlier_peak_mb_ = std::max(earlier_peak_mb_, peak_resident_mb());
    ScoreOptions options;
    std::string why;
    options.cancelled = [&] {
        if (StopSignals::received()) why = std::string("received ") + StopSignals::name();
        for (const ControlRequest& request : control_->poll()) {
            if (!emit(ControlEvent{request.seq, control_word(request.command)}).ok()) continue;
            if (request.command == ControlCommand::kStop) why = "stop was asked for";
            if (request.command == ControlCommand::kPause && !before_.completed) {
                const auto stopped = wait_while_paused();  // a log that cannot be written ends the evaluation itself
                if (stopped && !stopped->empty()) why = *stopped;
            }
        }
        return !why.empty();
    };
    // The scaling papers judge one training under another table: same weights, other encoding.
    std::unique_ptr<PositionEncoding> judged;
    ParameterLayout judged_layout;
    ChosenPath judged_path;
    if (plan_.evaluation_encoding) {
        SEXTANT_TRY(encoding, make_encoding(*plan_.evaluation_encoding, plan_.model.encoding_site()));
        judged = std::move(encoding);
        judged_layout = parameter_layout(plan_.model, *judged);
        if (judged_layout.buffer_size != layout_.buffer_size)
            return config_error("evaluation_encoding has other learned parameters than the encoding that was trained");
        SEXTANT_TRY(path, choose_path(plan_.model, *judged, judged_layout, parameters_.values(), gradients_.values(),
                                      {plan_.training.path,
                                       device_,
                                       plan_.training.precision,
                                       plan_.training.threads,
                                       static_cast<std::uint64_t>(plan_.seed),
                                       {}}));
        judged_path = std::move(path);
    }
    ModelPath& path = judged ? *judged_path.path : *path_.path;
    const PositionEncoding& encoding = judged ? *judged : *encoding_;
    const Status status = evaluate_run(
        {path, plan_.model, encoding, *data_, request_.experiment.evaluation}, before_,
        [&](EvaluationEvent event) { return emit(std::move(event)); }, options);
    if (status.ok() || status.error().code != ErrorCode::kCancelled) return status;
    if (!before_.completed) return stop(why + " during evaluation");
    SEXTANT_CHECK(log_->sync());
    return cancelled_error(
        fmt::format("the evaluation of run {} was stopped; the same command continues it", plan_.folder));
}

Status RunSession::complete() {
    CompletedEvent completed;
    completed.final_loss = last_loss_;
    completed.seconds = 0.0;
    SEXTANT_TRY(state, verify_checkpoint(directory_.path + "/" + last_checkpoint_));
    completed.seconds = state.training_seconds;
    completed.peak_rss_mb = state.peak_rss_mb;
    completed.tokens_per_s = static_cast<double>(state.tokens) / std::max(state.training_seconds, 1e-9);
    completed.model_sha256 = model_sha256_;
    completed.optimizer_sha256 = optimizer_sha256_;
    completed.muon_orthogonality_error = orthogonality_error_;
    SEXTANT_CHECK(emit(std::move(completed)));
    outcome_written_ = true;
    return log_->sync();
}

Status RunSession::emit(RunEventBody body) {
    const std::int64_t step = trainer_->steps_done();
    return persist([&] { return log_->append(step, step * trainer_->tokens_per_step(), body); });
}

Status RunSession::persist(const std::function<Status()>& action) {
    Status status = action();
    if (status.ok() || !training_ || status.error().code != ErrorCode::kStorage) return status;
    const std::string sentence = status.error().sentence();
    std::fprintf(stderr, "run %s waits at step %lld until it can write again: %s\n", plan_.folder.c_str(),
                 static_cast<long long>(trainer_->steps_done()), sentence.c_str());
    const double begin = now_seconds();
    do {
        for (int tick = 0; tick < 10; ++tick) {
            std::this_thread::sleep_for(std::chrono::milliseconds(100));
            if (StopSignals::received()) {
                return cancelled_error(
                    fmt::format("run {} was stopped while it waited for storage ({}); it continues "
                                "from {}",
                                plan_.folder, sentence, last_checkpoint_.empty() ? "the beginning" : last_checkpoint_));
            }
        }
        status = action();
    } while (!status.ok() && status.error().code == ErrorCode::kStorage);
    const double waited = now_seconds() - begin;
    segment_begin_ += waited;
    logged_seconds_ += waited;
    if (!status.ok()) return status;
    const std::int64_t step = trainer_->steps_done();
    return log_->append(step, step * trainer_->tokens_per_step(),
                        WarningEvent{fmt::format("waited {:.0f} s for storage: {}", waited, sentence)});
}

void RunSession::record_failure(const Error& error) {
    if (!log_ || !trainer_ || outcome_written_ || error.code == ErrorCode::kCancelled) return;
    const std::int64_t step = trainer_->steps_done();
    if (log_->append(step, step * trainer_->tokens_per_step(), FailedEvent{error.exit_status(), error.sentence()}).ok())
        (void)log_->sync().ok();
}

}  // namespace sextant
