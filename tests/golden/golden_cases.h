#pragma once
// Every golden value as one request to `tables` and the numbers that must come back. The same cases are put to the core
// in process and, through their options, to the real command line: all of them in both.

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace sextant::golden {

struct Case {
    std::string name;
    nlohmann::json options;   // option names of `tables`; "values" is the content of the file
    nlohmann::json expected;  // nested numbers; null stands for minus infinity
    double relative = 0.0;
    double absolute = 0.0;
    double attention_factor = 0.0;  // expected beside the values, where not 0
};

[[nodiscard]] nlohmann::json read_golden(const std::string& name);
[[nodiscard]] const std::vector<Case>& cases();
void add_other_sizes(std::vector<Case>& all);    // the sizes of make_other_sizes.py
void add_fixed_cases(std::vector<Case>& all);    // slopes, biases, rotary, additive
void add_learned_cases(std::vector<Case>& all);  // t5, kerple, fire, learned
// First difference between `found` (minus infinity as "-inf") and the case, or empty.
[[nodiscard]] std::string difference(const Case& golden, const nlohmann::json& found);

}  // namespace sextant::golden
