#include "core/experiment/presets.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/cli/commands.h"
#include "core/base/json.h"

namespace sextant::cli {

void add_presets(CLI::App& app, Context&) {
    auto json = std::make_shared<bool>(false);
    CLI::App* command = app.add_subcommand("presets", "List the experiments that ship");
    command->add_flag("--json", *json, "As one JSON document");
    command->callback([json] {
        if (*json) {
            OrderedJson list = OrderedJson::array();
            for (const Preset& preset : presets()) {
                list.push_back({{"name", preset.name},
                                {"summary", preset.summary},
                                {"duration", preset.duration},
                                {"arms", preset.experiment.arms().size()},
                                {"seeds", preset.experiment.seeds.size()},
                                {"steps", preset.experiment.training.steps}});
            }
            print_text(dump_json(list));
            return;
        }
        std::size_t width = 0;
        for (const Preset& preset : presets())
            width = std::max(width, preset.name.size());
        std::string text;
        for (const Preset& preset : presets())
            text +=
                fmt::format("{:{}}  {} Takes {} on two cores.\n", preset.name, width, preset.summary, preset.duration);
        print_text(text);
    });
}

}  // namespace sextant::cli
