#pragma once
// Arms x seeds as numbered runs. Numbers go arm-major, seed-minor, are kept in <project>/plan.json and never change;
// plans added later are appended. The folder name holds a hash of everything that decides the trained weights, so
// repeating a command resumes and adding seeds, arms or evaluations retrains nothing.

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/experiment/experiment.h"

namespace sextant {

// Identity of prepared data: hashes of content, not paths. Filled by data preparation.
struct DataIdentity {
    std::string corpus_sha256;     // of the raw splits' bytes
    std::string tokenizer_sha256;  // of the tokenizer.json bytes
    std::string tokens_sha256;     // of all token streams
};

struct RunPlan {
    std::int64_t number = 0;
    std::string arm;
    std::int64_t seed = 0;
    std::string folder;  // "<arm>-s<seed>-<12 hex>" under <project>/runs; arm shortened and escaped for a file name
    std::string plan_sha256;  // full hash behind the 12 digits
    EncodingConfig encoding;
    std::optional<EncodingConfig> evaluation_encoding;  // judged with this one where present (ArmConfig)
    ModelConfig model;                                  // vocab_size resolved
    TrainingConfig training;                            // threads, device and path resolved at first start
    DataConfig data;
    DataIdentity identity;
};

// The hash's input, canonical: arm name, seed, data, tokenizer, model, encoding, training without device, path, threads
// and cadences (log/evaluate/checkpoint/snapshot_every).
[[nodiscard]] std::string plan_hash(const Experiment& experiment, const ArmConfig& arm, std::int64_t seed,
                                    const DataIdentity& identity);
// Pairs of arm names that are the same plan but for the name, as (earlier, later): an A/A comparison.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> identical_arms(const Experiment& experiment);
// Full plan of an experiment, numbers kept from an existing <project>/plan.json, new ones appended; does not write.
[[nodiscard]] Result<std::vector<RunPlan>> make_plan(const Experiment& experiment, const DataIdentity& identity,
                                                     const std::string& project);
[[nodiscard]] Result<std::vector<RunPlan>> read_plan(const std::string& project);  // <project>/plan.json
[[nodiscard]] Status write_plan(const std::string& project, const std::vector<RunPlan>& plan);
[[nodiscard]] nlohmann::ordered_json to_json(const RunPlan& plan);
[[nodiscard]] Result<RunPlan> run_plan_from_json(const nlohmann::json& document, const std::string& path);

}  // namespace sextant
