#include "core/results/artifact.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

#include "core/base/json.h"
#include "core/base/text.h"
#include "core/encoding/registry.h"
#include "core/experiment/config_io.h"
#include "core/results/artifact_evidence.h"
#include "core/results/artifact_scope.h"
#include "core/results/comparison.h"
#include "core/results/current_runs.h"
#include "core/results/escape.h"
#include "core/results/paper.h"

namespace sextant {
namespace {

using Seeds = std::vector<std::int64_t>;

OrderedJson ordered(const Json& value) {
    return OrderedJson::parse(dump_json(value, -1));
}

// Builds the document block by block; `reasons` collects what is null and why.
class Builder {
  public:
    Builder(const Experiment& experiment, const ArmConfig& variant, std::vector<ListedRun> runs,
            const DatasetInfo& data, const Provenance& provenance, const std::optional<SweepRecord>& sweep)
        : experiment_(experiment),
          variant_(variant),
          runs_(std::move(runs)),
          data_(data),
          provenance_(provenance),
          sweep_(sweep) {}

    Result<OrderedJson> build() {
        for (const std::int64_t seed : experiment_.seeds) {
            const ListedRun* a = find_run(runs_, experiment_.baseline.name, seed);
            const ListedRun* b = find_run(runs_, variant_.name, seed);
            if (a != nullptr && b != nullptr && complete(*a) && complete(*b)) seeds_.push_back(seed);
        }
        if (seeds_.empty()) {
            return data_error(fmt::format("no seed is complete for both {} and {}; run the experiment first",
                                          experiment_.baseline.name, variant_.name));
        }
        comparison_ = compare_arms(comparison_input(experiment_, runs_));
        const auto at = std::find_if(comparison_.variants.begin(), comparison_.variants.end(),
                                     [&](const VariantComparison& c) { return c.variant == variant_.name; });
        if (at == comparison_.variants.end()) return internal_error("the variant is not one of the experiment's");
        ours_ = &*at;
        SEXTANT_TRY(baseline, arm(experiment_.baseline, "/baseline"));
        SEXTANT_TRY(method, arm(variant_, "/method"));
        Evidence evidence(experiment_, variant_, runs_, seeds_, comparison_, *ours_, reasons_);
        OrderedJson document;
        document["paper"] = paper();
        document["dataset"] = dataset();
        document["setup"] = setup();
        document["baseline"] = std::move(baseline);
        document["method"] = std::move(method);
        document["relative"] = relative(document["baseline"], document["method"]);
        document["paper_results"] = paper_results();
        document["scope"] = artifact_scope(experiment_, variant_, data_, seeds_, parameters_);
        document["schema_version"] = kArtifactSchema;
        document["manifest_ref"] = "reproduction:" + variant_.encoding.id;
        document["evaluation_protocol"] = protocol();
        document["extrapolation"] = evidence.extrapolation();
        document["position_loss"] = evidence.position_loss();
        for (const char* metric : {"bits_per_byte", "word_perplexity", "preference_accuracy"})
            document[metric] = both(metric);
        document["statistics"] = evidence.statistics();
        document["per_seed"] = evidence.per_seed();
        document["fairness"] = evidence.fairness();
        if (sweep_) document["sweep"] = sweep_of_arms(*sweep_, experiment_.baseline.name, variant_.name);
        document["definitions"] = artifact_definitions();
        document["reasons"] = reasons_;
        document["timing"] = evidence.timing();
        document["memory"] = evidence.memory();
        document["provenance"] = to_json(provenance_, "artifacts/" + artifact_file_name(variant_.name));
        return document;
    }

  private:
    static bool complete(const ListedRun& run) {
        const EvaluationEvent* loss = find_evaluation(run, "lm_loss");
        return run.state.phase == RunPhase::kCompleted && loss != nullptr && std::isfinite(loss->value);
    }
    OrderedJson null_because(const std::string& pointer, const std::string& why) {
        reasons_[pointer] = why;
        return nullptr;
    }
    OrderedJson number_or(const std::string& pointer, std::optional<double> value, const std::string& why) {
        if (value && std::isfinite(*value)) return *value;
        return null_because(pointer, value ? "the value is not finite" : why);
    }
    // Mean over the paired seeds; nothing when one of them has no value.
    std::optional<double> seed_mean(const std::string& arm,
                                    const std::function<std::optional<double>(const ListedRun&)>& get) const {
        std::vector<double> values;
        for (const std::int64_t seed : seeds_) {
            const auto value = get(*find_run(runs_, arm, seed));
            if (!value) return std::nullopt;
            values.push_back(*value);
        }
        return mean(values);
    }
    std::optional<double> metric_mean(const std::string& arm, const std::string& metric) const {
        return seed_mean(arm, [&](const ListedRun& run) -> std::optional<double> {
            const EvaluationEvent* event = find_evaluation(run, metric);
            if (event == nullptr || std::isnan(event->value)) return std::nullopt;
            return event->value;
        });
    }
    std::string metric_reason(const std::string& arm, const std::string& metric) const {
        for (const std::int64_t seed : seeds_) {
            const EvaluationEvent* event = find_evaluation(*find_run(runs_, arm, seed), metric);
            if (event != nullptr && !event->reason.empty()) return event->reason;
        }
        return "not evaluated";
    }

    OrderedJson paper() {
        const EncodingSpec* spec = find_encoding(variant_.encoding.id);
        const Paper* known = spec != nullptr ? find_paper(spec->reference) : nullptr;
        if (known != nullptr) {
            return {{"arxiv_id", known->arxiv_id},
                    {"title", known->title},
                    {"url", known->url()},
                    {"organization", known->organization}};
        }
        const std::string id = spec != nullptr ? spec->reference : "";
        return {
            {"arxiv_id", id.empty() ? null_because("/paper/arxiv_id", "the encoding has no paper") : OrderedJson(id)},
            {"title", null_because("/paper/title", "not recorded for this encoding")},
            {"url", id.empty() ? null_because("/paper/url", "the encoding has no paper")
                               : OrderedJson("https://arxiv.org/abs/" + id)},
            {"organization", null_because("/paper/organization", "not recorded for this encoding")}};
    }
    OrderedJson paper_results() const {
        OrderedJson results = OrderedJson::object();
        const EncodingSpec* spec = find_encoding(variant_.encoding.id);
        const Paper* known = spec != nullptr ? find_paper(spec->reference) : nullptr;
        if (known != nullptr) {
            for (const auto& [name, value] : known->results)
                std::visit([&, key = name](const auto& figure) { results[key] = figure; }, value);
        }
        return results;
    }
    OrderedJson dataset() const {
        return {{"name", data_.name},
                {"train_tokens", data_.train_tokens},
                {"validation_tokens", data_.validation_tokens},
                {"test_tokens", data_.test_tokens},
                {"narrative_tokens", data_.narrative_tokens},
                {"instruction_train", data_.instruction_train},
                {"instruction_validation", data_.instruction_validation},
                {"preference_validation", data_.preference_validation},
                {"reasoning_validation", 0},
                {"benchmark_suite", "core"},
                {"vocab_size", data_.vocab_size},
                {"tokenizer", data_.tokenizer},
                {"test_bytes", data_.test_bytes},
                {"test_words", data_.test_words},
                {"notes", data_.notes}};
    }
    static std::int64_t training_tokens(const Experiment& experiment, const ArmConfig& arm) {
        const TrainingConfig training = experiment.training_of(arm);
        return training.steps * training.batch_size * experiment.model_of(arm).context_length;
    }
    bool same_budget() const {
        const TrainingConfig a = experiment_.training_of(experiment_.baseline);
        const TrainingConfig b = experiment_.training_of(variant_);
        return training_tokens(experiment_, experiment_.baseline) == training_tokens(experiment_, variant_) &&
               a.optimizer == b.optimizer && a.schedule == b.schedule && a.gradient_clip == b.gradient_clip &&
               a.precision == b.precision;
    }
    OrderedJson setup() const {
        const ModelConfig& model = experiment_.model;
        const TrainingConfig& training = experiment_.training;
        return {{"seed", seeds_.front()},
                {"steps_per_variant", training.steps},
                {"dimensions", model.d_model},
                {"layers", model.n_layer},
                {"sequence_length", model.context_length},
                {"same_tokens_optimizer_and_budget", same_budget()},
                {"evolve_architecture", variant_.encoding.id},
                {"evolve_optimizer", experiment_.training_of(variant_).optimizer.kind},
                {"vocab_size", data_.vocab_size},
                {"d_ff", model.d_ff},
                {"n_head", model.n_head},
                {"n_kv_head", model.n_kv_head},
                {"tie_embeddings", model.tie_embeddings},
                {"batch_size", training.batch_size}};
    }
    Result<OrderedJson> arm(const ArmConfig& config, const std::string& at) {
        const std::string& name = config.name;
        const std::optional<double> lm = metric_mean(name, "lm_loss");
        const std::optional<double> instruction = metric_mean(name, "instruction_loss");
        std::optional<double> composite;
        if (lm && instruction) composite = *lm + kInstructionWeight * *instruction;
        std::optional<double> fitness;
        if (composite) fitness = -*composite;
        const std::string no_instruction = "instruction_loss: " + metric_reason(name, "instruction_loss");
        const ListedRun& first = *find_run(runs_, name, seeds_.front());
        const std::string optimizer = experiment_.training_of(config).optimizer.kind;
        ModelConfig model = experiment_.model_of(config);
        model.vocab_size = data_.vocab_size;
        SEXTANT_TRY(encoding, make_encoding(config.encoding, model.encoding_site()));
        OrderedJson stats = OrderedJson::object();
        for (const auto& [key, value] : encoding->architecture_stats())
            stats[key] = ordered(to_json(value));
        OrderedJson block;
        block["name"] = name;
        block["lm_loss"] = number_or(at + "/lm_loss", lm, "not evaluated");
        block["perplexity"] = number_or(at + "/perplexity", lm ? std::optional(std::exp(*lm)) : lm, "not evaluated");
        block["instruction_loss"] =
            number_or(at + "/instruction_loss", instruction, metric_reason(name, "instruction_loss"));
        block["primary"] = number_or(at + "/primary", fitness, no_instruction);
        block["public_composite"] = number_or(at + "/public_composite", fitness, no_instruction);
        block["composite_loss"] = number_or(at + "/composite_loss", composite, no_instruction);
        block["fitness"] = number_or(at + "/fitness", fitness, no_instruction);
        block["initial_loss"] = number_or(at + "/initial_loss",
                                          seed_mean(name,
                                                    [](const ListedRun& run) -> std::optional<double> {
                                                        if (run.state.steps.empty() || run.state.steps.front().step > 1)
                                                            return std::nullopt;
                                                        return run.state.steps.front().loss;
                                                    }),
                                          "the first step was not logged (training.log_every)");
        block["final_loss"] = number_or(
            at + "/final_loss",
            seed_mean(name, [](const ListedRun& run) { return std::optional(run.state.completed->final_loss); }), "");
        block["post_training_loss"] = null_because(at + "/post_training_loss", "no reward stage was run");
        block["reward_bearing_group_rate"] = null_because(at + "/reward_bearing_group_rate", "no reward stage was run");
        parameters_ = first.state.started ? first.state.started->parameters : 0;
        block["parameters"] = parameters_;
        block["device"] = first.state.started ? OrderedJson(first.state.started->device) : OrderedJson(nullptr);
        block["optimizer"] = optimizer;
        block["architecture_stats"] = stats;
        block["muon_orthogonality_error"] =
            optimizer == "muon"
                ? number_or(at + "/muon_orthogonality_error",
                            seed_mean(name,
                                      [](const ListedRun& run) {
                                          return std::optional(run.state.completed->muon_orthogonality_error);
                                      }),
                            "")
                : null_because(at + "/muon_orthogonality_error", "Muon was not used; the optimizer is " + optimizer);
        block["seeds"] = seeds_;
        block["encoding"] = to_json(config.encoding);
        block["evaluation_encoding"] =
            config.evaluation_encoding ? to_json(*config.evaluation_encoding) : to_json(config.encoding);
        block["overrides"] = {{"model", OrderedJson::parse(config.model_overrides)},
                              {"training", OrderedJson::parse(config.training_overrides)}};
        block["training_tokens"] = training_tokens(experiment_, config);
        return block;
    }
    OrderedJson relative(const OrderedJson& baseline, const OrderedJson& method) {
        OrderedJson block;
        for (const char* key : {"lm_loss", "perplexity"}) {
            const std::string name = std::string(key) + "_percent";
            if (baseline[key].is_number() && method[key].is_number()) {
                const auto from = baseline[key].get<double>();
                block[name] = (method[key].get<double>() - from) / from * 100.0;
            } else {
                block[name] = null_because("/relative/" + name, "one of the two was not measured");
            }
        }
        return block;
    }
    // Why the protocol is not met; empty when it is.
    std::string not_formal() const {
        const auto pairs = static_cast<std::int64_t>(ours_->primary.pairs());
        if (!experiment_.evaluation.primary) return "no primary endpoint was declared before the run";
        if (!ours_->primary.confirmatory) return "the declared endpoint was not measured";
        if (pairs < comparison_.pairs_needed) {
            return fmt::format("{} pair{}, {} are needed", pairs, pairs == 1 ? "" : "s", comparison_.pairs_needed);
        }
        // A sweep gave each arm its own settings by equal trials: that is an equal budget too.
        const bool swept =
            sweep_ && training_tokens(experiment_, experiment_.baseline) == training_tokens(experiment_, variant_);
        if (!same_budget() && !swept) return "the arms differ in budget or optimizer";
        return missing_provenance(provenance_);
    }
    OrderedJson protocol() {
        const std::string why = not_formal();
        const EvaluationConfig& evaluation = experiment_.evaluation;
        const std::string& kind = experiment_.data.corpus.kind;
        OrderedJson block = {
            {"tier", kind == "wikitext"    ? "l2_public_dataset"
                     : kind == "synthetic" ? "l1_builtin_corpus"
                                           : "l1_own_corpus"},
            {"seeds", seeds_},
            {"formal_comparison", why.empty()},
            {"claim_policy",
             seeds_.size() < 6
                 ? "single/few-seed smoke result; do not claim a stable improvement"
                 : "only /statistics/claim may be claimed: paired sign-flip test on the declared endpoint"},
            {"lengths", evaluation.lengths},
            {"modes", evaluation.modes},
            {"stride", evaluation.stride},
            {"targets", evaluation.tokens},
            {"context_tokens",
             evaluation.lengths.empty() ? 0 : *std::max_element(evaluation.lengths.begin(), evaluation.lengths.end())},
            {"small_n", evaluation.tokens < kFullTargets}};
        if (!why.empty()) reasons_["/evaluation_protocol/formal_comparison"] = why;
        return block;
    }
    OrderedJson both(const std::string& metric) {
        OrderedJson block;
        block["baseline"] = number_or("/" + metric + "/baseline", metric_mean(experiment_.baseline.name, metric),
                                      metric_reason(experiment_.baseline.name, metric));
        block["method"] = number_or("/" + metric + "/method", metric_mean(variant_.name, metric),
                                    metric_reason(variant_.name, metric));
        return block;
    }
    const Experiment& experiment_;
    const ArmConfig& variant_;
    std::vector<ListedRun> runs_;
    const DatasetInfo& data_;
    const Provenance& provenance_;
    const std::optional<SweepRecord>& sweep_;
    Seeds seeds_;
    Comparison comparison_;
    const VariantComparison* ours_ = nullptr;
    std::int64_t parameters_ = 0;
    OrderedJson reasons_ = OrderedJson::object();
};

}  // namespace

std::int64_t default_d_ff(std::int64_t d_model) {
    const std::int64_t wanted = 8 * d_model / 3;
    return (wanted + 63) / 64 * 64;
}

std::int64_t base_parameter_count(const ModelConfig& model) {
    const std::int64_t d = model.d_model;
    const std::int64_t kv = model.n_head > 0 ? d / model.n_head * model.n_kv_head : d;
    const std::int64_t layer = 2 * d * d + 2 * d * kv + 3 * d * model.d_ff + 2 * d;
    return model.vocab_size * d * (model.tie_embeddings ? 1 : 2) + model.n_layer * layer + d;
}

Result<OrderedJson> build_artifact(const Experiment& experiment, const ArmConfig& variant,
                                   std::span<const ListedRun> runs, const DatasetInfo& data,
                                   const Provenance& provenance, const std::optional<SweepRecord>& sweep) {
    return Builder(experiment, variant, current_runs(experiment, runs), data, provenance, sweep).build();
}

std::string artifact_file_name(const std::string& variant) {
    return file_name_text(variant) + ".json";
}

}  // namespace sextant
