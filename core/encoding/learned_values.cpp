#include "core/encoding/learned_values.h"

#include <fmt/format.h>

#include <cmath>
#include <functional>
#include <nlohmann/json.hpp>
#include <numeric>

#include "core/base/text.h"

namespace sextant {
namespace {

std::size_t size_of(const LearnedParameter& parameter) {
    return static_cast<std::size_t>(
        std::accumulate(parameter.shape.begin(), parameter.shape.end(), std::int64_t{1}, std::multiplies<>()));
}

std::string shape_of(const LearnedParameter& parameter) {
    std::vector<std::string> sizes;
    for (const std::int64_t size : parameter.shape)
        sizes.push_back(std::to_string(size));
    return "[" + fmt::format("{}", fmt::join(sizes, "][")) + "]";
}

Status flatten(const nlohmann::json& document, const std::string& name, std::vector<double>& values) {
    if (document.is_number()) {
        values.push_back(document.get<double>());
        return {};
    }
    if (!document.is_array()) {
        return data_error(fmt::format("values of \"{}\" must be numbers in nested arrays, not {}", name,
                                      document.is_null() ? "null" : document.type_name()));
    }
    for (const auto& element : document)
        SEXTANT_CHECK(flatten(element, name, values));
    return {};
}

Result<std::vector<double>> read_parameter(const LearnedParameter& parameter, const nlohmann::json& document) {
    std::vector<double> values;
    SEXTANT_CHECK(flatten(document, parameter.name, values));
    if (values.size() != size_of(parameter)) {
        return data_error(fmt::format("\"{}\" has {} values, but {} are needed: {}", parameter.name, values.size(),
                                      size_of(parameter), shape_of(parameter)));
    }
    if (parameter.shape.size() > 1 && document.is_array() && !document.empty() && document[0].is_array() &&
        static_cast<std::int64_t>(document.size()) != parameter.shape[0]) {
        return data_error(fmt::format("\"{}\" has {} rows, but its shape is {}", parameter.name, document.size(),
                                      shape_of(parameter)));
    }
    return values;
}

}  // namespace

Result<LearnedValues> learned_values_from_json(const PositionEncoding& encoding, const nlohmann::json& document) {
    const auto parameters = encoding.learned_parameters();
    const std::string& id = encoding.spec().id;
    if (parameters.empty()) return usage_error(id + " has no learned parameters, so it takes no values");
    LearnedValues values;
    if (document.is_array()) {
        if (parameters.size() != 1) {
            return data_error(fmt::format("the values of {} are an object with \"{}\" and {} more", id,
                                          parameters[0].name, parameters.size() - 1));
        }
        SEXTANT_TRY(only, read_parameter(parameters[0], document));
        values.push_back(std::move(only));
        return values;
    }
    if (!document.is_object()) return data_error("learned values are an array or an object of arrays");
    std::vector<std::string> names;
    for (const LearnedParameter& parameter : parameters) {
        names.push_back(parameter.name);
        if (document.contains(parameter.name)) {
            SEXTANT_TRY(read, read_parameter(parameter, document.at(parameter.name)));
            values.push_back(std::move(read));
        } else if (parameter.initializer == Initializer::kConstant) {
            values.emplace_back(size_of(parameter), parameter.a);
        } else {
            return data_error(
                fmt::format("the values of {} lack \"{}\", shape {}", id, parameter.name, shape_of(parameter)));
        }
    }
    for (const auto& [key, value] : document.items()) {
        if (std::find(names.begin(), names.end(), key) == names.end()) {
            return data_error(fmt::format("{} has no learned parameter \"{}\"; it has {}", id, single_line(key, 60),
                                          join_limited(names, 10)));
        }
    }
    return values;
}

Result<LearnedValues> typical_learned_values(const PositionEncoding& encoding, std::vector<std::string>& notes) {
    LearnedValues values;
    for (const LearnedParameter& parameter : encoding.learned_parameters()) {
        double value = parameter.a;
        if (parameter.initializer == Initializer::kUniform) {
            value = (parameter.a + parameter.b) / 2.0;
            if (value != 0.0) {
                notes.push_back(fmt::format("{}: {} was not given; {} is used, the middle of the range it begins in",
                                            encoding.spec().id, parameter.name, format_exact(value)));
            }
        }
        if (value == 0.0 && parameter.initializer != Initializer::kConstant) {
            return usage_error(
                fmt::format("{} is learned and begins as noise, so its table needs --values FILE with "
                            "\"{}\" {}",
                            encoding.spec().id, parameter.name, shape_of(parameter)));
        }
        values.emplace_back(size_of(parameter), value);
    }
    return values;
}

}  // namespace sextant
