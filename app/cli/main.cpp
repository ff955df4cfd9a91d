// The command line: parse, dispatch, one line on stderr for every failure, documented exit codes.

#include <unistd.h>
#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <iostream>

#include "app/cli/commands.h"
#include "app/cli/version.h"
#include "core/base/text.h"

namespace sextant::cli {

void Context::fail(const Error& error) {
    if (verbose && !error.context.empty()) {
        for (const std::string& step : error.context)
            std::fprintf(stderr, "  %s\n", single_line(step, 500).c_str());
    }
    std::fprintf(stderr, "sextant-cli: %s\n", error.sentence().c_str());
    status = error.exit_status();
}

void Context::note(const std::string& message) const {
    if (!quiet) std::fprintf(stderr, "%s\n", message.c_str());
}

void print_text(const std::string& text) {
    std::fwrite(text.data(), 1, text.size(), stdout);
    if (text.empty() || text.back() != '\n') std::fputc('\n', stdout);
    std::fflush(stdout);
}

}  // namespace sextant::cli

int main(int argc, char** argv) {
    using namespace sextant;
    using namespace sextant::cli;
    Context context;
    for (int i = 0; i < argc; ++i)
        context.arguments.emplace_back(argv[i]);
    char self[4096] = {};
    if (::readlink("/proc/self/exe", self, sizeof self - 1) > 0) context.program = self;

    CLI::App app("Sextant: a laboratory for position encodings", "sextant-cli");
    app.set_help_flag("-h,--help", "Show this help and exit");
    app.set_help_all_flag("--help-all", "Show the help of every command and exit");
    app.add_flag("--verbose", context.verbose, "Show what led to an error");
    app.add_flag("--quiet", context.quiet, "Show results and errors only");
    bool version = false;
    bool version_json = false;
    app.add_flag("--version", version, "Show version, commit and libraries and exit");
    app.add_flag("--json", version_json, "With --version: as one JSON document");
    app.require_subcommand(0, 1);
    app.fallthrough();

    add_run(app, context);
    add_presets(app, context);
    add_preset(app, context);
    add_encodings(app, context);
    add_tables(app, context);
    add_tokenizer(app, context);
    add_evaluate(app, context);
    add_attend(app, context);
    add_generate(app, context);
    add_describe(app, context);
    add_audit(app, context);
    add_compare(app, context);
    add_export(app, context);
    add_slurm(app, context);
    add_serve(app, context);
    add_doctor(app, context);
    add_benchmark(app, context);

    try {
        app.parse(argc, argv);
        if (version) {
            print_text(version_text(version_json));
        } else if (app.get_subcommands().empty()) {
            context.fail(usage_error("no command given; see 'sextant-cli --help'"));
        }
    } catch (const CLI::CallForHelp&) {
        print_text(app.help());
        return 0;
    } catch (const CLI::CallForAllHelp&) {
        print_text(app.help("", CLI::AppFormatMode::All));
        return 0;
    } catch (const CLI::ParseError& error) {
        context.fail(usage_error(std::string(error.what()) + "; see 'sextant-cli --help'"));
    } catch (const std::bad_alloc&) {
        context.fail(device_error("not enough memory"));
    } catch (const std::exception& error) {
        context.fail(internal_error(error.what()));
    }
    return context.status;
}
