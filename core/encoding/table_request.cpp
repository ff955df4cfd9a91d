#include "core/encoding/table_request.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>
#include <set>

#include "core/base/text.h"
#include "core/encoding/learned_values.h"
#include "core/encoding/registry.h"
#include "core/encoding/table_kinds.h"

namespace sextant {
namespace {

constexpr std::int64_t kMostValues = std::int64_t{1} << 28;  // 2 GB of doubles

struct Kind {
    const char* name;
    bool (*available)(const PositionEncoding& encoding);
    Status (*fill)(const tables::Input& input, NamedTable& table);
};

bool rotates(const PositionEncoding& encoding) {
    return encoding.spec().traits.rotary;
}

const std::vector<Kind>& kinds() {
    static const std::vector<Kind> all = {
        {"slopes", [](const PositionEncoding& e) { return e.slopes().has_value(); }, tables::slopes},
        {"bias", [](const PositionEncoding& e) { return e.spec().traits.bias; }, tables::bias},
        {"inverse-frequencies", rotates, tables::inverse_frequencies},
        {"angles", rotates, tables::angles},
        {"cos", rotates, tables::angles},
        {"sin", rotates, tables::angles},
        {"rotate", rotates, tables::rotated},
        {"additive", [](const PositionEncoding& e) { return e.spec().traits.additive; }, tables::additive},
        {"buckets", [](const PositionEncoding& e) { return e.buckets({}).has_value(); }, tables::buckets},
        {"decay", [](const PositionEncoding& e) { return rotates(e) && e.rotary(1)->zeta.empty(); }, tables::decay},
    };
    return all;
}

Status check_request(const TableRequest& request, std::int64_t length) {
    const auto below = [](const char* name, std::int64_t value, std::int64_t least) {
        return config_error(fmt::format("{} is {}; it must be a whole number of at least {}", name, value, least));
    };
    if (request.window < 0) return below("window", request.window, 0);
    if (length < 1) return below("length", length, 1);
    if (request.queries && *request.queries < 1) return below("queries", *request.queries, 1);
    if (request.queries && *request.queries > length) {
        return config_error(
            fmt::format("queries is {}; the last queries of {} keys are at most {}", *request.queries, length, length));
    }
    return {};
}

std::int64_t length_of(const TableRequest& request) {
    if (request.length) return *request.length;
    if (request.positions.empty()) return 64;
    return std::max<std::int64_t>(1, *std::max_element(request.positions.begin(), request.positions.end()) + 1);
}

}  // namespace

namespace tables {

Status reserve(NamedTable& table, std::vector<std::string> axes, std::vector<std::int64_t> shape) {
    std::int64_t count = 1;
    for (const std::int64_t size : shape) {
        if (size > 0 && count > kMostValues / size) {
            return config_error(
                fmt::format("a table of {} values would need more than 2 GB; ask for a shorter "
                            "length, fewer heads or --queries",
                            fmt::join(shape, " x ")));
        }
        count *= size;
    }
    table.axes = std::move(axes);
    table.shape = std::move(shape);
    table.values.assign(static_cast<std::size_t>(count), 0.0);
    return {};
}

Result<LearnedValues> values_of(const Input& input, NamedTable& table) {
    if (input.request.values != nullptr) return learned_values_from_json(input.encoding, *input.request.values);
    return typical_learned_values(input.encoding, table.notes);
}

std::int64_t distinct_after_rounding(Precision precision, const std::vector<std::int64_t>& positions) {
    std::set<double> distinct;
    for (const std::int64_t position : positions)
        distinct.insert(round_to(precision, static_cast<double>(position)));
    return static_cast<std::int64_t>(distinct.size());
}

Status check_positions_fit(Precision precision, std::int64_t largest) {
    if (static_cast<double>(largest) <= precision_maximum(precision)) return {};
    return config_error(fmt::format("{} holds nothing above {}, so position {} would be infinite",  //
                                    precision_name(precision), format_exact(precision_maximum(precision)), largest));
}

}  // namespace tables

const std::vector<std::string>& table_names() {
    static const std::vector<std::string> names = [] {
        std::vector<std::string> all;
        for (const Kind& kind : kinds())
            all.emplace_back(kind.name);
        return all;
    }();
    return names;
}

std::vector<std::string> available_tables(const PositionEncoding& encoding) {
    std::vector<std::string> names;
    for (const Kind& kind : kinds()) {
        if (kind.available(encoding)) names.emplace_back(kind.name);
    }
    return names;
}

Result<std::unique_ptr<PositionEncoding>> encoding_of(const TableRequest& request) {
    if (find_encoding(request.encoding.id) == nullptr) return usage_error(unknown_encoding(request.encoding.id));
    EncodingConfig config = request.encoding;
    EncodingSite site;
    site.n_head = 8;
    site.head_dim = request.vector.empty() ? 64 : static_cast<std::int64_t>(request.vector.size());
    site.d_model = 512;
    site.context_length = length_of(request);
    if (request.values != nullptr) infer_sizes(*request.values, config, site);
    if (request.heads) site.n_head = *request.heads;
    if (request.head_dim) site.head_dim = *request.head_dim;
    if (request.d_model) site.d_model = *request.d_model;
    for (const std::int64_t size : {site.n_head, site.head_dim, site.d_model}) {
        if (size > kMostValues) {
            return config_error(fmt::format("a size of {} is above {}, the most a table can hold", size, kMostValues));
        }
    }
    return make_encoding(config, site);
}

Result<NamedTable> make_table(const TableRequest& request) {
    SEXTANT_CHECK(check_request(request, length_of(request)));
    SEXTANT_TRY(encoding, encoding_of(request));
    const auto names = available_tables(*encoding);
    if (std::find(names.begin(), names.end(), request.what) == names.end()) {
        const bool known = std::find(table_names().begin(), table_names().end(), request.what) != table_names().end();
        return usage_error(fmt::format("{} \"{}\"; {}",
                                       known ? request.encoding.id + " has no table" : "there is no table",
                                       single_line(request.what, 40),
                                       names.empty() ? request.encoding.id + " has none"
                                                     : request.encoding.id + " has " + join_limited(names, 12)));
    }
    tables::Input input{request, *encoding, length_of(request), request.positions, !request.positions.empty()};
    if (!input.positions_given) {
        if (input.length > kMostValues) {
            return config_error(
                fmt::format("length is {}; a table holds at most {} positions", input.length, kMostValues));
        }
        input.positions.resize(static_cast<std::size_t>(input.length));
        std::iota(input.positions.begin(), input.positions.end(), std::int64_t{0});
    }
    NamedTable table;
    table.encoding = request.encoding.id;
    table.what = request.what;
    table.parameters = encoding->parameters();
    table.formula = encoding->formula_with_numbers();
    table.precision_used = request.precision;
    table.notes = encoding->warnings();
    const auto kind =
        std::find_if(kinds().begin(), kinds().end(), [&](const Kind& k) { return request.what == k.name; });
    SEXTANT_CHECK(kind->fill(input, table));
    for (double& value : table.values)
        value += 0.0;  // minus zero becomes zero: -slope * 0 reads as 0
    return table;
}

}  // namespace sextant
