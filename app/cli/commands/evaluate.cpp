#include <memory>
#include <nlohmann/json.hpp>

#include "app/cli/commands.h"
#include "app/cli/model_requests.h"
#include "core/base/json.h"

namespace sextant::cli {
namespace {

struct Options {
    std::string model, run, tokenizer, lengths, distances, modes = "non-overlapping,sliding";
    EvaluateArguments arguments;
    bool json = false;
};

Status evaluate(Options& options, const CLI::App& command) {
    ModelRequest request;
    request.tokenizer = options.tokenizer;
    request.is_run = command.count("--run") > 0;
    request.path = options.model.empty() ? options.run : options.model;
    if (request.path.empty()) return usage_error("evaluate needs a MODEL, or --run with a run's folder");
    if (!options.model.empty() && !options.run.empty())
        return usage_error("evaluate takes either a MODEL or --run DIR, not both");
    SEXTANT_TRY(lengths, number_list("--lengths", options.lengths));
    options.arguments.lengths = lengths;
    SEXTANT_TRY(distances, number_list("--distances", options.distances));
    options.arguments.distances = distances;
    options.arguments.modes = word_list(options.modes);
    SEXTANT_TRY(model, load_language_model(request));
    SEXTANT_TRY(document, evaluate_model(model, options.arguments, {}));
    print_text(options.json ? dump_json(document) : evaluation_table(document));
    return {};
}

}  // namespace

void add_evaluate(CLI::App& app, Context& context) {
    auto options = std::make_shared<Options>();
    CLI::App* command = app.add_subcommand("evaluate", "Loss and perplexity of a model, by length and mode");
    command->add_option("MODEL", options->model, "Checkpoint folder, Hugging Face folder or llama2.c .bin");
    command->add_option("--run", options->run, "A run's folder: its newest checkpoint")->expected(0, 1);
    command->add_option("--tokenizer", options->tokenizer, "tokenizer.json, or tok512.bin of llama2.c");
    command->add_option("--text", options->arguments.text,
                        "Text file; without it the test split of the run the checkpoint belongs to");
    command->add_option("--lengths", options->lengths,
                        "Lengths in tokens, separated by commas; without them the whole text at the training length");
    command->add_option("--modes", options->modes, "non-overlapping, sliding, cold-start, separated by commas");
    command->add_option("--stride", options->arguments.stride, "Stride of sliding and cold-start windows, tokens");
    command->add_option("--targets", options->arguments.targets,
                        "Number of targets N; 0 takes as many as fit, at most 32768");
    command->add_flag("--by-position", options->arguments.by_position, "Mean loss by position in the window too");
    command->add_option("--window", options->arguments.window,
                        "Also with an attention sink: each token sees its last W keys and the first --sink ones");
    command->add_option("--sink", options->arguments.sink, "Keys of the attention sink");
    command->add_option("--probe", options->arguments.probe,
                        "Accuracy on a task instead of a text: copy, induction, needle or recall");
    command->add_option("--distances", options->distances, "Distances of the task probe, separated by commas");
    command->add_option("--answer-tokens", options->arguments.answer_tokens, "Tokens of each answer");
    command->add_option("--probes", options->arguments.probes, "Probes at each distance");
    command->add_option("--path", options->arguments.path, "fused, reference or auto")
        ->check(CLI::IsMember({"fused", "reference", "auto"}));
    command->add_option("--device", options->arguments.device, "auto, cpu, cuda or mps")
        ->check(CLI::IsMember({"auto", "cpu", "cuda", "mps"}));
    command->add_option("--threads", options->arguments.threads, "Threads; 0 takes all cores")
        ->check(CLI::Range(std::int64_t{0}, std::int64_t{1024}));
    command->add_flag("--json", options->json, "One JSON document on standard output");
    command->callback([options, command, &context] {
        if (const Status status = evaluate(*options, *command); !status.ok()) context.fail(status.error());
    });
}

}  // namespace sextant::cli
