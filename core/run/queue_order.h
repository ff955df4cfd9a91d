#pragma once
// The order in which waiting runs start, where it is not the plan's: folders, the first to start first, in
// <project>/queue.json. The window writes it, the orchestrator looks each time a place becomes free.

#include <string>
#include <vector>

#include "core/run/run_directory.h"

namespace sextant {

// Empty when there is none; a damaged file orders nothing.
[[nodiscard]] std::vector<std::string> read_queue_order(const Project& project);
[[nodiscard]] Status write_queue_order(const Project& project, const std::vector<std::string>& order);
// Indices of `folders` as they start: those that `order` names, in its order, then the others as they stand.
[[nodiscard]] std::vector<std::size_t> starting_order(const std::vector<std::string>& folders,
                                                      const std::vector<std::string>& order);

}  // namespace sextant
