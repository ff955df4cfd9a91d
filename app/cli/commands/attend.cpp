#include "app/cli/commands.h"

namespace sextant::cli {
void add_attend(CLI::App&, Context&) {}
}  // namespace sextant::cli
