#include "core/engine/process_memory.h"

#include <fstream>

#include "core/engine/system/machine.h"

namespace sextant {

double restart_peak_resident() {
    const double before = peak_resident_mb();
    std::ofstream("/proc/self/clear_refs") << "5";
    return before;
}

}  // namespace sextant
