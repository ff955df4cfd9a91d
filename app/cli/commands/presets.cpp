#include "app/cli/commands.h"

namespace sextant::cli {
void add_presets(CLI::App&, Context&) {}
}  // namespace sextant::cli
