#include "app/cli/commands.h"

namespace sextant::cli {
void add_preset(CLI::App&, Context&) {}
}  // namespace sextant::cli
