#pragma once
// An equal-budget sweep as it is kept in <project>/sweep.json: every arm got the same trials on the same seeds, the
// trial of each arm was chosen by its validation loss, and the test split was read afterwards by the chosen ones alone.

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/run/run_directory.h"

namespace sextant {

struct SweepRun {
    std::int64_t seed = 0;
    std::string folder;                     // under <project>/runs
    std::string state;                      // "completed", "diverged", ...
    std::optional<double> validation_loss;  // after the last step
    friend bool operator==(const SweepRun&, const SweepRun&) = default;
};
struct SweepTrial {
    std::string settings;  // canonical JSON object: pointer to value
    std::vector<SweepRun> runs;
    // Mean over the seeds; nothing while one is missing or when one diverged: such a trial cannot be chosen.
    std::optional<double> validation_loss;
    friend bool operator==(const SweepTrial&, const SweepTrial&) = default;
};
struct SweepArm {
    std::string arm;
    std::vector<SweepTrial> trials;
    std::optional<std::size_t> chosen;
    friend bool operator==(const SweepArm&, const SweepArm&) = default;
};
struct SweepRecord {
    std::vector<std::string> pointers;
    std::vector<std::int64_t> seeds;
    std::vector<SweepArm> arms;
    std::string test_read;  // UTC time at which the chosen trials were released to the test split; empty: not yet
    // Same pointers, seeds, arms and settings of their trials.
    [[nodiscard]] bool same_question(const SweepRecord& other) const;
};

// Means over the seeds and the choice of each arm: the lowest mean, the earlier trial of equals. kDiverged when an arm
// has no trial that can be chosen.
[[nodiscard]] Status choose_trials(SweepRecord& record);

[[nodiscard]] std::string sweep_file(const Project& project);
[[nodiscard]] Result<std::optional<SweepRecord>> read_sweep(const Project& project);  // nothing: no sweep was made
[[nodiscard]] Status write_sweep(const Project& project, const SweepRecord& record);
[[nodiscard]] nlohmann::ordered_json to_json(const SweepRecord& record);
[[nodiscard]] Result<SweepRecord> sweep_from_json(const nlohmann::json& document, const std::string& path = {});

// The part that an artifact of these two arms carries: no times, so that the same runs give the same bytes.
[[nodiscard]] nlohmann::ordered_json sweep_of_arms(const SweepRecord& record, const std::string& baseline,
                                                   const std::string& variant);
// Whether the arm has the settings that the sweep chose for it.
[[nodiscard]] bool swept_as_chosen(const SweepRecord& record, const Experiment& experiment, const ArmConfig& arm);
// The arm with settings ("/training/optimizer/learning_rate" and the like) set as its overrides.
[[nodiscard]] ArmConfig with_settings(ArmConfig arm, const std::string& settings);
// One line an arm for people: every trial with its validation loss, the chosen one named.
[[nodiscard]] std::vector<std::string> sweep_lines(const SweepRecord& record);
// What is wrong with a sweep found in a file: unequal trials or seeds, a choice that is not the lowest. Empty: nothing.
[[nodiscard]] std::vector<std::string> sweep_problems(const SweepRecord& record);

}  // namespace sextant
