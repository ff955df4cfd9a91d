#include "app/cli/commands.h"

namespace sextant::cli {
void add_tokenizer(CLI::App&, Context&) {}
}  // namespace sextant::cli
