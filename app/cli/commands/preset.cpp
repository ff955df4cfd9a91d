#include <memory>
#include <nlohmann/json.hpp>

#include "app/cli/commands.h"
#include "core/base/json.h"
#include "core/experiment/config_io.h"
#include "core/experiment/presets.h"

namespace sextant::cli {

void add_preset(CLI::App& app, Context& context) {
    auto name = std::make_shared<std::string>();
    CLI::App* command = app.add_subcommand("preset", "Print one preset as an experiment file");
    command->add_option("name", *name, "Its name: see 'presets'")->required();
    command->callback([name, &context] {
        const auto preset = find_preset(*name);
        if (!preset) return context.fail(preset.error());
        print_text(dump_json(to_json(preset->experiment)));
    });
}

}  // namespace sextant::cli
