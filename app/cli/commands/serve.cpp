#include <iostream>

#include "app/cli/commands.h"
#include "app/cli/service.h"

namespace sextant::cli {

void add_serve(CLI::App& app, Context& /*context*/) {
    CLI::App* command = app.add_subcommand(
        "serve", "Answer requests of the window: one JSON object a line on standard input and output");
    command->callback([] {
        std::ios::sync_with_stdio(false);
        Service(std::cin, std::cout).run();
    });
}

}  // namespace sextant::cli
