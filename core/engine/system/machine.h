#pragma once
// The machine as a run sees it: processor, cores it may use, memory. Read from /proc, so that a container's limits and
// an affinity mask count.

#include <cstdint>
#include <string>

namespace sextant {

struct Machine {
    std::string processor;          // "AMD EPYC 9655"
    int cores = 1;                  // cores this process may run on
    std::int64_t memory_bytes = 0;  // total
    std::int64_t available_bytes = 0;
};
[[nodiscard]] Machine read_machine();

// VmHWM and VmRSS of /proc/self/status in MB (10^6 bytes); 0 when unreadable. Peak is VmHWM, never ru_maxrss, which a
// child inherits from its parent.
[[nodiscard]] double peak_resident_mb();
[[nodiscard]] double resident_mb();

}  // namespace sextant
