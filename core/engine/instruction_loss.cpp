#include "core/engine/instruction_loss.h"

#include <algorithm>
#include <numeric>

namespace sextant {

Result<std::vector<AnswerLoss>> answer_losses(ModelPath& path, std::span<const TokenizedInstruction> records,
                                              std::int64_t context_length, const ScoreOptions& options) {
    std::vector<AnswerLoss> answers(records.size());
    // Equal lengths go together; nothing is padded, so no record's loss depends on its neighbours.
    std::vector<std::size_t> order(records.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const auto inputs_of = [&](std::size_t r) {
        return std::min(context_length, static_cast<std::int64_t>(records[r].tokens.size()) - 1);
    };
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return inputs_of(a) < inputs_of(b); });
    std::vector<std::int32_t> inputs, targets;
    std::vector<float> losses;
    std::size_t next = 0;
    while (next < order.size()) {
        if (options.cancelled && options.cancelled())
            return Error{ErrorCode::kCancelled, "evaluation was stopped", {}, {}, {}};
        const std::int64_t length = inputs_of(order[next]);
        if (length < 1) {
            ++next;
            continue;
        }
        const std::int64_t most = std::max<std::int64_t>(1, options.batch_tokens / length);
        std::size_t stop = next;
        while (stop < order.size() && static_cast<std::int64_t>(stop - next) < most && inputs_of(order[stop]) == length)
            ++stop;
        inputs.clear();
        targets.clear();
        for (std::size_t o = next; o < stop; ++o) {
            const TokenizedInstruction& record = records[order[o]];
            const auto cut = static_cast<std::int64_t>(record.tokens.size()) - 1 - length;
            for (std::int64_t i = cut; i < cut + length; ++i) {
                inputs.push_back(record.tokens[static_cast<std::size_t>(i)]);
                const bool answer = i + 1 >= record.answer_begin;
                targets.push_back(answer ? record.tokens[static_cast<std::size_t>(i + 1)] : -1);
            }
        }
        losses.assign(inputs.size(), 0.0F);
        path.token_losses(inputs, targets, static_cast<std::int64_t>(stop - next), length, losses);
        for (std::size_t o = next; o < stop; ++o) {
            AnswerLoss& answer = answers[order[o]];
            const std::size_t row = (o - next) * static_cast<std::size_t>(length);
            for (std::size_t i = row; i < row + static_cast<std::size_t>(length); ++i) {
                if (targets[i] < 0) continue;
                answer.sum += losses[i];
                ++answer.count;
            }
        }
        next = stop;
        if (options.progress) options.progress(static_cast<double>(next) / static_cast<double>(order.size()));
    }
    return answers;
}

Result<double> instruction_loss(ModelPath& path, std::span<const TokenizedInstruction> records,
                                std::int64_t context_length, const ScoreOptions& options) {
    SEXTANT_TRY(answers, answer_losses(path, records, context_length, options));
    double sum = 0.0;
    std::int64_t count = 0;
    for (const AnswerLoss& answer : answers) {
        sum += answer.sum;
        count += answer.count;
    }
    if (count == 0) return data_error("there are no instruction answers to score");
    return sum / static_cast<double>(count);
}

Result<double> preference_accuracy(ModelPath& path, std::span<const TokenizedPreference> pairs,
                                   std::int64_t context_length, const ScoreOptions& options) {
    if (pairs.empty()) return data_error("there are no preference pairs to score");
    std::vector<TokenizedInstruction> all;
    for (const TokenizedPreference& pair : pairs) {
        all.push_back(pair.chosen);
        all.push_back(pair.rejected);
    }
    SEXTANT_TRY(answers, answer_losses(path, all, context_length, options));
    std::int64_t right = 0;
    for (std::size_t p = 0; p < pairs.size(); ++p) {
        const AnswerLoss& chosen = answers[2 * p];
        const AnswerLoss& rejected = answers[2 * p + 1];
        if (chosen.count > 0 && rejected.count > 0 &&
            chosen.sum / static_cast<double>(chosen.count) < rejected.sum / static_cast<double>(rejected.count))
            ++right;
    }
    return static_cast<double>(right) / static_cast<double>(pairs.size());
}

}  // namespace sextant
