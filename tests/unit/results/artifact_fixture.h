#pragma once
// An experiment with finished runs, made by hand: the numbers are chosen here, so every value of an artifact is known.
#include <cmath>
#include <string>
#include <vector>

#include "core/results/artifact.h"

namespace sextant_test {

inline sextant::ListedRun make_run(const sextant::Experiment& experiment, const sextant::ArmConfig& arm,
                                   std::int64_t seed, double loss) {
    using namespace sextant;
    ListedRun run;
    run.plan.arm = arm.name;
    run.plan.seed = seed;
    run.plan.encoding = arm.encoding;
    run.plan.model = experiment.model_of(arm);
    run.plan.training = experiment.training_of(arm);
    RunState& state = run.state;
    state.phase = RunPhase::kCompleted;
    state.step = experiment.training.steps;
    RunStarted started;
    started.parameters = 139584;
    started.device = "cpu";
    started.path = "fused";
    started.threads = 2;
    started.host = "machine";
    started.commit = "0123456789ab";
    started.libraries = R"({"libtorch":"1.13.1"})";
    started.idle_rss_mb = 100.0;
    started.batch_order_sha256 = "order" + std::to_string(seed);
    started.shared_weights_sha256 = "weights" + std::to_string(seed);
    state.started = started;
    StepPoint first;
    first.step = 1;
    first.loss = 6.2 + 0.001 * static_cast<double>(seed);
    state.steps.push_back(first);
    CompletedEvent completed;
    completed.final_loss = loss + 0.05;
    completed.seconds = 10.0 + loss;
    completed.peak_rss_mb = 300.0;
    completed.tokens_per_s = 5000.0;
    completed.model_sha256 = "model" + arm.name + std::to_string(seed);
    state.completed = completed;
    const auto add = [&](const char* metric, std::int64_t length, const char* mode, std::int64_t stride,
                         std::int64_t targets, double value) {
        EvaluationEvent event;
        event.metric = metric;
        event.length = length;
        event.mode = mode;
        event.stride = stride;
        event.targets = targets;
        event.value = value;
        event.tokens_per_s = 1000.0;
        event.peak_rss_mb = 310.0;
        if (std::string(metric) == "position_loss")
            event.values = std::vector<double>(static_cast<std::size_t>(length), value);
        state.evaluations.push_back(event);
    };
    add("lm_loss", 64, "non-overlapping", 64, 39999, loss);
    add("bits_per_byte", 64, "non-overlapping", 64, 39999, loss / 2);
    add("word_perplexity", 64, "non-overlapping", 64, 39999, std::exp(loss * 1.5));
    add("instruction_loss", 64, "", 0, 64, loss + 1.0);
    add("preference_accuracy", 64, "", 0, 64, 0.75);
    for (const std::int64_t length : {64, 128}) {
        const double at = loss + (length == 64 ? 0.01 : 0.3);
        add("position_loss", length, "non-overlapping", length, 32768, at);
        if (length > 64) add("loss_beyond", length, "non-overlapping", length, 32768, at + 0.2);
        add("loss", length, "non-overlapping", length, 32768, at);
        add("loss", length, "sliding", 16, 32768, at - 0.1);
    }
    return run;
}

struct Finished {
    sextant::Experiment experiment;
    std::vector<sextant::ListedRun> runs;
    sextant::DatasetInfo data;
};

// Variant alibi is better by 0.1 + 0.01 * seed index in every seed.
inline Finished finished(std::size_t seeds) {
    using namespace sextant;
    Finished out;
    Experiment& experiment = out.experiment;
    experiment.name = "fixture";
    experiment.baseline.name = "llama_modern";
    experiment.baseline.encoding.id = "rope";
    ArmConfig variant;
    variant.name = "alibi";
    variant.encoding.id = "alibi";
    experiment.variants = {variant};
    experiment.training.steps = 12;
    experiment.seeds.clear();
    for (std::size_t i = 0; i < seeds; ++i)
        experiment.seeds.push_back(42 + static_cast<std::int64_t>(i));
    experiment.evaluation.lengths = {64, 128};
    experiment.evaluation.modes = {"non-overlapping", "sliding"};
    experiment.evaluation.primary = PrimaryEndpoint{"loss", 64, "non-overlapping", "alibi - llama_modern"};
    for (std::size_t i = 0; i < seeds; ++i) {
        const double base = 3.0 + 0.02 * static_cast<double>(i);
        out.runs.push_back(make_run(experiment, experiment.baseline, experiment.seeds[i], base));
        out.runs.push_back(
            make_run(experiment, variant, experiment.seeds[i], base - 0.1 - 0.01 * static_cast<double>(i)));
    }
    out.data.name = "Sextant stories";
    out.data.train_tokens = 400000;
    out.data.validation_tokens = 8000;
    out.data.test_tokens = 40000;
    out.data.vocab_size = 512;
    out.data.tokenizer = "byte-level BPE, 512 entries, trained on the train split";
    out.data.identity = {"aa", "bb", "cc"};
    return out;
}

inline sextant::Result<nlohmann::ordered_json> artifact_of(const Finished& f, std::size_t variant = 0) {
    return sextant::build_artifact(f.experiment, f.experiment.variants[variant], f.runs, f.data,
                                   sextant::collect_provenance(f.runs, f.data, {"sextant-cli", "run"}));
}

}  // namespace sextant_test
