#pragma once
// The experiment file, schema 1, as values. What load_experiment() returns cannot be invalid: every number is in range
// and every arm's model, encoding and training settings are consistent. JSON keys have the members' names.

#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/encoding/encoding_config.h"
#include "core/encoding/position_encoding.h"

namespace sextant {

struct CorpusConfig {
    std::string kind = "synthetic";       // synthetic | wikitext | text | jsonl | copy
    std::string directory;                // wikitext
    std::string train, validation, test;  // text, jsonl: files
    std::string field = "text";           // jsonl: key of each record
    std::uint64_t seed = 0;               // synthetic: the generator's own seed (0 is the standard corpus)
    std::int64_t distance = 16;           // copy: a letter returns this many tokens later
    std::int64_t alphabet = 8;            // copy: number of letters
    friend bool operator==(const CorpusConfig&, const CorpusConfig&) = default;
};

struct TokenizerConfig {
    std::string kind = "bpe";  // bpe (trained on the train split) | file
    std::int64_t vocab_size = 512;
    std::string path;  // file
    friend bool operator==(const TokenizerConfig&, const TokenizerConfig&) = default;
};

struct InstructionConfig {
    std::string kind = "synthetic";  // synthetic | file | none
    std::string path;
    std::int64_t train = 320;  // preferences: unused
    std::int64_t validation = 64;
    friend bool operator==(const InstructionConfig&, const InstructionConfig&) = default;
};

struct DataConfig {
    CorpusConfig corpus;
    TokenizerConfig tokenizer;
    std::int64_t train_tokens = 400000;
    std::int64_t validation_tokens = 8000;
    std::int64_t test_tokens = 40000;
    InstructionConfig instructions;
    InstructionConfig preferences;
    std::optional<CorpusConfig> narrative;  // a second corpus mixed into training
    std::int64_t narrative_tokens = 0;      // tokens of it, inside train_tokens; 0 with a narrative: half
    std::string expected_sha256;  // frozen benchmarks: refuse other token streams than these (not part of plan hashes)
    friend bool operator==(const DataConfig&, const DataConfig&) = default;
};

struct ModelConfig {
    std::int64_t vocab_size = 512;  // from the tokenizer, not a key of "model"
    std::int64_t d_model = 64;
    std::int64_t n_layer = 2;
    std::int64_t n_head = 4;
    std::int64_t n_kv_head = 4;
    std::int64_t d_ff = 192;
    std::int64_t context_length = 64;
    bool tie_embeddings = true;
    double dropout = 0.0;
    std::int64_t attention_window = 0;  // 0: none; else each query sees the last `window` keys, itself included
    std::string initializer = "normal";
    double initializer_std = 0.02;
    double norm_epsilon = 1e-5;
    friend bool operator==(const ModelConfig&, const ModelConfig&) = default;

    [[nodiscard]] std::int64_t head_dim() const { return d_model / n_head; }
    [[nodiscard]] EncodingSite encoding_site() const {
        return {d_model, n_layer, n_head, d_model / n_head, context_length, initializer_std};
    }
};

struct OptimizerConfig {
    std::string kind = "adamw";  // adamw | muon (hidden matrices by Muon, the rest AdamW) | sgd (tests)
    double learning_rate = 1e-3;
    double beta1 = 0.9, beta2 = 0.95;
    double epsilon = 1e-8;
    double weight_decay = 0.1;
    double muon_learning_rate = 0.02;
    double muon_momentum = 0.95;
    friend bool operator==(const OptimizerConfig&, const OptimizerConfig&) = default;
};

struct ScheduleConfig {
    std::string kind = "cosine";  // cosine | constant
    std::int64_t warmup_steps = 0;
    double final_ratio = 0.1;
    friend bool operator==(const ScheduleConfig&, const ScheduleConfig&) = default;
};

struct TrainingConfig {
    OptimizerConfig optimizer;
    ScheduleConfig schedule;
    double gradient_clip = 1.0;  // 0: none
    std::int64_t batch_size = 8;
    std::int64_t steps = 12;
    std::int64_t threads = 0;           // 0: automatic
    std::string device = "auto";        // auto | cpu | cuda | mps
    std::string path = "auto";          // auto | fused | reference
    std::string precision = "float32";  // float32 | bfloat16
    std::int64_t log_every = 1, evaluate_every = 0, checkpoint_every = 0, snapshot_every = 0;
    friend bool operator==(const TrainingConfig&, const TrainingConfig&) = default;
};

struct PrimaryEndpoint {
    std::string metric = "loss";
    std::int64_t length = 64;
    std::string mode = "non-overlapping";
    std::string contrast;  // "variant - baseline"
    friend bool operator==(const PrimaryEndpoint&, const PrimaryEndpoint&) = default;
};

struct EvaluationConfig {
    std::vector<std::int64_t> lengths{64};
    std::vector<std::string> modes{"non-overlapping"};  // non-overlapping | sliding | cold-start
    std::int64_t stride = 16;
    std::int64_t tokens = 32768;
    bool by_position = true;
    std::string probe_text;
    std::optional<PrimaryEndpoint> primary;
    std::optional<double> margin;  // non-inferiority margin in nats, stated before the run
    friend bool operator==(const EvaluationConfig&, const EvaluationConfig&) = default;
};

// One arm as written: its name, encoding and only the settings that differ from the experiment's.
struct ArmConfig {
    std::string name;
    EncodingConfig encoding;
    std::string model_overrides = "{}";  // JSON merge patches as canonical text; compared and stored as written
    std::string training_overrides = "{}";
    // Trained with `encoding`, judged with this one (context scaling applied after training); absent: the same.
    std::optional<EncodingConfig> evaluation_encoding;
    friend bool operator==(const ArmConfig&, const ArmConfig&) = default;
};

struct Experiment {
    std::string name;
    DataConfig data;
    ModelConfig model;
    TrainingConfig training;
    EvaluationConfig evaluation;
    ArmConfig baseline;
    std::vector<ArmConfig> variants;
    std::vector<std::int64_t> seeds{42};
    friend bool operator==(const Experiment&, const Experiment&) = default;

    [[nodiscard]] std::vector<ArmConfig> arms() const;               // baseline first
    [[nodiscard]] ModelConfig model_of(const ArmConfig& arm) const;  // overrides applied
    [[nodiscard]] TrainingConfig training_of(const ArmConfig& arm) const;
};

}  // namespace sextant
