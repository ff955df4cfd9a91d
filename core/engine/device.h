#pragma once
// Devices, threads and memory of this process: what is there, what was asked for, what is used.

#include <cstdint>
#include <string>

#include "core/base/result.h"

namespace sextant {

// "auto" becomes cuda where there is one, else cpu. kDevice when the asked device is not there.
[[nodiscard]] Result<std::string> resolve_device(const std::string& wanted);
// 0 becomes the number of cores this process may use.
[[nodiscard]] std::int64_t resolve_threads(std::int64_t wanted);
// One team: LibTorch's and OpenMP's threads are set, OpenBLAS's own pool is held to one (two pools fight).
void use_threads(std::int64_t threads);
// Loads the libraries and does one product: what a process weighs before any model.
[[nodiscard]] double idle_resident_mb();
// The sentence for what LibTorch threw; memory exhaustion becomes kDevice, everything else kInternal.
[[nodiscard]] Error error_of_current_exception();

// The single place where exceptions become errors: runs `body` (returning a Result or Status) and turns what it throws
// into an Error.
template <typename Body>
[[nodiscard]] auto guarded(Body&& body) -> decltype(body()) {
    try {
        return body();
    } catch (...) {
        return error_of_current_exception();
    }
}

}  // namespace sextant
