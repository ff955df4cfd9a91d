#include "core/results/comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>

#include "core/base/json.h"
#include "core/base/text.h"
#include "core/experiment/config_io.h"
#include "core/results/current_runs.h"
#include "core/results/sweep_record.h"

namespace sextant {
namespace {

// Spread of single-token losses at these sizes; the test text's own error is this over sqrt(tokens) (8,000: 0.03).
constexpr double kTokenLossSpread = 2.7;

std::string state_text(const RunState& state) {
    switch (state.phase) {
        case RunPhase::kCompleted:
            return "complete";
        case RunPhase::kDiverged:
            return fmt::format("diverged at step {}", state.step);
        case RunPhase::kFailed:
            return "failed: " + (state.failed ? single_line(state.failed->message, 120) : "");
        default:
            return fmt::format("{} at step {}", phase_name(state.phase), state.step);
    }
}

ArmResult arm_result(const Experiment& experiment, const ArmConfig& arm, std::span<const ListedRun> runs) {
    ArmResult result;
    result.name = arm.name;
    result.encoding = arm.encoding.id;
    const ModelConfig model = experiment.model_of(arm);
    result.context_length = model.context_length;
    OrderedJson same = to_json(arm);
    same.erase("name");
    result.configuration = canonical_json(Json::parse(dump_json(same, -1)));
    for (const ListedRun& run : runs) {
        if (run.plan.arm != arm.name) continue;
        if (std::find(experiment.seeds.begin(), experiment.seeds.end(), run.plan.seed) == experiment.seeds.end())
            continue;
        ArmSeed& seed = result.seeds[run.plan.seed];
        seed.complete = run.state.phase == RunPhase::kCompleted;
        seed.state = state_text(run.state);
        if (run.state.started) result.parameters = run.state.started->parameters;
        if (!run.state.steps.empty()) seed.initial_loss = run.state.steps.front().loss;
        if (run.state.completed) seed.final_loss = run.state.completed->final_loss;
        for (const EvaluationEvent& event : run.state.evaluations) {
            const Measure measure{event.metric, event.length, event.mode, event.stride, event.targets};
            if (std::isnan(event.value)) {
                seed.reasons[measure] = event.reason.empty() ? "the value is not a number" : event.reason;
            } else {
                seed.values[measure] = event.value;
            }
        }
    }
    return result;
}

std::string missing_seeds(const ArmResult& baseline, const ArmResult& variant, const Measure& measure,
                          const std::vector<std::int64_t>& paired) {
    std::set<std::int64_t> all;
    for (const ArmResult* arm : {&baseline, &variant}) {
        for (const auto& [seed, value] : arm->seeds)
            all.insert(seed);
    }
    std::vector<std::string> lines;
    for (const std::int64_t seed : all) {
        if (std::find(paired.begin(), paired.end(), seed) != paired.end()) continue;
        for (const ArmResult* arm : {&baseline, &variant}) {
            const auto at = arm->seeds.find(seed);
            if (at == arm->seeds.end()) {
                lines.push_back(fmt::format("{} has no run of seed {}", arm->name, seed));
            } else if (at->second.values.count(measure) == 0) {
                const auto why = at->second.reasons.find(measure);
                lines.push_back(fmt::format("{} seed {}: {}", arm->name, seed,
                                            why != at->second.reasons.end() ? why->second
                                            : at->second.complete           ? "not evaluated"
                                                                            : at->second.state));
            }
        }
    }
    return join_limited(lines, 5);
}

PairedResult pair_up(const ArmResult& baseline, const ArmResult& variant, const Measure& measure) {
    PairedResult result;
    result.measure = measure;
    for (const auto& [seed, ours] : variant.seeds) {
        const auto theirs = baseline.seeds.find(seed);
        if (theirs == baseline.seeds.end()) continue;
        const auto a = theirs->second.values.find(measure);
        const auto b = ours.values.find(measure);
        if (a == theirs->second.values.end() || b == ours.values.end()) continue;
        result.seeds.push_back(seed);
        result.baseline.push_back(a->second);
        result.variant.push_back(b->second);
    }
    result.missing = missing_seeds(baseline, variant, measure, result.seeds);
    std::vector<double> differences(result.seeds.size());
    for (std::size_t i = 0; i < differences.size(); ++i)
        differences[i] = result.variant[i] - result.baseline[i];
    result.baseline_mean = mean(result.baseline);
    result.baseline_sd = standard_deviation(result.baseline);
    result.variant_mean = mean(result.variant);
    result.variant_sd = standard_deviation(result.variant);
    result.difference = mean(differences);
    result.difference_sd = standard_deviation(differences);
    result.test = sign_flip_test(differences);
    result.adjusted_p = result.test.p;
    result.interval = sign_flip_interval(differences);
    result.t_interval = paired_t_interval(differences);
    result.bca = bca_interval(differences);
    return result;
}

// The measure an endpoint names; stride and targets are those of the runs that have it.
std::optional<Measure> find_measure(const ComparisonInput& input, const std::string& metric, std::int64_t length,
                                    const std::string& mode) {
    std::optional<Measure> found;
    const auto search = [&](const ArmResult& arm) {
        for (const auto& [seed, values] : arm.seeds) {
            for (const auto& [measure, value] : values.values) {
                const bool lengthless = metric != "loss" && metric != "lm_loss" && metric != "loss_beyond";
                if (measure.metric == metric && (lengthless || (measure.length == length && measure.mode == mode))) {
                    if (!found || measure.targets > found->targets) found = measure;
                }
            }
        }
    };
    search(input.baseline);
    for (const ArmResult& arm : input.variants)
        search(arm);
    return found;
}

std::optional<Measure> any_measure(const ArmResult& arm, const std::string& metric) {
    for (const auto& [seed, values] : arm.seeds) {
        for (const auto& [measure, value] : values.values)
            if (measure.metric == metric) return measure;
    }
    return std::nullopt;
}

std::string range_text(const Interval& interval) {
    return fmt::format("[{:.5g}, {:.5g}]", interval.low, interval.high);
}

bool identical_arms(const ArmResult& a, const ArmResult& b) {
    return !a.configuration.empty() && a.configuration == b.configuration;
}

std::string confirmatory_claim(const PairedResult& result, const ComparisonInput& input, std::int64_t family) {
    const auto n = static_cast<std::int64_t>(result.pairs());
    const std::int64_t needed = pairs_needed(family);
    if (n < needed) {
        return fmt::format("none: {} pair{} cannot reach p < 0.05, {} are needed{}", n, n == 1 ? "" : "s", needed,
                           family > 1 ? fmt::format(" ({} variants share the 5 %)", family) : "");
    }
    const std::string adjusted =
        family > 1 ? fmt::format("Holm-adjusted p = {:.4g} over {} variants", result.adjusted_p, family)
                   : fmt::format("sign-flip p = {:.4g}", result.adjusted_p);
    const std::string where = fmt::format("over {} seeds on this corpus and test text", n);
    const bool different = result.adjusted_p < kAlpha;
    const std::string interval = result.interval ? fmt::format(", {:.1f} % interval {}", result.interval->level * 100,
                                                               range_text(*result.interval))
                                                 : "";
    std::string claim;
    if (different) {
        claim = fmt::format("{} by {:.4g} ({}{}) {}", result.difference < 0 ? "lower" : "higher",
                            std::abs(result.difference), adjusted, interval, where);
    }
    if (input.margin && result.margin_test) {
        const double worse = higher_is_better(result.measure.metric) ? -result.difference : result.difference;
        if (worse < *input.margin && result.margin_adjusted_p < kAlpha) {
            const std::string sentence = fmt::format("not worse by more than {:g} (p = {:.4g} on d - m) {}",
                                                     *input.margin, result.margin_adjusted_p, where);
            return claim.empty() ? sentence : claim + "; " + sentence;
        }
    }
    if (!claim.empty()) return claim;
    return "no difference shown (not the same as equal)";
}

void add_lengths(const ComparisonInput& input, Comparison& out) {
    std::vector<const ArmResult*> arms{&input.baseline};
    for (const ArmResult& arm : input.variants)
        arms.push_back(&arm);
    std::set<Measure> measures;
    for (const ArmResult* arm : arms) {
        for (const auto& [seed, values] : arm->seeds) {
            for (const auto& [measure, value] : values.values)
                if (measure.metric == "loss") measures.insert(measure);
            for (const auto& [measure, reason] : values.reasons)
                if (measure.metric == "loss") measures.insert(measure);
        }
    }
    for (const ArmResult* arm : arms) {
        for (const Measure& measure : measures) {
            LengthRow row;
            row.measure = measure;
            row.arm = arm->name;
            row.small = measure.targets < kFullTargets;
            std::vector<double> values;
            std::vector<double> gaps;
            std::vector<double> beyond;
            for (const auto& [seed, results] : arm->seeds) {
                const auto at = results.values.find(measure);
                if (at == results.values.end()) {
                    if (const auto why = results.reasons.find(measure); why != results.reasons.end())
                        row.reason = why->second;
                    continue;
                }
                values.push_back(at->second);
                for (const auto& [other, value] : results.values) {
                    if (other.targets != measure.targets || other.mode != measure.mode) continue;
                    if (other.metric == "loss" && other.length == arm->context_length)
                        gaps.push_back(at->second - value);
                    if (other.metric == "loss_beyond" && other.length == measure.length) beyond.push_back(value);
                }
            }
            row.n = values.size();
            row.mean = mean(values);
            row.sd = standard_deviation(values);
            if (!values.empty() && gaps.size() == values.size()) row.gap = mean(gaps);
            if (!values.empty() && beyond.size() == values.size()) row.beyond = mean(beyond);
            if (values.empty() && row.reason.empty()) row.reason = "not evaluated";
            if (row.gap && *row.gap <= kHeldGap) {
                auto& longest = out.longest_held[{row.arm, measure.mode}];
                longest = std::max(longest, measure.length);
            }
            out.lengths.push_back(std::move(row));
        }
    }
}

}  // namespace

bool higher_is_better(const std::string& metric) {
    return metric == "preference_accuracy";
}

std::string describe(const Measure& measure) {
    if (measure.mode.empty()) return measure.metric;
    return fmt::format("{} at {}, {}, stride {}, N = {}{}", measure.metric, measure.length, measure.mode,
                       measure.stride, grouped(measure.targets), measure.targets < kFullTargets ? " (small N)" : "");
}

ComparisonInput comparison_input(const Experiment& experiment, std::span<const ListedRun> all) {
    const std::vector<ListedRun> runs = current_runs(experiment, all);
    ComparisonInput input;
    input.title = experiment.name;
    input.baseline = arm_result(experiment, experiment.baseline, runs);
    for (const ArmConfig& variant : experiment.variants)
        input.variants.push_back(arm_result(experiment, variant, runs));
    input.primary = experiment.evaluation.primary;
    input.margin = experiment.evaluation.margin;
    input.family_size = static_cast<std::int64_t>(experiment.variants.size());
    input.test_tokens = experiment.data.test_tokens;
    return input;
}

Comparison compare_arms(const ComparisonInput& input) {
    Comparison out;
    out.title = input.title;
    out.baseline = input.baseline;
    out.arms.push_back(input.baseline);
    out.arms.insert(out.arms.end(), input.variants.begin(), input.variants.end());
    out.primary = input.primary;
    out.margin = input.margin;
    out.family_size = std::max({input.family_size, static_cast<std::int64_t>(input.variants.size()), std::int64_t{1}});
    out.pairs_needed = pairs_needed(out.family_size);
    out.notes = input.notes;
    out.sweep = input.sweep;
    if (!input.sweep.empty()) {
        const auto document = parse_json(input.sweep);
        if (const auto sweep = document ? sweep_from_json(*document) : Result<SweepRecord>(document.error())) {
            for (const std::string& line : sweep_lines(*sweep))
                out.notes.push_back(line);
        } else {
            out.sweep.clear();
            out.notes.push_back("the record of the sweep cannot be read");
        }
    }
    if (input.test_tokens > 0) {
        out.test_sampling_error = kTokenLossSpread / std::sqrt(static_cast<double>(input.test_tokens));
    }
    std::optional<Measure> declared;
    if (input.primary)
        declared = find_measure(input, input.primary->metric, input.primary->length, input.primary->mode);
    for (const ArmResult& variant : input.variants) {
        VariantComparison comparison;
        comparison.variant = variant.name;
        comparison.identical = identical_arms(input.baseline, variant);
        std::set<Measure> measures;
        for (const auto& [seed, values] : variant.seeds) {
            for (const auto& [measure, value] : values.values) {
                if (measure.metric != "position_loss" && measure.metric != "short_context_share")
                    measures.insert(measure);
            }
        }
        Measure first;
        if (declared) {
            first = *declared;
        } else if (const auto fallback = any_measure(input.baseline, "lm_loss")) {
            first = *fallback;
        } else if (input.primary) {
            first = {input.primary->metric, input.primary->length, input.primary->mode, 0, 0};
        } else {
            first = {"lm_loss", input.baseline.context_length, "non-overlapping", 0, 0};
        }
        comparison.primary = pair_up(input.baseline, variant, first);
        comparison.primary.confirmatory = declared.has_value();
        for (const Measure& measure : measures) {
            if (measure == first) continue;
            PairedResult result = pair_up(input.baseline, variant, measure);
            if (result.pairs() == 0) continue;
            result.claim = "exploratory: no claim";
            comparison.exploratory.push_back(std::move(result));
        }
        if (comparison.identical) {
            out.notes.push_back(
                fmt::format("{} and {} are the same arm under two names: their difference is the noise "
                            "floor, an A/A comparison",
                            input.baseline.name, variant.name));
            if (comparison.primary.pairs() > 0) {
                for (std::size_t i = 0; i < comparison.primary.pairs(); ++i) {
                    const double apart = std::abs(comparison.primary.variant[i] - comparison.primary.baseline[i]);
                    out.noise_floor = std::max(out.noise_floor.value_or(0.0), apart);
                }
            }
        }
        out.variants.push_back(std::move(comparison));
    }
    // One Holm family over the declared endpoint; variants that are not here count as p = 1 and so only enlarge it.
    std::vector<double> p(static_cast<std::size_t>(out.family_size), 1.0);
    std::vector<double> margin_p = p;
    for (std::size_t i = 0; i < out.variants.size(); ++i) {
        PairedResult& result = out.variants[i].primary;
        if (!result.confirmatory) continue;
        if (result.pairs() > 0) p[i] = result.test.p;
        if (input.margin && result.pairs() > 0) {
            std::vector<double> differences(result.pairs());
            for (std::size_t k = 0; k < differences.size(); ++k)
                differences[k] = result.variant[k] - result.baseline[k];
            const double centre = higher_is_better(result.measure.metric) ? -*input.margin : *input.margin;
            result.margin_test = sign_flip_test(differences, centre);
            margin_p[i] = result.margin_test->p;
        }
    }
    const std::vector<double> adjusted = holm_adjusted(p);
    const std::vector<double> margin_adjusted = holm_adjusted(margin_p);
    for (std::size_t i = 0; i < out.variants.size(); ++i) {
        VariantComparison& comparison = out.variants[i];
        PairedResult& result = comparison.primary;
        if (!result.confirmatory) {
            result.claim = input.primary ? "none: the declared endpoint was not measured"
                                         : "none: no primary endpoint was declared before the run; exploratory only";
            if (result.pairs() < 2) {
                result.claim = fmt::format("none: {} pair{} cannot reach p < 0.05, {} are needed", result.pairs(),
                                           result.pairs() == 1 ? "" : "s", out.pairs_needed);
            }
            continue;
        }
        result.adjusted_p = adjusted[i];
        result.margin_adjusted_p = margin_adjusted[i];
        result.claim = comparison.identical && result.difference == 0.0 && result.pairs() > 0 && result.test.p == 1.0
                           ? "none: identical arms, an A/A comparison"
                           : confirmatory_claim(result, input, out.family_size);
    }
    add_lengths(input, out);
    return out;
}

std::vector<PlannedSeeds> plan_seeds(const PairedResult& result, std::int64_t family_size) {
    std::vector<PlannedSeeds> plan;
    if (result.pairs() < 2 || !(result.difference_sd > 0.0)) return plan;
    for (const double nats : {0.01, 0.02, 0.05, 0.1})
        plan.push_back({nats, pairs_for_difference(nats, result.difference_sd, family_size)});
    return plan;
}

}  // namespace sextant
