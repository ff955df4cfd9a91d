#include "core/engine/fused/isa.h"

#include <cstdlib>

namespace sextant::fused {

const char* isa_name(Isa isa) {
    switch (isa) {
        case Isa::kBaseline:
            return "baseline";
        case Isa::kAvx2:
            return "avx2";
        case Isa::kAvx512:
            return "avx512";
    }
    return "";
}

std::vector<Isa> supported_isas() {
    std::vector<Isa> isas{Isa::kBaseline};
#if defined(__x86_64__)
    __builtin_cpu_init();
    const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2");
    if (avx2) isas.push_back(Isa::kAvx2);
    if (avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512cd"))
        isas.push_back(Isa::kAvx512);
#endif
    return isas;
}

Result<Isa> selected_isa() {
    Isa limit = Isa::kAvx512;
    if (const char* text = std::getenv("SEXTANT_MAX_ISA"); text != nullptr && *text != '\0') {
        const std::string wanted = text;
        bool known = false;
        for (const Isa isa : {Isa::kBaseline, Isa::kAvx2, Isa::kAvx512}) {
            if (wanted != isa_name(isa)) continue;
            limit = isa;
            known = true;
        }
        if (!known)
            return usage_error("the environment variable SEXTANT_MAX_ISA is '" + wanted +
                               "'; set it to avx512, avx2 or baseline");
    }
    Isa best = Isa::kBaseline;
    for (const Isa isa : supported_isas())
        if (isa <= limit) best = isa;
    return best;
}

}  // namespace sextant::fused
