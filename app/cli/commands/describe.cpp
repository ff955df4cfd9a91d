#include "app/cli/commands.h"

namespace sextant::cli {
void add_describe(CLI::App&, Context&) {}
}  // namespace sextant::cli
