// compare ARTIFACT-or-PROJECT...: paired statistics of finished and running experiments and of artifact files.
#include <memory>
#include <nlohmann/json.hpp>

#include "app/cli/commands.h"
#include "core/base/json.h"
#include "core/results/comparison_artifact.h"

namespace sextant::cli {
namespace {

struct Options {
    std::vector<std::string> paths;
    std::string format = "table";
    bool json = false;
};

void compare(const Options& options, Context& context) {
    auto comparisons = compare_paths(options.paths);
    if (!comparisons) {
        context.fail(comparisons.error());
        return;
    }
    if (options.json || options.format == "json") {
        OrderedJson document = {{"comparisons", OrderedJson::array()}};
        for (const Comparison& comparison : *comparisons)
            document["comparisons"].push_back(to_json(comparison));
        print_text(dump_json(document));
        return;
    }
    std::string text;
    for (const Comparison& comparison : *comparisons) {
        std::string part;
        if (options.format == "csv") {
            part = comparison_csv(comparison);
            if (!text.empty()) part = part.substr(part.find('\n') + 1);  // one header line
        } else if (options.format == "latex") {
            part = comparison_latex(comparison);
        } else if (options.format == "markdown") {
            part = comparison_markdown(comparison);
        } else {
            part = comparison_table(comparison);
        }
        if (!text.empty() && options.format != "csv") text += "\n";
        text += part;
    }
    print_text(text);
}

}  // namespace

void add_compare(CLI::App& app, Context& context) {
    auto options = std::make_shared<Options>();
    CLI::App* command = app.add_subcommand(
        "compare", "Compare arms by paired seeds: projects (also while they run) and artifact files");
    command->add_option("path", options->paths, "Artifact files or project folders")->required()->type_name("PATH");
    command->add_option("--format", options->format, "table, json, csv, latex or markdown")
        ->check(CLI::IsMember({"table", "json", "csv", "latex", "markdown"}))
        ->capture_default_str();
    command->add_flag("--json", options->json, "The same as --format json");
    command->callback([options, &context] { compare(*options, context); });
}

}  // namespace sextant::cli
