#include "core/experiment/config_sections.h"

#include <nlohmann/json.hpp>

#include "core/base/json.h"
#include "core/base/text.h"

namespace sextant {
namespace {

constexpr std::int64_t kMaximumTokens = 10'000'000'000;
constexpr std::int64_t kMaximumLength = 1 << 20;
constexpr std::int64_t kMaximumSteps = 1'000'000'000;
using Ends = RealRange::Ends;

void read_corpus(const Json& value, const std::string& pointer, CorpusConfig& out, ConfigProblems& problems) {
    ConfigReader reader(value, pointer, problems);
    reader.choice("kind", out.kind, {"synthetic", "wikitext", "text", "jsonl", "copy"});
    reader.text("directory", out.directory);
    reader.text("train", out.train);
    reader.text("validation", out.validation);
    reader.text("test", out.test);
    reader.text("field", out.field);
    auto seed = static_cast<std::int64_t>(out.seed);
    reader.integer("seed", seed, {0, INT64_MAX});
    out.seed = static_cast<std::uint64_t>(seed);
    reader.integer("distance", out.distance, {1, 4096});
    reader.integer("alphabet", out.alphabet, {2, 26});
    reader.finish();
    const bool files = out.kind == "text" || out.kind == "jsonl";
    if (out.kind == "wikitext" && out.directory.empty()) {
        reader.problem("directory", "is missing: the folder with the WikiText files");
    }
    if (files && out.train.empty()) reader.problem("train", "is missing: the file with the training text");
    if (files && out.validation.empty()) reader.problem("validation", "is missing: the file with the validation text");
    if (files && out.test.empty()) reader.problem("test", "is missing: the file with the test text");
    if (out.kind == "jsonl" && out.field.empty()) reader.problem("field", "must name the key that holds the text");
    const auto unused = [&](const char* key, bool used) {
        if (!used && value.is_object() && value.contains(key)) {
            reader.warning(key, "is not used by a corpus of kind " + out.kind);
        }
    };
    unused("directory", out.kind == "wikitext");
    unused("train", files);
    unused("validation", files);
    unused("test", files);
    unused("field", out.kind == "jsonl");
    unused("seed", out.kind == "synthetic" || out.kind == "copy");
    unused("distance", out.kind == "copy");
    unused("alphabet", out.kind == "copy");
}

void read_tokenizer(const Json& value, const std::string& pointer, TokenizerConfig& out, ConfigProblems& problems) {
    ConfigReader reader(value, pointer, problems);
    reader.choice("kind", out.kind, {"bpe", "file"});
    reader.integer("vocab_size", out.vocab_size, {257, 262144});
    reader.text("path", out.path);
    reader.finish();
    if (out.kind == "file" && out.path.empty()) reader.problem("path", "is missing: the tokenizer.json to read");
    if (out.kind == "bpe" && !out.path.empty()) reader.warning("path", "is not used by a tokenizer of kind bpe");
}

enum class RecordKind { kInstruction, kPreference };

void read_records(const Json& value, const std::string& pointer, InstructionConfig& out, RecordKind kind,
                  ConfigProblems& problems) {
    if (value.is_null()) {
        out = {"none", "", 0, 0};
        return;
    }
    ConfigReader reader(value, pointer, problems);
    reader.choice("kind", out.kind, {"synthetic", "file", "none"});
    reader.text("path", out.path);
    if (kind == RecordKind::kInstruction) reader.integer("train", out.train, {0, 1'000'000});
    reader.integer("validation", out.validation, {0, 1'000'000});
    reader.finish();
    if (out.kind == "file" && out.path.empty()) reader.problem("path", "is missing: the file with the records");
    if (out.kind == "none") {
        out.train = 0;
        out.validation = 0;
    }
}

void read_optimizer(const Json& value, const std::string& pointer, OptimizerConfig& out, ConfigProblems& problems) {
    ConfigReader reader(value, pointer, problems);
    reader.choice("kind", out.kind, {"adamw", "muon", "sgd"});
    reader.real("learning_rate", out.learning_rate, {0.0, 100.0, Ends::kOpenBelow});
    if (const Json* betas = reader.child("betas")) {
        if (!betas->is_array() || betas->size() != 2) {
            reader.problem("betas", "must be a list of two numbers, as [0.9, 0.95], not " + describe_value(*betas));
        } else {
            const RealRange range{0.0, 1.0, Ends::kOpenAbove};
            read_real((*betas)[0], json_pointer(reader.at("betas"), std::size_t{0}), range, out.beta1, problems);
            read_real((*betas)[1], json_pointer(reader.at("betas"), std::size_t{1}), range, out.beta2, problems);
        }
    }
    reader.real("epsilon", out.epsilon, {0.0, 1.0, Ends::kOpenBelow});
    reader.real("weight_decay", out.weight_decay, {0.0, 100.0});
    reader.real("muon_learning_rate", out.muon_learning_rate, {0.0, 100.0, Ends::kOpenBelow});
    reader.real("muon_momentum", out.muon_momentum, {0.0, 1.0, Ends::kOpenAbove});
    reader.finish();
}

void read_schedule(const Json& value, const std::string& pointer, ScheduleConfig& out, ConfigProblems& problems) {
    ConfigReader reader(value, pointer, problems);
    reader.choice("kind", out.kind, {"cosine", "constant"});
    reader.integer("warmup_steps", out.warmup_steps, {0, kMaximumSteps});
    reader.real("final_ratio", out.final_ratio, {0.0, 1.0});
    reader.finish();
}

void read_primary(const Json& value, const std::string& pointer, EvaluationConfig& out, ConfigProblems& problems) {
    if (value.is_null()) {
        out.primary.reset();
        return;
    }
    PrimaryEndpoint primary;
    ConfigReader reader(value, pointer, problems);
    reader.choice("metric", primary.metric, {"loss", "instruction_loss", "preference_accuracy"});
    reader.integer("length", primary.length, {1, kMaximumLength});
    reader.choice("mode", primary.mode, {"non-overlapping", "sliding", "cold-start"});
    reader.text("contrast", primary.contrast);
    reader.finish();
    out.primary = primary;
}

// A list of distinct values, read one by one; `what` names one of them in messages.
template <typename Value, typename ReadOne>
void read_list(ConfigReader& reader, const std::string& key, const std::string& what, std::vector<Value>& out,
               ConfigProblems& problems, ReadOne read_one) {
    const Json* list = reader.child(key);
    if (list == nullptr) return;
    if (!list->is_array() || list->empty() || list->size() > 1000) {
        reader.problem(key, "must be a list of 1 to 1000 entries, each " + what + ", not " +
                                (list->is_array() ? std::to_string(list->size()) + " entries" : describe_value(*list)));
        return;
    }
    std::vector<Value> values;
    for (std::size_t i = 0; i < list->size(); ++i) {
        Value value{};
        const std::string place = json_pointer(reader.at(key), i);
        if (!read_one((*list)[i], place, value)) continue;
        bool repeated = false;
        for (const Value& earlier : values)
            repeated = repeated || earlier == value;
        if (repeated) {
            problems.push_back({place, "repeats an earlier entry, " + describe_value((*list)[i]), false});
        } else {
            values.push_back(value);
        }
    }
    if (!values.empty()) out = std::move(values);
}

bool has_control_character(const std::string& name) {
    for (std::size_t i = 0; i < name.size(); ++i) {
        const auto byte = static_cast<unsigned char>(name[i]);
        if (byte < 0x20 || byte == 0x7F) return true;
        if (byte == 0xC2 && i + 1 < name.size()) {  // U+0080 to U+009F
            const auto next = static_cast<unsigned char>(name[i + 1]);
            if (next >= 0x80 && next <= 0x9F) return true;
        }
    }
    return false;
}

}  // namespace

std::string name_problem(const std::string& name) {
    if (name.empty()) return "must not be empty";
    if (name == "." || name == "..") return "must not be \"" + name + "\", which names a folder";
    if (name.find('/') != std::string::npos) {
        return "must not contain \"/\": \"" + single_line(name, 60) + "\"";
    }
    if (has_control_character(name)) return "must not contain control characters: \"" + single_line(name, 60) + "\"";
    return {};
}

void read_data(const Json& value, const std::string& pointer, DataConfig& out, ConfigProblems& problems) {
    ConfigReader reader(value, pointer, problems);
    if (const Json* corpus = reader.child("corpus")) read_corpus(*corpus, reader.at("corpus"), out.corpus, problems);
    if (const Json* tokenizer = reader.child("tokenizer")) {
        read_tokenizer(*tokenizer, reader.at("tokenizer"), out.tokenizer, problems);
    }
    const std::int64_t most = out.corpus.kind == "synthetic" || out.corpus.kind == "copy" ? 10'000'000 : kMaximumTokens;
    reader.integer("train_tokens", out.train_tokens, {2, most});
    reader.integer("validation_tokens", out.validation_tokens, {2, most});
    reader.integer("test_tokens", out.test_tokens, {2, most});
    if (const Json* records = reader.child("instructions")) {
        read_records(*records, reader.at("instructions"), out.instructions, RecordKind::kInstruction, problems);
    }
    if (const Json* records = reader.child("preferences")) {
        read_records(*records, reader.at("preferences"), out.preferences, RecordKind::kPreference, problems);
    }
    if (const Json* narrative = reader.child("narrative"); narrative != nullptr && !narrative->is_null()) {
        CorpusConfig corpus;
        read_corpus(*narrative, reader.at("narrative"), corpus, problems);
        out.narrative = corpus;
    } else if (narrative != nullptr) {
        out.narrative.reset();
    }
    reader.integer("narrative_tokens", out.narrative_tokens, {0, kMaximumTokens});
    reader.text("expected_sha256", out.expected_sha256);
    reader.finish();
    if (out.narrative_tokens > out.train_tokens) {
        reader.problem("narrative_tokens", "is " + grouped(out.narrative_tokens) + ", more than the " +
                                               grouped(out.train_tokens) + " train_tokens it is part of");
    }
    if (out.narrative_tokens > 0 && !out.narrative) {
        reader.problem("narrative_tokens", "needs a corpus under \"narrative\"");
    }
}

void read_model(const Json& value, const std::string& pointer, ModelConfig& out, ConfigProblems& problems) {
    ConfigReader reader(value, pointer, problems);
    reader.integer("d_model", out.d_model, {1, 16384});
    reader.integer("n_layer", out.n_layer, {1, 256});
    reader.integer("n_head", out.n_head, {1, 1024});
    // As many key and value heads as query heads unless said otherwise.
    if (value.is_object() && value.contains("n_head") && !value.contains("n_kv_head")) out.n_kv_head = out.n_head;
    reader.integer("n_kv_head", out.n_kv_head, {1, 1024});
    reader.integer("d_ff", out.d_ff, {1, 131072});
    reader.integer("context_length", out.context_length, {1, kMaximumLength});
    reader.boolean("tie_embeddings", out.tie_embeddings);
    reader.real("dropout", out.dropout, {0.0, 1.0, Ends::kOpenAbove});
    reader.integer("attention_window", out.attention_window, {0, kMaximumLength});
    if (const Json* initializer = reader.child("initializer")) {
        ConfigReader inner(*initializer, reader.at("initializer"), problems);
        inner.choice("kind", out.initializer, {"normal"});
        inner.real("std", out.initializer_std, {0.0, 10.0, Ends::kOpenBelow});
        inner.finish();
    }
    reader.real("norm_epsilon", out.norm_epsilon, {0.0, 1.0, Ends::kOpenBelow});
    reader.finish();
}

void read_training(const Json& value, const std::string& pointer, TrainingConfig& out, ConfigProblems& problems) {
    ConfigReader reader(value, pointer, problems);
    if (const Json* optimizer = reader.child("optimizer")) {
        read_optimizer(*optimizer, reader.at("optimizer"), out.optimizer, problems);
    }
    if (const Json* schedule = reader.child("schedule")) {
        read_schedule(*schedule, reader.at("schedule"), out.schedule, problems);
    }
    reader.real("gradient_clip", out.gradient_clip, {0.0, 1e9});
    reader.integer("batch_size", out.batch_size, {1, 65536});
    reader.integer("steps", out.steps, {1, kMaximumSteps});
    reader.integer("threads", out.threads, {0, 1024});
    reader.choice("device", out.device, {"auto", "cpu", "cuda", "mps"});
    reader.choice("path", out.path, {"auto", "fused", "reference"});
    reader.choice("precision", out.precision, {"float32", "bfloat16"});
    reader.integer("log_every", out.log_every, {1, kMaximumSteps});
    reader.integer("evaluate_every", out.evaluate_every, {0, kMaximumSteps});
    reader.integer("checkpoint_every", out.checkpoint_every, {0, kMaximumSteps});
    reader.integer("snapshot_every", out.snapshot_every, {0, kMaximumSteps});
    reader.finish();
}

void read_evaluation(const Json& value, const std::string& pointer, EvaluationConfig& out, ConfigProblems& problems) {
    ConfigReader reader(value, pointer, problems);
    read_list(reader, "lengths", "a length in tokens", out.lengths, problems,
              [&](const Json& entry, const std::string& place, std::int64_t& length) {
                  return read_integer(entry, place, {1, kMaximumLength}, length, problems);
              });
    read_list(reader, "modes", "an evaluation mode", out.modes, problems,
              [&](const Json& entry, const std::string& place, std::string& mode) {
                  return read_choice(entry, place, {"non-overlapping", "sliding", "cold-start"}, mode, problems);
              });
    reader.integer("stride", out.stride, {1, kMaximumLength});
    reader.integer("tokens", out.tokens, {1, kMaximumTokens});
    reader.boolean("by_position", out.by_position);
    reader.text("probe_text", out.probe_text);
    if (const Json* primary = reader.child("primary")) {
        read_primary(*primary, reader.at("primary"), out, problems);
    }
    if (const Json* margin = reader.child("margin"); margin != nullptr && !margin->is_null()) {
        double nats = 0.0;
        if (read_real(*margin, reader.at("margin"), {0.0, 100.0, Ends::kOpenBelow}, nats, problems)) out.margin = nats;
    }
    reader.finish();
}

void read_encoding(const Json& value, const std::string& pointer, EncodingConfig& out, ConfigProblems& problems) {
    ConfigReader reader(value, pointer, problems);
    if (reader.required("id") != nullptr) reader.text("id", out.id);
    if (const Json* parameters = reader.child("parameters")) {
        if (!parameters->is_object()) {
            reader.problem("parameters", "must be an object {...}, not " + describe_value(*parameters));
        } else {
            for (const auto& [name, given] : parameters->items()) {
                const std::string place = json_pointer(reader.at("parameters"), name);
                auto parameter = parameter_from_json(given, place);
                if (parameter) {
                    out.parameters[name] = *parameter;
                } else {
                    problems.push_back({place, parameter.error().message, false});
                }
            }
        }
    }
    reader.finish();
}

void read_arm(const Json& value, const std::string& pointer, ArmConfig& out, ConfigProblems& problems) {
    ConfigReader reader(value, pointer, problems);
    if (reader.required("name") != nullptr) {
        const std::size_t before = problems.size();
        reader.text("name", out.name);
        const std::string wrong = name_problem(out.name);
        if (problems.size() == before && !wrong.empty()) reader.problem("name", wrong);
    }
    if (const Json* encoding = reader.required("encoding")) {
        read_encoding(*encoding, reader.at("encoding"), out.encoding, problems);
    }
    if (const Json* encoding = reader.child("evaluation_encoding"); encoding != nullptr && !encoding->is_null()) {
        EncodingConfig judged;
        read_encoding(*encoding, reader.at("evaluation_encoding"), judged, problems);
        out.evaluation_encoding = judged;
    }
    const auto overrides = [&](const char* key, std::string& text) {
        const Json* patch = reader.child(key);
        if (patch == nullptr) return;
        if (patch->is_object()) {
            text = canonical_json(*patch);
        } else {
            reader.problem(key, "must be an object with the settings that differ, not " + describe_value(*patch));
        }
    };
    overrides("model", out.model_overrides);
    overrides("training", out.training_overrides);
    reader.finish();
}

}  // namespace sextant
