#include "core/results/artifact_audit.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

#include "core/base/json.h"
#include "core/base/text.h"
#include "core/results/artifact.h"
#include "core/results/artifact_identities.h"
#include "core/results/sweep_record.h"

namespace sextant {
namespace {

constexpr std::int64_t kLargestCount = std::int64_t{1} << 40;

std::string shown(const Json& value) {
    return single_line(dump_json(value, -1), 60);
}

// Collects findings; knows how to read numbers that may be absent, null, text or not finite.
class Auditor {
  public:
    Auditor(const Json& document, AuditReport& report) : document_(document), report_(report) {}

    void run() {
        if (!document_.is_object()) {
            fail("", "is not an object; an artifact of schema 2 is needed");
            return;
        }
        if (!schema()) return;
        keys();
        for (const char* arm : {"/baseline", "/method"})
            this->arm(arm);
        relative();
        seeds();
        parameters();
        budget();
        statistics();
        fairness();
        sweep();
        per_seed();
        reproducible();
        doubts();
    }

  private:
    const Json* find(const std::string& pointer) const {
        const Json* at = &document_;
        for (const std::string& step : split(std::string_view(pointer).substr(1), '/')) {
            if (!at->is_object() || !at->contains(step)) return nullptr;
            at = &at->at(step);
        }
        return at;
    }
    void add(AuditLevel level, const std::string& pointer, std::string sentence) {
        report_.findings.push_back({level, pointer, std::move(sentence)});
    }
    void holds(const std::string& pointer, std::string sentence) {
        add(AuditLevel::kHolds, pointer, std::move(sentence));
    }
    void warn(const std::string& pointer, std::string sentence) {
        add(AuditLevel::kWarning, pointer, std::move(sentence));
    }
    void fail(const std::string& pointer, std::string sentence) {
        add(AuditLevel::kFailure, pointer, std::move(sentence));
    }

    // A finite number; null and absent give nothing silently (keys() and nulls() speak of those), other things fail
    // once.
    std::optional<double> number(const std::string& pointer) {
        const Json* value = find(pointer);
        if (value == nullptr || value->is_null()) return std::nullopt;
        if (!value->is_number()) {
            if (bad_.insert(pointer).second) fail(pointer, fmt::format("is {}, not a number", shown(*value)));
            return std::nullopt;
        }
        const auto real = value->get<double>();
        if (!std::isfinite(real)) {
            if (bad_.insert(pointer).second) fail(pointer, "is not finite");
            return std::nullopt;
        }
        return real;
    }
    std::optional<std::int64_t> count(const std::string& pointer) {
        const Json* value = find(pointer);
        if (value == nullptr || value->is_null()) return std::nullopt;
        if (!value->is_number_integer() || *value < 0 || *value > kLargestCount) {
            if (bad_.insert(pointer).second) fail(pointer, fmt::format("is {}, not a count", shown(*value)));
            return std::nullopt;
        }
        return value->get<std::int64_t>();
    }
    std::optional<bool> flag(const std::string& pointer) {
        const Json* value = find(pointer);
        if (value == nullptr || value->is_null()) return std::nullopt;
        if (!value->is_boolean()) {
            if (bad_.insert(pointer).second) fail(pointer, fmt::format("is {}, not true or false", shown(*value)));
            return std::nullopt;
        }
        return value->get<bool>();
    }
    std::optional<std::vector<std::int64_t>> seed_list(const std::string& pointer) {
        const Json* value = find(pointer);
        if (value == nullptr || value->is_null()) return std::nullopt;
        std::vector<std::int64_t> list;
        bool good = value->is_array();
        for (std::size_t i = 0; good && i < value->size(); ++i) {
            good = (*value)[i].is_number_integer();
            if (good) list.push_back((*value)[i].get<std::int64_t>());
        }
        if (!good) {
            if (bad_.insert(pointer).second) fail(pointer, fmt::format("is {}, not a list of seeds", shown(*value)));
            return std::nullopt;
        }
        return list;
    }
    void equal(const std::string& pointer, std::optional<double> stated, std::optional<double> computed,
               const std::string& rule) {
        if (!stated || !computed) {
            warn(pointer, fmt::format("not checked: {} needs numbers that the file does not have", rule));
            return;
        }
        if (identity_holds(*stated, *computed)) {
            holds(pointer, fmt::format("{} = {}", format_exact(*stated), rule));
        } else {
            fail(pointer, fmt::format("is {}, but {} gives {}", format_exact(*stated), rule, format_exact(*computed)));
        }
    }
    bool ours() const { return document_.contains("definitions"); }

    bool schema() {
        const Json* version = find("/schema_version");
        if (version == nullptr) {
            fail("/schema_version", "is missing; an artifact of schema 2 is needed");
            return false;
        }
        if (!version->is_number_integer() || *version != kArtifactSchema) {
            const bool newer = version->is_number_integer() && *version > kArtifactSchema;
            fail("/schema_version", fmt::format("is {}; this program reads schema 2{}", shown(*version),
                                                newer ? ", a newer one is needed for this file" : ""));
            return false;
        }
        holds("/schema_version", "2");
        return true;
    }
    void keys() {
        std::vector<std::string> missing;
        std::vector<std::string> nulls;
        for (const std::string& pointer : published_keys()) {
            const Json* value = find(pointer);
            if (value == nullptr) {
                missing.push_back(pointer);
            } else if (value->is_null()) {
                nulls.push_back(pointer);
            }
        }
        if (missing.empty()) {
            holds("", fmt::format("all {} keys of the published files are there", published_keys().size()));
        } else {
            fail(missing.front(), fmt::format("{} key{} missing: {}", missing.size(),
                                              missing.size() == 1 ? " is" : "s are", join_limited(missing, 5)));
        }
        const Json* reasons = find("/reasons");
        std::vector<std::string> silent;
        for (const std::string& pointer : nulls) {
            if (pointer == "/provenance/historical_migration") continue;
            if (reasons == nullptr || !reasons->is_object() || !reasons->contains(pointer)) silent.push_back(pointer);
        }
        if (!silent.empty()) {
            const std::string sentence =
                fmt::format("null without a reason under /reasons: {}", join_limited(silent, 5));
            if (ours()) {
                fail(silent.front(), sentence);
            } else {
                warn(silent.front(), sentence);
            }
        } else if (!nulls.empty()) {
            holds("/reasons", fmt::format("every one of the {} null values has its reason", nulls.size()));
        }
    }
    void arm(const std::string& at) {
        const auto loss = number(at + "/lm_loss");
        const auto answers = number(at + "/instruction_loss");
        const auto composite = number(at + "/composite_loss");
        equal(at + "/perplexity", number(at + "/perplexity"), loss ? std::optional(std::exp(*loss)) : loss,
              "exp(lm_loss)");
        if (composite || (loss && answers)) {
            equal(at + "/composite_loss", composite,
                  loss && answers ? std::optional(*loss + kInstructionWeight * *answers) : std::nullopt,
                  "lm_loss + 0.15 * instruction_loss");
            for (const char* name : {"primary", "fitness", "public_composite"}) {
                equal(at + "/" + name, number(at + "/" + name), composite ? std::optional(-*composite) : composite,
                      "-composite_loss");
            }
        }
        for (const char* name : {"post_training_loss", "reward_bearing_group_rate", "muon_orthogonality_error"}) {
            if (const auto value = number(at + "/" + name); value && *value == 0.0) {
                warn(at + "/" + name, "0.0: not run or zero, the file does not say");
            }
        }
        if (loss && (*loss < 0 || *loss > 1e6))
            fail(at + "/lm_loss", fmt::format("is {}, no mean loss in nats", format_exact(*loss)));
    }
    void relative() {
        for (const char* key : {"lm_loss", "perplexity"}) {
            const auto a = number(std::string("/baseline/") + key);
            const auto b = number(std::string("/method/") + key);
            const std::string pointer = fmt::format("/relative/{}_percent", key);
            const auto stated = number(pointer);
            if (!stated && !(a && b)) continue;
            std::optional<double> computed;
            if (a && b && *a != 0.0) computed = (*b - *a) / *a * 100.0;
            // The quotient of two nearly equal numbers keeps only their absolute precision.
            if (stated && computed && std::abs(*stated - *computed) <= 1e-9 * std::max(std::abs(*computed), 1e-3)) {
                holds(pointer, fmt::format("{} = (method - baseline) / baseline * 100", format_exact(*stated)));
            } else {
                equal(pointer, stated, computed, "(method - baseline) / baseline * 100");
            }
        }
    }
    void seeds() {
        const auto list = seed_list("/method/seeds");
        const auto base = seed_list("/baseline/seeds");
        const auto protocol = seed_list("/evaluation_protocol/seeds");
        const Json* seed = find("/setup/seed");
        if (list && seed != nullptr && seed->is_number_integer()) {
            const bool in = std::find(list->begin(), list->end(), seed->get<std::int64_t>()) != list->end();
            if (in) {
                holds("/setup/seed", fmt::format("{} is in /method/seeds", shown(*seed)));
            } else {
                fail("/setup/seed", fmt::format("is {}, which is not among the seeds {}", shown(*seed),
                                                shown(*find("/method/seeds"))));
            }
        }
        if (list && base) {
            if (*list == *base) {
                holds("/method/seeds",
                      fmt::format("both arms list the same {} seed{}", list->size(), list->size() == 1 ? "" : "s"));
            } else {
                fail("/method/seeds", fmt::format("are {}, but the baseline's are {}", shown(*find("/method/seeds")),
                                                  shown(*find("/baseline/seeds"))));
            }
        }
        if (list && protocol && *list != *protocol) {
            fail("/evaluation_protocol/seeds",
                 fmt::format("are {}, but the arms' are {}", shown(*find("/evaluation_protocol/seeds")),
                             shown(*find("/method/seeds"))));
        }
        if (list && std::set<std::int64_t>(list->begin(), list->end()).size() != list->size()) {
            fail("/method/seeds", "holds a seed twice");
        }
        if (list && list->size() == 1) warn("/method/seeds", "one seed: no difference can be claimed from it");
    }
    void parameters() {
        for (const char* arm : {"/baseline", "/method"}) {
            const std::string pointer = std::string(arm) + "/parameters";
            const auto stated = count(pointer);
            if (!stated) continue;
            const ParameterCount expected = expected_parameters(document_, arm);
            if (!expected.value) {
                warn(pointer, "not checked: " + expected.note);
            } else if (*expected.value == *stated) {
                holds(pointer, fmt::format("{} follows from the setup{}", *stated, expected.note));
            } else {
                fail(pointer, fmt::format("is {}, but the setup gives {}{}", *stated, *expected.value, expected.note));
            }
        }
    }
    void budget() {
        const auto same = flag("/setup/same_tokens_optimizer_and_budget");
        const auto a = count("/baseline/training_tokens");
        const auto b = count("/method/training_tokens");
        const std::string pointer = "/setup/same_tokens_optimizer_and_budget";
        if (!same) return;
        if (!a || !b) {
            if (*same) {
                holds(pointer, "true; the file gives both arms one step count and one token count");
            } else {
                warn(pointer, "false, and the file does not say how the budgets differ");
            }
        } else if (*a == *b) {
            holds(pointer,
                  fmt::format("both arms saw {} training tokens{}", *a, *same ? "" : "; other settings differ"));
            if (!*same && !overridden()) fail(pointer, "is false, but no override says what differs");
        } else if (*same) {
            fail(pointer, fmt::format("is true, but the arms saw {} and {} training tokens", *a, *b));
        } else if (!overridden()) {
            fail(pointer, fmt::format("the arms saw {} and {} training tokens, and no override says why", *a, *b));
        } else {
            holds(pointer, fmt::format("false: the arms saw {} and {} training tokens, by their overrides", *a, *b));
        }
    }
    bool overridden() const {
        for (const char* pointer : {"/method/overrides/training", "/method/overrides/model",
                                    "/baseline/overrides/training", "/baseline/overrides/model"}) {
            const Json* value = find(pointer);
            if (value != nullptr && value->is_object() && !value->empty()) return true;
        }
        return false;
    }
    std::string missing_origin() const {
        std::vector<std::string> missing;
        const auto recorded = [&](const char* pointer) {
            const Json* value = find(pointer);
            if (value == nullptr || !value->is_string()) return false;
            const auto& text = value->get_ref<const std::string&>();
            return !text.empty() && text != "unknown" && !text.starts_with("not recorded");
        };
        if (!recorded("/provenance/dataset_fingerprint")) missing.emplace_back("/provenance/dataset_fingerprint");
        if (!recorded("/provenance/original_code_commit") && !recorded("/provenance/commit")) {
            missing.emplace_back("/provenance/original_code_commit");
        }
        return join_limited(missing, 5);
    }
    void statistics() {
        const auto formal = flag("/evaluation_protocol/formal_comparison");
        const auto list = seed_list("/method/seeds");
        const std::int64_t family = std::clamp<std::int64_t>(count("/statistics/family_size").value_or(1), 1, 1000);
        const auto pairs = static_cast<std::int64_t>(list ? list->size() : 0);
        const std::int64_t needed = pairs_needed_for(family);
        const std::string pointer = "/evaluation_protocol/formal_comparison";
        if (formal && *formal) {
            const Json* primary = find("/statistics/primary");
            std::string why;
            if (pairs < needed) {
                why = fmt::format("{} pair{}, {} are needed", pairs, pairs == 1 ? "" : "s", needed);
            } else if (!flag("/setup/same_tokens_optimizer_and_budget").value_or(false) && !equally_swept()) {
                why = "the arms do not have the same tokens, optimizer and budget";
            } else if (primary == nullptr || !primary->is_object()) {
                why = "no primary endpoint was declared before the run";
            } else if (const std::string missing = missing_origin(); !missing.empty()) {
                why = "the provenance is not full: " + missing;
            }
            if (why.empty()) {
                holds(pointer, fmt::format("true: {} pairs, equal budget, declared endpoint, full provenance", pairs));
            } else {
                fail(pointer, "is true, but " + why);
            }
        } else if (formal) {
            holds(pointer, "false: no formal comparison is made");
        }
        const Json* claim = find("/statistics/claim");
        if (claim == nullptr || !claim->is_string()) return;
        const auto& text = claim->get_ref<const std::string&>();
        const bool claims = text.starts_with("lower") || text.starts_with("higher") || text.starts_with("not worse");
        if (claims && pairs < needed) {
            fail("/statistics/claim", fmt::format("claims a difference from {} pairs, {} are needed", pairs, needed));
        } else {
            holds("/statistics/claim", single_line(text, 200));
        }
        const PValueCheck check = recompute_p(document_);
        if (check.stated && check.computed) {
            equal("/statistics/endpoint/p", check.stated, check.computed, "the sign-flip test on /per_seed");
        }
    }
    void fairness() {
        const Json* list = find("/fairness");
        if (list == nullptr || !list->is_array() || list->empty()) {
            warn("/fairness", "no hashes of batch order and shared initial weights: equal treatment cannot be checked");
            return;
        }
        const bool comparable = !overridden();
        for (std::size_t i = 0; i < list->size(); ++i) {
            for (const char* what : {"batch_order_sha256", "shared_weights_sha256"}) {
                const std::string pointer = fmt::format("/fairness/{}/{}", i, what);
                const Json& entry = (*list)[i];
                const auto side = [&](const char* name) -> std::string {
                    if (!entry.is_object() || !entry.contains(what) || !entry[what].is_object()) return {};
                    const auto at = entry[what].find(name);
                    return at != entry[what].end() && at->is_string() ? at->get<std::string>() : std::string();
                };
                const std::string a = side("baseline");
                const std::string b = side("method");
                if (a.empty() || b.empty()) {
                    fail(pointer, "has no hash for both arms");
                } else if (a == b) {
                    holds(pointer, "the same in both arms");
                } else if (comparable) {
                    fail(pointer,
                         fmt::format("differs between the arms: {} and {}", single_line(a, 16), single_line(b, 16)));
                } else {
                    holds(pointer, "differs, as the arms' overrides do");
                }
            }
        }
    }
    std::optional<SweepRecord> sweep_record() const {
        const Json* block = find("/sweep");
        if (block == nullptr || !block->is_object()) return std::nullopt;
        auto record = sweep_from_json(*block);
        return record ? std::optional(std::move(record).value()) : std::nullopt;
    }
    // The arms differ in settings, but each was given the same trials and saw as many tokens.
    bool equally_swept() {
        const auto record = sweep_record();
        const auto a = count("/baseline/training_tokens");
        const auto b = count("/method/training_tokens");
        return record && sweep_problems(*record).empty() && a && b && *a == *b;
    }
    void sweep() {
        if (find("/sweep") == nullptr) return;
        const auto record = sweep_record();
        if (!record || record->arms.empty()) {
            fail("/sweep", "is not the record of a sweep");
            return;
        }
        const std::vector<std::string> problems = sweep_problems(*record);
        for (const std::string& problem : problems)
            fail("/sweep", single_line(problem, 300));
        if (problems.empty()) {
            holds("/sweep", fmt::format("every arm got the same {} trials on the same {} seeds, the lowest validation "
                                        "loss was chosen",
                                        record->arms.front().trials.size(), record->seeds.size()));
        }
    }
    void per_seed() {
        const Json* list = find("/per_seed");
        const auto seeds = seed_list("/method/seeds");
        if (list == nullptr || !list->is_array() || !seeds) return;
        for (const char* arm : {"baseline", "method"}) {
            for (const char* key : {"lm_loss", "instruction_loss", "final_loss"}) {
                const auto stated = number(fmt::format("/{}/{}", arm, key));
                const auto computed = per_seed_mean(*list, *seeds, arm, key);
                if (stated && computed) {
                    equal(fmt::format("/{}/{}", arm, key), stated, computed, "the mean over /per_seed");
                }
            }
        }
    }
    void reproducible() {
        const std::string missing = missing_origin();
        for (const std::string& pointer : split(missing, ',')) {
            const std::string at(trimmed(pointer));
            if (!at.empty()) warn(at, "is not recorded: not reproducible from this file alone");
        }
        if (missing.empty()) holds("/provenance", "commit and dataset fingerprint are recorded");
    }
    void doubts() {
        bool same = find("/baseline/lm_loss") != nullptr;
        for (const char* key : {"lm_loss", "instruction_loss", "initial_loss", "final_loss"}) {
            const Json* a = find(std::string("/baseline/") + key);
            const Json* b = find(std::string("/method/") + key);
            same = same && a != nullptr && b != nullptr && *a == *b;
        }
        if (same) warn("/method", "identical arms: an A/A comparison, every loss equals the baseline's");
        if (!ours()) {
            for (const char* arm : {"/baseline", "/method"}) {
                if (find(std::string(arm) + "/initial_loss") != nullptr) {
                    warn(std::string(arm) + "/initial_loss", "not comparable, definition unknown");
                }
            }
        }
    }

    const Json& document_;
    AuditReport& report_;
    std::set<std::string> bad_;
};

}  // namespace

AuditReport audit_artifact(const Json& document, const std::string& path) {
    AuditReport report;
    report.path = path;
    Auditor(document, report).run();
    return report;
}

}  // namespace sextant
