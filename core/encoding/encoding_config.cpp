#include "core/encoding/encoding_config.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "core/base/json.h"
#include "core/base/text.h"

namespace sextant {

nlohmann::json to_json(const ParameterValue& value) {
    if (const auto* flag = std::get_if<bool>(&value)) return *flag;
    if (const auto* whole = std::get_if<std::int64_t>(&value)) return *whole;
    if (const auto* number = std::get_if<double>(&value)) return json_number(*number);
    return std::get<std::string>(value);
}

Result<ParameterValue> parameter_from_json(const nlohmann::json& value, const std::string& pointer) {
    if (value.is_boolean()) return ParameterValue{value.get<bool>()};
    if (value.is_number_unsigned() && value.get<std::uint64_t>() > static_cast<std::uint64_t>(INT64_MAX)) {
        return ParameterValue{value.get<double>()};
    }
    if (value.is_number_integer()) return ParameterValue{value.get<std::int64_t>()};
    if (value.is_number_float()) return ParameterValue{value.get<double>()};
    if (value.is_string()) return ParameterValue{value.get<std::string>()};
    return config_error(fmt::format("an encoding parameter is a number, true, false or a word, not {}",
                                    value.is_null() ? "null" : value.type_name()),
                        pointer);
}

ParameterValue parameter_from_text(const std::string& text) {
    if (text == "true") return true;
    if (text == "false") return false;
    if (const auto whole = parse_integer(text)) return *whole;
    if (const auto number = parse_double(text)) return *number;
    return text;
}

std::string to_text(const ParameterValue& value) {
    if (const auto* flag = std::get_if<bool>(&value)) return *flag ? "true" : "false";
    if (const auto* whole = std::get_if<std::int64_t>(&value)) return std::to_string(*whole);
    if (const auto* number = std::get_if<double>(&value)) return format_exact(*number);
    return std::get<std::string>(value);
}

}  // namespace sextant
