#pragma once
// The claims ledger, resources/claims.json, compiled into the program: what the papers say with number, table and
// reference, and whether it is tested here, testable, or not testable at this scale and why. Published numbers and
// ours stand apart; what was not run says so.

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace sextant {

struct PublishedFigure {
    std::string label;
    double value = 0.0;
    std::string unit;
};
enum class ClaimStatus { kTested, kTestable, kNotTestable };

struct PaperClaim {
    std::string id, paper;  // paper: arXiv id
    std::string statement, statement_zh;
    std::vector<PublishedFigure> published;
    std::string table, reference;
    ClaimStatus status = ClaimStatus::kNotTestable;
    std::vector<PublishedFigure> ours;  // measured by this program; empty: not run
    std::string ours_how;               // how ours were run, or why there are none
    std::string how;                    // command or preset; empty when not testable
    std::string why;                    // scale, hardware, what differs
};

[[nodiscard]] const char* claim_status_text(ClaimStatus status);  // "tested", "testable", "not testable"
[[nodiscard]] Result<std::vector<PaperClaim>> parse_claims(const nlohmann::json& document,
                                                           const std::string& path = {});
[[nodiscard]] const std::vector<PaperClaim>& claims_ledger();
[[nodiscard]] std::string_view claims_ledger_text();  // the JSON, as shipped

}  // namespace sextant
