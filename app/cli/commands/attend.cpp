#include <memory>
#include <nlohmann/json.hpp>

#include "app/cli/commands.h"
#include "app/cli/model_requests.h"
#include "core/base/atomic_file.h"
#include "core/base/json.h"
#include "core/tensor_file/npy.h"
#include "core/tensor_file/safetensors.h"

namespace sextant::cli {
namespace {

struct Options {
    std::string model, tokenizer, layers, heads, format = "json", out;
    AttendArguments arguments;
};

Status attend(Options& options) {
    SEXTANT_TRY(layers, number_list("--layer", options.layers));
    SEXTANT_TRY(heads, number_list("--head", options.heads));
    options.arguments.layers = layers;
    options.arguments.heads = heads;
    if (options.format != "json" && options.arguments.statistics_only)
        return usage_error("--statistics has no matrices for --format " + options.format);
    if (options.format != "json" && options.out.empty())
        return usage_error("--format " + options.format + " needs --out FILE");
    SEXTANT_TRY(model, load_language_model({options.model, options.tokenizer, false}));
    SEXTANT_TRY(attended, attend_model(model, options.arguments, {}));
    if (options.format != "json") {
        const AttentionMaps& maps = attended.maps;
        const Shape shape{static_cast<std::int64_t>(maps.layers.size()), static_cast<std::int64_t>(maps.heads.size()),
                          maps.length, maps.length};
        const std::span<const float> values(maps.values);
        if (options.format == "npy") return write_npy(options.out, values, shape);
        // What the matrices are of (tokens, statistics, which layers and heads) travels in the metadata.
        const TensorView view{options.arguments.what, shape, values};
        return write_safetensors(options.out, {&view, 1}, {{"attention", dump_json(attended.header, -1)}});
    }
    OrderedJson document = std::move(attended.header);
    if (!options.arguments.statistics_only) document["values"] = nested_values(attended.maps);
    const std::string text = dump_json(document, -1) + "\n";
    if (!options.out.empty()) return write_file_atomically(options.out, text);
    print_text(text);
    return {};
}

}  // namespace

void add_attend(CLI::App& app, Context& context) {
    auto options = std::make_shared<Options>();
    CLI::App* command = app.add_subcommand("attend", "Attention of one text, head by head");
    command->add_option("MODEL", options->model, "Checkpoint, run, Hugging Face folder or llama2.c .bin")->required();
    command->add_option("--text", options->arguments.text, "The text")->required();
    command->add_option("--layer", options->layers, "Layers, from 0, separated by commas; all when left out");
    command->add_option("--head", options->heads, "Heads, from 0, separated by commas; all when left out");
    command->add_option("--what", options->arguments.what, "weights, scores, content, bias or unrotated");
    command->add_option("--tokens", options->arguments.tokens, "Only the first N tokens of the text (0: all)");
    command->add_option("--offset", options->arguments.offset, "Position of the first token (0)");
    command->add_flag("--statistics", options->arguments.statistics_only,
                      "Mean distance, entropy and sink share of each head only, no matrices");
    command->add_option("--format", options->format, "json, npy or safetensors")
        ->check(CLI::IsMember({"json", "npy", "safetensors"}));
    command->add_option("--out", options->out, "File to write instead of standard output");
    command->add_option("--tokenizer", options->tokenizer, "tokenizer.json, or tok512.bin of llama2.c");
    command->add_flag_callback(
        "--json", [options] { options->format = "json"; }, "The same as --format json");
    command->callback([options, &context] {
        if (const Status status = attend(*options); !status.ok()) context.fail(status.error());
    });
}

}  // namespace sextant::cli
