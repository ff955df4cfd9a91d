#pragma once
// The whole experiment document to a value: sections, then what must fit together (heads and widths, encodings at their
// site, evaluation windows and test tokens, names and seeds). Collects every problem; the value is only meaningful when
// none of them is an error.

#include <nlohmann/json_fwd.hpp>

#include "core/experiment/config_reader.h"

namespace sextant {

[[nodiscard]] Experiment read_experiment(const nlohmann::json& document, ConfigProblems& problems);
// One error for the command line: the first five errors and a count; all of them in its context.
[[nodiscard]] Error problems_error(const ConfigProblems& problems, const std::string& path);
[[nodiscard]] bool has_errors(const ConfigProblems& problems);

}  // namespace sextant
