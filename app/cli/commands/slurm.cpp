#include "app/cli/commands.h"

namespace sextant::cli {
void add_slurm(CLI::App&, Context&) {}
}  // namespace sextant::cli
