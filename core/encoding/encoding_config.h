#pragma once
// An encoding as it stands in files: its id and the parameters that were given. Defaults are filled in by the spec.

#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <variant>

#include "core/base/result.h"

namespace sextant {

using ParameterValue = std::variant<bool, std::int64_t, double, std::string>;
using ParameterValues = std::map<std::string, ParameterValue>;

struct EncodingConfig {
    std::string id = "rope";
    ParameterValues parameters;
    friend bool operator==(const EncodingConfig&, const EncodingConfig&) = default;
};

[[nodiscard]] nlohmann::json to_json(const ParameterValue& value);
[[nodiscard]] Result<ParameterValue> parameter_from_json(const nlohmann::json& value, const std::string& pointer);
// "true", "12", "0.5" or a word: the form of `--param name=value`.
[[nodiscard]] ParameterValue parameter_from_text(const std::string& text);
[[nodiscard]] std::string to_text(const ParameterValue& value);

}  // namespace sextant
