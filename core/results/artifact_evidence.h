#pragma once
// The blocks of an artifact that say how its differences came about and what they cost: extrapolation, loss by
// position, statistics, single seeds, fairness hashes, time and memory. Internal to the artifact.

#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "core/base/json.h"
#include "core/results/comparison.h"

namespace sextant {

[[nodiscard]] const ListedRun* find_run(std::span<const ListedRun> runs, const std::string& arm, std::int64_t seed);
// `length` 0: any.
[[nodiscard]] const EvaluationEvent* find_evaluation(const ListedRun& run, const std::string& metric,
                                                     std::int64_t length = 0);

class Evidence {
  public:
    // Everything is kept by reference; `reasons` gets an entry for each null.
    Evidence(const Experiment& experiment, const ArmConfig& variant, std::span<const ListedRun> runs,
             const std::vector<std::int64_t>& seeds, const Comparison& comparison, const VariantComparison& ours,
             OrderedJson& reasons)
        : experiment_(experiment),
          variant_(variant),
          runs_(runs),
          seeds_(seeds),
          comparison_(comparison),
          ours_(&ours),
          reasons_(reasons) {}

    [[nodiscard]] OrderedJson extrapolation();
    [[nodiscard]] OrderedJson position_loss();
    [[nodiscard]] OrderedJson statistics() const;
    [[nodiscard]] OrderedJson per_seed() const;
    [[nodiscard]] OrderedJson fairness() const;
    [[nodiscard]] OrderedJson timing() const;
    [[nodiscard]] OrderedJson memory() const;

  private:
    OrderedJson null_because(const std::string& pointer, const std::string& why);
    template <typename Get>
    OrderedJson by_seed(const std::string& arm, const Get& get) const;
    template <typename Get>
    OrderedJson by_length(const std::string& arm, const Get& get) const;

    const Experiment& experiment_;
    const ArmConfig& variant_;
    std::span<const ListedRun> runs_;
    const std::vector<std::int64_t>& seeds_;
    const Comparison& comparison_;
    const VariantComparison* ours_;
    OrderedJson& reasons_;
};

}  // namespace sextant
