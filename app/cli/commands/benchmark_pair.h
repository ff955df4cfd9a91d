#pragma once
// benchmark pair EXPERIMENT: training steps of arms of one experiment timed in interleaved blocks.

#include "app/cli/commands.h"

namespace sextant::cli {

void add_benchmark_pair(CLI::App& benchmark, Context& context);

}  // namespace sextant::cli
