#include <memory>
#include <nlohmann/json.hpp>

#include "app/cli/commands.h"
#include "app/cli/model_requests.h"
#include "core/base/json.h"

namespace sextant::cli {
namespace {

struct Options {
    std::string model, tokenizer;
    GenerateArguments arguments;
    bool json = false;
};

Status generate_command(const Options& options) {
    SEXTANT_TRY(model, load_language_model({options.model, options.tokenizer, false}));
    SEXTANT_TRY(document, generate_text(model, options.arguments, {}));
    print_text(options.json ? dump_json(document) : document["text"].get<std::string>());
    return {};
}

}  // namespace

void add_generate(CLI::App& app, Context& context) {
    auto options = std::make_shared<Options>();
    CLI::App* command = app.add_subcommand("generate", "Continue a text with a key-value cache");
    command->add_option("MODEL", options->model, "Checkpoint, run, Hugging Face folder or llama2.c .bin")->required();
    command->add_option("--prompt", options->arguments.prompt, "Text to continue; empty begins a new one");
    command->add_option("--tokens", options->arguments.tokens, "Most tokens to add");
    command->add_option("--temperature", options->arguments.temperature, "0 takes the likeliest token each time");
    command->add_option("--seed", options->arguments.seed, "Seed of the draw at a temperature above 0");
    command->add_option("--tokenizer", options->tokenizer, "tokenizer.json, or tok512.bin of llama2.c");
    command->add_flag("--json", options->json, "One JSON document on standard output");
    command->callback([options, &context] {
        if (const Status status = generate_command(*options); !status.ok()) context.fail(status.error());
    });
}

}  // namespace sextant::cli
