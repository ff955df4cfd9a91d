#include "core/engine/system/machine.h"

#include <sched.h>

#include <algorithm>
#include <fstream>
#include <string>

#include "core/base/text.h"

namespace sextant {
namespace {

// The value of "Key:   1234 kB" in bytes, or 0.
std::int64_t kilobyte_field(const std::string& path, const std::string& key) {
    std::ifstream file(path);
    std::string line;
    while (std::getline(file, line)) {
        if (!line.starts_with(key + ":")) continue;
        std::string_view rest = trimmed(std::string_view(line).substr(key.size() + 1));
        if (rest.ends_with(" kB")) rest.remove_suffix(3);
        return parse_integer(rest).value_or(0) * 1024;
    }
    return 0;
}

}  // namespace

Machine read_machine() {
    Machine machine;
    std::ifstream file("/proc/cpuinfo");
    std::string line;
    while (machine.processor.empty() && std::getline(file, line)) {
        const auto colon = line.find(':');
        if (line.starts_with("model name") && colon != std::string::npos) {
            machine.processor = std::string(trimmed(std::string_view(line).substr(colon + 1)));
        }
    }
    if (machine.processor.empty()) machine.processor = "unknown processor";
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0) machine.cores = std::max(1, CPU_COUNT(&set));
    machine.memory_bytes = kilobyte_field("/proc/meminfo", "MemTotal");
    machine.available_bytes = kilobyte_field("/proc/meminfo", "MemAvailable");
    return machine;
}

double peak_resident_mb() {
    return static_cast<double>(kilobyte_field("/proc/self/status", "VmHWM")) / 1e6;
}
double resident_mb() {
    return static_cast<double>(kilobyte_field("/proc/self/status", "VmRSS")) / 1e6;
}

}  // namespace sextant
