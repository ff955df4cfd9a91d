#pragma once
// Room on a project's disk against what its running workers are about to write. The command line and the window judge
// by the same rule, because a worker that waits for room cannot write that down itself.

#include <cstdint>
#include <optional>
#include <string>

namespace sextant {

struct DiskSpace {
    std::uint64_t free = 0;    // bytes a user may still write
    std::uint64_t needed = 0;  // the next checkpoint of each running worker, and a little
    [[nodiscard]] bool full() const { return free < needed; }
};
// `parameters`: the sum over the runs that train. Nothing where the system does not say.
[[nodiscard]] std::optional<DiskSpace> disk_space(const std::string& folder, std::int64_t parameters);

}  // namespace sextant
