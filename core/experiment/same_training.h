#pragma once
// Runs that end with the same weights under other names: the scaling papers train once and judge with several tables.

#include "core/experiment/run_plan.h"

namespace sextant {

// Everything that decides the trained weights is equal: seed, data, model, encoding and training. What is only judged
// (evaluation_encoding), the arm's name and cadences may differ.
[[nodiscard]] bool same_training(const RunPlan& a, const RunPlan& b);

}  // namespace sextant
