#include "core/engine/task_accuracy.h"

#include <algorithm>
#include <cmath>

namespace sextant {

Result<TaskAccuracy> task_accuracy(ModelPath& path, const TaskProbeSet& set, std::int64_t vocab_size,
                                   const ScoreOptions& options) {
    TaskAccuracy result;
    result.chance = set.chance;
    result.probes = static_cast<std::int64_t>(set.probes.size());
    if (set.probes.empty()) return data_error("there are no probes to score");
    const auto length = static_cast<std::int64_t>(set.probes.front().tokens.size()) - 1;  // the last token is no input
    const auto most = static_cast<std::size_t>(std::max<std::int64_t>(1, options.batch_tokens / length));
    const auto vocabulary = static_cast<std::size_t>(vocab_size);
    std::int64_t solved = 0, right = 0, answers = 0;
    double loss = 0.0;
    std::vector<std::int32_t> inputs;
    std::vector<float> logits;
    for (std::size_t next = 0; next < set.probes.size(); next += most) {
        if (options.cancelled && options.cancelled())
            return Error{ErrorCode::kCancelled, "evaluation was stopped", {}, {}, {}};
        const std::size_t stop = std::min(next + most, set.probes.size());
        inputs.clear();
        for (std::size_t p = next; p < stop; ++p) {
            const auto& tokens = set.probes[p].tokens;
            inputs.insert(inputs.end(), tokens.begin(), tokens.end() - 1);
        }
        logits.resize(inputs.size() * vocabulary);
        path.logits(inputs, static_cast<std::int64_t>(stop - next), length, logits);
        for (std::size_t p = next; p < stop; ++p) {
            const TaskProbe& probe = set.probes[p];
            bool all = true;
            for (const std::int64_t position : probe.positions) {
                const std::size_t row =
                    (p - next) * static_cast<std::size_t>(length) + static_cast<std::size_t>(position - 1);
                const float* scores = logits.data() + row * vocabulary;
                const auto wanted = static_cast<std::size_t>(probe.tokens[static_cast<std::size_t>(position)]);
                const auto best = static_cast<std::size_t>(std::max_element(scores, scores + vocabulary) - scores);
                double total = 0.0;
                for (std::size_t v = 0; v < vocabulary; ++v)
                    total += std::exp(static_cast<double>(scores[v]) - static_cast<double>(scores[best]));
                loss += std::log(total) + static_cast<double>(scores[best]) - static_cast<double>(scores[wanted]);
                ++answers;
                if (best == wanted) {
                    ++right;
                } else {
                    all = false;
                }
            }
            if (all) ++solved;
        }
        if (options.progress) options.progress(static_cast<double>(stop) / static_cast<double>(set.probes.size()));
    }
    result.accuracy = static_cast<double>(solved) / static_cast<double>(result.probes);
    result.token_accuracy = static_cast<double>(right) / static_cast<double>(answers);
    result.loss = loss / static_cast<double>(answers);
    return result;
}

}  // namespace sextant
