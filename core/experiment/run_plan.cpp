#include "core/experiment/run_plan.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "core/base/atomic_file.h"
#include "core/base/hash.h"
#include "core/base/json.h"
#include "core/base/text.h"
#include "core/experiment/config_io.h"
#include "core/experiment/config_sections.h"
#include "core/experiment/config_validation.h"

namespace sextant {
namespace {

constexpr std::int64_t kSchemaVersion = 1;
constexpr std::size_t kMaximumPlans = 1'000'000;

Json hashed_training(const TrainingConfig& training) {
    Json json = Json(to_json(training));
    for (const char* key :
         {"device", "path", "threads", "log_every", "evaluate_every", "checkpoint_every", "snapshot_every"})
        json.erase(key);
    return json;
}

Json hashed_model(const ModelConfig& model) {
    Json json = Json(to_json(model));
    json["vocab_size"] = model.vocab_size;
    return json;
}

// What decides an arm's weights apart from its name, its seed and the data.
Json arm_identity(const Experiment& experiment, const ArmConfig& arm) {
    Json json;
    json["model"] = hashed_model(experiment.model_of(arm));
    json["training"] = hashed_training(experiment.training_of(arm));
    json["encoding"] = Json(to_json(arm.encoding));
    if (arm.evaluation_encoding) json["evaluation_encoding"] = Json(to_json(*arm.evaluation_encoding));
    return json;
}

bool is_hex(const std::string& text, std::size_t digits) {
    return text.size() == digits && text.find_first_not_of("0123456789abcdef") == std::string::npos;
}

OrderedJson body_of(const RunPlan& plan) {
    OrderedJson json;
    json["number"] = plan.number;
    json["arm"] = plan.arm;
    json["seed"] = plan.seed;
    json["folder"] = plan.folder;
    json["plan_sha256"] = plan.plan_sha256;
    json["encoding"] = to_json(plan.encoding);
    if (plan.evaluation_encoding) json["evaluation_encoding"] = to_json(*plan.evaluation_encoding);
    json["model"] = to_json(plan.model);
    json["model"]["vocab_size"] = plan.model.vocab_size;
    json["training"] = to_json(plan.training);
    json["data"] = to_json(plan.data);
    json["identity"] = {{"corpus_sha256", plan.identity.corpus_sha256},
                        {"tokenizer_sha256", plan.identity.tokenizer_sha256},
                        {"tokens_sha256", plan.identity.tokens_sha256}};
    return json;
}

void read_identity(const Json& value, const std::string& pointer, DataIdentity& out, ConfigProblems& problems) {
    ConfigReader reader(value, pointer, problems);
    reader.text("corpus_sha256", out.corpus_sha256);
    reader.text("tokenizer_sha256", out.tokenizer_sha256);
    reader.text("tokens_sha256", out.tokens_sha256);
    reader.finish();
}

void read_body(const Json& value, const std::string& pointer, RunPlan& out, ConfigProblems& problems) {
    ConfigReader reader(value, pointer, problems);
    (void)reader.child("schema_version");
    reader.integer("number", out.number, {0, static_cast<std::int64_t>(kMaximumPlans)});
    reader.text("arm", out.arm);
    reader.integer("seed", out.seed, {0, INT64_MAX});
    reader.text("folder", out.folder);
    reader.text("plan_sha256", out.plan_sha256);
    if (const Json* encoding = reader.required("encoding")) {
        read_encoding(*encoding, reader.at("encoding"), out.encoding, problems);
    }
    if (const Json* encoding = reader.child("evaluation_encoding")) {
        EncodingConfig judged;
        read_encoding(*encoding, reader.at("evaluation_encoding"), judged, problems);
        out.evaluation_encoding = judged;
    }
    if (const Json* model = reader.required("model")) {
        Json sizes = *model;
        if (sizes.is_object() && sizes.contains("vocab_size")) {
            read_integer(sizes["vocab_size"], reader.at("model") + "/vocab_size", {1, 262144}, out.model.vocab_size,
                         problems);
            sizes.erase("vocab_size");
        }
        read_model(sizes, reader.at("model"), out.model, problems);
    }
    if (const Json* training = reader.required("training")) {
        read_training(*training, reader.at("training"), out.training, problems);
    }
    if (const Json* data = reader.required("data")) read_data(*data, reader.at("data"), out.data, problems);
    if (const Json* identity = reader.child("identity")) {
        read_identity(*identity, reader.at("identity"), out.identity, problems);
    }
    reader.finish();
    const std::string wrong = name_problem(out.arm);
    if (!wrong.empty()) reader.problem("arm", wrong);
    // The folder is joined to a path: a name that leaves the project is refused.
    if (!name_problem(out.folder).empty() || out.folder.size() > 255) {
        reader.problem("folder", "is not the name of a run folder");
    }
    if (!is_hex(out.plan_sha256, 64)) reader.problem("plan_sha256", "must be 64 hexadecimal digits");
    if (!has_errors(problems) &&
        (out.model.d_model % out.model.n_head != 0 || out.model.n_head % out.model.n_kv_head != 0)) {
        reader.problem("model", "has heads that do not divide");
    }
}

Error as_data(Error error) {
    error.code = ErrorCode::kData;
    return error;
}

Status check_version(const Json& document, const std::string& path) {
    if (!document.is_object()) return data_error("is not a plan: a JSON object is needed", path);
    const auto found = document.find("schema_version");
    const std::int64_t version =
        found != document.end() && found->is_number_integer() ? found->get<std::int64_t>() : kSchemaVersion;
    if (version <= kSchemaVersion) return {};
    Error error =
        config_error(fmt::format("schema_version is {}, written by a newer Sextant; this one reads up to {}: "
                                 "install the newer version to open it",
                                 version, kSchemaVersion));
    error.path = path;
    return error;
}

}  // namespace

std::string plan_hash(const Experiment& experiment, const ArmConfig& arm, std::int64_t seed,
                      const DataIdentity& identity) {
    Json json = arm_identity(experiment, arm);
    json["arm"] = arm.name;
    json["seed"] = seed;
    json["data"] = {{"corpus", identity.corpus_sha256},
                    {"tokenizer", identity.tokenizer_sha256},
                    {"tokens", identity.tokens_sha256}};
    return sha256_hex(canonical_json(json));
}

std::vector<std::pair<std::string, std::string>> identical_arms(const Experiment& experiment) {
    std::vector<std::pair<std::string, std::string>> pairs;
    std::map<std::string, std::string> first;
    for (const ArmConfig& arm : experiment.arms()) {
        const auto [found, fresh] = first.emplace(canonical_json(arm_identity(experiment, arm)), arm.name);
        if (!fresh) pairs.emplace_back(found->second, arm.name);
    }
    return pairs;
}

Result<std::vector<RunPlan>> make_plan(const Experiment& experiment, const DataIdentity& identity,
                                       const std::string& project) {
    std::vector<RunPlan> plans;
    struct stat info {};
    if (::stat((project + "/plan.json").c_str(), &info) == 0) {
        SEXTANT_TRY(existing, read_plan(project));
        plans = std::move(existing);
    }
    std::map<std::string, std::size_t> known;
    std::int64_t next = 0;
    for (std::size_t i = 0; i < plans.size(); ++i) {
        known.emplace(plans[i].plan_sha256, i);
        next = std::max(next, plans[i].number + 1);
    }
    for (const ArmConfig& arm : experiment.arms()) {
        const ModelConfig model = experiment.model_of(arm);
        const TrainingConfig training = experiment.training_of(arm);
        for (const std::int64_t seed : experiment.seeds) {
            const std::string hash = plan_hash(experiment, arm, seed, identity);
            const auto found = known.find(hash);
            if (found != known.end()) {
                RunPlan& plan = plans[found->second];
                plan.training.log_every = training.log_every;
                plan.training.evaluate_every = training.evaluate_every;
                plan.training.checkpoint_every = training.checkpoint_every;
                plan.training.snapshot_every = training.snapshot_every;
                plan.data = experiment.data;
                continue;
            }
            RunPlan plan;
            plan.number = next++;
            plan.arm = arm.name;
            plan.seed = seed;
            plan.folder = fmt::format("{}-s{}-{}", escaped_file_name(arm.name, 40), seed, hash.substr(0, 12));
            plan.plan_sha256 = hash;
            plan.encoding = arm.encoding;
            plan.evaluation_encoding = arm.evaluation_encoding;
            plan.model = model;
            plan.training = training;
            plan.data = experiment.data;
            plan.identity = identity;
            known.emplace(hash, plans.size());
            plans.push_back(std::move(plan));
        }
    }
    return plans;
}

Result<std::vector<RunPlan>> read_plan(const std::string& project) {
    const std::string path = project + "/plan.json";
    SEXTANT_TRY(document, read_json_file(path));
    SEXTANT_CHECK(check_version(document, path));
    const auto list = document.find("plans");
    if (list == document.end() || !list->is_array() || list->size() > kMaximumPlans) {
        return data_error("is not a plan: a list \"plans\" is needed", path);
    }
    std::vector<RunPlan> plans;
    std::map<std::int64_t, std::size_t> numbers;
    ConfigProblems problems;
    for (std::size_t i = 0; i < list->size() && !has_errors(problems); ++i) {
        RunPlan plan;
        read_body((*list)[i], json_pointer("/plans", i), plan, problems);
        if (!numbers.emplace(plan.number, i).second) {
            problems.push_back({json_pointer("/plans", i) + "/number", "repeats an earlier number", false});
        }
        plans.push_back(std::move(plan));
    }
    if (has_errors(problems)) return as_data(problems_error(problems, path));
    return plans;
}

Status write_plan(const std::string& project, const std::vector<RunPlan>& plan) {
    OrderedJson document = {{"schema_version", kSchemaVersion}};
    document["plans"] = OrderedJson::array();
    for (const RunPlan& one : plan)
        document["plans"].push_back(body_of(one));
    return write_file_atomically(project + "/plan.json", dump_json(document) + "\n");
}

OrderedJson to_json(const RunPlan& plan) {
    OrderedJson document = {{"schema_version", kSchemaVersion}};
    document.update(body_of(plan));
    return document;
}

Result<RunPlan> run_plan_from_json(const Json& document, const std::string& path) {
    SEXTANT_CHECK(check_version(document, path));
    RunPlan plan;
    ConfigProblems problems;
    read_body(document, "", plan, problems);
    if (has_errors(problems)) return as_data(problems_error(problems, path));
    return plan;
}

}  // namespace sextant
