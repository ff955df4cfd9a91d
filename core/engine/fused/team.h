#pragma once
// The threads that share one piece of work inside an OpenMP region. Work is dealt round robin, never on demand, so that
// the same thread count always adds up in the same order.

#include <cstdint>

namespace sextant::fused {

struct Team {
    int rank = 0;
    int size = 1;
    // All threads of the region must call it when size > 1.
    void wait() const {
        if (size > 1) {
#pragma omp barrier
        }
    }
};

}  // namespace sextant::fused
