#pragma once
// Tables that other code wrote: nested JSON (bare, or under "values"), NumPy's .npy, or CSV (a matrix, or one line a
// value with its indices, as `tables --format csv` writes).

#include <string>

#include "core/base/matrix.h"
#include "core/base/result.h"

namespace sextant::cli {

[[nodiscard]] Result<Array> read_table_file(const std::string& path);

}  // namespace sextant::cli
