#include "core/encoding/encoding_entry.h"

#include <utility>

namespace sextant {
namespace {

ParameterSpec base_spec(std::string name, ParameterType type, ParameterValue value, std::string description) {
    ParameterSpec spec;
    spec.name = std::move(name);
    spec.type = type;
    spec.default_value = std::move(value);
    spec.description = std::move(description);
    return spec;
}

}  // namespace

double real_parameter(const ParameterValues& parameters, const std::string& name) {
    const ParameterValue& value = parameters.at(name);
    if (const auto* whole = std::get_if<std::int64_t>(&value)) return static_cast<double>(*whole);
    return std::get<double>(value);
}
std::int64_t integer_parameter(const ParameterValues& parameters, const std::string& name) {
    return std::get<std::int64_t>(parameters.at(name));
}
const std::string& choice_parameter(const ParameterValues& parameters, const std::string& name) {
    return std::get<std::string>(parameters.at(name));
}

ParameterSpec real_spec(std::string name, double default_value, double minimum, double maximum,
                        std::string description) {
    ParameterSpec spec = base_spec(std::move(name), ParameterType::kReal, default_value, std::move(description));
    spec.minimum = minimum;
    spec.maximum = maximum;
    return spec;
}
ParameterSpec above_spec(std::string name, double default_value, double minimum, double maximum,
                         std::string description) {
    ParameterSpec spec = real_spec(std::move(name), default_value, minimum, maximum, std::move(description));
    spec.minimum_open = true;
    return spec;
}
ParameterSpec integer_spec(std::string name, std::int64_t default_value, std::int64_t minimum, std::int64_t maximum,
                           std::string description) {
    ParameterSpec spec = base_spec(std::move(name), ParameterType::kInteger, default_value, std::move(description));
    spec.minimum = static_cast<double>(minimum);
    spec.maximum = static_cast<double>(maximum);
    return spec;
}
ParameterSpec boolean_spec(std::string name, bool default_value, std::string description) {
    return base_spec(std::move(name), ParameterType::kBoolean, default_value, std::move(description));
}
ParameterSpec choice_spec(std::string name, std::vector<std::string> choices, std::string description) {
    ParameterSpec spec = base_spec(std::move(name), ParameterType::kChoice, choices.front(), std::move(description));
    spec.choices = std::move(choices);
    return spec;
}
ParameterSpec optional_spec(ParameterSpec spec) {
    spec.optional = true;
    spec.default_value = std::string();
    return spec;
}

}  // namespace sextant
