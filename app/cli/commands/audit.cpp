#include "app/cli/commands.h"

namespace sextant::cli {
void add_audit(CLI::App&, Context&) {}
}  // namespace sextant::cli
