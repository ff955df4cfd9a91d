#include "app/cli/commands.h"

namespace sextant::cli {
void add_generate(CLI::App&, Context&) {}
}  // namespace sextant::cli
