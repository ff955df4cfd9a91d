#pragma once
// Task probes scored on a model: a probe counts as solved when all of its answer tokens are the arg-max given the right
// tokens before them (teacher forcing).

#include "core/data/task_probe.h"
#include "core/engine/perplexity.h"

namespace sextant {

struct TaskAccuracy {
    double accuracy = 0.0;        // share of probes solved
    double token_accuracy = 0.0;  // share of answer tokens that are the arg-max
    double loss = 0.0;            // nats an answer token
    double chance = 0.0;
    std::int64_t probes = 0;
};
[[nodiscard]] Result<TaskAccuracy> task_accuracy(ModelPath& path, const TaskProbeSet& set, std::int64_t vocab_size,
                                                 const ScoreOptions& options = {});

}  // namespace sextant
