#include "core/results/claims.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <set>

#include "core/base/json.h"

namespace sextant {
namespace {

Error bad(const std::string& path, const std::string& pointer, std::string message) {
    Error error = data_error(std::move(message), path);
    error.pointer = pointer;
    return error;
}

}  // namespace

const char* claim_status_text(ClaimStatus status) {
    switch (status) {
        case ClaimStatus::kTested:
            return "tested";
        case ClaimStatus::kTestable:
            return "testable";
        case ClaimStatus::kNotTestable:
            return "not testable";
    }
    return "not testable";
}

Result<std::vector<PaperClaim>> parse_claims(const Json& document, const std::string& path) {
    const auto list = document.find("claims");
    if (!document.is_object() || list == document.end() || !list->is_array())
        return bad(path, "/claims", "is not a list");
    if (document.value("schema_version", Json()) != 1) return bad(path, "/schema_version", "is not 1");
    std::vector<PaperClaim> claims;
    std::set<std::string> ids;
    for (std::size_t i = 0; i < list->size(); ++i) {
        const Json& entry = (*list)[i];
        const std::string at = json_pointer("/claims", i);
        if (!entry.is_object()) return bad(path, at, "is not an object");
        PaperClaim claim;
        std::string status;
        const std::pair<const char*, std::string*> texts[] = {{"id", &claim.id},
                                                              {"paper", &claim.paper},
                                                              {"statement", &claim.statement},
                                                              {"table", &claim.table},
                                                              {"reference", &claim.reference},
                                                              {"statement_zh", &claim.statement_zh},
                                                              {"why", &claim.why},
                                                              {"how", &claim.how},
                                                              {"status", &status}};
        for (const auto& [key, target] : texts) {
            const auto value = entry.find(key);
            if (value == entry.end() || !value->is_string()) return bad(path, json_pointer(at, key), "is not text");
            *target = value->get<std::string>();
            if (target->empty() && target != &claim.how) return bad(path, json_pointer(at, key), "is empty");
        }
        if (!ids.insert(claim.id).second) return bad(path, json_pointer(at, "id"), "is used twice");
        if (status == "tested") {
            claim.status = ClaimStatus::kTested;
        } else if (status == "testable") {
            claim.status = ClaimStatus::kTestable;
        } else if (status != "not testable") {
            return bad(path, json_pointer(at, "status"), "is not tested, testable or not testable");
        }
        if (claim.status != ClaimStatus::kNotTestable && claim.how.empty()) {
            return bad(path, json_pointer(at, "how"), "is empty, but the claim is said to be " + status);
        }
        const auto figures = entry.find("published");
        if (figures == entry.end() || !figures->is_array())
            return bad(path, json_pointer(at, "published"), "is not a list");
        for (const Json& figure : *figures) {
            if (!figure.is_object() || !figure.contains("label") || !figure["label"].is_string() ||
                !figure.contains("value") || !figure["value"].is_number() || !figure.contains("unit") ||
                !figure["unit"].is_string()) {
                return bad(path, json_pointer(at, "published"), "holds an entry without label, value and unit");
            }
            claim.published.push_back(
                {figure["label"].get<std::string>(), figure["value"].get<double>(), figure["unit"].get<std::string>()});
        }
        claims.push_back(std::move(claim));
    }
    return claims;
}

const std::vector<PaperClaim>& claims_ledger() {
    static const std::vector<PaperClaim> ledger = [] {
        auto document = parse_json(claims_ledger_text(), "claims.json");
        if (!document) return std::vector<PaperClaim>{};
        auto parsed = parse_claims(*document, "claims.json");
        return parsed ? std::move(parsed).value() : std::vector<PaperClaim>{};
    }();
    return ledger;
}

}  // namespace sextant
