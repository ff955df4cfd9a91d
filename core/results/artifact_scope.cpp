#include "core/results/artifact_scope.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "core/base/json.h"
#include "core/base/text.h"
#include "core/encoding/registry.h"
#include "core/results/paper.h"

namespace sextant {

std::string artifact_scope(const Experiment& experiment, const ArmConfig& variant, const DatasetInfo& data,
                           const std::vector<std::int64_t>& seeds, std::int64_t parameters) {
    const TrainingConfig training = experiment.training_of(variant);
    const ModelConfig model = experiment.model_of(variant);
    const EvaluationConfig& evaluation = experiment.evaluation;
    const std::string lengths = fmt::format("{}", fmt::join(evaluation.lengths, ", "));
    const std::string modes = fmt::format("{}", fmt::join(evaluation.modes, ", "));
    const std::string seed_list = fmt::format("{}", fmt::join(seeds, ", "));
    const EncodingSpec* spec = find_encoding(variant.encoding.id);
    const Paper* paper = spec != nullptr ? find_paper(spec->reference) : nullptr;
    const std::string amplitude = [&] {
        for (const ArmConfig* arm : {&experiment.baseline, &variant}) {
            const auto at = arm->encoding.parameters.find("amplitude");
            if (arm->encoding.id == "sinusoidal") {
                return std::string(", sinusoidal amplitude ") +
                       (at == arm->encoding.parameters.end() ? "embedding-rms" : to_text(at->second));
            }
        }
        return std::string();
    }();
    const std::string dimensions =
        fmt::format("{}d, {} layers, {} parameters", model.d_model, model.n_layer, grouped(parameters));
    std::string text = fmt::format(
        "English: {} ({}) and the baseline {} ({}) were trained from scratch, {} steps of {} x {} tokens on {} ({} "
        "training "
        "tokens, vocabulary {}), as a small model ({}{}), seeds {}, and evaluated on {} test tokens at lengths {} ({})",
        variant.name, variant.encoding.id, experiment.baseline.name, experiment.baseline.encoding.id, training.steps,
        training.batch_size, model.context_length, data.name, grouped(data.train_tokens), data.vocab_size, dimensions,
        amplitude, seed_list, grouped(data.test_tokens), lengths, modes);
    text += paper != nullptr ? fmt::format("; the experiments of arXiv {} were not rerun.", paper->arxiv_id) : ".";
    text += fmt::format(
        " 中文：从零训练 {}（{}）与基线 {}（{}），各 {} 步，每步 {} x {} 个 token，数据为 {}（训练 token {}，词表 "
        "{}），小模型（{} "
        "维，{} 层，{} 个参数），随机种子 {}；在 {} 个测试 token 上按长度 {}（{}）评估",
        variant.name, variant.encoding.id, experiment.baseline.name, experiment.baseline.encoding.id, training.steps,
        training.batch_size, model.context_length, data.name, grouped(data.train_tokens), data.vocab_size,
        model.d_model, model.n_layer, grouped(parameters), seed_list, grouped(data.test_tokens), lengths, modes);
    text += paper != nullptr ? fmt::format("；未复跑论文{}。", paper->title_zh) : "。";
    return text;
}

OrderedJson artifact_definitions() {
    return {
        {"losses", "nats a token"},
        {"lm_loss",
         "token-weighted mean over the test split at the training length, non-overlapping; over several seeds the mean "
         "of the seeds"},
        {"perplexity", "exp(lm_loss); over several seeds exp of the mean loss"},
        {"instruction_loss",
         "mean over the answer tokens of the validation instructions, cut from the left to the context length"},
        {"composite_loss", "lm_loss + 0.15 * instruction_loss"},
        {"primary", "-composite_loss; also fitness and public_composite"},
        {"initial_loss", "training loss of the first step, before its update"},
        {"final_loss", "training loss of the last step, before its update"},
        {"relative", "(method - baseline) / baseline * 100, from the values over all seeds"},
        {"parameters", "trained numbers; a tied embedding is counted once"},
        {"muon_orthogonality_error",
         "mean over Muon-updated matrices of ||X X^T - I||_F / sqrt(n), X the Newton-Schulz output before its scale "
         "factor, n the smaller side"},
        {"preference_accuracy",
         "share of pairs where the mean log-probability of the chosen answer exceeds that of the rejected one"},
        {"bits_per_byte", "lm_loss times test tokens, in bits, over the UTF-8 bytes of the test text"},
        {"word_perplexity", "exp of lm_loss times test tokens over the whitespace-separated words of the test text"},
        {"extrapolation",
         "loss over the same targets at every length; gap = loss(length) - loss(training length), same mode; "
         "loss_beyond = over targets at positions beyond the training length"},
        {"non-overlapping", "windows of L targets each; context grows from 0 inside a window"},
        {"sliding", "each window has exactly L inputs and scores its last S targets; no short first window"},
        {"cold-start", "the papers' variant: 1 + ceil((N - L) / S) passes, short beginnings"},
        {"statistics",
         "paired by seed; exact two-sided sign-flip permutation test; interval from inverting it; Holm over the "
         "experiment's variants"},
        {"test_sampling_error",
         "of the test text itself, common to all arms: 2.7 nats (typical spread of single-token losses, not measured "
         "here) over sqrt(test tokens)"},
        {"shared_weights_sha256", "SHA-256 of the initial weights of the tensors that every arm has"},
        {"batch_order_sha256", "SHA-256 over the window offsets of all steps"},
        {"peak_rss_mb", "VmHWM of the worker process at its end; idle_rss_mb: libraries loaded, one product done"},
    };
}

}  // namespace sextant
