#include "app/cli/commands.h"

namespace sextant::cli {
void add_serve(CLI::App&, Context&) {}
}  // namespace sextant::cli
