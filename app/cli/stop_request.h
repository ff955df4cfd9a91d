#pragma once
// SIGINT and SIGTERM while a command works: noted by a handler, taken by a loop. Not used by workers, which have their
// own (core/engine/stop_signal).

namespace sextant::cli {

class StopRequest {
  public:
    StopRequest();   // installs the handlers
    ~StopRequest();  // restores the defaults
    StopRequest(const StopRequest&) = delete;
    StopRequest& operator=(const StopRequest&) = delete;
    // The signal that came since the last call, or 0.
    [[nodiscard]] static int take();
    // Whether one came at all.
    [[nodiscard]] static bool received();
};

}  // namespace sextant::cli
