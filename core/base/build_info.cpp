#include "core/base/build_info.h"

namespace sextant {
const BuildInfo& build_info() {
    static const BuildInfo info {
        SEXTANT_VERSION, SEXTANT_COMMIT,
#if defined(__clang__)
            "Clang " __clang_version__
#else
            "GCC " __VERSION__
#endif
    };
    return info;
}
}  // namespace sextant
