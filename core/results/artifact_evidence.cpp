// The blocks of an artifact that say how its differences came about and what they cost.
#include "core/results/artifact_evidence.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/base/json.h"

namespace sextant {
namespace {

OrderedJson finite(double value) {
    return std::isfinite(value) ? OrderedJson(value) : OrderedJson(nullptr);
}

}  // namespace

const ListedRun* find_run(std::span<const ListedRun> runs, const std::string& arm, std::int64_t seed) {
    const auto at = std::find_if(runs.begin(), runs.end(),
                                 [&](const ListedRun& run) { return run.plan.arm == arm && run.plan.seed == seed; });
    return at == runs.end() ? nullptr : &*at;
}

const EvaluationEvent* find_evaluation(const ListedRun& run, const std::string& metric, std::int64_t length) {
    const auto at =
        std::find_if(run.state.evaluations.begin(), run.state.evaluations.end(), [&](const EvaluationEvent& event) {
            return event.metric == metric && (length == 0 || event.length == length);
        });
    return at == run.state.evaluations.end() ? nullptr : &*at;
}

OrderedJson Evidence::null_because(const std::string& pointer, const std::string& why) {
    reasons_[pointer] = why;
    return nullptr;
}

OrderedJson Evidence::extrapolation() {
    OrderedJson rows = OrderedJson::array();
    for (const LengthRow& row : comparison_.lengths) {
        if (row.arm != variant_.name) continue;
        OrderedJson entry = {{"length", row.measure.length},
                             {"mode", row.measure.mode},
                             {"stride", row.measure.stride},
                             {"targets", row.measure.targets},
                             {"small_n", row.small}};
        const auto base = std::find_if(comparison_.lengths.begin(), comparison_.lengths.end(), [&](const LengthRow& r) {
            return r.arm == experiment_.baseline.name && r.measure == row.measure;
        });
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
OrderedJson Evidence::position_loss() {
    OrderedJson block = OrderedJson::array();
    for (const std::int64_t length : experiment_.evaluation.lengths) {
        OrderedJson entry = {{"length", length}, {"mode", "non-overlapping"}};
        bool any = false;
        for (const auto& [side, name] :
             {std::pair<const char*, std::string>{"baseline", experiment_.baseline.name}, {"method", variant_.name}}) {
            std::vector<double> sum;
            std::size_t count = 0;
            for (const std::int64_t seed : seeds_) {
                const EvaluationEvent* event = find_evaluation(*find_run(runs_, name, seed), "position_loss", length);
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
OrderedJson Evidence::statistics() const {
    const PairedResult& primary = ours_->primary;
    OrderedJson exploratory = OrderedJson::array();
    for (const PairedResult& result : ours_->exploratory)
        exploratory.push_back(to_json(result));
    OrderedJson planner = OrderedJson::array();
    for (const PlannedSeeds& plan : plan_seeds(primary, comparison_.family_size)) {
        planner.push_back(
            {{"difference", plan.difference}, {"seeds", plan.seeds ? OrderedJson(*plan.seeds) : OrderedJson(nullptr)}});
    }
    OrderedJson declared = nullptr;
    if (const auto& endpoint = experiment_.evaluation.primary) {
        declared = {{"metric", endpoint->metric},
                    {"length", endpoint->length},
                    {"mode", endpoint->mode},
                    {"contrast", endpoint->contrast}};
    }
    return {
        {"unit", "seed, paired: same seed, same data order in both arms"},
        {"alpha", kAlpha},
        {"primary", declared},
        {"margin", experiment_.evaluation.margin ? OrderedJson(*experiment_.evaluation.margin) : OrderedJson(nullptr)},
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
OrderedJson Evidence::per_seed() const {
    OrderedJson list = OrderedJson::array();
    for (const std::int64_t seed : experiment_.seeds) {
        OrderedJson entry = {{"seed", seed}};
        for (const auto& [side, name] :
             {std::pair<const char*, std::string>{"baseline", experiment_.baseline.name}, {"method", variant_.name}}) {
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
            block["final_loss"] = state->second.final_loss ? finite(*state->second.final_loss) : OrderedJson(nullptr);
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
OrderedJson Evidence::fairness() const {
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
OrderedJson Evidence::by_seed(const std::string& arm, const Get& get) const {
    OrderedJson block = OrderedJson::object();
    for (const std::int64_t seed : seeds_)
        block[fmt::format("{}", seed)] = finite(get(find_run(runs_, arm, seed)->state));
    return block;
}
template <typename Get>
OrderedJson Evidence::by_length(const std::string& arm, const Get& get) const {
    OrderedJson list = OrderedJson::array();
    for (const std::int64_t seed : seeds_) {
        for (const EvaluationEvent& event : find_run(runs_, arm, seed)->state.evaluations) {
            if (event.metric != "loss" || get(event) <= 0) continue;
            list.push_back({{"seed", seed}, {"length", event.length}, {"mode", event.mode}, {"value", get(event)}});
        }
    }
    return list;
}
OrderedJson Evidence::timing() const {
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
OrderedJson Evidence::memory() const {
    OrderedJson block;
    for (const auto& [side, name] :
         {std::pair<const char*, std::string>{"baseline", experiment_.baseline.name}, {"method", variant_.name}}) {
        block[side] = {
            {"peak_rss_mb", by_seed(name, [](const RunState& state) { return state.completed->peak_rss_mb; })},
            {"idle_rss_mb",
             by_seed(name,
                     [](const RunState& state) { return state.started ? state.started->idle_rss_mb : std::nan(""); })},
            {"evaluation_peak_rss_mb",
             by_length(name, [](const EvaluationEvent& event) { return event.peak_rss_mb; })}};
    }
    return block;
}

}  // namespace sextant
