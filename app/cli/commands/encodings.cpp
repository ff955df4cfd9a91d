#include "app/cli/commands.h"

namespace sextant::cli {
void add_encodings(CLI::App&, Context&) {}
}  // namespace sextant::cli
