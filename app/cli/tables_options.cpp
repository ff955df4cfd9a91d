#include "app/cli/tables_options.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "core/base/json.h"
#include "core/base/text.h"

namespace sextant::cli {
namespace {

Result<std::vector<std::int64_t>> whole_numbers(const std::string& text) {
    std::vector<std::int64_t> numbers;
    for (const std::string& part : split(text, ',')) {
        const auto number = parse_integer(part);
        if (!number) {
            return usage_error(fmt::format("--positions takes whole numbers with commas between them, not \"{}\"",
                                           single_line(part, 40)));
        }
        numbers.push_back(*number);
    }
    return numbers;
}

Result<std::vector<double>> numbers(const std::string& text) {
    std::vector<double> all;
    for (const std::string& part : split(text, ',')) {
        const auto number = parse_double(part);
        if (!number) {
            return usage_error(
                fmt::format("--vector takes numbers with commas between them, not \"{}\"", single_line(part, 40)));
        }
        all.push_back(*number);
    }
    return all;
}

}  // namespace

Result<TableRequest> table_request(const TablesOptions& options) {
    TableRequest request;
    request.encoding.id = options.encoding;
    request.what = options.what;
    request.heads = options.heads;
    request.head_dim = options.head_dim;
    request.d_model = options.d_model;
    request.length = options.length;
    request.queries = options.queries;
    request.window = options.window;
    request.symmetric = options.symmetric;
    request.side = options.side == "key" ? Side::kKey : Side::kQuery;
    request.precision = precision_from_name(options.precision).value_or(Precision::kFp64);
    if (!options.layout.empty()) request.encoding.parameters["layout"] = options.layout;
    for (const std::string& pair : options.parameters) {
        const auto equal = pair.find('=');
        if (equal == std::string::npos || equal == 0) {
            return usage_error(fmt::format("--param takes name=value, not \"{}\"", single_line(pair, 60)));
        }
        request.encoding.parameters[pair.substr(0, equal)] = parameter_from_text(pair.substr(equal + 1));
    }
    if (!options.positions.empty()) {
        SEXTANT_TRY(positions, whole_numbers(options.positions));
        request.positions = std::move(positions);
    }
    if (!options.vector.empty()) {
        SEXTANT_TRY(vector, numbers(options.vector));
        request.vector = std::move(vector);
    }
    if (!options.values.empty()) {
        SEXTANT_TRY(document, read_json_file(options.values, ErrorCode::kData));
        request.values = std::make_shared<const Json>(std::move(document));
    }
    return request;
}

}  // namespace sextant::cli
