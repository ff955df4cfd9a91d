// Requests as `serve` receives them: the options of `tables` as JSON keys.

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "core/base/text.h"
#include "core/encoding/table_request.h"

namespace sextant {
namespace {

Error wrong(const std::string& key, const char* wanted) {
    return usage_error(fmt::format("tables: \"{}\" must be {}", key, wanted));
}

Status read_parameters(const nlohmann::json& value, ParameterValues& parameters) {
    if (value.is_object()) {
        for (const auto& [name, entry] : value.items()) {
            SEXTANT_TRY(parameter, parameter_from_json(entry, "/param/" + name));
            parameters[name] = std::move(parameter);
        }
        return {};
    }
    if (!value.is_array()) return wrong("param", "an object, or an array of name=value words");
    for (const auto& entry : value) {
        const std::string text = entry.is_string() ? entry.get<std::string>() : std::string();
        const auto equal = text.find('=');
        if (equal == std::string::npos) return wrong("param", "an object, or an array of name=value words");
        parameters[text.substr(0, equal)] = parameter_from_text(text.substr(equal + 1));
    }
    return {};
}

Status read_option(const std::string& key, const nlohmann::json& value, TableRequest& request) {
    const auto whole = [&](std::optional<std::int64_t>& target) -> Status {
        if (!value.is_number_integer()) return wrong(key, "a whole number");
        target = value.get<std::int64_t>();
        return {};
    };
    if (key == "encoding" || key == "what") {
        if (!value.is_string()) return wrong(key, "a word");
        (key == "what" ? request.what : request.encoding.id) = value.get<std::string>();
        return {};
    }
    if (key == "heads") return whole(request.heads);
    if (key == "head_dim") return whole(request.head_dim);
    if (key == "d_model") return whole(request.d_model);
    if (key == "length") return whole(request.length);
    if (key == "queries") return whole(request.queries);
    if (key == "window") {
        std::optional<std::int64_t> window;
        SEXTANT_CHECK(whole(window));
        request.window = *window;
        return {};
    }
    if (key == "positions" || key == "vector") {
        if (!value.is_array()) return wrong(key, "an array of numbers");
        for (const auto& entry : value) {
            if (key == "positions" ? !entry.is_number_integer() : !entry.is_number()) {
                return wrong(key, key == "positions" ? "an array of whole numbers" : "an array of numbers");
            }
            if (key == "positions") {
                request.positions.push_back(entry.get<std::int64_t>());
            } else {
                request.vector.push_back(entry.get<double>());
            }
        }
        return {};
    }
    if (key == "symmetric") {
        if (!value.is_boolean()) return wrong(key, "true or false");
        request.symmetric = value.get<bool>();
        return {};
    }
    if (key == "side") {
        if (value != "query" && value != "key") return wrong(key, "query or key");
        request.side = value == "key" ? Side::kKey : Side::kQuery;
        return {};
    }
    if (key == "precision") {
        const auto precision = precision_from_name(value.is_string() ? value.get<std::string>() : std::string());
        if (!precision) return wrong(key, "fp64, fp32, fp16 or bf16");
        request.precision = *precision;
        return {};
    }
    if (key == "param") return read_parameters(value, request.encoding.parameters);
    if (key == "values") {
        request.values = std::make_shared<const nlohmann::json>(value);
        return {};
    }
    const std::vector<std::string> keys = {"encoding", "what",      "heads",  "head-dim",  "d-model",
                                           "length",   "queries",   "window", "positions", "vector",
                                           "side",     "symmetric", "param",  "values",    "precision"};
    const std::string near = nearest_name(key, keys);
    return usage_error(
        fmt::format("tables has no option \"{}\"; {}", single_line(key, 60),
                    near.empty() ? "it has " + join_limited(keys, 20) : "did you mean \"" + near + "\"?"));
}

}  // namespace

Result<TableRequest> table_request_from_json(const nlohmann::json& options) {
    if (!options.is_object()) return usage_error("tables: the options are a JSON object");
    TableRequest request;
    request.encoding.id.clear();
    for (const auto& [name, value] : options.items()) {
        std::string key = name;
        if (key == "head-dim") key = "head_dim";
        if (key == "d-model") key = "d_model";
        SEXTANT_CHECK(read_option(key, value, request));
    }
    return request;
}

}  // namespace sextant
