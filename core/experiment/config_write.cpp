#include <nlohmann/json.hpp>

#include "core/base/json.h"
#include "core/experiment/config_io.h"

namespace sextant {
namespace {

OrderedJson corpus_json(const CorpusConfig& corpus) {
    OrderedJson json = {{"kind", corpus.kind}};
    if (corpus.kind == "wikitext") json["directory"] = corpus.directory;
    if (corpus.kind == "text" || corpus.kind == "jsonl") {
        json["train"] = corpus.train;
        json["validation"] = corpus.validation;
        json["test"] = corpus.test;
    }
    if (corpus.kind == "jsonl") json["field"] = corpus.field;
    if (corpus.kind == "copy") {
        json["distance"] = corpus.distance;
        json["alphabet"] = corpus.alphabet;
    }
    if ((corpus.kind == "synthetic" || corpus.kind == "copy") && corpus.seed != 0) json["seed"] = corpus.seed;
    return json;
}

OrderedJson ordered(const std::string& text) {
    OrderedJson document = OrderedJson::parse(text, nullptr, false);
    return document.is_object() ? document : OrderedJson::object();
}

}  // namespace

OrderedJson to_json(const DataConfig& data) {
    OrderedJson json;
    json["corpus"] = corpus_json(data.corpus);
    OrderedJson tokenizer = {{"kind", data.tokenizer.kind}, {"vocab_size", data.tokenizer.vocab_size}};
    if (data.tokenizer.kind == "file") tokenizer["path"] = data.tokenizer.path;
    json["tokenizer"] = std::move(tokenizer);
    json["train_tokens"] = data.train_tokens;
    json["validation_tokens"] = data.validation_tokens;
    json["test_tokens"] = data.test_tokens;
    OrderedJson instructions = {{"kind", data.instructions.kind}};
    if (data.instructions.kind == "file") instructions["path"] = data.instructions.path;
    instructions["train"] = data.instructions.train;
    instructions["validation"] = data.instructions.validation;
    json["instructions"] = std::move(instructions);
    OrderedJson preferences = {{"kind", data.preferences.kind}};
    if (data.preferences.kind == "file") preferences["path"] = data.preferences.path;
    preferences["validation"] = data.preferences.validation;
    json["preferences"] = std::move(preferences);
    json["narrative"] = data.narrative ? corpus_json(*data.narrative) : OrderedJson();
    if (data.narrative_tokens > 0) json["narrative_tokens"] = data.narrative_tokens;
    if (!data.expected_sha256.empty()) json["expected_sha256"] = data.expected_sha256;
    return json;
}

OrderedJson to_json(const ModelConfig& model) {
    OrderedJson json = {{"d_model", model.d_model},
                        {"n_layer", model.n_layer},
                        {"n_head", model.n_head},
                        {"n_kv_head", model.n_kv_head},
                        {"d_ff", model.d_ff},
                        {"context_length", model.context_length},
                        {"tie_embeddings", model.tie_embeddings},
                        {"dropout", model.dropout},
                        {"attention_window", model.attention_window}};
    json["initializer"] = {{"kind", model.initializer}, {"std", model.initializer_std}};
    json["norm_epsilon"] = model.norm_epsilon;
    return json;
}

OrderedJson to_json(const TrainingConfig& training) {
    const OptimizerConfig& optimizer = training.optimizer;
    OrderedJson json;
    json["optimizer"] = {{"kind", optimizer.kind},
                         {"learning_rate", optimizer.learning_rate},
                         {"betas", {optimizer.beta1, optimizer.beta2}},
                         {"epsilon", optimizer.epsilon},
                         {"weight_decay", optimizer.weight_decay}};
    if (optimizer.kind == "muon") {
        json["optimizer"]["muon_learning_rate"] = optimizer.muon_learning_rate;
        json["optimizer"]["muon_momentum"] = optimizer.muon_momentum;
    }
    json["schedule"] = {{"kind", training.schedule.kind},
                        {"warmup_steps", training.schedule.warmup_steps},
                        {"final_ratio", training.schedule.final_ratio}};
    json["gradient_clip"] = training.gradient_clip;
    json["batch_size"] = training.batch_size;
    json["steps"] = training.steps;
    json["threads"] = training.threads;
    json["device"] = training.device;
    json["path"] = training.path;
    json["precision"] = training.precision;
    json["log_every"] = training.log_every;
    json["evaluate_every"] = training.evaluate_every;
    json["checkpoint_every"] = training.checkpoint_every;
    json["snapshot_every"] = training.snapshot_every;
    return json;
}

OrderedJson to_json(const EvaluationConfig& evaluation) {
    OrderedJson json;
    json["lengths"] = evaluation.lengths;
    json["modes"] = evaluation.modes;
    json["stride"] = evaluation.stride;
    json["tokens"] = evaluation.tokens;
    json["by_position"] = evaluation.by_position;
    if (!evaluation.probe_text.empty()) json["probe_text"] = evaluation.probe_text;
    if (evaluation.primary) {
        json["primary"] = {{"metric", evaluation.primary->metric},
                           {"length", evaluation.primary->length},
                           {"mode", evaluation.primary->mode},
                           {"contrast", evaluation.primary->contrast}};
    } else {
        json["primary"] = nullptr;
    }
    if (evaluation.margin) json["margin"] = *evaluation.margin;
    return json;
}

OrderedJson to_json(const EncodingConfig& encoding) {
    OrderedJson json = {{"id", encoding.id}};
    if (!encoding.parameters.empty()) {
        OrderedJson parameters = OrderedJson::object();
        for (const auto& [name, value] : encoding.parameters)
            parameters[name] = OrderedJson(to_json(value));
        json["parameters"] = std::move(parameters);
    }
    return json;
}

OrderedJson to_json(const ArmConfig& arm) {
    OrderedJson json = {{"name", arm.name}};
    json["encoding"] = to_json(arm.encoding);
    if (arm.evaluation_encoding) json["evaluation_encoding"] = to_json(*arm.evaluation_encoding);
    json["model"] = ordered(arm.model_overrides);
    json["training"] = ordered(arm.training_overrides);
    return json;
}

OrderedJson to_json(const Experiment& experiment) {
    OrderedJson json = {{"schema_version", 1}, {"name", experiment.name}};
    json["data"] = to_json(experiment.data);
    json["model"] = to_json(experiment.model);
    json["training"] = to_json(experiment.training);
    json["evaluation"] = to_json(experiment.evaluation);
    json["baseline"] = to_json(experiment.baseline);
    json["variants"] = OrderedJson::array();
    for (const ArmConfig& variant : experiment.variants)
        json["variants"].push_back(to_json(variant));
    json["seeds"] = experiment.seeds;
    return json;
}

}  // namespace sextant
