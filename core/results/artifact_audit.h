#pragma once
// Checks a metrics artifact, ours or a stranger's: schema, key sets, and every identity that must hold between its
// numbers. Each check is one finding, so that a reader sees what was checked and not only what failed.

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "core/base/result.h"

namespace sextant {

enum class AuditLevel { kHolds, kWarning, kFailure };

struct AuditFinding {
    AuditLevel level = AuditLevel::kHolds;
    std::string pointer;   // what it is about
    std::string sentence;  // names both values where two were compared
};

struct AuditReport {
    std::string path;
    std::vector<AuditFinding> findings;
    [[nodiscard]] std::size_t count(AuditLevel level) const;
    [[nodiscard]] bool ok() const { return count(AuditLevel::kFailure) == 0; }
};

[[nodiscard]] AuditReport audit_artifact(const nlohmann::json& document, const std::string& path = {});
// A file that cannot be read or parsed is a report with that one failure.
[[nodiscard]] AuditReport audit_file(const std::string& path);
[[nodiscard]] std::string to_text(const AuditReport& report);
[[nodiscard]] nlohmann::ordered_json to_json(const AuditReport& report);

// JSON pointers of every key that the published files have and every artifact must.
[[nodiscard]] const std::vector<std::string>& published_keys();

}  // namespace sextant
