#pragma once
// From finished runs to sentences: which arm, at which length and mode, how many paired seeds, what difference, and
// whether anything may be claimed. The declared primary endpoint of all variants forms one Holm family and is the only
// thing that can carry a claim; every other number is exploratory. Used by artifacts, `compare`, `run` and the window.

#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/experiment/experiment.h"
#include "core/results/statistics.h"
#include "core/run/run_directory.h"

namespace sextant {

// What is measured and under which protocol; two values compare only when all of it agrees.
struct Measure {
    std::string metric = "loss";  // loss, lm_loss, loss_beyond, instruction_loss, preference_accuracy, ...
    std::int64_t length = 0;
    std::string mode;
    std::int64_t stride = 0;
    std::int64_t targets = 0;
    friend auto operator<=>(const Measure&, const Measure&) = default;
};
[[nodiscard]] bool higher_is_better(const std::string& metric);
[[nodiscard]] std::string describe(const Measure& measure);  // "loss at 64, non-overlapping, stride 64, N = 32,768"

struct ArmSeed {
    bool complete = false;
    std::string state;                       // "complete", "diverged at step 120", "running", ...
    std::map<Measure, double> values;        // NaN values are left out
    std::map<Measure, std::string> reasons;  // why a value is missing
    std::optional<double> initial_loss, final_loss;
};
struct ArmResult {
    std::string name;
    std::string encoding;       // id
    std::string configuration;  // canonical JSON of encoding, model and training overrides: equal text, same arm
    std::int64_t context_length = 0;
    std::int64_t parameters = 0;
    std::map<std::int64_t, ArmSeed> seeds;
};

struct ComparisonInput {
    std::string title;
    ArmResult baseline;
    std::vector<ArmResult> variants;
    std::optional<PrimaryEndpoint> primary;
    std::optional<double> margin;  // nats, stated before the run
    std::int64_t family_size = 0;  // variants of the experiment, whether or not they are here; 0: variants.size()
    std::int64_t test_tokens = 0;
    std::string sweep;  // JSON text of the sweep that chose the arms' settings; empty: there was none
    std::vector<std::string> notes;
};
// `runs`: all of the project (list_runs); those of other settings are left out.
[[nodiscard]] ComparisonInput comparison_input(const Experiment& experiment, std::span<const ListedRun> runs);

struct PairedResult {
    Measure measure;
    std::vector<std::int64_t> seeds;
    std::vector<double> baseline, variant;  // by seed
    std::string missing;                    // why there is nothing, or which seeds are left out
    double baseline_mean = 0.0, baseline_sd = 0.0, variant_mean = 0.0, variant_sd = 0.0, difference = 0.0,
           difference_sd = 0.0;
    SignFlipTest test;
    double adjusted_p = 1.0;  // Holm; equal to test.p when exploratory
    std::optional<Interval> interval, t_interval, bca;
    std::optional<SignFlipTest> margin_test;  // on d - margin
    double margin_adjusted_p = 1.0;
    bool confirmatory = false;
    std::string claim;  // one sentence; starts with "none:", "no difference shown", "lower", "higher", "not worse", ...
    [[nodiscard]] std::size_t pairs() const { return seeds.size(); }
};

struct VariantComparison {
    std::string variant;
    bool identical = false;  // the same arm under two names
    PairedResult primary;  // the declared endpoint; lm_loss at the training length, exploratory, when none was declared
    std::vector<PairedResult> exploratory;
};

struct LengthRow {
    Measure measure;  // metric loss
    std::string arm;
    std::size_t n = 0;
    double mean = 0.0, sd = 0.0;
    std::optional<double> gap;     // loss(length) - loss(training length), mean over seeds, same mode
    std::optional<double> beyond;  // loss over targets at positions beyond the training length
    std::string reason;            // why there is no value
    bool small = false;            // fewer targets than 32,768
};

struct Comparison {
    std::string title;
    ArmResult baseline;
    std::vector<ArmResult> arms;  // baseline first
    std::optional<PrimaryEndpoint> primary;
    std::optional<double> margin;
    std::int64_t family_size = 1;
    std::int64_t pairs_needed = 6;
    std::vector<VariantComparison> variants;
    std::vector<LengthRow> lengths;
    // Longest evaluated length whose mean gap is at most 0.05 nats, by arm and mode.
    std::map<std::pair<std::string, std::string>, std::int64_t> longest_held;
    std::optional<double> noise_floor;  // largest |d| between arms that are the same plan under two names
    double test_sampling_error = 0.0;   // nats, of the test text itself
    std::string sweep;                  // as in the input
    std::vector<std::string> notes;
};
[[nodiscard]] Comparison compare_arms(const ComparisonInput& input);

struct PlannedSeeds {
    double difference = 0.0;            // nats
    std::optional<std::int64_t> seeds;  // nothing: more than a million
};
// Seeds that would show differences of 0.01, 0.02, 0.05 and 0.1 nats, from the spread so far; empty below two pairs.
[[nodiscard]] std::vector<PlannedSeeds> plan_seeds(const PairedResult& result, std::int64_t family_size);

inline constexpr double kHeldGap = 0.05;             // nats
inline constexpr std::int64_t kFullTargets = 32768;  // fewer is marked "small N"

[[nodiscard]] std::string comparison_table(const Comparison& comparison);  // what `run` and `compare` print
[[nodiscard]] std::string comparison_csv(const Comparison& comparison);
[[nodiscard]] std::string comparison_latex(const Comparison& comparison);
[[nodiscard]] std::string comparison_markdown(const Comparison& comparison);
[[nodiscard]] nlohmann::ordered_json to_json(const Comparison& comparison);
[[nodiscard]] nlohmann::ordered_json to_json(const PairedResult& result);

}  // namespace sextant
