#include "app/cli/commands.h"

namespace sextant::cli {
void add_doctor(CLI::App&, Context&) {}
}  // namespace sextant::cli
