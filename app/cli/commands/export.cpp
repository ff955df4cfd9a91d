// export PROJECT --format F --out DIR: the project's numbers for other programs, complete and exact.
#include <unistd.h>

#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/cli/commands.h"
#include "core/base/json.h"
#include "core/results/project_export.h"

namespace sextant::cli {
namespace {

struct Options {
    std::string project, format = "csv", out;
    bool force = false, skip = false, rename = false, json = false;
};

void run_export(const Options& options, Context& context) {
    if (options.force + options.skip + options.rename > 1) {
        context.fail(usage_error("--force, --skip and --rename exclude each other"));
        return;
    }
    auto report = read_report(Project{options.project});
    if (!report) {
        context.fail(report.error());
        return;
    }
    auto files = make_export(*report, options.format);
    if (!files) {
        context.fail(files.error());
        return;
    }
    ExistingFile existing = options.force    ? ExistingFile::kOverwrite
                            : options.skip   ? ExistingFile::kSkip
                            : options.rename ? ExistingFile::kRename
                                             : ExistingFile::kRefuse;
    auto written = write_export(*files, options.out, existing);
    if (!written && existing == ExistingFile::kRefuse && written.error().code == ErrorCode::kUsage && !options.json &&
        ::isatty(STDIN_FILENO) != 0 && ::isatty(STDERR_FILENO) != 0) {
        std::cerr << written.error().path << " exists. Overwrite this and the others? [y/N] " << std::flush;
        std::string answer;
        std::getline(std::cin, answer);
        if (answer == "y" || answer == "Y" || answer == "yes")
            written = write_export(*files, options.out, ExistingFile::kOverwrite);
    }
    if (!written) {
        context.fail(written.error());
        return;
    }
    if (options.json) {
        print_text(dump_json(OrderedJson{{"written", written->written}, {"skipped", written->skipped}}));
        return;
    }
    std::string text;
    for (const std::string& path : written->written)
        text += path + "\n";
    for (const std::string& path : written->skipped)
        text += path + " (kept)\n";
    print_text(text);
}

}  // namespace

void add_export(CLI::App& app, Context& context) {
    auto options = std::make_shared<Options>();
    CLI::App* command =
        app.add_subcommand("export", "Write a project's numbers for other programs, complete and exact");
    command->add_option("project", options->project, "Project folder")->required()->type_name("PROJECT");
    command->add_option("--format", options->format, "csv, latex, markdown, tensorboard, json or npy")
        ->check(CLI::IsMember({"csv", "latex", "markdown", "tensorboard", "json", "npy"}))
        ->required();
    command->add_option("--out", options->out, "Folder to write into; made when absent")->required()->type_name("DIR");
    command->add_flag("--force", options->force, "Overwrite files that exist");
    command->add_flag("--skip", options->skip, "Keep files that exist");
    command->add_flag("--rename", options->rename, "Write beside files that exist, numbered");
    command->add_flag("--json", options->json, "Paths written as one JSON document");
    command->callback([options, &context] { run_export(*options, context); });
}

}  // namespace sextant::cli
