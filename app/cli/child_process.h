#pragma once
// One worker as a child of the orchestrator: same process group (Ctrl+C and a group kill reach all), output into a log
// file rather than a pipe, so that a worker survives the death of its orchestrator.

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"

namespace sextant::cli {

struct ChildExit {
    int code = 0;    // exit status, or 128 + signal
    int signal = 0;  // 0 when it exited by itself
    bool out_of_memory = false;
};

class ChildProcess {
  public:
    [[nodiscard]] static Result<ChildProcess> start(const std::string& program,
                                                    const std::vector<std::string>& arguments,
                                                    const std::string& output_file);
    // Nothing while it runs.
    [[nodiscard]] std::optional<ChildExit> poll();
    void send(int signal) const;
    [[nodiscard]] pid_t process() const { return process_; }

  private:
    pid_t process_ = -1;
    std::int64_t memory_kills_ = 0;  // of this machine or control group, before it started
};

// The last line of a text file that is not empty ("" when there is none): why a worker ended.
[[nodiscard]] std::string last_line(const std::string& path);

}  // namespace sextant::cli
