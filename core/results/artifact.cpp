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
#include "core/results/artifact_scope.h"
#include "core/results/comparison.h"
#include "core/results/escape.h"
#include "core/results/paper.h"

namespace sextant {
namespace {

using Seeds = std::vector<std::int64_t>;

OrderedJson ordered(const Json& value) {
    return OrderedJson::parse(dump_json(value, -1));
}

const ListedRun* find_run(std::span<const ListedRun> runs, const std::string& arm, std::int64_t seed) {
    const auto at = std::find_if(runs.begin(), runs.end(),
                                 [&](const ListedRun& run) { return run.plan.arm == arm && run.plan.seed == seed; });
    return at == runs.end() ? nullptr : &*at;
}

const EvaluationEvent* find_evaluation(const ListedRun& run, const std::string& metric, std::int64_t length = 0) {
    const auto at =
        std::find_if(run.state.evaluations.begin(), run.state.evaluations.end(), [&](const EvaluationEvent& event) {
            return event.metric == metric && (length == 0 || event.length == length);
        });
    return at == run.state.evaluations.end() ? nullptr : &*at;
}

// Builds the document block by block; `reasons` collects what is null and why.
class Builder {
  public:
    Builder(const Experiment& experiment, const ArmConfig& variant, std::span<const ListedRun> runs,
            const DatasetInfo& data, const Provenance& provenance)
        : experiment_(experiment), variant_(variant), runs_(runs), data_(data), provenance_(provenance) {}

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
        document["extrapolation"] = extrapolation();
        document["position_loss"] = position_loss();
        for (const char* metric : {"bits_per_byte", "word_perplexity", "preference_accuracy"})
            document[metric] = both(metric);
        document["statistics"] = statistics();
        document["per_seed"] = per_seed();
        document["fairness"] = fairness();
        document["definitions"] = artifact_definitions();
        document["reasons"] = reasons_;
        document["timing"] = timing();
        document["memory"] = memory();
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
        if (!same_budget()) return "the arms differ in budget or optimizer";
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
    static OrderedJson finite(double value) { return std::isfinite(value) ? OrderedJson(value) : OrderedJson(nullptr); }
    OrderedJson extrapolation() {
        OrderedJson rows = OrderedJson::array();
        for (const LengthRow& row : comparison_.lengths) {
            if (row.arm != variant_.name) continue;
            OrderedJson entry = {{"length", row.measure.length},
                                 {"mode", row.measure.mode},
                                 {"stride", row.measure.stride},
                                 {"targets", row.measure.targets},
                                 {"small_n", row.small}};
            const auto base = std::find_if(
                comparison_.lengths.begin(), comparison_.lengths.end(),
                [&](const LengthRow& r) { return r.arm == experiment_.baseline.name && r.measure == row.measure; });
            const std::string at = fmt::format("/extrapolation/rows/{}", rows.size());
            const auto side = [&](const char* name, const LengthRow* r) {
                if (r == nullptr || r->n == 0) {
                    entry[name] = null_because(at + "/" + name, r == nullptr ? "not evaluated" : r->reason);
                    return;
                }
                entry[name] = {{"n", r->n},
                               {"loss", finite(r->mean)},
                               {"sd", finite(r->sd)},
                               {"perplexity", finite(std::exp(r->mean))},
                               {"gap", r->gap ? OrderedJson(*r->gap) : OrderedJson(nullptr)},
                               {"loss_beyond", r->beyond ? OrderedJson(*r->beyond) : OrderedJson(nullptr)}};
            };
            side("baseline", base == comparison_.lengths.end() ? nullptr : &*base);
            side("method", &row);
            rows.push_back(std::move(entry));
        }
        OrderedJson held = OrderedJson::object();
        for (const auto& [key, length] : comparison_.longest_held) {
            if (key.first == experiment_.baseline.name) held["baseline"][key.second] = length;
            if (key.first == variant_.name) held["method"][key.second] = length;
        }
        return {{"training_length",
                 {{"baseline", experiment_.model_of(experiment_.baseline).context_length},
                  {"method", experiment_.model_of(variant_).context_length}}},
                {"rows", rows},
                {"longest_length_within_0.05_nats", held}};
    }
    OrderedJson position_loss() {
        OrderedJson block = OrderedJson::array();
        for (const std::int64_t length : experiment_.evaluation.lengths) {
            OrderedJson entry = {{"length", length}, {"mode", "non-overlapping"}};
            bool any = false;
            for (const auto& [side, name] : {std::pair<const char*, std::string>{"baseline", experiment_.baseline.name},
                                             {"method", variant_.name}}) {
                std::vector<double> sum;
                std::size_t count = 0;
                for (const std::int64_t seed : seeds_) {
                    const EvaluationEvent* event =
                        find_evaluation(*find_run(runs_, name, seed), "position_loss", length);
                    if (event == nullptr || event->values.empty()) continue;
                    if (sum.empty()) sum.resize(event->values.size(), 0.0);
                    if (sum.size() != event->values.size()) continue;
                    for (std::size_t i = 0; i < sum.size(); ++i)
                        sum[i] += event->values[i];
                    ++count;
                    entry["targets"] = event->targets;
                }
                for (double& value : sum)
                    value /= static_cast<double>(count);
                any = any || count > 0;
                entry[side] = count > 0 ? OrderedJson(sum) : OrderedJson(nullptr);
            }
            if (!any) continue;
            for (const char* side : {"baseline", "method"}) {
                if (entry[side].is_null()) {
                    reasons_[fmt::format("/position_loss/{}/{}", block.size(), side)] = "not evaluated at this length";
                }
            }
            block.push_back(std::move(entry));
        }
        if (block.empty()) return null_because("/position_loss", "evaluation.by_position was off");
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
    OrderedJson statistics() const {
        const PairedResult& primary = ours_->primary;
        OrderedJson exploratory = OrderedJson::array();
        for (const PairedResult& result : ours_->exploratory)
            exploratory.push_back(to_json(result));
        OrderedJson planner = OrderedJson::array();
        if (primary.pairs() > 1 && primary.difference_sd > 0) {
            for (const double nats : {0.01, 0.02, 0.05, 0.1}) {
                const auto pairs = pairs_for_difference(nats, primary.difference_sd, comparison_.family_size);
                planner.push_back(
                    {{"difference", nats}, {"seeds", pairs ? OrderedJson(*pairs) : OrderedJson(nullptr)}});
            }
        }
        OrderedJson declared = nullptr;
        if (const auto& endpoint = experiment_.evaluation.primary) {
            declared = {{"metric", endpoint->metric},
                        {"length", endpoint->length},
                        {"mode", endpoint->mode},
                        {"contrast", endpoint->contrast}};
        }
        return {{"unit", "seed, paired: same seed, same data order in both arms"},
                {"alpha", kAlpha},
                {"primary", declared},
                {"margin",
                 experiment_.evaluation.margin ? OrderedJson(*experiment_.evaluation.margin) : OrderedJson(nullptr)},
                {"family_size", comparison_.family_size},
                {"pairs", primary.pairs()},
                {"pairs_needed", comparison_.pairs_needed},
                {"identical_arms", ours_->identical},
                {"claim", primary.claim},
                {"endpoint", to_json(primary)},
                {"exploratory", exploratory},
                {"planner", planner},
                {"noise_floor", comparison_.noise_floor ? OrderedJson(*comparison_.noise_floor) : OrderedJson(nullptr)},
                {"test_sampling_error", comparison_.test_sampling_error}};
    }
    OrderedJson per_seed() const {
        OrderedJson list = OrderedJson::array();
        for (const std::int64_t seed : experiment_.seeds) {
            OrderedJson entry = {{"seed", seed}};
            for (const auto& [side, name] : {std::pair<const char*, std::string>{"baseline", experiment_.baseline.name},
                                             {"method", variant_.name}}) {
                const ListedRun* run = find_run(runs_, name, seed);
                OrderedJson block;
                const auto arm = std::find_if(comparison_.arms.begin(), comparison_.arms.end(),
                                              [&, arm_name = name](const ArmResult& a) { return a.name == arm_name; });
                const auto state = arm != comparison_.arms.end() ? arm->seeds.find(seed)
                                                                 : std::map<std::int64_t, ArmSeed>::const_iterator{};
                if (run == nullptr || arm == comparison_.arms.end() || state == arm->seeds.end()) {
                    entry[side] = {{"state", "not run"}};
                    continue;
                }
                block["state"] = state->second.state;
                const EvaluationEvent* loss = find_evaluation(*run, "lm_loss");
                const bool finite_loss = loss != nullptr && std::isfinite(loss->value);
                block["lm_loss"] = finite_loss ? OrderedJson(loss->value) : OrderedJson(nullptr);
                block["perplexity"] = finite_loss ? OrderedJson(std::exp(loss->value)) : OrderedJson(nullptr);
                const EvaluationEvent* answers = find_evaluation(*run, "instruction_loss");
                block["instruction_loss"] = answers != nullptr ? finite(answers->value) : OrderedJson(nullptr);
                block["initial_loss"] =
                    state->second.initial_loss ? finite(*state->second.initial_loss) : OrderedJson(nullptr);
                block["final_loss"] =
                    state->second.final_loss ? finite(*state->second.final_loss) : OrderedJson(nullptr);
                OrderedJson evaluations = OrderedJson::array();
                for (const auto& [measure, value] : state->second.values) {
                    evaluations.push_back({{"metric", measure.metric},
                                           {"length", measure.length},
                                           {"mode", measure.mode},
                                           {"stride", measure.stride},
                                           {"targets", measure.targets},
                                           {"value", finite(value)}});
                }
                block["evaluations"] = std::move(evaluations);
                if (run->state.completed) {
                    block["model_sha256"] = run->state.completed->model_sha256;
                    block["optimizer_sha256"] = run->state.completed->optimizer_sha256;
                }
                entry[side] = std::move(block);
            }
            list.push_back(std::move(entry));
        }
        return list;
    }
    OrderedJson fairness() const {
        OrderedJson list = OrderedJson::array();
        for (const std::int64_t seed : seeds_) {
            const auto& a = find_run(runs_, experiment_.baseline.name, seed)->state.started;
            const auto& b = find_run(runs_, variant_.name, seed)->state.started;
            if (!a || !b) continue;
            list.push_back(
                {{"seed", seed},
                 {"batch_order_sha256", {{"baseline", a->batch_order_sha256}, {"method", b->batch_order_sha256}}},
                 {"shared_weights_sha256",
                  {{"baseline", a->shared_weights_sha256}, {"method", b->shared_weights_sha256}}}});
        }
        return list;
    }
    template <typename Get>
    OrderedJson by_seed(const std::string& arm, const Get& get) const {
        OrderedJson block = OrderedJson::object();
        for (const std::int64_t seed : seeds_)
            block[fmt::format("{}", seed)] = finite(get(find_run(runs_, arm, seed)->state));
        return block;
    }
    template <typename Get>
    OrderedJson by_length(const std::string& arm, const Get& get) const {
        OrderedJson list = OrderedJson::array();
        for (const std::int64_t seed : seeds_) {
            for (const EvaluationEvent& event : find_run(runs_, arm, seed)->state.evaluations) {
                if (event.metric != "loss" || get(event) <= 0) continue;
                list.push_back({{"seed", seed}, {"length", event.length}, {"mode", event.mode}, {"value", get(event)}});
            }
        }
        return list;
    }
    OrderedJson timing() const {
        OrderedJson block;
        for (const auto& [side, name] :
             {std::pair<const char*, std::string>{"baseline", experiment_.baseline.name}, {"method", variant_.name}}) {
            block[side] = {
                {"training_seconds", by_seed(name, [](const RunState& state) { return state.completed->seconds; })},
                {"tokens_per_s", by_seed(name, [](const RunState& state) { return state.completed->tokens_per_s; })},
                {"evaluation_tokens_per_s",
                 by_length(name, [](const EvaluationEvent& event) { return event.tokens_per_s; })}};
        }
        return block;
    }
    OrderedJson memory() const {
        OrderedJson block;
        for (const auto& [side, name] :
             {std::pair<const char*, std::string>{"baseline", experiment_.baseline.name}, {"method", variant_.name}}) {
            block[side] = {
                {"peak_rss_mb", by_seed(name, [](const RunState& state) { return state.completed->peak_rss_mb; })},
                {"idle_rss_mb", by_seed(name,
                                        [](const RunState& state) {
                                            return state.started ? state.started->idle_rss_mb : std::nan("");
                                        })},
                {"evaluation_peak_rss_mb",
                 by_length(name, [](const EvaluationEvent& event) { return event.peak_rss_mb; })}};
        }
        return block;
    }

    const Experiment& experiment_;
    const ArmConfig& variant_;
    std::span<const ListedRun> runs_;
    const DatasetInfo& data_;
    const Provenance& provenance_;
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
                                   const Provenance& provenance) {
    return Builder(experiment, variant, runs, data, provenance).build();
}

std::string artifact_file_name(const std::string& variant) {
    return file_name_text(variant) + ".json";
}

}  // namespace sextant
