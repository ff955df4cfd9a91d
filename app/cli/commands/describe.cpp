#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "app/cli/commands.h"
#include "app/cli/model_requests.h"
#include "core/base/json.h"
#include "core/base/text.h"

namespace sextant::cli {
namespace {

struct Options {
    std::string model, tokenizer;
    bool json = false;
};

Status describe(const Options& options) {
    SEXTANT_TRY(described, describe_file(options.model, options.tokenizer));
    print_text(options.json ? dump_json(described.document) : described.text);
    if (described.problems.empty()) return {};
    return data_error(
        fmt::format("{} found: {}",
                    described.problems.size() == 1 ? std::string("a problem was")
                                                   : fmt::format("{} problems were", described.problems.size()),
                    join_limited(described.problems)),
        options.model);
}

}  // namespace

void add_describe(CLI::App& app, Context& context) {
    auto options = std::make_shared<Options>();
    CLI::App* command = app.add_subcommand("describe", "Architecture, encoding and tensors of a model");
    command->add_option("MODEL", options->model, "Checkpoint, run, Hugging Face folder or llama2.c .bin")->required();
    command->add_option("--tokenizer", options->tokenizer, "tokenizer.json, or tok512.bin of llama2.c");
    command->add_flag("--json", options->json, "One JSON document on standard output");
    command->callback([options, &context] {
        if (const Status status = describe(*options); !status.ok()) context.fail(status.error());
    });
}

}  // namespace sextant::cli
