// `tables ENCODING --what W`: the numbers an encoding means, in double precision.

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "app/cli/commands.h"
#include "app/cli/tables_file.h"
#include "app/cli/tables_options.h"
#include "core/base/atomic_file.h"
#include "core/base/json.h"
#include "core/base/text.h"
#include "core/encoding/conformance.h"
#include "core/encoding/conventions.h"
#include "core/encoding/table_writer.h"
#include "core/tensor_file/npy.h"
#include "core/tensor_file/safetensors.h"

namespace sextant::cli {
namespace {

struct Options {
    TablesOptions table;
    std::string format = "json";
    std::string out;
    std::string check;
    std::string convention;
    std::string batch;
    std::int64_t left_padding = 0;
    double tolerance = 1e-6;
    bool json = false;
};

void write_stdout(std::string_view piece) {
    std::fwrite(piece.data(), 1, piece.size(), stdout);
}

Status write_result(const NamedTable& table, const Options& options, const TextSink& out) {
    std::string tensors;
    if (options.format == "safetensors") {
        const TensorView view{table.what, table.shape, std::span<const double>(table.values)};
        SEXTANT_TRY(bytes, safetensors_bytes({&view, 1}, {{"encoding", table.encoding}}));
        tensors = std::move(bytes);
    }
    const auto text = [&](const TextSink& sink) {
        if (options.format == "csv") {
            write_table_csv(table, sink);
        } else if (options.format == "npy") {
            sink(npy_bytes(std::span<const double>(table.values), table.shape));
        } else if (options.format == "safetensors") {
            sink(tensors);
        } else {
            write_table_json(table, sink);
        }
    };
    if (!options.out.empty()) {
        std::string whole;
        text([&whole](std::string_view piece) { whole += piece; });
        return write_file_atomically(options.out, whole);
    }
    text(out);
    return {};
}

OrderedJson verdict_json(const Conformance& verdict) {
    OrderedJson document{{"verdict", agreement_name(verdict.agreement)}, {"sentence", verdict.sentence}};
    if (verdict.agreement == Agreement::kScaled) document["factor"] = verdict.factor;
    if (verdict.agreement == Agreement::kDifferent && !verdict.index.empty()) {
        document["index"] = verdict.index;
        document["expected"] = json_number(verdict.expected);
        document["found"] = json_number(verdict.found);
        document["differing"] = verdict.differing;
        document["largest_difference"] = verdict.largest_difference;
    }
    return document;
}

// A known relation is an answer and exits 0; a table that is none of them exits 4.
Status check(const Options& options, const TableRequest& request, const TextSink& out) {
    SEXTANT_TRY(found, read_table_file(options.check));
    auto verdict = check_conformance(request, found, {options.tolerance, options.tolerance});
    if (!verdict) {
        Error error = std::move(verdict).error();
        if (error.code == ErrorCode::kData) error.path = options.check;
        return error;
    }
    out((options.json ? dump_json(verdict_json(*verdict)) : verdict->sentence) + "\n");
    if (verdict->agreement == Agreement::kDifferent) {
        return data_error(fmt::format("is not the {} of {}; see the finding", request.what, request.encoding.id),
                          options.check);
    }
    return {};
}

Status show_convention(const Options& options, const TableRequest& request, const TextSink& out) {
    SEXTANT_TRY(table, convention_bias(options.convention, request, options.left_padding));
    Array computed;
    computed.shape = table.shape;
    computed.values = table.values;
    TableRequest ours = request;
    ours.precision = Precision::kFp64;
    SEXTANT_TRY(verdict, check_conformance(ours, computed, {options.tolerance, options.tolerance}));
    for (const Convention& convention : alibi_conventions()) {
        if (convention.name != options.convention) continue;
        table.convention = {{"name", convention.name},
                            {"computes", convention.computes},
                            {"right", convention.right},
                            {"wrong", convention.wrong},
                            {"against_ours", verdict.sentence}};
    }
    return write_result(table, options, out);
}

Status run(const Options& options, const Context& context, const TextSink& out) {
    if (options.table.encoding.empty()) return usage_error("ENCODING is required; see 'sextant-cli encodings'");
    SEXTANT_TRY(request, table_request(options.table));
    if (!options.check.empty() && !options.convention.empty()) {
        return usage_error("--check and --convention are two questions; ask one");
    }
    if (!options.check.empty()) return check(options, request, out);
    if (!options.convention.empty()) return show_convention(options, request, out);
    SEXTANT_TRY(table, make_table(request));
    for (const std::string& note : table.notes)
        context.note("warning: " + note);
    return write_result(table, options, out);
}

// The options of one request; `options` must outlive the command.
void add_table_options(CLI::App* command, const std::shared_ptr<Options>& options) {
    TablesOptions& t = options->table;
    command->add_option("ENCODING", t.encoding, "Name from 'sextant-cli encodings'");
    command->add_option("--what", t.what, join_limited(table_names(), 20));
    command->add_option("--heads", t.heads, "Attention heads (8)");
    command->add_option("--head-dim", t.head_dim, "Channels of a head (64)");
    command->add_option("--d-model", t.d_model, "Width of the embedding (512)");
    command->add_option("--length", t.length, "Positions, or keys of a bias (64)");
    command->add_option("--queries", t.queries, "Only the last N queries of --length keys");
    command->add_option("--positions", t.positions, "Positions with commas between them, instead of 0 .. length - 1");
    command->add_flag("--symmetric", t.symmetric, "Encoder form: keys after the query are not masked");
    command->add_option("--window", t.window, "Mask keys at this distance and beyond (0: no window)");
    command->add_option("--param", t.parameters, "name=value of the encoding, repeatable")->allow_extra_args(false);
    command->add_option("--layout", t.layout, "The same as --param layout=...");
    command->add_option("--vector", t.vector, "Numbers to turn, with commas between them (rotate)");
    command->add_option("--side", t.side, "query or key (rotate)")->check(CLI::IsMember({"query", "key"}));
    command->add_option("--values", t.values, "JSON file with the values of learned tables");
    command->add_option("--precision", t.precision, "Compute as this precision would: fp64, fp32, fp16, bf16")
        ->check(CLI::IsMember({"fp64", "fp32", "fp16", "bf16"}));
    command->add_option("--format", options->format, "json, csv, npy or safetensors")
        ->check(CLI::IsMember({"json", "csv", "npy", "safetensors"}));
    command->add_option("--out", options->out, "File to write instead of standard output");
    std::vector<std::string> conventions;
    for (const Convention& convention : alibi_conventions())
        conventions.push_back(convention.name);
    command->add_option("--check", options->check,
                        "JSON, CSV or npy of other code: say whether it is this table (exit 0 for equal, a constant a "
                        "row, permuted, scaled, naive slopes; exit 4 when it differs otherwise)");
    command->add_option("--convention", options->convention,
                        "Print the ALiBi bias as other code computes it: " + join_limited(conventions, 10));
    command->add_option("--left-padding", options->left_padding, "With --convention bloom: padding keys at the start");
    command->add_option("--tolerance", options->tolerance, "Relative and absolute tolerance of --check (1e-6)")
        ->check(CLI::NonNegativeNumber);
    command->add_flag("--json", options->json, "With --check: the verdict as one JSON document");
}

// One line of a batch: the words that would follow `sextant-cli tables`, through the same parser.
Status answer_line(const std::string& line, const TextSink& out) {
    SEXTANT_TRY(document, parse_json(line, "request"));
    std::vector<std::string> words;
    const bool texts = document.is_array() &&
                       std::all_of(document.begin(), document.end(), [](const Json& word) { return word.is_string(); });
    if (!texts) return usage_error("a request is a JSON array of words, such as [\"alibi\", \"--what\", \"slopes\"]");
    for (const Json& word : document)
        words.push_back(word.get<std::string>());
    std::reverse(words.begin(), words.end());  // as CLI11 takes them
    const auto options = std::make_shared<Options>();
    CLI::App parser("one request of a batch", "tables");
    parser.set_help_flag();
    add_table_options(&parser, options);
    try {
        parser.parse(words);
    } catch (const CLI::ParseError& error) {
        return usage_error(error.what());
    }
    options->json = true;
    if (options->format != "json" && options->out.empty()) {
        return usage_error("in a batch --format " + options->format +
                           " needs --out FILE; lines of the answer are JSON");
    }
    Context quiet;
    quiet.quiet = true;  // warnings stand in the document, under "notes"
    SEXTANT_CHECK(run(*options, quiet, out));
    if (!options->out.empty()) out(dump_json(OrderedJson{{"out", options->out}}, -1));
    return {};
}

// A line of answer for each line of the file, in order; a failed one is {"error": {"code", "message"}}.
Status run_batch(const std::string& path) {
    SEXTANT_TRY(text, read_file(path));
    std::size_t number = 0;
    std::size_t asked = 0;
    std::size_t failed = 0;
    std::optional<Error> first;
    for (const std::string& line : split(text, '\n')) {
        ++number;
        if (trimmed(line).empty()) continue;
        ++asked;
        std::string answer;
        const Status status = answer_line(line, [&answer](std::string_view piece) { answer += piece; });
        if (!status) {
            Error error = status.error();
            if (answer.empty()) {
                answer = dump_json(
                    OrderedJson{{"error", {{"code", error.exit_status()}, {"message", error.sentence()}}}}, -1);
            }
            ++failed;
            if (!first) {
                first = std::move(error);
                first->message = fmt::format("line {}: {}", number, first->message);
            }
        }
        // Line breaks between the values only: those inside texts are escaped.
        answer.erase(std::remove(answer.begin(), answer.end(), '\n'), answer.end());
        print_text(answer);
    }
    if (!first) return {};
    first->message = fmt::format("{} of {} requests failed; the first at {}", failed, asked, first->message);
    return *first;
}

}  // namespace

void add_tables(CLI::App& app, Context& context) {
    auto options = std::make_shared<Options>();
    CLI::App* command = app.add_subcommand("tables", "Print the numbers an encoding means");
    add_table_options(command, options);
    CLI::Option* batch = command->add_option(
        "--batch", options->batch,
        "Many requests at one start: a file with a JSON array of the words of one request a line, answered by a "
        "line of JSON each");
    batch->excludes(command->get_option("ENCODING"));
    command->callback([options, &context] {
        const Status status = options->batch.empty() ? run(*options, context, write_stdout) : run_batch(options->batch);
        if (!status) return context.fail(status.error());
        if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
            context.fail(storage_error("cannot write to standard output"));
        }
    });
}

}  // namespace sextant::cli
