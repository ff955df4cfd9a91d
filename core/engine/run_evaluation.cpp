#include "core/engine/run_evaluation.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <numbers>

#include "core/engine/instruction_loss.h"

namespace sextant {
namespace {

constexpr double kNoValue = std::numeric_limits<double>::quiet_NaN();

std::int64_t stride_of(const std::string& mode, std::int64_t length, const EvaluationConfig& wanted) {
    return mode == "non-overlapping" ? length : std::min(wanted.stride, length);
}

bool known(const RunState& state, const std::string& metric, std::int64_t length, const std::string& mode,
           std::int64_t stride, std::int64_t targets, std::int64_t context = -1) {
    return std::any_of(state.evaluations.begin(), state.evaluations.end(), [&](const EvaluationEvent& event) {
        return event.metric == metric && event.length == length && event.mode == mode && event.stride == stride &&
               (targets < 0 || event.targets == targets) && (context < 0 || event.context == context);
    });
}

// C: the longest length ever evaluated on these targets, so that a shorter list later keeps the same targets.
std::int64_t context_of(const EvaluationConfig& wanted, const RunState& state) {
    std::int64_t context = 0;
    for (const std::int64_t length : wanted.lengths)
        context = std::max(context, length);
    for (const EvaluationEvent& event : state.evaluations) {
        if (event.metric == "loss" && event.targets == wanted.tokens) context = std::max(context, event.context);
    }
    return context;
}

bool whole_split_known(const RunState& state, const ModelConfig& model) {
    const std::int64_t length = model.context_length;
    for (const char* metric : {"lm_loss", "bits_per_byte", "word_perplexity"}) {
        if (!known(state, metric, length, "non-overlapping", length, -1)) return false;
    }
    return known(state, "instruction_loss", length, "", 0, -1) &&
           known(state, "preference_accuracy", length, "", 0, -1);
}

Status whole_split(const RunEvaluation& run, const RunState& state, const std::function<Status(EvaluationEvent)>& emit,
                   const ScoreOptions& options) {
    const std::int64_t length = run.model.context_length;
    const auto seconds_since = [](std::chrono::steady_clock::time_point begin) {
        return std::max(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count(), 1e-9);
    };
    EvaluationEvent event;
    event.length = length;
    event.mode = "non-overlapping";
    event.stride = length;
    event.targets = static_cast<std::int64_t>(run.data.test.size()) - 1;
    const bool bytes_known = known(state, "bits_per_byte", length, event.mode, length, -1) &&
                             known(state, "word_perplexity", length, event.mode, length, -1);
    if (!known(state, "lm_loss", length, event.mode, length, -1) || !bytes_known) {
        const auto begin = std::chrono::steady_clock::now();
        SEXTANT_TRY(loss, stream_loss(run.path, run.data.test, length, options));
        event.tokens_per_s = static_cast<double>(event.targets) / seconds_since(begin);
        event.metric = "lm_loss";
        event.value = loss;
        if (!known(state, "lm_loss", length, event.mode, length, -1)) SEXTANT_CHECK(emit(event));
        const auto tokens = static_cast<double>(run.data.test.size());
        event.tokens_per_s = 0.0;
        event.metric = "bits_per_byte";
        event.value = run.data.test_bytes > 0
                          ? loss * tokens / (std::numbers::ln2 * static_cast<double>(run.data.test_bytes))
                          : kNoValue;
        if (run.data.test_bytes <= 0) event.reason = "the number of bytes behind the test tokens is not known";
        SEXTANT_CHECK(emit(event));
        event.reason.clear();
        event.metric = "word_perplexity";
        event.value =
            run.data.test_words > 0 ? std::exp(loss * tokens / static_cast<double>(run.data.test_words)) : kNoValue;
        if (run.data.test_words <= 0) event.reason = "the number of words behind the test tokens is not known";
        SEXTANT_CHECK(emit(event));
    }
    EvaluationEvent answers;
    answers.split = "validation";
    answers.length = length;
    if (!known(state, "instruction_loss", length, "", 0, -1)) {
        answers.metric = "instruction_loss";
        answers.targets = static_cast<std::int64_t>(run.data.instruction_validation.size());
        answers.value = kNoValue;
        if (answers.targets == 0) {
            answers.reason = "the experiment has no validation instructions";
        } else {
            SEXTANT_TRY(loss, instruction_loss(run.path, run.data.instruction_validation, length, options));
            answers.value = loss;
        }
        SEXTANT_CHECK(emit(answers));
    }
    if (!known(state, "preference_accuracy", length, "", 0, -1)) {
        answers.metric = "preference_accuracy";
        answers.reason.clear();
        answers.targets = static_cast<std::int64_t>(run.data.preference_validation.size());
        answers.value = kNoValue;
        if (answers.targets == 0) {
            answers.reason = "the experiment has no preference pairs";
        } else {
            SEXTANT_TRY(share, preference_accuracy(run.path, run.data.preference_validation, length, options));
            answers.value = share;
        }
        SEXTANT_CHECK(emit(answers));
    }
    return {};
}

}  // namespace

bool evaluations_missing(const ModelConfig& model, const EvaluationConfig& wanted, const RunState& state) {
    if (!whole_split_known(state, model)) return true;
    const std::int64_t context = context_of(wanted, state);
    for (const std::int64_t length : wanted.lengths) {
        for (const std::string& mode : wanted.modes) {
            if (!known(state, "loss", length, mode, stride_of(mode, length, wanted), wanted.tokens, context))
                return true;
        }
    }
    return false;
}

Status evaluate_run(const RunEvaluation& run, const RunState& state, const std::function<Status(EvaluationEvent)>& emit,
                    const ScoreOptions& options) {
    SEXTANT_CHECK(whole_split(run, state, emit, options));
    if (run.wanted.lengths.empty()) return {};
    const std::int64_t context = context_of(run.wanted, state);
    for (const std::int64_t length : run.wanted.lengths) {
        for (const std::string& mode : run.wanted.modes) {
            const std::int64_t stride = stride_of(mode, length, run.wanted);
            if (known(state, "loss", length, mode, stride, run.wanted.tokens, context)) continue;
            SEXTANT_TRY(result, evaluate_length(run.path, run.model, run.encoding, run.data.test,
                                                {length, mode, stride, context, run.wanted.tokens}, options));
            EvaluationEvent event;
            event.length = length;
            event.mode = mode;
            event.stride = stride;
            event.targets = run.wanted.tokens;
            event.context = context;
            event.reason = result.reason;
            // What belongs to the length first, "loss" last: its presence says that the length is done.
            if (result.reason.empty()) {
                if (length > run.model.context_length && !std::isnan(result.loss_beyond)) {
                    event.metric = "loss_beyond";
                    event.value = result.loss_beyond;
                    SEXTANT_CHECK(emit(event));
                }
                if (run.wanted.by_position && mode == "non-overlapping") {
                    event.metric = "position_loss";
                    event.value = result.loss;
                    event.values = result.by_position;
                    SEXTANT_CHECK(emit(event));
                    event.values.clear();
                }
                event.metric = "short_context_share";
                event.value = result.short_context;
                SEXTANT_CHECK(emit(event));
            }
            event.metric = "loss";
            event.value = result.loss;
            event.tokens_per_s = result.tokens_per_s;
            event.peak_rss_mb = result.peak_rss_mb;
            SEXTANT_CHECK(emit(event));
        }
    }
    return {};
}

}  // namespace sextant
