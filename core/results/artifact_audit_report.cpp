// What an audit says, and the keys it asks for.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/base/json.h"
#include "core/base/text.h"
#include "core/results/artifact_audit.h"

namespace sextant {

std::size_t AuditReport::count(AuditLevel level) const {
    return static_cast<std::size_t>(std::count_if(findings.begin(), findings.end(),
                                                  [&](const AuditFinding& finding) { return finding.level == level; }));
}

const std::vector<std::string>& published_keys() {
    static const std::vector<std::string> keys = [] {
        const std::vector<std::pair<std::string, std::string>> blocks = {
            {"paper", "arxiv_id title url organization"},
            {"dataset",
             "name train_tokens validation_tokens test_tokens narrative_tokens instruction_train "
             "instruction_validation "
             "preference_validation reasoning_validation benchmark_suite vocab_size tokenizer"},
            {"setup",
             "seed steps_per_variant dimensions layers sequence_length same_tokens_optimizer_and_budget "
             "evolve_architecture "
             "evolve_optimizer"},
            {"baseline",
             "name lm_loss perplexity instruction_loss primary public_composite composite_loss fitness initial_loss "
             "final_loss post_training_loss reward_bearing_group_rate parameters device optimizer architecture_stats "
             "muon_orthogonality_error seeds"},
            {"relative", "lm_loss_percent perplexity_percent"},
            {"paper_results", ""},
            {"scope", ""},
            {"schema_version", ""},
            {"manifest_ref", ""},
            {"evaluation_protocol", "tier seeds formal_comparison claim_policy"},
            {"provenance", "artifact_path historical_migration original_code_commit dataset_fingerprint"}};
        std::vector<std::string> list;
        for (const auto& [block, names] : blocks) {
            for (const std::string& owner : block == "baseline" ? std::vector<std::string>{"baseline", "method"}
                                                                : std::vector<std::string>{block}) {
                list.push_back("/" + owner);
                for (const std::string& name : split(names, ' '))
                    if (!name.empty()) list.push_back("/" + owner + "/" + name);
            }
        }
        return list;
    }();
    return keys;
}

AuditReport audit_file(const std::string& path) {
    auto document = read_json_file(path);
    if (document) return audit_artifact(*document, path);
    AuditReport report;
    report.path = path;
    report.findings.push_back({AuditLevel::kFailure, "", document.error().message});
    return report;
}

std::string to_text(const AuditReport& report) {
    std::string text = single_line(report.path, 300) + "\n";
    for (const AuditFinding& finding : report.findings) {
        const char* word = finding.level == AuditLevel::kHolds     ? "holds  "
                           : finding.level == AuditLevel::kWarning ? "warning"
                                                                   : "FAILS  ";
        text += fmt::format("  {}  {}{}{}\n", word, single_line(finding.pointer, 120),
                            finding.pointer.empty() ? "" : ": ", single_line(finding.sentence, 400));
    }
    text += fmt::format("  {} hold, {} warnings, {} failures\n", report.count(AuditLevel::kHolds),
                        report.count(AuditLevel::kWarning), report.count(AuditLevel::kFailure));
    return text;
}

OrderedJson to_json(const AuditReport& report) {
    OrderedJson findings = OrderedJson::array();
    for (const AuditFinding& finding : report.findings) {
        const char* word = finding.level == AuditLevel::kHolds     ? "holds"
                           : finding.level == AuditLevel::kWarning ? "warning"
                                                                   : "failure";
        findings.push_back({{"level", word}, {"pointer", finding.pointer}, {"sentence", finding.sentence}});
    }
    return {{"path", report.path},
            {"ok", report.ok()},
            {"holds", report.count(AuditLevel::kHolds)},
            {"warnings", report.count(AuditLevel::kWarning)},
            {"failures", report.count(AuditLevel::kFailure)},
            {"findings", findings}};
}

}  // namespace sextant
