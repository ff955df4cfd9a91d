#pragma once
// Which instruction set the fused kernels run on: chosen at run time, so one binary serves old and new machines.
// SEXTANT_MAX_ISA=avx512|avx2|baseline lowers it (ONEDNN_MAX_CPU_ISA does the same for oneDNN, independently).

#include <string>
#include <vector>

#include "core/base/result.h"

namespace sextant::fused {

enum class Isa { kBaseline, kAvx2, kAvx512 };

[[nodiscard]] const char* isa_name(Isa isa);
// What this CPU can run, lowest first; never empty.
[[nodiscard]] std::vector<Isa> supported_isas();
// The best supported one, not above SEXTANT_MAX_ISA. An unknown word there is a kUsage error that names the choices.
[[nodiscard]] Result<Isa> selected_isa();

}  // namespace sextant::fused
