#pragma once
// Loss of the answers of validation instructions and the share of preference pairs that the model orders rightly.

#include <cstdint>
#include <span>
#include <vector>

#include "core/data/dataset.h"
#include "core/engine/perplexity.h"

namespace sextant {

struct AnswerLoss {
    double sum = 0.0;        // nats over scored answer tokens
    std::int64_t count = 0;  // how many; fewer than the answer has when it was cut
};
// Records longer than the context are cut from the left; every answer token after the cut is scored but the first
// input.
[[nodiscard]] Result<std::vector<AnswerLoss>> answer_losses(ModelPath& path,
                                                            std::span<const TokenizedInstruction> records,
                                                            std::int64_t context_length,
                                                            const ScoreOptions& options = {});
// Mean over all answer tokens.
[[nodiscard]] Result<double> instruction_loss(ModelPath& path, std::span<const TokenizedInstruction> records,
                                              std::int64_t context_length, const ScoreOptions& options = {});
// Share of pairs where the mean log-probability of the chosen answer exceeds that of the rejected one.
[[nodiscard]] Result<double> preference_accuracy(ModelPath& path, std::span<const TokenizedPreference> pairs,
                                                 std::int64_t context_length, const ScoreOptions& options = {});

}  // namespace sextant
