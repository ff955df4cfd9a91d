#include "app/cli/tables_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>

#include "core/base/atomic_file.h"
#include "core/base/json.h"
#include "core/base/text.h"
#include "core/tensor_file/npy.h"

namespace sextant::cli {
namespace {

constexpr double kMasked = -std::numeric_limits<double>::infinity();

Status read_nested(const Json& value, std::size_t depth, Array& table, const std::string& path) {
    if (!value.is_array()) {
        if (depth != table.shape.size()) return data_error("the arrays are nested unevenly", path);
        if (value.is_number()) {
            table.values.push_back(value.get<double>());
        } else if (value.is_null() || value == "-inf" || value == "-Infinity") {
            table.values.push_back(kMasked);
        } else {
            return data_error("a table holds numbers, null or \"-inf\", not " + value.dump().substr(0, 40), path);
        }
        return {};
    }
    const auto size = static_cast<std::int64_t>(value.size());
    if (depth >= table.shape.size()) {
        if (!table.values.empty()) return data_error("the arrays are nested unevenly", path);
        table.shape.push_back(size);
    } else if (table.shape[depth] != size) {
        return data_error(fmt::format("a row has {} entries where others have {}", size, table.shape[depth]), path);
    }
    for (const Json& element : value)
        SEXTANT_CHECK(read_nested(element, depth + 1, table, path));
    return {};
}

Result<Array> read_json_table(const std::string& path) {
    SEXTANT_TRY(document, read_json_file(path));
    const Json& values = document.is_object() && document.contains("values") ? document.at("values") : document;
    if (!values.is_array()) return data_error("holds no array and no object with \"values\"", path);
    Array table;
    SEXTANT_CHECK(read_nested(values, 0, table, path));
    return table;
}

// One line a value: the shape is one more than the largest index of each column but the last.
Result<Array> from_indexed(const std::vector<std::vector<double>>& rows, const std::string& path) {
    const std::size_t axes = rows.front().size() - 1;
    std::vector<std::vector<double>> distinct(axes);
    for (std::size_t axis = 0; axis < axes; ++axis) {
        for (const auto& row : rows)
            distinct[axis].push_back(row[axis]);
        std::sort(distinct[axis].begin(), distinct[axis].end());
        distinct[axis].erase(std::unique(distinct[axis].begin(), distinct[axis].end()), distinct[axis].end());
    }
    Array table;
    std::size_t count = 1;
    for (const auto& values : distinct) {
        table.shape.push_back(static_cast<std::int64_t>(values.size()));
        count *= values.size();
    }
    if (count != rows.size()) {
        return data_error(fmt::format("has {} values, but its indices span {}", rows.size(), count), path);
    }
    for (const auto& row : rows)
        table.values.push_back(row.back());
    return table;
}

Result<Array> read_csv_table(const std::string& path) {
    SEXTANT_TRY(text, read_file(path, std::size_t{64} << 20U));
    std::vector<std::vector<double>> rows;
    bool indexed = false;
    std::size_t number = 0;
    for (const std::string& raw : split(text, '\n')) {
        ++number;
        const std::string_view line = trimmed(raw);
        if (line.empty()) continue;
        std::vector<double> row;
        bool words = false;
        for (const std::string& cell : split(line, ',')) {
            const std::string_view content = trimmed(cell);
            if (const auto value = parse_double(content)) {
                row.push_back(*value);
            } else {
                words = true;
            }
        }
        if (words && rows.empty()) {  // a heading
            indexed = line.ends_with("value");
            continue;
        }
        if (words) return data_error(fmt::format("line {} has a cell that is no number", number), path);
        if (!rows.empty() && rows.front().size() != row.size()) {
            return data_error(
                fmt::format("line {} has {} cells where others have {}", number, row.size(), rows.front().size()),
                path);
        }
        rows.push_back(std::move(row));
    }
    if (rows.empty()) return data_error("holds no numbers", path);
    if (indexed && rows.front().size() > 1) return from_indexed(rows, path);
    Array table;
    table.shape = {static_cast<std::int64_t>(rows.size()), static_cast<std::int64_t>(rows.front().size())};
    if (rows.size() == 1 || rows.front().size() == 1) table.shape = {table.shape[0] * table.shape[1]};
    for (const auto& row : rows)
        table.values.insert(table.values.end(), row.begin(), row.end());
    return table;
}

}  // namespace

Result<Array> read_table_file(const std::string& path) {
    if (path.ends_with(".npy")) {
        SEXTANT_TRY(array, read_npy(path));
        Array table;
        table.shape = array.shape;
        table.values = array.to_doubles();
        return table;
    }
    if (path.ends_with(".csv")) return read_csv_table(path);
    return read_json_table(path);
}

}  // namespace sextant::cli
