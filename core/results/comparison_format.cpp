// A Comparison as text for a terminal, Markdown, LaTeX, CSV and JSON. Files have shortest exact numbers; tables for
// people round, with equal decimals in a column.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/base/json.h"
#include "core/base/text.h"
#include "core/results/comparison.h"
#include "core/results/escape.h"

namespace sextant {
namespace {

using Row = std::vector<std::string>;

std::string with_sd(double value, double sd) {
    if (std::isnan(value)) return "-";
    return std::isnan(sd) ? fmt::format("{:.4f}", value) : fmt::format("{:.4f} \u00b1 {:.4f}", value, sd);
}

std::string p_text(const SignFlipTest& test, double adjusted, bool family) {
    std::string text = fmt::format("{:.4g} (min {:.4g})", test.p, test.smallest_p);
    if (family) text += fmt::format(", adj. {:.4g}", adjusted);
    if (test.samples > 0) text += fmt::format(", {} samples", test.samples);
    return text;
}

std::string interval_text(const PairedResult& result) {
    if (result.interval) {
        return fmt::format("[{:+.4f}, {:+.4f}] sign-flip {:.1f} %", result.interval->low, result.interval->high,
                           result.interval->level * 100);
    }
    if (result.t_interval) {
        return fmt::format("[{:+.4f}, {:+.4f}] t {:.0f} %", result.t_interval->low, result.t_interval->high,
                           result.t_interval->level * 100);
    }
    return result.pairs() == 1 ? "none from one pair" : "none";
}

std::string short_name(const std::string& name) {
    return single_line(name, 40);
}

std::string aligned(const std::vector<Row>& rows) {
    std::vector<std::size_t> widths;
    for (const Row& row : rows) {
        widths.resize(std::max(widths.size(), row.size()), 0);
        for (std::size_t i = 0; i < row.size(); ++i)
            widths[i] = std::max(widths[i], display_width(row[i]));
    }
    std::string text;
    for (const Row& row : rows) {
        std::string line;
        for (std::size_t i = 0; i < row.size(); ++i) {
            line += row[i];
            if (i + 1 < row.size()) line.append(widths[i] - display_width(row[i]) + 2, ' ');
        }
        while (line.ends_with(' '))
            line.pop_back();
        text += line + "\n";
    }
    return text;
}

std::vector<Row> main_rows(const Comparison& comparison) {
    std::vector<Row> rows{{"arm", "encoding", "parameters", "n", "mean \u00b1 sd", "difference", "interval", "p"}};
    const auto number = [](std::int64_t value) { return value > 0 ? grouped(value) : std::string("-"); };
    bool baseline_done = false;
    for (const VariantComparison& variant : comparison.variants) {
        const PairedResult& result = variant.primary;
        if (!baseline_done) {
            rows.push_back({short_name(comparison.baseline.name), comparison.baseline.encoding,
                            number(comparison.baseline.parameters), fmt::format("{}", result.pairs()),
                            with_sd(result.baseline_mean, result.baseline_sd), "", "", ""});
            baseline_done = true;
        }
        const auto arm = std::find_if(comparison.arms.begin() + 1, comparison.arms.end(),
                                      [&](const ArmResult& candidate) { return candidate.name == variant.variant; });
        const bool found = arm != comparison.arms.end();
        rows.push_back({short_name(variant.variant), found ? arm->encoding : "", number(found ? arm->parameters : 0),
                        fmt::format("{}", result.pairs()), with_sd(result.variant_mean, result.variant_sd),
                        result.pairs() == 0 ? "-" : fmt::format("{:+.4f}", result.difference),
                        result.pairs() == 0 ? "-" : interval_text(result),
                        result.pairs() == 0 ? "-"
                                            : p_text(result.test, result.adjusted_p,
                                                     result.confirmatory && comparison.family_size > 1)});
    }
    return rows;
}

std::vector<std::pair<std::string, std::int64_t>> modes_of(const Comparison& comparison) {
    std::vector<std::pair<std::string, std::int64_t>> modes;  // mode and targets
    for (const LengthRow& row : comparison.lengths) {
        const std::pair<std::string, std::int64_t> key{row.measure.mode, row.measure.targets};
        if (std::find(modes.begin(), modes.end(), key) == modes.end()) modes.push_back(key);
    }
    return modes;
}

std::vector<Row> length_rows(const Comparison& comparison, const std::pair<std::string, std::int64_t>& mode) {
    std::vector<Row> rows(1, Row{"length", "stride"});
    std::vector<Measure> measures;
    std::vector<std::string> arms;
    for (const LengthRow& row : comparison.lengths) {
        if (row.measure.mode != mode.first || row.measure.targets != mode.second) continue;
        if (std::find(measures.begin(), measures.end(), row.measure) == measures.end()) measures.push_back(row.measure);
        if (std::find(arms.begin(), arms.end(), row.arm) == arms.end()) arms.push_back(row.arm);
    }
    for (const std::string& arm : arms)
        rows[0].push_back(short_name(arm));
    for (const Measure& measure : measures) {
        Row cells{fmt::format("{}", measure.length), fmt::format("{}", measure.stride)};
        for (const std::string& arm : arms) {
            const auto at =
                std::find_if(comparison.lengths.begin(), comparison.lengths.end(),
                             [&](const LengthRow& row) { return row.arm == arm && row.measure == measure; });
            if (at == comparison.lengths.end() || at->n == 0) {
                cells.emplace_back("-");
            } else {
                cells.push_back(fmt::format("{:.2f} ({:.4f}, n={}{})", std::exp(at->mean), at->mean, at->n,
                                            at->gap ? fmt::format(", gap {:+.3f}", *at->gap) : ""));
            }
        }
        rows.push_back(std::move(cells));
    }
    return rows;
}

std::string length_title(const std::pair<std::string, std::int64_t>& mode) {
    return fmt::format("Perplexity (loss in nats) by evaluation length, {}, N = {}{}", mode.first, grouped(mode.second),
                       mode.second < kFullTargets ? " (small N)" : "");
}

std::string endpoint_line(const Comparison& comparison) {
    if (comparison.variants.empty()) return "no variant to compare";
    const PairedResult& result = comparison.variants.front().primary;
    if (result.confirmatory) {
        return fmt::format("primary endpoint, declared before the run: {}{}", describe(result.measure),
                           comparison.family_size > 1
                               ? fmt::format("; {} variants form one Holm family", comparison.family_size)
                               : "");
    }
    return "exploratory, no primary endpoint: " + describe(result.measure);
}

std::vector<std::string> remarks(const Comparison& comparison) {
    std::vector<std::string> lines;
    for (const VariantComparison& variant : comparison.variants) {
        lines.push_back(fmt::format("{} against {}: {}", short_name(variant.variant),
                                    short_name(comparison.baseline.name), variant.primary.claim));
        if (!variant.primary.missing.empty()) lines.push_back("left out: " + variant.primary.missing);
        std::string plan;
        for (const PlannedSeeds& planned : plan_seeds(variant.primary, comparison.family_size)) {
            plan += fmt::format("{}{} for {:g} nats", plan.empty() ? "" : ", ",
                                planned.seeds ? grouped(*planned.seeds) : "over a million", planned.difference);
        }
        if (!plan.empty()) lines.push_back("seeds needed with this spread: " + plan);
    }
    for (const auto& [key, length] : comparison.longest_held) {
        lines.push_back(fmt::format("{} holds its loss within {} nats up to length {} ({})", short_name(key.first),
                                    kHeldGap, length, key.second));
    }
    for (const LengthRow& row : comparison.lengths) {
        if (row.n == 0 && row.reason != "not evaluated" && !row.reason.empty()) {
            lines.push_back(fmt::format("{} at {}, {}: no value, {}", short_name(row.arm), row.measure.length,
                                        row.measure.mode, row.reason));
        }
    }
    if (comparison.noise_floor) {
        lines.push_back(fmt::format("noise floor from identical arms: {:.4g} nats", *comparison.noise_floor));
    }
    if (comparison.test_sampling_error > 0) {
        lines.push_back(fmt::format("sampling error of the test text itself: about {:.2g} nats (common to all arms)",
                                    comparison.test_sampling_error));
    }
    for (const std::string& note : comparison.notes)
        lines.push_back(note);
    return lines;
}

OrderedJson number(double value) {
    return std::isfinite(value) ? OrderedJson(value) : OrderedJson(nullptr);
}
OrderedJson interval_json(const std::optional<Interval>& interval, const std::string& kind) {
    if (!interval) return nullptr;
    return {{"kind", kind}, {"low", interval->low}, {"high", interval->high}, {"level", interval->level}};
}
OrderedJson measure_json(const Measure& measure) {
    return {{"metric", measure.metric},
            {"length", measure.length},
            {"mode", measure.mode},
            {"stride", measure.stride},
            {"targets", measure.targets}};
}

}  // namespace

std::string comparison_table(const Comparison& comparison) {
    std::string text = single_line(comparison.title, 100) + "\n" + endpoint_line(comparison) + "\n\n";
    text += aligned(main_rows(comparison)) + "\n";
    for (const auto& mode : modes_of(comparison))
        text += length_title(mode) + "\n" + aligned(length_rows(comparison, mode)) + "\n";
    for (const std::string& line : remarks(comparison))
        text += single_line(line, 500) + "\n";
    return text;
}

std::string comparison_markdown(const Comparison& comparison) {
    const auto table = [](const std::vector<Row>& rows) {
        std::string text;
        for (std::size_t i = 0; i < rows.size(); ++i) {
            text += "|";
            for (const std::string& cell : rows[i])
                text += " " + markdown_text(cell) + " |";
            text += "\n";
            if (i == 0) {
                text += "|";
                for (std::size_t k = 0; k < rows[i].size(); ++k)
                    text += " --- |";
                text += "\n";
            }
        }
        return text + "\n";
    };
    std::string text =
        "## " + markdown_text(comparison.title) + "\n\n" + markdown_text(endpoint_line(comparison)) + "\n\n";
    text += table(main_rows(comparison));
    for (const auto& mode : modes_of(comparison))
        text += markdown_text(length_title(mode)) + "\n\n" + table(length_rows(comparison, mode));
    for (const std::string& line : remarks(comparison))
        text += "- " + markdown_text(line) + "\n";
    return text;
}

std::string comparison_latex(const Comparison& comparison) {
    const auto math = [](double value, const char* sign) {
        return fmt::format(fmt::runtime(std::string("${:") + sign + ".4f}$"), value);
    };
    std::string text =
        "% Needs \\usepackage{booktabs} and \\usepackage{textcomp}; XeLaTeX or LuaLaTeX for names outside Latin.\n";
    text += "\\begin{tabular}{llrrrrl}\n\\toprule\n";
    text += "arm & encoding & $n$ & loss & sd & difference & $p$ (attainable) \\\\\n\\midrule\n";
    bool baseline_done = false;
    for (const VariantComparison& variant : comparison.variants) {
        const PairedResult& result = variant.primary;
        const auto value = [&](double loss, double sd, bool bold) {
            if (std::isnan(loss)) return std::string("-- & --");
            std::string cell = fmt::format("{:.4f}", loss);
            if (bold) cell = "\\textbf{" + cell + "}";
            return cell + " & " + (std::isnan(sd) ? "--" : fmt::format("{:.4f}", sd));
        };
        // Bold only where the declared endpoint carries a claim.
        const bool shown = result.confirmatory && result.adjusted_p < kAlpha &&
                           static_cast<std::int64_t>(result.pairs()) >= comparison.pairs_needed;
        const bool variant_wins = shown && (result.difference < 0) != higher_is_better(result.measure.metric);
        if (!baseline_done) {
            const bool all_lose =
                !comparison.variants.empty() && comparison.variants.size() == 1 && shown && !variant_wins;
            text += fmt::format("{} & {} & {} & {} & & \\\\\n", latex_text(comparison.baseline.name),
                                latex_text(comparison.baseline.encoding), result.pairs(),
                                value(result.baseline_mean, result.baseline_sd, all_lose));
            baseline_done = true;
        }
        std::string encoding;
        for (const ArmResult& arm : comparison.arms) {
            if (arm.name == variant.variant) encoding = arm.encoding;
        }
        text += fmt::format(
            "{} & {} & {} & {} & {} & {} \\\\\n", latex_text(variant.variant), latex_text(encoding), result.pairs(),
            value(result.variant_mean, result.variant_sd, variant_wins),
            result.pairs() == 0 ? "--" : math(result.difference, "+"),
            result.pairs() == 0 ? "--" : fmt::format("{:.4g} ({:.4g})", result.adjusted_p, result.test.smallest_p));
    }
    text +=
        "\\bottomrule\n\\end{tabular}\n% Bold: a claim against the baseline holds (see below); variants are not tested "
        "against each other.\n% " +
        latex_text(single_line(endpoint_line(comparison), 300)) + "\n";
    for (const VariantComparison& variant : comparison.variants)
        text += "% " + latex_text(single_line(variant.variant + ": " + variant.primary.claim, 400)) + "\n";
    for (const auto& mode : modes_of(comparison)) {
        const std::vector<Row> rows = length_rows(comparison, mode);
        text += "\n% " + latex_text(length_title(mode)) + "\n\\begin{tabular}{rr" +
                std::string(rows[0].size() - 2, 'r') + "}\n\\toprule\n";
        for (std::size_t i = 0; i < rows.size(); ++i) {
            for (std::size_t k = 0; k < rows[i].size(); ++k) {
                std::string cell = rows[i][k];
                if (i > 0 && k > 1) cell = cell.substr(0, cell.find(' '));  // the perplexity alone
                text += (k == 0 ? "" : " & ") + (cell == "-" ? std::string("--") : latex_text(cell));
            }
            text += " \\\\\n";
            if (i == 0) text += "\\midrule\n";
        }
        text += "\\bottomrule\n\\end{tabular}\n";
    }
    return text;
}

std::string comparison_csv(const Comparison& comparison) {
    std::string text =
        "kind,arm,baseline,metric,length,mode,stride,targets,n,mean,sd,baseline_mean,baseline_sd,difference,"
        "interval_low,interval_high,interval_level,t_low,t_high,p,smallest_p,adjusted_p,gap,loss_beyond,claim\r\n";
    const auto real = [](double value) { return std::isnan(value) ? std::string() : format_exact(value); };
    const auto optional = [&](const std::optional<double>& value) { return value ? real(*value) : std::string(); };
    const auto line = [&](const std::string& kind, const std::string& arm, const PairedResult& r) {
        const auto bound = [&](const std::optional<Interval>& interval, double Interval::*member) {
            return interval ? format_exact((*interval).*member) : std::string();
        };
        text += fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},,,{}\r\n", kind,
                            csv_text(arm), csv_text(comparison.baseline.name), r.measure.metric, r.measure.length,
                            r.measure.mode, r.measure.stride, r.measure.targets, r.pairs(), real(r.variant_mean),
                            real(r.variant_sd), real(r.baseline_mean), real(r.baseline_sd), real(r.difference),
                            bound(r.interval, &Interval::low), bound(r.interval, &Interval::high),
                            bound(r.interval, &Interval::level), bound(r.t_interval, &Interval::low),
                            bound(r.t_interval, &Interval::high), format_exact(r.test.p),
                            format_exact(r.test.smallest_p), format_exact(r.adjusted_p), csv_text(r.claim));
    };
    for (const VariantComparison& variant : comparison.variants) {
        line(variant.primary.confirmatory ? "primary" : "exploratory", variant.variant, variant.primary);
        for (const PairedResult& result : variant.exploratory)
            line("exploratory", variant.variant, result);
    }
    for (const LengthRow& row : comparison.lengths) {
        text += fmt::format("length,{},,{},{},{},{},{},{},{},{},,,,,,,,,,,,{},{},{}\r\n", csv_text(row.arm),
                            row.measure.metric, row.measure.length, row.measure.mode, row.measure.stride,
                            row.measure.targets, row.n, real(row.mean), real(row.sd), optional(row.gap),
                            optional(row.beyond), csv_text(row.reason));
    }
    return text;
}

OrderedJson to_json(const PairedResult& result) {
    OrderedJson document = measure_json(result.measure);
    document["role"] = result.confirmatory ? "primary" : "exploratory";
    document["n"] = result.pairs();
    document["seeds"] = result.seeds;
    document["baseline"] = {{"mean", number(result.baseline_mean)}, {"sd", number(result.baseline_sd)}};
    document["method"] = {{"mean", number(result.variant_mean)}, {"sd", number(result.variant_sd)}};
    document["difference"] = number(result.difference);
    document["difference_sd"] = number(result.difference_sd);
    document["p"] = result.pairs() == 0 ? OrderedJson(nullptr) : OrderedJson(result.test.p);
    document["smallest_p"] = result.test.smallest_p;
    document["adjusted_p"] = result.pairs() == 0 ? OrderedJson(nullptr) : OrderedJson(result.adjusted_p);
    document["p_method"] = result.test.samples > 0
                               ? fmt::format("sign-flip permutation, {} random sign vectors", result.test.samples)
                               : "sign-flip permutation, all sign vectors";
    document["interval"] = interval_json(result.interval, "sign-flip inversion");
    document["t_interval"] = interval_json(result.t_interval, "paired t");
    document["bca_interval"] = interval_json(result.bca, fmt::format("BCa bootstrap, {} resamples", kBootstrapSamples));
    if (result.margin_test) {
        document["margin_p"] = result.margin_test->p;
        document["margin_adjusted_p"] = result.margin_adjusted_p;
    }
    document["left_out"] = result.missing.empty() ? OrderedJson(nullptr) : OrderedJson(result.missing);
    document["claim"] = result.claim;
    return document;
}

OrderedJson to_json(const Comparison& comparison) {
    OrderedJson document;
    document["title"] = comparison.title;
    document["baseline"] = comparison.baseline.name;
    document["primary"] = nullptr;
    if (comparison.primary) {
        document["primary"] = {{"metric", comparison.primary->metric},
                               {"length", comparison.primary->length},
                               {"mode", comparison.primary->mode},
                               {"contrast", comparison.primary->contrast}};
    }
    document["margin"] = comparison.margin ? OrderedJson(*comparison.margin) : OrderedJson(nullptr);
    document["family_size"] = comparison.family_size;
    document["pairs_needed"] = comparison.pairs_needed;
    document["alpha"] = kAlpha;
    document["arms"] = OrderedJson::array();
    for (const ArmResult& arm : comparison.arms) {
        OrderedJson seeds = OrderedJson::array();
        for (const auto& [seed, result] : arm.seeds)
            seeds.push_back({{"seed", seed}, {"state", result.state}});
        document["arms"].push_back({{"name", arm.name},
                                    {"encoding", arm.encoding},
                                    {"context_length", arm.context_length},
                                    {"parameters", arm.parameters},
                                    {"seeds", seeds}});
    }
    document["variants"] = OrderedJson::array();
    for (const VariantComparison& variant : comparison.variants) {
        OrderedJson exploratory = OrderedJson::array();
        for (const PairedResult& result : variant.exploratory)
            exploratory.push_back(to_json(result));
        OrderedJson planner = OrderedJson::array();
        for (const PlannedSeeds& plan : plan_seeds(variant.primary, comparison.family_size)) {
            planner.push_back({{"difference", plan.difference},
                               {"seeds", plan.seeds ? OrderedJson(*plan.seeds) : OrderedJson(nullptr)}});
        }
        document["variants"].push_back({{"name", variant.variant},
                                        {"identical", variant.identical},
                                        {"claim", variant.primary.claim},
                                        {"endpoint", to_json(variant.primary)},
                                        {"planner", planner},
                                        {"exploratory", exploratory}});
    }
    document["lengths"] = OrderedJson::array();
    for (const LengthRow& row : comparison.lengths) {
        OrderedJson entry = measure_json(row.measure);
        entry["arm"] = row.arm;
        entry["n"] = row.n;
        entry["loss"] = number(row.mean);
        entry["sd"] = number(row.sd);
        entry["perplexity"] = number(std::exp(row.mean));
        entry["gap"] = row.gap ? OrderedJson(*row.gap) : OrderedJson(nullptr);
        entry["loss_beyond"] = row.beyond ? OrderedJson(*row.beyond) : OrderedJson(nullptr);
        entry["small_n"] = row.small;
        entry["reason"] = row.reason.empty() ? OrderedJson(nullptr) : OrderedJson(row.reason);
        document["lengths"].push_back(std::move(entry));
    }
    document["longest_length_within_0.05_nats"] = OrderedJson::array();
    for (const auto& [key, length] : comparison.longest_held)
        document["longest_length_within_0.05_nats"].push_back(
            {{"arm", key.first}, {"mode", key.second}, {"length", length}});
    document["noise_floor"] = comparison.noise_floor ? OrderedJson(*comparison.noise_floor) : OrderedJson(nullptr);
    document["test_sampling_error"] =
        comparison.test_sampling_error > 0 ? OrderedJson(comparison.test_sampling_error) : OrderedJson(nullptr);
    if (!comparison.sweep.empty()) document["sweep"] = OrderedJson::parse(comparison.sweep);
    document["notes"] = comparison.notes;
    return document;
}

}  // namespace sextant
