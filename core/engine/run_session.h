#pragma once
// The worker's one run: what it holds while it works and the order in which things happen. Losing the disk pauses
// training instead of ending it; everything else that fails ends the run with an event that says so.

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "core/base/file_lock.h"
#include "core/data/dataset.h"
#include "core/engine/checkpoint.h"
#include "core/engine/path_choice.h"
#include "core/engine/trainer.h"
#include "core/engine/worker.h"
#include "core/run/event_log.h"
#include "core/run/run_control.h"
#include "core/run/run_state.h"

namespace sextant {

class RunSession {
  public:
    explicit RunSession(const WorkerRequest& request);
    [[nodiscard]] Status run();
    // Writes the outcome of an error that ended run(): cancelled, diverged and refusals before the start leave none.
    void record_failure(const Error& error);

  private:
    [[nodiscard]] Status open();
    [[nodiscard]] Status begin_anew();
    [[nodiscard]] Status settle_plan();  // threads, device and path: fixed at first start
    [[nodiscard]] Status build();        // data, model, path, optimizer
    [[nodiscard]] Status start_segment();
    [[nodiscard]] Status train();
    // Weights and curve of a finished run with the same training, where this one is only judged otherwise.
    [[nodiscard]] Result<bool> adopt_training();
    [[nodiscard]] Status obey_control();
    // The reason to stop, empty when the run goes on.
    [[nodiscard]] Result<std::string> wait_while_paused();
    [[nodiscard]] Status after_step(const TrainingStep& step);
    [[nodiscard]] Status diverge(const TrainingStep& step);
    [[nodiscard]] Status validate();
    [[nodiscard]] Status save_checkpoint();
    [[nodiscard]] Status save_snapshot();
    [[nodiscard]] Status stop(const std::string& why);
    [[nodiscard]] Status evaluate();
    [[nodiscard]] Status complete();

    [[nodiscard]] Status emit(RunEventBody body);
    // Repeats an action that failed for want of storage until it succeeds or the run is stopped.
    [[nodiscard]] Status persist(const std::function<Status()>& action);
    [[nodiscard]] CheckpointModel checkpoint_model() const;
    [[nodiscard]] double training_seconds() const;

    const WorkerRequest& request_;
    RunDirectory directory_;
    RunPlan plan_;
    std::optional<FileLock> lock_;
    std::optional<EventLogWriter> log_;
    std::optional<ControlReader> control_;
    RunState before_;  // what the log held when this process began
    std::optional<Dataset> data_;
    std::unique_ptr<PositionEncoding> encoding_;
    ParameterLayout layout_;
    FlatBuffer parameters_, gradients_;
    ChosenPath path_;
    std::unique_ptr<Optimizer> optimizer_;
    std::unique_ptr<Trainer> trainer_;
    std::string device_;
    double idle_rss_mb_ = 0.0;
    double segment_begin_ = 0.0;    // monotonic seconds; advanced by pauses
    double earlier_seconds_ = 0.0;  // training seconds of earlier segments
    double earlier_peak_mb_ = 0.0;
    double last_loss_ = 0.0;
    double orthogonality_error_ = 0.0;
    std::int64_t logged_step_ = 0;
    double logged_seconds_ = 0.0;
    std::int64_t saved_step_ = -1;
    std::string last_checkpoint_;
    std::string model_sha256_, optimizer_sha256_;
    bool training_ = false;
    bool outcome_written_ = false;
};

}  // namespace sextant
