#pragma once
// Experiments that ship: quick, seed-alibi, seed-rope, seeds-6, a-a, train-short-test-long, paper-claim, rope-scaling,
// rope-convergence, benchmark-v1.

#include <string>
#include <vector>

#include "core/experiment/experiment.h"

namespace sextant {
struct Preset {
    std::string name;
    std::string summary;   // one sentence
    std::string duration;  // what to expect on two cores, in words
    Experiment experiment;
};
[[nodiscard]] const std::vector<Preset>& presets();
[[nodiscard]] Result<Preset> find_preset(const std::string& name);  // kUsage, nearest named
}  // namespace sextant
