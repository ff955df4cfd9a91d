#pragma once
// One file a subcommand in commands/. Each adds its CLI::App subcommand with a callback that sets context.status; a
// failure is context.fail(error): one line on stderr, the error's exit code.

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "core/base/result.h"

namespace sextant::cli {

struct Context {
    bool verbose = false;
    bool quiet = false;
    int status = 0;
    std::string program;                 // path of this binary, for children
    std::vector<std::string> arguments;  // as given, for provenance
    // Prints the error's one line (the chain with --verbose) and keeps its exit status.
    void fail(const Error& error);
    // To stderr unless --quiet.
    void note(const std::string& message) const;
};

// Exactly one document to stdout, newline at the end.
void print_text(const std::string& text);

void add_run(CLI::App& app, Context& context);
void add_presets(CLI::App& app, Context& context);
void add_preset(CLI::App& app, Context& context);
void add_encodings(CLI::App& app, Context& context);
void add_tables(CLI::App& app, Context& context);
void add_tokenizer(CLI::App& app, Context& context);
void add_evaluate(CLI::App& app, Context& context);
void add_attend(CLI::App& app, Context& context);
void add_generate(CLI::App& app, Context& context);
void add_describe(CLI::App& app, Context& context);
void add_audit(CLI::App& app, Context& context);
void add_compare(CLI::App& app, Context& context);
void add_export(CLI::App& app, Context& context);
void add_slurm(CLI::App& app, Context& context);
void add_serve(CLI::App& app, Context& context);
void add_doctor(CLI::App& app, Context& context);
void add_benchmark(CLI::App& app, Context& context);

}  // namespace sextant::cli
