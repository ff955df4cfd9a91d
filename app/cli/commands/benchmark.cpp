#include "app/cli/commands.h"

namespace sextant::cli {
void add_benchmark(CLI::App&, Context&) {}
}  // namespace sextant::cli
