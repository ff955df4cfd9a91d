#include "app/cli/commands.h"

namespace sextant::cli {
void add_tables(CLI::App&, Context&) {}
}  // namespace sextant::cli
