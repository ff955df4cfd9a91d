#pragma once
// What a run writes down, one record each, append only. The window, the tables and the artifact are folds of these.

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <variant>
#include <vector>

#include "core/base/result.h"

namespace sextant {

struct RunStarted {
    std::int64_t segment = 0;  // 0 first, then one more each resume
    std::int64_t parameters = 0;
    std::string device, path;  // resolved: cpu, fused | reference
    std::int64_t threads = 1;
    std::int64_t process = 0;
    std::string host, commit;
    double idle_rss_mb = 0.0;
    std::string batch_order_sha256,
        shared_weights_sha256;  // fairness: hash of initial weights of tensors every arm has
    std::string libraries;      // JSON object text: {"libtorch":"1.13.1", ...}
};
struct StepEvent {
    double loss = 0.0;  // nats a token of this step's batch, before the update
    double learning_rate = 0.0, gradient_norm = 0.0, tokens_per_s = 0.0;
};
struct ValidationEvent {
    double loss = 0.0;
};
struct CheckpointEvent {
    std::string folder;
};  // relative: checkpoints/step-00001000
struct SnapshotEvent {
    std::string file;
};
struct PausedEvent {};
struct ResumedEvent {
    std::int64_t from_step = 0;
    std::string reason;
};
struct ControlEvent {
    std::int64_t seq = 0;
    std::string command;
};
struct EvaluationEvent {
    std::string metric;  // loss | loss_beyond | instruction_loss | preference_accuracy | position_loss | ...
    std::string split = "test";
    std::int64_t length = 0;
    std::string mode;  // non-overlapping | sliding | cold-start
    std::int64_t stride = 0;
    std::int64_t targets = 0;  // N
    std::int64_t context = 0;  // C: context-only tokens before the first target; with N it says which targets
    double value = 0.0;
    std::vector<double> values;  // position_loss: by position
    double tokens_per_s = 0.0, peak_rss_mb = 0.0;
    std::string reason;  // why there is no value (learned beyond its table); value is then NaN
};
struct WarningEvent {
    std::string message;
};
struct CompletedEvent {
    double final_loss = 0.0;
    double seconds = 0.0, peak_rss_mb = 0.0, tokens_per_s = 0.0;
    std::string model_sha256, optimizer_sha256;
    double muon_orthogonality_error = 0.0;
};
struct CancelledEvent {
    std::string reason;
};
struct DivergedEvent {
    std::string quantity, batch_sha256, last_checkpoint;
};
struct FailedEvent {
    int code = 70;
    std::string message;
};

using RunEventBody = std::variant<RunStarted, StepEvent, ValidationEvent, CheckpointEvent, SnapshotEvent, PausedEvent,
                                  ResumedEvent, ControlEvent, EvaluationEvent, WarningEvent, CompletedEvent,
                                  CancelledEvent, DivergedEvent, FailedEvent>;

struct RunEvent {
    std::int64_t seq = 0;  // counts records of the log
    std::int64_t segment = 0;
    std::int64_t step = 0;    // steps done when it was written; of a divergence the step that was tried
    std::int64_t tokens = 0;  // training tokens seen
    std::int64_t time = 0;    // UTC, nanoseconds since 1970
    double elapsed = 0.0;     // monotonic seconds since the segment began
    RunEventBody body;
};

[[nodiscard]] nlohmann::ordered_json to_json(const RunEvent& event);
// Unknown types give an event that folds to nothing (WarningEvent with an empty message is not used for it):
// nullopt-like kData errors are for malformed records only; an unknown type returns ok with `known` false.
struct ParsedEvent {
    RunEvent event;
    bool known = true;
};
[[nodiscard]] Result<ParsedEvent> event_from_json(const nlohmann::json& record);

}  // namespace sextant
