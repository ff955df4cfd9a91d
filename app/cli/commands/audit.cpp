// audit ARTIFACT...: one line a finding on stdout; exit 4 when an identity fails or a file is no artifact.
#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "app/cli/commands.h"
#include "core/base/json.h"
#include "core/base/text.h"
#include "core/results/artifact_audit.h"

namespace sextant::cli {
namespace {

struct Options {
    std::vector<std::string> files;
    bool json = false;
};

void audit(const Options& options, Context& context) {
    std::string text;
    OrderedJson document = {{"ok", true}, {"files", OrderedJson::array()}};
    std::size_t failed = 0;
    std::string first;
    for (const std::string& file : options.files) {
        const AuditReport report = audit_file(file);
        text += to_text(report);
        document["files"].push_back(to_json(report));
        if (report.ok()) continue;
        ++failed;
        for (const AuditFinding& finding : report.findings) {
            if (!first.empty() || finding.level != AuditLevel::kFailure) continue;
            first = single_line(file, 120) + ": " + finding.pointer + (finding.pointer.empty() ? "" : " ") +
                    finding.sentence;
        }
    }
    document["ok"] = failed == 0;
    print_text(options.json ? dump_json(document) : text);
    if (failed > 0) {
        context.fail(data_error(options.files.size() == 1 ? first
                                                          : fmt::format("{} of {} artifacts fail, first {}", failed,
                                                                        options.files.size(), first)));
    }
}

}  // namespace

void add_audit(CLI::App& app, Context& context) {
    auto options = std::make_shared<Options>();
    CLI::App* command =
        app.add_subcommand("audit", "Check metrics artifacts: schema and identities, one line a finding");
    command->add_option("artifact", options->files, "Artifact files, ours or others'")->required()->type_name("FILE");
    command->add_flag("--json", options->json, "One JSON document on stdout");
    command->callback([options, &context] { audit(*options, context); });
}

}  // namespace sextant::cli
