#include "app/cli/commands.h"

namespace sextant::cli {
void add_export(CLI::App&, Context&) {}
}  // namespace sextant::cli
