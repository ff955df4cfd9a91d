#pragma once
// What this binary is: provenance of every artifact and the --version text.
#include <string>

namespace sextant {
struct BuildInfo {
    std::string version;   // 0.1.0
    std::string commit;    // git describe --always --dirty, or "unknown"
    std::string compiler;  // GCC 12.2.0
};
[[nodiscard]] const BuildInfo& build_info();
}  // namespace sextant
