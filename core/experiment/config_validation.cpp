#include "core/experiment/config_validation.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "core/base/json.h"
#include "core/base/text.h"
#include "core/encoding/registry.h"
#include "core/experiment/config_sections.h"

namespace sextant {
namespace {

constexpr std::int64_t kSchemaVersion = 1;
constexpr std::size_t kMaximumVariants = 1000;

void check_model(const ModelConfig& model, const std::string& pointer, ConfigProblems& problems) {
    if (model.d_model % model.n_head != 0) {
        problems.push_back({pointer + "/d_model",
                            fmt::format("is {}, which {} heads (n_head) do not divide; use a multiple of {}",
                                        model.d_model, model.n_head, model.n_head),
                            false});
    }
    if (model.n_head % model.n_kv_head != 0) {
        problems.push_back(
            {pointer + "/n_kv_head",
             fmt::format("is {}, which does not divide the {} heads (n_head)", model.n_kv_head, model.n_head), false});
    }
}

void check_training(const TrainingConfig& training, const std::string& pointer, ConfigProblems& problems) {
    if (training.schedule.warmup_steps > training.steps) {
        problems.push_back(
            {pointer + "/schedule/warmup_steps",
             fmt::format("is {}, more than the {} steps of training", training.schedule.warmup_steps, training.steps),
             false});
    }
}

void check_data(const DataConfig& data, const ModelConfig& model, const std::string& pointer,
                ConfigProblems& problems) {
    const auto long_enough = [&](const char* key, std::int64_t tokens) {
        if (tokens >= model.context_length + 1) return;
        problems.push_back({"/data/" + std::string(key),
                            fmt::format("is {}, fewer than one window of context_length + 1 = {} tokens ({})", tokens,
                                        model.context_length + 1, pointer + "/context_length"),
                            false});
    };
    long_enough("train_tokens", data.train_tokens);
    long_enough("validation_tokens", data.validation_tokens);
    long_enough("test_tokens", data.test_tokens);
}

void check_evaluation(const EvaluationConfig& evaluation, const DataConfig& data, ConfigProblems& problems) {
    const std::string pointer = "/evaluation";
    for (std::size_t i = 0; i < evaluation.lengths.size(); ++i) {
        const std::int64_t length = evaluation.lengths[i];
        if (evaluation.tokens % length != 0) {
            const std::int64_t below = evaluation.tokens / length * length;
            problems.push_back(
                {pointer + "/tokens",
                 fmt::format("is {}, which length {} does not divide; every length must divide it{}", evaluation.tokens,
                             length, below > 0 ? fmt::format(" ({} would fit this one)", below) : ""),
                 false});
        }
    }
    const std::int64_t context = *std::max_element(evaluation.lengths.begin(), evaluation.lengths.end());
    const std::int64_t needed = evaluation.tokens + context + 1;
    if (needed > data.test_tokens) {
        problems.push_back(
            {pointer + "/tokens",
             fmt::format("{} targets behind a context of {} (the largest length) need {} + {} + 1 = {} "
                         "test tokens, but /data/test_tokens is {}",
                         evaluation.tokens, context, evaluation.tokens, context, needed, data.test_tokens),
             false});
    }
    const bool strided = std::any_of(evaluation.modes.begin(), evaluation.modes.end(),
                                     [](const std::string& mode) { return mode != "non-overlapping"; });
    const std::int64_t shortest = *std::min_element(evaluation.lengths.begin(), evaluation.lengths.end());
    if (strided && evaluation.stride > shortest) {
        problems.push_back({pointer + "/stride",
                            fmt::format("is {}, more than the shortest length {}; some targets would be skipped",
                                        evaluation.stride, shortest),
                            false});
    }
}

void check_primary(const Experiment& experiment, ConfigProblems& problems) {
    if (!experiment.evaluation.primary) return;
    const PrimaryEndpoint& primary = *experiment.evaluation.primary;
    const auto& lengths = experiment.evaluation.lengths;
    const auto& modes = experiment.evaluation.modes;
    if (primary.metric == "loss" && std::find(lengths.begin(), lengths.end(), primary.length) == lengths.end()) {
        problems.push_back({"/evaluation/primary/length",
                            fmt::format("is {}, which is not among /evaluation/lengths", primary.length), false});
    }
    if (primary.metric == "loss" && std::find(modes.begin(), modes.end(), primary.mode) == modes.end()) {
        problems.push_back(
            {"/evaluation/primary/mode", "is \"" + primary.mode + "\", which is not among /evaluation/modes", false});
    }
    if (primary.contrast.empty()) return;
    std::vector<std::string> contrasts;
    for (const ArmConfig& variant : experiment.variants)
        contrasts.push_back(variant.name + " - " + experiment.baseline.name);
    if (std::find(contrasts.begin(), contrasts.end(), primary.contrast) == contrasts.end()) {
        problems.push_back({"/evaluation/primary/contrast",
                            "must be \"variant - baseline\" with names of this experiment: " +
                                single_line(join_limited(contrasts), 200),
                            false});
    }
}

bool mentions(const ConfigProblems& problems, const std::string& prefix) {
    return std::any_of(problems.begin(), problems.end(), [&](const ConfigProblem& problem) {
        return !problem.warning && problem.pointer.compare(0, prefix.size(), prefix) == 0;
    });
}

void check_one_encoding(const EncodingConfig& encoding, const EncodingSite& site, const std::string& pointer,
                        ConfigProblems& problems) {
    const std::vector<EncodingProblem> found = check_encoding(encoding, site);
    for (const EncodingProblem& problem : found) {
        const std::string place =
            problem.parameter.empty() ? pointer + "/id" : json_pointer(pointer + "/parameters", problem.parameter);
        problems.push_back({place, problem.message, false});
    }
    if (!found.empty()) return;
    if (const auto made = make_encoding(encoding, site)) {
        for (const std::string& warning : (*made)->warnings())
            problems.push_back({pointer, warning, true});
    }
}

// The arm's settings with its overrides applied, checked as the experiment's own are.
void check_arm(const Experiment& experiment, const ArmConfig& arm, const std::string& pointer,
               ConfigProblems& problems) {
    ModelConfig model = experiment.model;
    if (arm.model_overrides != "{}") {
        Json merged = Json(to_json(experiment.model));
        merged.merge_patch(Json::parse(arm.model_overrides));
        model = ModelConfig{};
        model.vocab_size = experiment.model.vocab_size;
        read_model(merged, pointer + "/model", model, problems);
        if (mentions(problems, pointer + "/model")) return;
        check_model(model, pointer + "/model", problems);
        if (mentions(problems, pointer + "/model")) return;
        check_data(experiment.data, model, pointer + "/model", problems);
    }
    if (arm.training_overrides != "{}") {
        Json merged = Json(to_json(experiment.training));
        merged.merge_patch(Json::parse(arm.training_overrides));
        TrainingConfig training;
        read_training(merged, pointer + "/training", training, problems);
        if (!mentions(problems, pointer + "/training")) check_training(training, pointer + "/training", problems);
    }
    if (mentions(problems, pointer + "/encoding")) return;
    check_one_encoding(arm.encoding, model.encoding_site(), pointer + "/encoding", problems);
    if (arm.evaluation_encoding) {
        if (arm.evaluation_encoding->id != arm.encoding.id) {
            problems.push_back({pointer + "/evaluation_encoding/id",
                                "must be \"" + single_line(arm.encoding.id, 40) +
                                    "\", the encoding the arm is trained with; only its parameters may differ",
                                false});
            return;
        }
        check_one_encoding(*arm.evaluation_encoding, model.encoding_site(), pointer + "/evaluation_encoding", problems);
    }
}

void read_arms(ConfigReader& reader, Experiment& experiment, ConfigProblems& problems) {
    if (const Json* baseline = reader.required("baseline")) {
        read_arm(*baseline, "/baseline", experiment.baseline, problems);
    }
    if (const Json* variants = reader.child("variants")) {
        if (!variants->is_array() || variants->size() > kMaximumVariants) {
            reader.problem("variants", fmt::format("must be a list of at most {} arms, not {}", kMaximumVariants,
                                                   variants->is_array() ? std::to_string(variants->size())
                                                                        : describe_value(*variants)));
        } else {
            for (std::size_t i = 0; i < variants->size(); ++i) {
                read_arm((*variants)[i], json_pointer("/variants", i), experiment.variants.emplace_back(), problems);
            }
        }
    }
    std::set<std::string> names{experiment.baseline.name};
    for (std::size_t i = 0; i < experiment.variants.size(); ++i) {
        const std::string& name = experiment.variants[i].name;
        if (!name.empty() && !names.insert(name).second) {
            problems.push_back({json_pointer("/variants", i) + "/name",
                                "repeats the name \"" + single_line(name, 60) + "\"; arm names must differ", false});
        }
    }
}

void read_seeds(ConfigReader& reader, Experiment& experiment, ConfigProblems& problems) {
    const Json* list = reader.child("seeds");
    if (list == nullptr) return;
    if (!list->is_array() || list->empty() || list->size() > 100'000) {
        reader.problem("seeds",
                       "must be a list of at least one seed, as [42], not " +
                           (list->is_array() ? std::to_string(list->size()) + " entries" : describe_value(*list)));
        return;
    }
    std::vector<std::int64_t> seeds;
    std::set<std::int64_t> seen;
    for (std::size_t i = 0; i < list->size(); ++i) {
        const std::string place = json_pointer("/seeds", i);
        std::int64_t seed = 0;
        if (!read_integer((*list)[i], place, {0, INT64_MAX}, seed, problems)) continue;
        if (seen.insert(seed).second) {
            seeds.push_back(seed);
        } else {
            problems.push_back({place, fmt::format("repeats seed {}; seeds must differ", seed), false});
        }
    }
    if (!seeds.empty()) experiment.seeds = std::move(seeds);
}

// False when the document cannot be read as this schema at all.
bool check_schema(ConfigReader& reader, ConfigProblems& problems) {
    const Json* version = reader.child("schema_version");
    if (version == nullptr) {
        reader.problem("schema_version", "is missing; an experiment file begins with \"schema_version\": 1");
        return true;
    }
    std::int64_t number = 0;
    if (!read_integer(*version, "/schema_version", {1, INT64_MAX}, number, problems)) return true;
    if (number <= kSchemaVersion) return true;
    reader.problem("schema_version", fmt::format("is {}, written by a newer Sextant; this one reads up to {}: install "
                                                 "the newer version to open it",
                                                 number, kSchemaVersion));
    return false;
}

}  // namespace

bool has_errors(const ConfigProblems& problems) {
    return std::any_of(problems.begin(), problems.end(), [](const ConfigProblem& problem) { return !problem.warning; });
}

Experiment read_experiment(const Json& document, ConfigProblems& problems) {
    Experiment experiment;
    ConfigReader reader(document, "", problems);
    if (!document.is_object() || !check_schema(reader, problems)) return experiment;
    if (reader.required("name") != nullptr) {
        const std::size_t before = problems.size();
        reader.text("name", experiment.name);
        const std::string wrong = name_problem(experiment.name);
        if (problems.size() == before && !wrong.empty()) reader.problem("name", wrong);
    }
    if (const Json* data = reader.child("data")) read_data(*data, "/data", experiment.data, problems);
    if (const Json* model = reader.child("model")) read_model(*model, "/model", experiment.model, problems);
    if (const Json* training = reader.child("training")) {
        read_training(*training, "/training", experiment.training, problems);
    }
    if (const Json* evaluation = reader.child("evaluation")) {
        read_evaluation(*evaluation, "/evaluation", experiment.evaluation, problems);
    }
    read_arms(reader, experiment, problems);
    read_seeds(reader, experiment, problems);
    reader.finish();

    experiment.model.vocab_size = experiment.data.tokenizer.vocab_size;
    const bool data_good = !mentions(problems, "/data");
    if (!mentions(problems, "/model")) check_model(experiment.model, "/model", problems);
    const bool model_good = !mentions(problems, "/model");
    if (!mentions(problems, "/training")) check_training(experiment.training, "/training", problems);
    if (model_good && data_good) check_data(experiment.data, experiment.model, "/model", problems);
    if (data_good && !mentions(problems, "/evaluation")) {
        check_evaluation(experiment.evaluation, experiment.data, problems);
    }
    if (!mentions(problems, "/evaluation/primary")) check_primary(experiment, problems);
    if (model_good && !mentions(problems, "/training")) {
        if (document.contains("baseline")) check_arm(experiment, experiment.baseline, "/baseline", problems);
        for (std::size_t i = 0; i < experiment.variants.size(); ++i)
            check_arm(experiment, experiment.variants[i], json_pointer("/variants", i), problems);
    }
    if (document.contains("baseline") && experiment.variants.empty() && !mentions(problems, "/variants")) {
        problems.push_back({"/variants", "is empty: the baseline is trained alone and no artifact is written", true});
    }
    return experiment;
}

Error problems_error(const ConfigProblems& problems, const std::string& path) {
    std::vector<const ConfigProblem*> errors;
    for (const ConfigProblem& problem : problems) {
        if (!problem.warning) errors.push_back(&problem);
    }
    Error error = config_error("");
    error.path = path;
    const auto whole = [](const ConfigProblem& problem) {
        return (problem.pointer.empty() ? "" : problem.pointer + ": ") + problem.message;
    };
    if (errors.size() == 1) {
        error.pointer = errors.front()->pointer;
        error.message = errors.front()->message;
        return error;
    }
    error.message = fmt::format("{} problems: ", errors.size());
    for (std::size_t i = 0; i < errors.size() && i < 5; ++i)
        error.message += (i > 0 ? "; " : "") + whole(*errors[i]);
    if (errors.size() > 5) error.message += fmt::format("; and {} more", errors.size() - 5);
    for (const ConfigProblem* problem : errors)
        error.context.push_back(whole(*problem));
    return error;
}

}  // namespace sextant
