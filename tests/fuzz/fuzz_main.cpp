// One libFuzzer program a target; SEXTANT_FUZZ_TARGET is its name.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "fuzz_targets.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const sextant::fuzz::Target* target = sextant::fuzz::find_target(SEXTANT_FUZZ_TARGET);
    if (target == nullptr) std::abort();
    target->run(std::string_view(reinterpret_cast<const char*>(data), size));
    return 0;
}
