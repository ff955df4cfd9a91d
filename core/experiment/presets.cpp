#include "core/experiment/presets.h"

#include <algorithm>

#include "core/base/text.h"
#include "core/encoding/registry.h"

namespace sextant {
namespace {

const char kProbeText[] =
    "Anna lives in Rome. Tom lives in Oslo. Anna has a red boat. In the evening Tom asked: where does Anna live? She "
    "lives in Rome.";

ArmConfig arm(std::string name, std::string id, ParameterValues parameters = {}) {
    ArmConfig result;
    result.name = std::move(name);
    result.encoding.id = std::move(id);
    result.encoding.parameters = std::move(parameters);
    return result;
}

void declare_primary(Experiment& experiment, std::int64_t length) {
    PrimaryEndpoint primary;
    primary.length = length;
    primary.contrast = experiment.variants.front().name + " - " + experiment.baseline.name;
    experiment.evaluation.primary = primary;
}

// Context 64, the model of the published figures, evaluated up to eight times its training length.
Experiment base(std::string name) {
    Experiment experiment;
    experiment.name = std::move(name);
    experiment.baseline = arm("llama_modern", "rope");
    experiment.evaluation.lengths = {64, 128, 256, 512};
    experiment.evaluation.modes = {"non-overlapping", "sliding"};
    experiment.evaluation.probe_text = kProbeText;
    return experiment;
}

void use_recipe_a(Experiment& experiment) {
    TrainingConfig& training = experiment.training;
    training.optimizer.learning_rate = 3e-3;
    training.schedule.warmup_steps = 75;
    training.batch_size = 32;
    training.steps = 1500;
    training.log_every = 5;
    training.evaluate_every = 100;
    training.checkpoint_every = 250;
}

Experiment quick(std::string name) {
    Experiment experiment = base(std::move(name));
    experiment.variants = {arm("alibi", "alibi")};
    TrainingConfig& training = experiment.training;
    training.optimizer.learning_rate = 3e-3;
    training.schedule.warmup_steps = 20;
    training.batch_size = 16;
    training.steps = 400;
    training.evaluate_every = 50;
    training.checkpoint_every = 100;
    experiment.evaluation.stride = 32;
    declare_primary(experiment, 512);
    return experiment;
}

// The setting of the published metrics files: 8,000 test tokens, so only the training length is evaluated. lm_loss uses
// all of them; the protocol's fixed targets are the largest multiple of 64 behind a context of 64: 7872 + 64 + 1 <=
// 8000.
Experiment seed_experiment(std::string name, std::string variant) {
    Experiment experiment = base(std::move(name));
    experiment.data.train_tokens = 120000;
    experiment.data.validation_tokens = 8000;
    experiment.data.test_tokens = 8000;
    experiment.training.threads = 2;
    experiment.evaluation.lengths = {64};
    experiment.evaluation.modes = {"non-overlapping"};
    experiment.evaluation.tokens = 7872;
    experiment.variants = {arm(variant, variant)};
    declare_primary(experiment, 64);
    return experiment;
}

Experiment same_arm_twice() {
    Experiment experiment = quick("a-a");
    experiment.baseline = arm("rope-a", "rope");
    experiment.variants = {arm("rope-b", "rope")};
    experiment.seeds = {42, 43, 44};
    declare_primary(experiment, 64);
    return experiment;
}

Experiment train_short_test_long() {
    Experiment experiment = base("train-short-test-long");
    use_recipe_a(experiment);
    experiment.seeds = {42, 43, 44};
    experiment.variants = {arm("alibi", "alibi")};  // first: the paper's subject and the declared contrast
    for (const EncodingSpec& spec : encoding_catalog()) {
        if (spec.id != "rope" && spec.id != "alibi") experiment.variants.push_back(arm(spec.id, spec.id));
    }
    declare_primary(experiment, 512);
    return experiment;
}

// Press et al. 2022: ALiBi trained at L against sinusoidal trained at 2L, both judged at 2L, equal tokens a batch.
Experiment paper_claim() {
    Experiment experiment = base("paper-claim");
    use_recipe_a(experiment);
    experiment.model.context_length = 256;
    experiment.training.batch_size = 16;
    experiment.baseline = arm("sinusoidal", "sinusoidal");
    ArmConfig alibi = arm("alibi", "alibi");
    alibi.model_overrides = R"({"context_length":128})";
    alibi.training_overrides = R"({"batch_size":32})";
    experiment.variants = {alibi};
    experiment.training.snapshot_every = 100;  // for the step at which ALiBi has the baseline's final loss
    experiment.evaluation.lengths = {128, 256, 512};
    experiment.seeds = {42, 43, 44, 45, 46, 47};
    declare_primary(experiment, 256);
    return experiment;
}

// One training, judged with context scaling applied afterwards, as the scaling papers do without fine-tuning.
Experiment rope_scaling() {
    Experiment experiment = base("rope-scaling");
    use_recipe_a(experiment);
    experiment.training.steps = 800;
    experiment.training.schedule.warmup_steps = 40;
    for (const char* scaling : {"linear", "ntk", "dynamic-ntk", "yarn", "llama3"}) {
        ArmConfig variant = arm(scaling, "rope");
        EncodingConfig judged = variant.encoding;
        judged.parameters = {{"scaling", std::string(scaling)}, {"factor", 4.0}, {"original_length", std::int64_t{64}}};
        variant.evaluation_encoding = judged;
        experiment.variants.push_back(variant);
    }
    declare_primary(experiment, 256);
    return experiment;
}

// RoFormer, figure 3: training loss against steps.
Experiment rope_convergence() {
    Experiment experiment = base("rope-convergence");
    use_recipe_a(experiment);
    experiment.training.log_every = 1;
    experiment.training.evaluate_every = 50;
    experiment.baseline = arm("sinusoidal", "sinusoidal");
    experiment.variants = {arm("rope", "rope")};
    experiment.evaluation.lengths = {64};
    experiment.seeds = {42, 43, 44};
    declare_primary(experiment, 64);
    return experiment;
}

// Frozen: the arms are named here and not taken from the catalog, so that a later encoding does not change it.
Experiment benchmark_v1() {
    Experiment experiment = base("benchmark-v1");
    use_recipe_a(experiment);
    for (const char* id :
         {"alibi", "none", "learned", "sinusoidal", "xpos", "t5", "kerple-log", "kerple-power", "sandwich", "fire"}) {
        if (find_encoding(id) != nullptr) experiment.variants.push_back(arm(id, id));
    }
    experiment.seeds = {42, 43, 44, 45, 46, 47, 48, 49, 50};
    // All token streams as they were when the benchmark was frozen; they fix corpus and tokenizer with them.
    experiment.data.expected_sha256 = "6dd6a94b284ef6323b910ad8e777b2adec19e6c7bb6708c3475c4026005f06f6";
    declare_primary(experiment, 512);
    return experiment;
}

Experiment seeds_6() {
    Experiment experiment = quick("seeds-6");
    experiment.seeds = {42, 43, 44, 45, 46, 47};
    return experiment;
}

std::vector<Preset> build() {
    std::vector<Preset> all;
    const auto add = [&](std::string summary, std::string duration, Experiment experiment) {
        std::string name = experiment.name;
        all.push_back({std::move(name), std::move(summary), std::move(duration), std::move(experiment)});
    };
    add("RoPE against ALiBi on the built-in corpus, trained at 64 tokens, evaluated at 64 to 512.", "under a minute",
        quick("quick"));
    add("The published ALiBi metrics file: 12 steps at seed 42.", "a few seconds",
        seed_experiment("seed-alibi", "alibi"));
    add("The published RoPE metrics file: 12 steps at seed 42, both arms RoPE.", "a few seconds",
        seed_experiment("seed-rope", "rope"));
    add("The quick comparison over six paired seeds, the fewest that can reach p < 0.05.", "about a minute", seeds_6());
    add("The same arm twice under two names: the noise floor of the method.", "under a minute", same_arm_twice());
    add("Every encoding trained at 64 tokens (recipe A) and evaluated at 64 to 512, three seeds.", "about ten minutes",
        train_short_test_long());
    add("ALiBi trained at 128 against sinusoidal trained at 256, both judged at 256, equal tokens a batch.",
        "about ten minutes", paper_claim());
    add("RoPE trained at 64, judged beyond it with each context scaling applied after training.", "about a minute",
        rope_scaling());
    add("RoFormer's convergence claim: loss against steps, RoPE against sinusoidal.", "about two minutes",
        rope_convergence());
    add("The frozen public benchmark: recipe A, nine seeds, every encoding, both modes.", "about half an hour",
        benchmark_v1());
    return all;
}

}  // namespace

const std::vector<Preset>& presets() {
    static const std::vector<Preset> all = build();
    return all;
}

Result<Preset> find_preset(const std::string& name) {
    std::vector<std::string> names;
    for (const Preset& preset : presets()) {
        if (preset.name == name) return preset;
        names.push_back(preset.name);
    }
    const std::string near = nearest_name(name, names);
    std::string message = "there is no preset \"" + single_line(name, 60) + "\"; ";
    message += near.empty() ? "the presets are " + join_limited(names, 20) : "did you mean \"" + near + "\"?";
    return usage_error(std::move(message));
}

}  // namespace sextant
