#include "tests/golden/golden_cases.h"

#include <cmath>
#include <fstream>
#include <limits>

namespace sextant::golden {
namespace {

double number(const nlohmann::json& value) {
    if (value.is_null()) return -std::numeric_limits<double>::infinity();
    if (value.is_string()) {
        return value == "-inf" ? -std::numeric_limits<double>::infinity() : std::numeric_limits<double>::quiet_NaN();
    }
    return value.get<double>();
}

std::string compare(const Case& golden, const nlohmann::json& expected, const nlohmann::json& found,
                    const std::string& at) {
    if (expected.is_array() != found.is_array()) return at + ": another nesting";
    if (expected.is_array()) {
        if (expected.size() != found.size()) {
            return at + ": " + std::to_string(found.size()) + " entries, not " + std::to_string(expected.size());
        }
        for (std::size_t i = 0; i < expected.size(); ++i) {
            std::string problem = compare(golden, expected[i], found[i], at + "/" + std::to_string(i));
            if (!problem.empty()) return problem;
        }
        return {};
    }
    const double want = number(expected);
    const double have = number(found);
    if (std::isinf(want) ? want == have : std::abs(have - want) <= golden.absolute + golden.relative * std::abs(want)) {
        return {};
    }
    return at + ": " + found.dump() + ", not " + expected.dump();
}

}  // namespace

nlohmann::json read_golden(const std::string& name) {
    std::ifstream file(std::string(SEXTANT_GOLDEN_DIR) + "/" + name + ".json");
    return nlohmann::json::parse(file);
}

void add_other_sizes(std::vector<Case>& all) {
    const nlohmann::json document = read_golden("other_sizes");
    for (const nlohmann::json& one : document.at("cases")) {
        Case made;
        made.name = "other sizes, " + one.at("name").get<std::string>();
        made.options = one.at("options");
        made.expected = one.at("expected");
        made.relative = one.at("rtol");
        made.absolute = one.at("atol");
        made.attention_factor = one.at("attention_factor");
        all.push_back(std::move(made));
    }
}

const std::vector<Case>& cases() {
    static const std::vector<Case> all = [] {
        std::vector<Case> made;
        add_fixed_cases(made);
        add_learned_cases(made);
        add_other_sizes(made);
        return made;
    }();
    return all;
}

std::string difference(const Case& golden, const nlohmann::json& found) {
    return compare(golden, golden.expected, found, "");
}

}  // namespace sextant::golden
