#pragma once
// SIGINT and SIGTERM while a run is trained: noted, never obeyed at once, because a checkpoint comes first.

#include <csignal>

namespace sextant {

class StopSignals {
  public:
    StopSignals();   // installs the handlers
    ~StopSignals();  // puts the old ones back
    StopSignals(const StopSignals&) = delete;
    StopSignals& operator=(const StopSignals&) = delete;
    [[nodiscard]] static bool received();
    [[nodiscard]] static const char* name();  // "SIGINT", "SIGTERM"

  private:
    struct sigaction old_interrupt_ {};
    struct sigaction old_terminate_ {};
};

}  // namespace sextant
