#include "app/cli/paper_claim.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "app/cli/captured_process.h"
#include "core/base/atomic_file.h"
#include "core/base/json.h"
#include "core/base/text.h"
#include "core/data/dataset.h"
#include "core/engine/device.h"
#include "core/engine/language_model.h"
#include "core/engine/path_choice.h"
#include "core/engine/perplexity.h"
#include "core/results/current_runs.h"
#include "core/results/paper.h"
#include "core/results/statistics.h"

namespace sextant::cli {
namespace {

constexpr std::int64_t kStepsOfBlock = 10;
const std::vector<std::string> kPaths = {"fused", "reference"};

std::string record_file(const Project& project) {
    return project.path + "/paper-claim.json";
}

OrderedJson or_null(const std::optional<double>& value) {
    return value && std::isfinite(*value) ? OrderedJson(*value) : OrderedJson(nullptr);
}

Result<Json> benchmark_pair(const Context& context, const std::vector<std::string>& words) {
    std::vector<std::string> command{context.program, "benchmark", "pair"};
    command.insert(command.end(), words.begin(), words.end());
    command.emplace_back("--json");
    SEXTANT_TRY(captured, run_captured(command));
    if (captured.status != 0) {
        Error error = internal_error("timing the arms failed: " + single_line(captured.errors, 300));
        if (captured.status > 0 && captured.status < 128) error.code = static_cast<ErrorCode>(captured.status);
        return error;
    }
    return parse_json(captured.output, "benchmark pair");
}

// One path: interleaved blocks of both arms in one process, then the memory of each arm alone in its own.
Result<OrderedJson> measure_path(const std::string& path, const std::string& file, const ArmConfig& baseline,
                                 const ArmConfig& variant, const RunOptions& options, std::int64_t threads,
                                 const Context& context) {
    const std::vector<std::string> common{
        file, "--path", path, "--threads", std::to_string(threads), "--steps", std::to_string(kStepsOfBlock)};
    std::vector<std::string> words = common;
    for (const ArmConfig* arm : {&variant, &baseline}) {
        words.emplace_back("--arm");
        words.push_back(arm->name);
    }
    words.emplace_back("--blocks");
    words.push_back(std::to_string(options.time_blocks));
    SEXTANT_TRY(timed, benchmark_pair(context, words));
    OrderedJson result = {{"path", path}, {"threads", threads}, {"steps_a_block", kStepsOfBlock}};
    // Neighbouring blocks are pairs; processor time leaves out what other programs took from the clock.
    for (const auto& [key, name] : {std::pair{"block_processor_ms", std::string("time_a_step")},
                                    std::pair{"block_ms", std::string("clock_time_a_step")}}) {
        std::vector<double> ratios;
        const auto a = timed.at("arms").at(0).at(key).get<std::vector<double>>();
        const auto b = timed.at("arms").at(1).at(key).get<std::vector<double>>();
        for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
            ratios.push_back(std::log(a[i] / b[i]));
        result[name + "_percent"] = (std::exp(mean(ratios)) - 1.0) * 100.0;
        result[name + "_interval_percent"] = nullptr;
        if (const auto interval = sign_flip_interval(ratios))
            result[name + "_interval_percent"] = {(std::exp(interval->low) - 1.0) * 100.0,
                                                  (std::exp(interval->high) - 1.0) * 100.0};
    }
    const auto flops = [&](std::size_t i) { return timed.at("arms").at(i).at("step_flops").get<double>(); };
    result["expected_time_percent"] = (flops(0) / flops(1) - 1.0) * 100.0;
    // Elements of the L x L matrices, which the reference path passes over many times and the fused one never writes.
    const auto scores = [&](std::size_t i) {
        const Json& timing = timed.at("arms").at(i);
        const auto length = timing.at("length").get<double>();
        return timing.at("batch").get<double>() * length * length;
    };
    result["expected_scores_percent"] = (scores(0) / scores(1) - 1.0) * 100.0;
    std::array<double, 2> extra{};
    for (std::size_t i = 0; i < 2; ++i) {
        const ArmConfig& arm = i == 0 ? variant : baseline;
        std::vector<std::string> alone = common;
        alone.insert(alone.end(), {"--arm", arm.name, "--blocks", "1"});
        SEXTANT_TRY(memory, benchmark_pair(context, alone));
        OrderedJson entry = OrderedJson::parse(dump_json(timed.at("arms").at(i), -1));
        const Json& own = memory.at("arms").at(0);
        for (const char* key : {"idle_rss_mb", "peak_rss_mb", "extra_rss_mb"})
            entry[key] = own.at(key).get<double>();
        extra[i] = own.at("extra_rss_mb").get<double>();
        result[i == 0 ? "method" : "baseline"] = std::move(entry);
    }
    result["memory_percent"] = extra[1] > 0.0 ? OrderedJson((extra[0] / extra[1] - 1.0) * 100.0) : OrderedJson(nullptr);
    return result;
}

Result<double> loss_of(const ModelRequest& request, std::span<const std::int32_t> tokens, std::int64_t length) {
    SEXTANT_TRY(model, load_language_model(request));
    model.gradients = FlatBuffer(model.layout->buffer_size);
    SEXTANT_TRY(chosen, choose_path(model.config, *model.encoding, *model.layout, model.parameters.values(),
                                    model.gradients.values(), {"auto", "cpu", "float32", resolve_threads(0), 0, {}}));
    return stream_loss(*chosen.path, tokens, length);
}

// The step at which the losses, in order of steps, first reach the target; between two of them by a straight line.
std::optional<double> first_step_at(const std::vector<std::pair<double, double>>& losses, double target) {
    for (std::size_t i = 0; i < losses.size(); ++i) {
        if (losses[i].second > target) continue;
        if (i == 0) return losses[0].first;
        const auto& [s0, l0] = losses[i - 1];
        const auto& [s1, l1] = losses[i];
        return s0 + (s1 - s0) * (l0 - target) / (l0 - l1);
    }
    return std::nullopt;
}

// Steps after which the variant has the baseline's final validation loss at the baseline's length, seed by seed.
Result<OrderedJson> steps_to_equal(const PreparedRun& prepared, const ArmConfig& variant, std::int64_t length) {
    SEXTANT_TRY(data, prepare_dataset(prepared.experiment.data, prepared.project.data_directory()));
    SEXTANT_TRY(listed, list_runs(prepared.project));
    const std::vector<ListedRun> runs = current_runs(prepared.experiment, listed);
    const auto find = [&](const std::string& arm, std::int64_t seed) -> const ListedRun* {
        for (const ListedRun& run : runs)
            if (run.plan.arm == arm && run.plan.seed == seed && run.state.completed) return &run;
        return nullptr;
    };
    OrderedJson seeds = OrderedJson::array();
    for (const std::int64_t seed : prepared.experiment.seeds) {
        const ListedRun* a = find(variant.name, seed);
        const ListedRun* b = find(prepared.experiment.baseline.name, seed);
        if (a == nullptr || b == nullptr) continue;
        SEXTANT_TRY(target, loss_of({b->directory.path, {}, true}, data.validation, length));
        std::vector<std::pair<double, double>> losses;
        for (const auto& [step, file] : a->state.snapshots) {
            const std::string folder = std::filesystem::path(a->directory.path + "/" + file).parent_path().string();
            SEXTANT_TRY(loss, loss_of({folder, {}, false}, data.validation, length));
            losses.emplace_back(static_cast<double>(step), loss);
        }
        SEXTANT_TRY(last, loss_of({a->directory.path, {}, true}, data.validation, length));
        if (losses.empty() || losses.back().first < static_cast<double>(a->plan.training.steps))
            losses.emplace_back(static_cast<double>(a->plan.training.steps), last);
        OrderedJson curve = OrderedJson::array();
        for (const auto& [step, loss] : losses)
            curve.push_back({{"step", static_cast<std::int64_t>(step)}, {"validation_loss", loss}});
        seeds.push_back({{"seed", seed},
                         {"baseline_steps", b->plan.training.steps},
                         {"baseline_validation_loss", target},
                         {"method_validation_loss", last},
                         {"method_steps_to_equal", or_null(first_step_at(losses, target))},
                         {"method_curve", std::move(curve)}});
    }
    return seeds;
}

// Folders carry the hash of all that decides the weights: other settings, other measurements.
Json identity(const PreparedRun& prepared, const ArmConfig& variant, const RunOptions& options) {
    Json folders = Json::array();
    for (const RunPlan& plan : prepared.selected)
        if (plan.arm == variant.name || plan.arm == prepared.experiment.baseline.name) folders.push_back(plan.folder);
    return {{"runs", folders}, {"blocks", options.time_blocks}};
}

std::string percent(const Json& value) {
    return value.is_number() ? fmt::format("{:+.1f} %", value.get<double>()) : std::string("-");
}

std::string table(const Json& record) {
    const Json& paths = record.at("paths");
    std::string text = fmt::format(
        "Press et al. 2022, arXiv 2108.12409: {} trained at {} against {} trained at {}, judged at {}\n",
        single_line(record.at("method").get<std::string>(), 40), record.at("method_length").get<std::int64_t>(),
        single_line(record.at("baseline").get<std::string>(), 40), record.at("baseline_length").get<std::int64_t>(),
        record.at("baseline_length").get<std::int64_t>());
    const auto row = [&](const std::string& label, const std::string& published, const auto& ours) {
        text += fmt::format("{:<50}{:>11}", label, published);
        for (const Json& path : paths)
            text += fmt::format("  {:>24}", ours(path));
        text += "\n";
    };
    row("", "published", [](const Json& path) { return path.at("path").get<std::string>() + " path"; });
    const Json& published = record.at("published");
    row("training time to equal perplexity", percent(published.at("training_time_percent")),
        [](const Json& path) { return percent(path.at("time_to_equal_percent")); });
    row("peak memory of training", percent(published.at("memory_percent")),
        [](const Json& path) { return percent(path.at("memory_percent")); });
    for (const auto& [label, key] :
         {std::pair{"processor time a step", "time_a_step"}, std::pair{"clock time a step", "clock_time_a_step"}}) {
        row(label, "", [name = std::string(key)](const Json& path) {
            const Json& interval = path.at(name + "_interval_percent");
            std::string cell = percent(path.at(name + "_percent"));
            if (interval.is_array())
                cell += fmt::format(" [{:+.1f}, {:+.1f}]", interval[0].get<double>(), interval[1].get<double>());
            return cell;
        });
    }
    row("time a step expected from counted operations", "",
        [](const Json& path) { return percent(path.at("expected_time_percent")); });
    row("elements of the L x L matrices", "", [](const Json& path) {
        return path.at("path") == "fused" ? std::string("none are stored")
                                          : percent(path.at("expected_scores_percent"));
    });
    for (const char* side : {"method", "baseline"}) {
        const std::string name = single_line(record.at(side).get<std::string>(), 24);
        row("tokens a second, " + name, "",
            [&](const Json& path) { return fmt::format("{:.0f}", path.at(side).at("tokens_per_s").get<double>()); });
        row("memory above the idle process, MB, " + name, "",
            [&](const Json& path) { return fmt::format("{:.1f}", path.at(side).at("extra_rss_mb").get<double>()); });
    }
    const Json& perplexity = record.at("perplexity");
    const auto shown = [](const Json& value) {
        return value.is_number() ? fmt::format("{:.3f}", value.get<double>()) : std::string("-");
    };
    text += fmt::format("perplexity at {} on the test split, non-overlapping: {} {}, {} {}\n",
                        record.at("baseline_length").get<std::int64_t>(),
                        single_line(record.at("method").get<std::string>(), 40), shown(perplexity.at("method")),
                        single_line(record.at("baseline").get<std::string>(), 40), shown(perplexity.at("baseline")));
    text += single_line(record.at("steps_note").get<std::string>(), 480) + "\n";
    text += fmt::format(
        "timed in {} interleaved blocks of {} steps an arm (A B A B), {} thread{}; time to equal perplexity is the "
        "share "
        "of steps times the processor time of a step; the published figures are of 1.3 billion parameters at lengths "
        "1,024 and 2,048 on GPUs\n",
        record.at("blocks").get<std::int64_t>(), kStepsOfBlock, paths.at(0).at("threads").get<std::int64_t>(),
        paths.at(0).at("threads").get<std::int64_t>() == 1 ? "" : "s");
    return text;
}

// Mean loss over the seeds that both arms have, at the baseline's training length.
OrderedJson perplexities(const PreparedRun& prepared, const ArmConfig& variant, std::int64_t length,
                         std::span<const ListedRun> runs) {
    OrderedJson block;
    for (const auto& [side, name] : {std::pair<const char*, std::string>{"method", variant.name},
                                     {"baseline", prepared.experiment.baseline.name}}) {
        std::vector<double> losses;
        for (const ListedRun& run : runs) {
            if (run.plan.arm != name) continue;
            for (const EvaluationEvent& event : run.state.evaluations)
                if (event.metric == "loss" && event.length == length && event.mode == "non-overlapping")
                    losses.push_back(event.value);
        }
        block[side] = losses.empty() ? OrderedJson(nullptr) : or_null(std::exp(mean(losses)));
    }
    return block;
}

Result<OrderedJson> measure(const PreparedRun& prepared, const ArmConfig& variant, const RunOptions& options,
                            const Context& context) {
    const Experiment& experiment = prepared.experiment;
    const std::int64_t length = experiment.model_of(experiment.baseline).context_length;
    OrderedJson record = {{"schema_version", 1},
                          {"identity", OrderedJson::parse(dump_json(identity(prepared, variant, options), -1))},
                          {"method", variant.name},
                          {"method_length", experiment.model_of(variant).context_length},
                          {"baseline", experiment.baseline.name},
                          {"baseline_length", length},
                          {"blocks", options.time_blocks}};
    OrderedJson published = OrderedJson::object();
    for (const auto& [name, value] : find_paper("2108.12409")->results)
        std::visit([&, key = name](const auto& figure) { published[key] = figure; }, value);
    record["published"] = std::move(published);
    SEXTANT_TRY(listed, list_runs(prepared.project));
    record["perplexity"] = perplexities(prepared, variant, length, current_runs(experiment, listed));
    context.note("measuring the paper's claim: steps to equal perplexity, then time and memory on both paths");
    SEXTANT_TRY(steps, steps_to_equal(prepared, variant, length));
    std::vector<double> shares;
    std::size_t reached = 0;
    bool curves = true;
    for (const OrderedJson& seed : steps) {
        curves = curves && seed.at("method_curve").size() > 2;
        if (!seed.at("method_steps_to_equal").is_number()) continue;
        ++reached;
        shares.push_back(seed.at("method_steps_to_equal").get<double>() / seed.at("baseline_steps").get<double>());
    }
    const bool all = reached == steps.size() && !steps.empty() && curves;
    record["steps_to_equal"] = steps;
    record["steps_to_equal_share"] = all ? OrderedJson(mean(shares)) : OrderedJson(nullptr);
    if (!curves) {
        record["steps_note"] =
            "steps to equal perplexity not measured: the runs kept too few snapshots (training.snapshot_every)";
    } else {
        record["steps_note"] = fmt::format(
            "validation loss at {} of the baseline's last step was reached by {} of {} seeds{}", length, reached,
            steps.size(),
            reached == 0 ? std::string(": no time to equal perplexity")
                         : fmt::format(", on average after {:.1f} % of the steps{}", mean(shares) * 100.0,
                                       all ? "" : "; without the others no time to equal perplexity is given"));
    }
    const std::int64_t asked = experiment.training.threads;
    record["paths"] = OrderedJson::array();
    for (const std::string& path : kPaths) {
        SEXTANT_TRY(result, measure_path(path, prepared.experiment_file, experiment.baseline, variant, options,
                                         asked > 0 ? asked : 1, context));
        OrderedJson entry = std::move(result);
        entry["time_to_equal_percent"] =
            all ? OrderedJson((mean(shares) * (1.0 + entry["time_a_step_percent"].get<double>() / 100.0) - 1.0) * 100.0)
                : OrderedJson(nullptr);
        record["paths"].push_back(std::move(entry));
    }
    return record;
}

}  // namespace

std::optional<ArmConfig> half_length_arm(const Experiment& experiment) {
    if (experiment.baseline.encoding.id != "sinusoidal") return std::nullopt;
    const std::int64_t whole = experiment.model_of(experiment.baseline).context_length;
    const std::int64_t tokens = experiment.training_of(experiment.baseline).batch_size * whole;
    for (const ArmConfig& arm : experiment.variants) {
        const std::int64_t length = experiment.model_of(arm).context_length;
        if (arm.encoding.id == "alibi" && 2 * length == whole &&
            experiment.training_of(arm).batch_size * length == tokens) {
            return arm;
        }
    }
    return std::nullopt;
}

Result<std::string> paper_claim(const PreparedRun& prepared, const RunOptions& options, const Context& context) {
    const auto variant = half_length_arm(prepared.experiment);
    if (!variant || options.time_blocks == 0) return std::string();
    const std::string file = record_file(prepared.project);
    std::error_code ignored;
    if (std::filesystem::exists(file, ignored)) {
        SEXTANT_TRY(kept, read_json_file(file));
        if (kept.is_object() && kept.value("identity", Json()) == identity(prepared, *variant, options)) {
            return guarded([&]() -> Result<std::string> { return table(kept); });
        }
    }
    return guarded([&]() -> Result<std::string> {
        SEXTANT_TRY(record, measure(prepared, *variant, options, context));
        const std::string text = dump_json(record) + "\n";
        SEXTANT_CHECK(write_file_atomically(file, text));
        return table(Json::parse(text));
    });
}

}  // namespace sextant::cli
