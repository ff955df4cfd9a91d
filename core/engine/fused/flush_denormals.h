#pragma once
// While one lives, denormal results of this thread are zero: a product with a tiny weight would otherwise take a
// hundred cycles. The thread's own setting comes back afterwards.

#if defined(__SSE2__)
#include <immintrin.h>
#endif

namespace sextant::fused {

class FlushDenormals {
  public:
#if defined(__SSE2__)
    FlushDenormals() : before_(_mm_getcsr()) {
        _mm_setcsr(before_ | 0x8040u);
    }  // flush to zero, denormals are zero
    ~FlushDenormals() {
        _mm_setcsr(before_);
    }
#else
    FlushDenormals() = default;
    ~FlushDenormals() = default;
#endif
    FlushDenormals(const FlushDenormals&) = delete;
    FlushDenormals& operator=(const FlushDenormals&) = delete;

  private:
#if defined(__SSE2__)
    unsigned before_;
#endif
};

}  // namespace sextant::fused
