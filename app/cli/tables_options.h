#pragma once
// Reading the options of `tables`: lists of numbers, name=value pairs, files of values.

#include <optional>
#include <string>
#include <vector>

#include "core/encoding/table_request.h"

namespace sextant::cli {

struct TablesOptions {
    std::string encoding;
    std::string what;
    std::optional<std::int64_t> heads;
    std::optional<std::int64_t> head_dim;
    std::optional<std::int64_t> d_model;
    std::optional<std::int64_t> length;
    std::optional<std::int64_t> queries;
    std::int64_t window = 0;
    std::string positions;
    std::string vector;
    std::string side = "query";
    std::string values;
    std::string precision = "fp64";
    std::string layout;
    std::vector<std::string> parameters;
    bool symmetric = false;
};

[[nodiscard]] Result<TableRequest> table_request(const TablesOptions& options);

}  // namespace sextant::cli
