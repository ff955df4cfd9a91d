#pragma once
// Reading the options of `tables`: lists of numbers, name=value pairs, files of values.

#include <string>
#include <vector>

#include "core/encoding/table_request.h"

namespace sextant::cli {

struct TablesOptions {
    std::string encoding;
    std::string what;
    std::int64_t heads = 0;
    std::int64_t head_dim = 0;
    std::int64_t d_model = 0;
    std::int64_t length = 0;
    std::int64_t queries = 0;
    std::int64_t window = 0;
    std::string positions;
    std::string vector;
    std::string side = "query";
    std::string values;
    std::string precision = "fp64";
    std::string layout;
    std::vector<std::string> parameters;
    bool symmetric = false;
    // Which sizes were given.
    bool has_heads = false, has_head_dim = false, has_d_model = false, has_length = false, has_queries = false;
};

[[nodiscard]] Result<TableRequest> table_request(const TablesOptions& options);

}  // namespace sextant::cli
