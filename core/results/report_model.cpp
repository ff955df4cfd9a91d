#include "core/results/report_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "core/base/json.h"
#include "core/base/text.h"
#include "core/encoding/registry.h"
#include "core/experiment/config_io.h"
#include "core/results/current_runs.h"

namespace sextant {
namespace {

ReportArm report_arm(const Experiment& experiment, const ArmConfig& arm, std::span<const ListedRun> runs) {
    ReportArm out;
    out.name = arm.name;
    out.encoding = arm.encoding.id;
    out.baseline = arm.name == experiment.baseline.name;
    if (const EncodingSpec* spec = find_encoding(arm.encoding.id)) {
        out.encoding_name = spec->name;
        out.reference = spec->reference;
    }
    // Complete parameters, defaults included: a reader must not have to know them.
    if (auto made = make_encoding(arm.encoding, experiment.model_of(arm).encoding_site())) {
        for (const auto& [name, value] : (*made)->parameters())
            out.parameters += fmt::format("{}{}={}", out.parameters.empty() ? "" : " ", name, to_text(value));
    }
    OrderedJson differences = OrderedJson::object();
    if (arm.model_overrides != "{}") differences["model"] = OrderedJson::parse(arm.model_overrides);
    if (arm.training_overrides != "{}") differences["training"] = OrderedJson::parse(arm.training_overrides);
    if (arm.evaluation_encoding) differences["evaluation_encoding"] = to_json(*arm.evaluation_encoding);
    if (!differences.empty()) out.differences = dump_json(differences, -1);
    for (const ListedRun& run : runs)
        if (run.plan.arm == arm.name && run.state.started) out.trained_parameters = run.state.started->parameters;
    return out;
}

std::string status_of(const Comparison& comparison, const ListedRun& run) {
    for (const ArmResult& arm : comparison.arms) {
        if (arm.name != run.plan.arm) continue;
        const auto seed = arm.seeds.find(run.plan.seed);
        if (seed != arm.seeds.end()) return seed->second.state;
    }
    return phase_name(run.state.phase);
}

Sentence question_of(const Experiment& experiment, const Comparison& comparison) {
    std::vector<std::string> names;
    for (const ArmConfig& variant : experiment.variants)
        names.push_back(variant.name);
    const std::string variants = join_limited(names, 6);
    if (comparison.primary) {
        return {"Does %1 differ from %2 in %3 at length %4 (%5) after the same training?",
                {variants, experiment.baseline.name, comparison.primary->metric,
                 fmt::format("{}", comparison.primary->length), comparison.primary->mode}};
    }
    return {"How does %1 compare with %2? (exploratory: no primary endpoint was declared)",
            {variants, experiment.baseline.name}};
}

std::vector<Sentence> limits_of(const Experiment& experiment, const Comparison& comparison,
                                const std::vector<ReportRun>& runs, std::int64_t parameters) {
    std::vector<Sentence> limits;
    limits.push_back(
        {"A small model of %1 parameters trained on %2 tokens; the papers train 247 million to 1.3 billion "
         "parameters. Directions may carry over, numbers do not.",
         {grouped(parameters), grouped(experiment.data.train_tokens)}});
    const auto seeds = static_cast<std::int64_t>(experiment.seeds.size());
    if (seeds < comparison.pairs_needed) {
        limits.push_back({"Seeds run: %1. Any claim needs at least %2 pairs, so none is made.",
                          {fmt::format("{}", seeds), fmt::format("{}", comparison.pairs_needed)}});
    }
    for (const ReportRun& run : runs) {
        if (run.status != "complete")
            limits.push_back({"%1, seed %2: %3.", {run.arm, fmt::format("{}", run.seed), run.status}});
    }
    for (const LengthRow& row : comparison.lengths) {
        if (row.n == 0 && !row.reason.empty() && row.reason != "not evaluated") {
            limits.push_back({"%1 at length %2 (%3): no value, %4.",
                              {row.arm, fmt::format("{}", row.measure.length), row.measure.mode, row.reason}});
        }
    }
    limits.push_back({"One corpus and one test text: the statistics are over seeds, not over texts.", {}});
    limits.push_back({"No reward stage was run; post_training_loss and reward_bearing_group_rate are null.", {}});
    return limits;
}

}  // namespace

ReportModel build_report(const Experiment& experiment, std::span<const ListedRun> all,
                         const std::optional<DatasetInfo>& data, const Provenance& provenance) {
    const std::vector<ListedRun> runs = current_runs(experiment, all);
    ReportModel report;
    if (all.size() > runs.size()) {
        report.notes.push_back(
            fmt::format("{} runs of other settings of this project are left out", all.size() - runs.size()));
    }
    report.experiment = experiment;
    report.title = experiment.name;
    report.comparison = compare_arms(comparison_input(experiment, runs));
    report.question = question_of(experiment, report.comparison);
    report.provenance = provenance;
    report.probe_text = experiment.evaluation.probe_text;
    std::set<std::string> papers;
    std::int64_t parameters = 0;
    for (const ArmConfig& arm : experiment.arms()) {
        report.arms.push_back(report_arm(experiment, arm, runs));
        papers.insert(report.arms.back().reference);
        parameters = std::max(parameters, report.arms.back().trained_parameters);
    }
    for (const ListedRun& run : runs) {
        ReportRun out;
        out.arm = run.plan.arm;
        out.folder = run.plan.folder;
        out.directory = run.directory.path;
        std::error_code absent;
        out.checkpoint = !run.state.checkpoints.empty() &&
                         std::filesystem::exists(run.directory.path + "/" + run.state.checkpoints.back(), absent);
        out.seed = run.plan.seed;
        out.state = phase_name(run.state.phase);
        out.status = status_of(report.comparison, run);
        out.steps = run.state.steps;
        out.validations = run.state.validations;
        out.evaluations = run.state.evaluations;
        out.warnings = run.state.warnings;
        if (run.state.completed) {
            out.seconds = run.state.completed->seconds;
            out.tokens_per_s = run.state.completed->tokens_per_s;
            out.peak_rss_mb = run.state.completed->peak_rss_mb;
        }
        if (run.state.started) out.idle_rss_mb = run.state.started->idle_rss_mb;
        for (const std::string& problem : run.problems)
            report.notes.push_back(fmt::format("{}: {}", run.plan.folder, problem));
        report.runs.push_back(std::move(out));
    }
    const auto fact = [](std::vector<ReportFact>& list, const char* label, Sentence value) {
        list.push_back({label, std::move(value)});
    };
    const auto plain = [](std::string value) { return Sentence{"%1", {std::move(value)}}; };
    const auto count = [&](std::int64_t value) { return plain(grouped(value)); };
    if (data) {
        fact(report.data, "corpus", plain(data->name));
        fact(report.data, "training tokens", count(data->train_tokens));
        fact(report.data, "validation tokens", count(data->validation_tokens));
        fact(report.data, "test tokens", count(data->test_tokens));
        if (data->narrative_tokens > 0) fact(report.data, "narrative tokens", count(data->narrative_tokens));
        fact(report.data, "tokenizer", plain(data->tokenizer));
        fact(report.data, "vocabulary", count(data->vocab_size));
        if (!data->identity.tokens_sha256.empty())
            fact(report.data, "fingerprint of the tokens", plain(data->identity.tokens_sha256));
        report.notes.insert(report.notes.end(), data->notes.begin(), data->notes.end());
    }
    const ModelConfig& model = experiment.model;
    const TrainingConfig& training = experiment.training;
    const auto whole = [](std::int64_t value) { return fmt::format("{}", value); };
    fact(
        report.budget, "model",
        {model.tie_embeddings ? "%1 layers, width %2, %3 heads (%4 of keys and values), feed-forward %5, tied embedding"
                              : "%1 layers, width %2, %3 heads (%4 of keys and values), feed-forward %5, untied "
                                "embedding",
         {whole(model.n_layer), whole(model.d_model), whole(model.n_head), whole(model.n_kv_head), whole(model.d_ff)}});
    fact(report.budget, "context length", count(model.context_length));
    fact(report.budget, "steps", count(training.steps));
    fact(report.budget, "batch", count(training.batch_size));
    fact(report.budget, "training tokens seen", count(training.steps * training.batch_size * model.context_length));
    fact(report.budget, "optimizer",
         {"%1, learning rate %2, betas %3 and %4, weight decay %5",
          {training.optimizer.kind, format_exact(training.optimizer.learning_rate),
           format_exact(training.optimizer.beta1), format_exact(training.optimizer.beta2),
           format_exact(training.optimizer.weight_decay)}});
    fact(
        report.budget, "schedule",
        {"%1, warm-up over %2 steps, down to %3 of the peak",
         {training.schedule.kind, whole(training.schedule.warmup_steps), format_exact(training.schedule.final_ratio)}});
    fact(report.budget, "seeds", plain(fmt::format("{}", fmt::join(experiment.seeds, ", "))));
    const EvaluationConfig& evaluation = experiment.evaluation;
    fact(report.evaluation, "lengths", plain(fmt::format("{}", fmt::join(evaluation.lengths, ", "))));
    fact(report.evaluation, "modes", plain(fmt::format("{}", fmt::join(evaluation.modes, ", "))));
    fact(report.evaluation, "stride of sliding windows", count(evaluation.stride));
    fact(report.evaluation, "targets",
         {evaluation.tokens < kFullTargets ? "%1 (small N)" : "%1", {grouped(evaluation.tokens)}});
    report.limits = limits_of(experiment, report.comparison, report.runs, parameters);
    const bool declared = evaluation.primary.has_value();
    const std::string missing = missing_provenance(provenance);
    const bool known_commit = !provenance.commit.empty() && provenance.commit != "unknown";
    report.checklist = {
        {"Is the code that made the numbers identified?",
         known_commit ? Sentence{"Yes: commit %1", {provenance.commit}} : Sentence{"No: %1", {missing}}},
        {"Is the data identified?", provenance.data.tokens_sha256.empty()
                                        ? Sentence{"No", {}}
                                        : Sentence{"Yes: SHA-256 %1", {provenance.data.tokens_sha256}}},
        {"Are all hyper-parameters given?", {"Yes: experiment.json in the project folder", {}}},
        {"Did every arm get the same tokens, order and budget?",
         {"See the fairness hashes and overrides in artifacts/*.json", {}}},
        {"How many runs, and what varies between them?",
         {"%1 seeds for each arm; initial weights and data order",
          {whole(static_cast<std::int64_t>(experiment.seeds.size()))}}},
        {"Was the endpoint fixed before the run?",
         declared ? Sentence{"Yes", {}} : Sentence{"No: everything is exploratory", {}}},
        {"What error measure is given?",
         {"Paired sign-flip test and the interval from inverting it; sd over seeds; the test text's own error apart",
          {}}},
        {"What hardware and how long?",
         {"%1; threads: %2; times in the cost table",
          {provenance.cpu, fmt::format("{}", fmt::join(provenance.threads, ", "))}}},
        {"Can it be repeated with one command?",
         {"Yes: %1", {provenance.command_line.empty() ? "sextant-cli run experiment.json" : provenance.command_line}}},
    };
    for (const PaperClaim& claim : claims_ledger())
        if (papers.count(claim.paper) != 0) report.claims.push_back(claim);
    return report;
}

Result<ReportModel> read_report(const Project& project) {
    SEXTANT_TRY(loaded, load_experiment(project.experiment_file()));
    SEXTANT_TRY(runs, list_runs(project));
    std::optional<DatasetInfo> data;
    if (auto info = read_dataset_info(project)) data = *info;
    const Provenance provenance = collect_provenance(runs, data.value_or(DatasetInfo{}), {});
    return build_report(loaded.experiment, runs, data, provenance);
}

OrderedJson to_json(const ReportModel& report) {
    const auto facts = [](const std::vector<ReportFact>& list) {
        OrderedJson block = OrderedJson::object();
        for (const ReportFact& fact : list)
            block[fact.label] = fact.value.text();
        return block;
    };
    OrderedJson document = {{"schema_version", 1}, {"title", report.title}, {"question", report.question.text()}};
    document["arms"] = OrderedJson::array();
    for (const ReportArm& arm : report.arms) {
        document["arms"].push_back({{"name", arm.name},
                                    {"baseline", arm.baseline},
                                    {"encoding", arm.encoding},
                                    {"encoding_name", arm.encoding_name},
                                    {"reference", arm.reference},
                                    {"parameters", arm.parameters},
                                    {"differences", arm.differences},
                                    {"trained_parameters", arm.trained_parameters}});
    }
    document["data"] = facts(report.data);
    document["budget"] = facts(report.budget);
    document["evaluation"] = facts(report.evaluation);
    document["comparison"] = to_json(report.comparison);
    document["runs"] = OrderedJson::array();
    for (const ReportRun& run : report.runs) {
        OrderedJson steps = OrderedJson::array();
        for (const StepPoint& point : run.steps) {
            steps.push_back({{"step", point.step},
                             {"tokens", point.tokens},
                             {"time", point.time},
                             {"elapsed", point.elapsed},
                             {"loss", point.loss},
                             {"learning_rate", point.learning_rate},
                             {"gradient_norm", point.gradient_norm},
                             {"tokens_per_s", point.tokens_per_s}});
        }
        OrderedJson validations = OrderedJson::array();
        for (const ValidationPoint& point : run.validations)
            validations.push_back(
                {{"step", point.step}, {"tokens", point.tokens}, {"elapsed", point.elapsed}, {"loss", point.loss}});
        document["runs"].push_back({{"arm", run.arm},
                                    {"seed", run.seed},
                                    {"folder", run.folder},
                                    {"status", run.status},
                                    {"seconds", run.seconds},
                                    {"tokens_per_s", run.tokens_per_s},
                                    {"peak_rss_mb", run.peak_rss_mb},
                                    {"idle_rss_mb", run.idle_rss_mb},
                                    {"warnings", run.warnings},
                                    {"steps", steps},
                                    {"validations", validations}});
    }
    document["limits"] = OrderedJson::array();
    for (const Sentence& limit : report.limits)
        document["limits"].push_back(limit.text());
    document["notes"] = report.notes;
    document["provenance"] = to_json(report.provenance, "");
    document["provenance"].erase("artifact_path");
    document["checklist"] = OrderedJson::array();
    for (const auto& [question, answer] : report.checklist)
        document["checklist"].push_back({{"question", question}, {"answer", answer.text()}});
    document["claims"] = OrderedJson::array();
    for (const PaperClaim& claim : report.claims) {
        OrderedJson published = OrderedJson::array();
        for (const PublishedFigure& figure : claim.published)
            published.push_back({{"label", figure.label}, {"value", figure.value}, {"unit", figure.unit}});
        OrderedJson ours = OrderedJson::array();
        for (const PublishedFigure& figure : claim.ours)
            ours.push_back({{"label", figure.label}, {"value", figure.value}, {"unit", figure.unit}});
        document["claims"].push_back({{"id", claim.id},
                                      {"statement", claim.statement},
                                      {"published", published},
                                      {"ours", ours},
                                      {"ours_how", claim.ours_how},
                                      {"table", claim.table},
                                      {"reference", claim.reference},
                                      {"status", claim_status_text(claim.status)},
                                      {"how", claim.how},
                                      {"why", claim.why}});
    }
    return document;
}

}  // namespace sextant
