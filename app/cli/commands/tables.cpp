// `tables ENCODING --what W`: the numbers an encoding means, in double precision.

#include <fmt/format.h>

#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>

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

namespace sextant::cli {
namespace {

struct Options {
    TablesOptions table;
    std::string format = "json";
    std::string out;
    std::string check;
    std::string convention;
    std::int64_t left_padding = 0;
    double tolerance = 1e-6;
    bool json = false;
};

void write_stdout(std::string_view piece) {
    std::fwrite(piece.data(), 1, piece.size(), stdout);
}

Status write_result(const NamedTable& table, const Options& options) {
    const auto text = [&](const TextSink& sink) {
        if (options.format == "csv") {
            write_table_csv(table, sink);
        } else if (options.format == "npy") {
            sink(npy_bytes(std::span<const double>(table.values), table.shape));
        } else {
            write_table_json(table, sink);
        }
    };
    if (!options.out.empty()) {
        std::string whole;
        text([&whole](std::string_view piece) { whole += piece; });
        return write_file_atomically(options.out, whole);
    }
    text(write_stdout);
    if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) return storage_error("cannot write to standard output");
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
Status check(const Options& options, const TableRequest& request) {
    SEXTANT_TRY(found, read_table_file(options.check));
    auto verdict = check_conformance(request, found, {options.tolerance, options.tolerance});
    if (!verdict) {
        Error error = std::move(verdict).error();
        if (error.code == ErrorCode::kData) error.path = options.check;
        return error;
    }
    print_text(options.json ? dump_json(verdict_json(*verdict)) : verdict->sentence);
    if (verdict->agreement == Agreement::kDifferent) {
        return data_error(fmt::format("is not the {} of {}; see the finding", request.what, request.encoding.id),
                          options.check);
    }
    return {};
}

Status show_convention(const Options& options, const TableRequest& request) {
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
    return write_result(table, options);
}

Status run(const Options& options, const Context& context) {
    SEXTANT_TRY(request, table_request(options.table));
    if (!options.check.empty() && !options.convention.empty()) {
        return usage_error("--check and --convention are two questions; ask one");
    }
    if (!options.check.empty()) return check(options, request);
    if (!options.convention.empty()) return show_convention(options, request);
    SEXTANT_TRY(table, make_table(request));
    for (const std::string& note : table.notes)
        context.note("warning: " + note);
    return write_result(table, options);
}

}  // namespace

void add_tables(CLI::App& app, Context& context) {
    auto options = std::make_shared<Options>();
    TablesOptions& t = options->table;
    CLI::App* command = app.add_subcommand("tables", "Print the numbers an encoding means");
    command->add_option("ENCODING", t.encoding, "Name from 'sextant-cli encodings'")->required();
    command->add_option("--what", t.what, join_limited(table_names(), 20));
    CLI::Option* heads = command->add_option("--heads", t.heads, "Attention heads (8)");
    CLI::Option* head_dim = command->add_option("--head-dim", t.head_dim, "Channels of a head (64)");
    CLI::Option* d_model = command->add_option("--d-model", t.d_model, "Width of the embedding (512)");
    CLI::Option* length = command->add_option("--length", t.length, "Positions, or keys of a bias (64)");
    CLI::Option* queries = command->add_option("--queries", t.queries, "Only the last N queries of --length keys");
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
    command->add_option("--format", options->format, "json, csv or npy")->check(CLI::IsMember({"json", "csv", "npy"}));
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
    command->callback([=, &context] {
        TablesOptions& given = options->table;
        given.has_heads = heads->count() > 0;
        given.has_head_dim = head_dim->count() > 0;
        given.has_d_model = d_model->count() > 0;
        given.has_length = length->count() > 0;
        given.has_queries = queries->count() > 0;
        if (const Status status = run(*options, context); !status) context.fail(status.error());
    });
}

}  // namespace sextant::cli
