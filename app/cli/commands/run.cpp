#include "app/cli/commands.h"

namespace sextant::cli {
void add_run(CLI::App&, Context&) {}
}  // namespace sextant::cli
