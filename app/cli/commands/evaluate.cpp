#include "app/cli/commands.h"

namespace sextant::cli {
void add_evaluate(CLI::App&, Context&) {}
}  // namespace sextant::cli
