#include "fuzz_targets.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "core/base/crc32c.h"
#include "core/base/file_lock.h"
#include "core/base/json.h"
#include "core/data/byte_pair_encoder.h"
#include "core/data/corpus.h"
#include "core/data/instruction_set.h"
#include "core/experiment/config_io.h"
#include "core/experiment/presets.h"
#include "core/experiment/run_plan.h"
#include "core/results/artifact_audit.h"
#include "core/results/comparison_artifact.h"
#include "core/results/tensorboard_events.h"
#include "core/run/event_log.h"
#include "core/run/run_control.h"
#include "core/run/run_state.h"
#include "core/tensor_file/hugging_face_config.h"
#include "core/tensor_file/llama2c.h"
#include "core/tensor_file/llama2c_tokenizer.h"
#include "core/tensor_file/npy.h"
#include "core/tensor_file/safetensors.h"

namespace sextant::fuzz {
namespace {

// A property that must hold of whatever was accepted.
void require(bool holds, const char* what) {
    if (holds) return;
    std::fprintf(stderr, "broken property: %s\n", what);
    ::abort();
}

void must_be_one_line(const Error& error) {
    const std::string line = error.sentence();
    require(!line.empty() && line.size() <= 500 && line.find('\n') == std::string::npos, "errors are one short line");
}

std::string preset_json(const char* name) {
    return dump_json(to_json(find_preset(name)->experiment));
}

std::vector<std::string> experiment_seeds() {
    return {preset_json("quick"), preset_json("paper-claim"), preset_json("rope-scaling")};
}
void run_experiment(std::string_view bytes) {
    const auto document = parse_json(bytes, "e.json");
    if (!document) return must_be_one_line(document.error());
    const auto loaded = experiment_from_json(*document, "/", "e.json");
    if (!loaded) return must_be_one_line(loaded.error());
    // What was accepted can be written and read back as the same.
    const auto again = experiment_from_json(Json(to_json(loaded->experiment)), "/");
    require(again.ok() && again->experiment == loaded->experiment, "accepted experiments survive their own JSON");
    for (const ArmConfig& arm : loaded->experiment.arms())
        require(loaded->experiment.model_of(arm).head_dim() > 0, "heads divide");
}

std::vector<std::string> plan_seeds() {
    const auto plans = *make_plan(find_preset("rope-scaling")->experiment, {}, "/nonexistent");
    return {dump_json(to_json(plans[0])), dump_json(to_json(plans.back()))};
}
void run_plan(std::string_view bytes) {
    const auto document = parse_json(bytes);
    if (!document) return;
    const auto plan = run_plan_from_json(*document, "plan.json");
    if (!plan) return must_be_one_line(plan.error());
    require(plan->folder.find('/') == std::string::npos && plan->folder != "..", "run folders stay inside");
}

std::string record(const std::string& json) {
    char sum[16];
    std::snprintf(sum, sizeof sum, "%08x ", crc32c(json));
    return sum + json + "\n";
}
std::vector<std::string> event_log_seeds() {
    const std::string started = R"({"v":1,"seq":0,"segment":0,"type":"run_started","step":0,"tokens":0,"time":1,)"
                                R"("elapsed":0.5,"parameters":139584,"device":"cpu","threads":2})";
    const std::string step = R"({"v":1,"seq":1,"segment":0,"type":"step","step":1,"tokens":512,"time":2,"elapsed":1,)"
                             R"("loss":"nan","learning_rate":0.001})";
    const std::string evaluation = R"({"v":1,"seq":2,"segment":0,"type":"evaluation","step":1,"metric":"loss",)"
                                   R"("length":64,"value":3.5,"values":[1,2,"inf"]})";
    const std::string resumed = R"({"v":1,"seq":3,"segment":1,"type":"resumed","step":0,"from_step":0})";
    return {record(started) + record(step) + record(evaluation) + record(resumed), record(step) + "torn"};
}
void run_event_log(std::string_view bytes) {
    const auto state = fold_log(as_file(bytes));
    if (!state) return must_be_one_line(state.error());
    for (std::size_t i = 1; i < state->steps.size(); ++i)
        require(state->steps[i].step > state->steps[i - 1].step, "folded steps ascend");
}
// The same without the checksum in the way.
std::vector<std::string> event_seeds() {
    return {R"({"v":1,"seq":1,"segment":0,"type":"step","step":1,"tokens":512,"time":2,"elapsed":1,"loss":6.2})",
            R"({"type":"evaluation","metric":"loss","length":64,"value":"nan","values":[1,"-inf"],"reason":"x"})",
            R"({"type":"diverged","step":3,"quantity":"loss","batch_sha256":"ab"})",
            R"({"type":"control","control_seq":3,"command":"pause"})"};
}
void run_event(std::string_view bytes) {
    const auto document = parse_json(bytes);
    if (!document) return;
    const auto parsed = event_from_json(*document);
    if (!parsed) return must_be_one_line(parsed.error());
    RunState state;
    apply(state, parsed->event);
    if (parsed->known) require(event_from_json(Json(to_json(parsed->event))).ok(), "events survive their own JSON");
}

std::vector<std::string> control_seeds() {
    return {"{\"seq\":1,\"command\":\"pause\"}\n{\"seq\":2,\"command\":\"stop\"}\n"};
}
void run_control(std::string_view bytes) {
    ControlReader reader(as_file(bytes), 0);
    std::int64_t last = 0;
    for (const ControlRequest& request : reader.poll()) {
        require(request.seq > last, "control numbers ascend");
        last = request.seq;
    }
}

std::vector<std::string> lock_seeds() {
    return {R"({"host":"h","process":12,"process_start":34})"};
}
void run_lock(std::string_view bytes) {
    if (const auto owner = FileLock::owner(as_file(bytes))) {
        (void)owner->alive();
        (void)owner->describe();
    }
}

std::vector<std::string> tokenizer_seeds() {
    const auto trained = BytePairEncoder::train("the cat and the hat and the bat sat on the mat", 270);
    return {trained->to_json(), BytePairEncoder().to_json()};
}
void run_tokenizer(std::string_view bytes) {
    const auto tokenizer = BytePairEncoder::from_json(bytes, "tokenizer.json");
    if (!tokenizer) return must_be_one_line(tokenizer.error());
    const std::string text = "the hat \xF0\x9F\x98\x80 \xFF\n";
    const auto ids = tokenizer->encode(text);
    for (const std::int32_t id : ids)
        require(id >= 0 && id < tokenizer->vocab_size(), "ids are in range");
}

std::vector<std::string> text_seeds() {
    return {"The cat's 12 hats, and\tmore  \n\xC3\xA9\xF0\x9F\x98\x80", "it'll we've"};
}
void run_encode(std::string_view bytes) {
    static const BytePairEncoder tokenizer =
        *BytePairEncoder::train("the cat and the hat and the bat sat on the mat", 270);
    const auto decoded = tokenizer.decode(tokenizer.encode(bytes));
    require(decoded.ok() && *decoded == bytes, "decode(encode(x)) == x");
}

std::vector<std::string> json_lines_seeds() {
    return {"{\"text\":\"one\"}\n{\"text\":\"two\",\"more\":[1]}\n\n{\"text\":\"\\u00e9\"}\n"};
}
void run_json_lines(std::string_view bytes) {
    const auto texts = parse_json_lines(bytes, "text", "f.jsonl");
    if (!texts) must_be_one_line(texts.error());
}

std::vector<std::string> instruction_seeds() {
    return {R"([{"instruction":"a","input":"b","output":"c"}])",
            "{\"instruction\":\"a\",\"input\":\"b\",\"chosen\":\"c\",\"rejected\":\"d\"}\n"};
}
void run_instructions(std::string_view bytes) {
    for (const RecordKind kind : {RecordKind::kInstructions, RecordKind::kPreferences}) {
        const auto records = parse_instructions(bytes, kind, "f.json");
        if (!records) must_be_one_line(records.error());
    }
}

std::vector<std::string> wikitext_seeds() {
    return {" \n = Title = \n \n Words here . \n\n = = Part = = \n \n more \n \n = Second = \n \n x \n"};
}
void run_wikitext(std::string_view bytes) {
    (void)wikitext_articles(bytes);
}

std::vector<std::string> npy_seeds() {
    const std::vector<float> floats{1, 2, 3, 4, 5, 6};
    const std::vector<std::int64_t> whole{1, -1};
    return {npy_bytes(floats, {2, 3}), npy_bytes(whole, {2})};
}
void run_npy(std::string_view bytes) {
    const auto array = parse_npy(bytes, "f.npy");
    if (!array) return must_be_one_line(array.error());
    require(array->to_doubles().size() == array->size(), "npy sizes agree");
}

std::vector<std::string> safetensors_seeds() {
    const std::vector<float> floats{1, 2, 3, 4};
    const std::vector<std::int64_t> whole{7};
    const std::vector<TensorView> tensors = {{"a.weight", {2, 2}, std::span<const float>(floats)},
                                             {"step", {1}, std::span<const std::int64_t>(whole)}};
    const std::string& path = as_file("");
    char folder[] = "/tmp/sextant-fuzz-XXXXXX";
    if (::mkdtemp(folder) == nullptr) return {};
    const std::string file = std::string(folder) + "/t.safetensors";
    std::string bytes;
    if (write_safetensors(file, tensors, {{"format", "pt"}}).ok()) {
        if (std::FILE* stream = std::fopen(file.c_str(), "rb")) {
            char buffer[4096];
            bytes.assign(buffer, std::fread(buffer, 1, sizeof buffer, stream));
            std::fclose(stream);
        }
    }
    ::unlink(file.c_str());
    ::rmdir(folder);
    (void)path;
    return {bytes};
}
void run_safetensors(std::string_view bytes) {
    const auto file = SafetensorsFile::open(as_file(bytes));
    if (!file) return must_be_one_line(file.error());
    for (const TensorEntry& entry : file->tensors()) {
        if (const auto values = file->read_floats(entry.name)) {
            require(static_cast<std::int64_t>(values->size()) == entry.count(), "tensor sizes agree");
        }
    }
}

std::vector<std::string> model_config_seeds() {
    return {R"({"architectures":["LlamaForCausalLM"],"model_type":"llama","hidden_size":64,"intermediate_size":192,
              "num_hidden_layers":2,"num_attention_heads":4,"num_key_value_heads":2,"vocab_size":512,
              "max_position_embeddings":64,"rope_theta":10000.0,"rms_norm_eps":1e-5,"tie_word_embeddings":true,
              "rope_scaling":{"rope_type":"yarn","factor":4.0,"original_max_position_embeddings":64}})",
            R"({"model_type":"gpt_neox","hidden_size":64,"rotary_pct":0.25,"num_attention_heads":4})"};
}
void run_model_config(std::string_view bytes) {
    const auto document = parse_json(bytes);
    if (!document) return;
    ModelDescription description = describe_config(*document);
    check_tensors(*document, description);
    (void)dump_json(to_json(description));
    (void)to_text(description);
}

std::vector<std::string> llama2c_seeds() {
    std::string bytes;
    for (const std::int32_t value : {8, 16, 1, 2, 2, 10, 4})
        bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
    bytes.append(4 * 4096, '\0');
    return {bytes};
}
void run_llama2c(std::string_view bytes) {
    const auto model = parse_llama2c(bytes, "m.bin");
    if (!model) must_be_one_line(model.error());
}

std::vector<std::string> llama2c_tokenizer_seeds() {
    std::string bytes;
    const auto add = [&](auto value) { bytes.append(reinterpret_cast<const char*>(&value), sizeof value); };
    add(std::int32_t{3});
    for (const char* piece : {"a", "b", "ab"}) {
        add(1.0F);
        add(static_cast<std::int32_t>(std::string_view(piece).size()));
        bytes += piece;
    }
    return {bytes};
}
void run_llama2c_tokenizer(std::string_view bytes) {
    const auto tokenizer = Llama2cTokenizer::parse(bytes, "t.bin");
    if (!tokenizer) return must_be_one_line(tokenizer.error());
    (void)tokenizer->encode("abba \xFF");
}

std::vector<std::string> artifact_seeds() {
    return {R"({"paper":{"arxiv_id":"2108.12409"},"setup":{"seed":42,"steps_per_variant":12,"dimensions":64,"layers":2,
              "sequence_length":64,"same_tokens_optimizer_and_budget":true},"dataset":{"vocab_size":512},
              "baseline":{"name":"a","lm_loss":6.0,"perplexity":403.4287934927351,"instruction_loss":6.0,
              "composite_loss":6.9,"primary":-6.9,"fitness":-6.9,"public_composite":-6.9,"parameters":139584,
              "seeds":[42]},"method":{"name":"b","lm_loss":6.0,"perplexity":403.4287934927351,"parameters":139584,
              "seeds":[42]},"relative":{"lm_loss_percent":0.0,"perplexity_percent":0.0}})"};
}
void run_artifact(std::string_view bytes) {
    const auto document = parse_json(bytes);
    if (!document) return;
    const AuditReport report = audit_artifact(*document, "a.json");
    (void)to_text(report);
    (void)dump_json(to_json(report));
    const auto inputs = comparison_inputs_from_artifacts({{"a.json", *document}});
    if (!inputs) return must_be_one_line(inputs.error());
    for (const ComparisonInput& input : *inputs)
        (void)comparison_table(compare_arms(input));
}

std::vector<std::string> tensorboard_seeds() {
    TensorboardWriter writer(1.0);
    writer.hyper_parameters(1.0, "group", {{"seed", 42.0}, {"encoding", std::string("alibi")}, {"tied", true}},
                            {"loss"});
    writer.scalar(2.0, 300, "loss", 0.5);
    writer.end_session(3.0, true);
    return {writer.bytes()};
}
void run_tensorboard(std::string_view bytes) {
    const auto file = parse_tensorboard(bytes, "e.tfevents");
    if (!file) return must_be_one_line(file.error());
}

}  // namespace

const std::string& as_file(std::string_view bytes) {
    static const int descriptor = ::memfd_create("fuzz", MFD_CLOEXEC);
    static const std::string path = "/proc/self/fd/" + std::to_string(descriptor);
    if (::ftruncate(descriptor, 0) != 0 || ::pwrite(descriptor, bytes.data(), bytes.size(), 0) < 0) ::abort();
    return path;
}

const std::vector<Target>& targets() {
    static const std::vector<Target> all = {
        {"experiment", experiment_seeds, run_experiment},
        {"plan", plan_seeds, run_plan},
        {"event_log", event_log_seeds, run_event_log},
        {"event", event_seeds, run_event},
        {"control", control_seeds, run_control},
        {"lock", lock_seeds, run_lock},
        {"tokenizer", tokenizer_seeds, run_tokenizer},
        {"encode", text_seeds, run_encode},
        {"json_lines", json_lines_seeds, run_json_lines},
        {"instructions", instruction_seeds, run_instructions},
        {"wikitext", wikitext_seeds, run_wikitext},
        {"npy", npy_seeds, run_npy},
        {"safetensors", safetensors_seeds, run_safetensors},
        {"model_config", model_config_seeds, run_model_config},
        {"llama2c", llama2c_seeds, run_llama2c},
        {"llama2c_tokenizer", llama2c_tokenizer_seeds, run_llama2c_tokenizer},
        {"artifact", artifact_seeds, run_artifact},
        {"tensorboard", tensorboard_seeds, run_tensorboard},
    };
    return all;
}

const Target* find_target(std::string_view name) {
    for (const Target& target : targets()) {
        if (name == target.name) return &target;
    }
    return nullptr;
}

}  // namespace sextant::fuzz
