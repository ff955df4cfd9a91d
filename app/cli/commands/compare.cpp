#include "app/cli/commands.h"

namespace sextant::cli {
void add_compare(CLI::App&, Context&) {}
}  // namespace sextant::cli
