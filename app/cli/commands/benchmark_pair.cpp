#include "app/cli/commands/benchmark_pair.h"

#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "core/base/json.h"
#include "core/base/text.h"
#include "core/engine/arm_timing.h"
#include "core/engine/device.h"
#include "core/experiment/config_io.h"
#include "core/experiment/presets.h"

namespace sextant::cli {
namespace {

struct Options {
    std::string experiment, preset;
    std::vector<std::string> arms;
    ArmTimingRequest request;
    std::int64_t threads = 0;
    bool json = false;
};

Result<Experiment> experiment_of(const Options& options) {
    if (options.experiment.empty() == options.preset.empty())
        return usage_error("benchmark pair needs an experiment file or --preset NAME");
    if (!options.preset.empty()) {
        SEXTANT_TRY(preset, find_preset(options.preset));
        return preset.experiment;
    }
    SEXTANT_TRY(loaded, load_experiment(options.experiment));
    return loaded.experiment;
}

Result<std::vector<ArmConfig>> arms_of(const Options& options, const Experiment& experiment) {
    const std::vector<ArmConfig> all = experiment.arms();
    if (options.arms.empty()) {
        if (experiment.variants.empty()) return std::vector<ArmConfig>{experiment.baseline};
        return std::vector<ArmConfig>{experiment.variants.front(), experiment.baseline};
    }
    std::vector<ArmConfig> chosen;
    for (const std::string& name : options.arms) {
        const auto arm = std::find_if(all.begin(), all.end(), [&](const ArmConfig& one) { return one.name == name; });
        if (arm == all.end())
            return usage_error(fmt::format("--arm: the experiment has no arm \"{}\"", single_line(name, 60)));
        chosen.push_back(*arm);
    }
    return chosen;
}

OrderedJson to_json(const ArmTiming& timing, bool alone) {
    OrderedJson entry = {{"arm", timing.arm},
                         {"path", timing.path},
                         {"length", timing.length},
                         {"batch", timing.batch},
                         {"block_ms", timing.block_ms},
                         {"block_processor_ms", timing.block_processor_ms},
                         {"ms_per_step", timing.median_ms()},
                         {"tokens_per_s", timing.tokens_per_s()},
                         {"step_flops", timing.step_flops}};
    if (alone) {
        entry["idle_rss_mb"] = timing.idle_rss_mb;
        entry["peak_rss_mb"] = timing.peak_rss_mb;
        entry["extra_rss_mb"] = std::max(0.0, timing.peak_rss_mb - timing.idle_rss_mb);
    }
    return entry;
}

Status benchmark_pair(Options& options) {
    SEXTANT_TRY(experiment, experiment_of(options));
    SEXTANT_TRY(arms, arms_of(options, experiment));
    options.request.threads = resolve_threads(options.threads);
    SEXTANT_TRY(timings, guarded([&] { return time_arms(experiment, arms, options.request); }));
    OrderedJson document = {{"benchmark", "pair"},
                            {"threads", options.request.threads},
                            {"blocks", options.request.blocks},
                            {"steps_a_block", options.request.steps},
                            {"arms", OrderedJson::array()}};
    for (const ArmTiming& timing : timings)
        document["arms"].push_back(to_json(timing, timings.size() == 1));
    if (options.json) {
        print_text(dump_json(document));
        return {};
    }
    std::string text =
        fmt::format("{} interleaved blocks of {} steps an arm, {} thread{}\n", options.request.blocks,
                    options.request.steps, options.request.threads, options.request.threads == 1 ? "" : "s");
    for (const ArmTiming& timing : timings) {
        text += fmt::format("{}: {} path, {} x {} tokens, {:.3f} ms a step (median), {:.0f} tokens/s, {:.1f} MFLOP\n",
                            single_line(timing.arm, 60), timing.path, timing.batch, timing.length, timing.median_ms(),
                            timing.tokens_per_s(), timing.step_flops * 1e-6);
    }
    if (timings.size() == 1) {
        text += fmt::format("memory: idle {:.1f} MB, peak {:.1f} MB\n", timings[0].idle_rss_mb, timings[0].peak_rss_mb);
    }
    print_text(text);
    return {};
}

}  // namespace

void add_benchmark_pair(CLI::App& benchmark, Context& context) {
    const auto options = std::make_shared<Options>();
    CLI::App* command = benchmark.add_subcommand(
        "pair", "Training steps of an experiment's arms in interleaved blocks A B A B; one arm alone gives its memory");
    command->add_option("experiment", options->experiment, "Experiment file; or use --preset");
    command->add_option("--preset", options->preset, "An experiment that ships: see 'presets'");
    command
        ->add_option("--arm", options->arms,
                     "An arm to time (repeatable; without it the first variant and the baseline)")
        ->take_all()
        ->expected(1)
        ->allow_extra_args(false);
    command->add_option("--path", options->request.path, "fused or reference")
        ->check(CLI::IsMember({"fused", "reference"}));
    command->add_option("--blocks", options->request.blocks, "Blocks of each arm")->check(CLI::Range(1, 10'000));
    command->add_option("--steps", options->request.steps, "Steps a block")->check(CLI::Range(1, 100'000));
    command->add_option("--threads", options->threads, "Threads, 0 for all cores")->check(CLI::Range(0, 1024));
    command->add_flag("--json", options->json, "One JSON document on standard output");
    command->callback([options, &context] {
        if (const Status status = benchmark_pair(*options); !status.ok()) context.fail(status.error());
    });
}

}  // namespace sextant::cli
