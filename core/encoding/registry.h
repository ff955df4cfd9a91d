#pragma once
// The catalog: every encoding by id. Registration is one explicit line in registry.cpp (self-registering objects are
// dropped from static libraries). Nothing outside registry.cpp decides by id.

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "core/encoding/position_encoding.h"

namespace sextant {

[[nodiscard]] const std::vector<EncodingSpec>& encoding_catalog();
[[nodiscard]] const EncodingSpec* find_encoding(const std::string& id);

// "there is no encoding ...", with the nearest and all ids.
[[nodiscard]] std::string unknown_encoding(const std::string& id);

struct EncodingProblem {
    std::string parameter;  // empty: the encoding itself
    std::string message;    // names the parameter, its value and its range
};
// Every problem, not only the first: unknown id (nearest named), unknown parameter, type, range, and what only the site
// can tell (odd head_dim under rotation, rotary_fraction giving an odd dimension).
[[nodiscard]] std::vector<EncodingProblem> check_encoding(const EncodingConfig& config, const EncodingSite& site);
// kConfig error with the first problem.
[[nodiscard]] Result<std::unique_ptr<PositionEncoding>> make_encoding(const EncodingConfig& config,
                                                                      const EncodingSite& site);

// Adjusts site and parameters to the sizes of given learned values (a file for `tables --values`); parameters that are
// already set stay.
void infer_sizes(const nlohmann::json& values, EncodingConfig& config, EncodingSite& site);

}  // namespace sextant
