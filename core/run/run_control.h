#pragma once
// Commands to a running worker: control.jsonl, append only, {"seq":n,"command":"pause|resume|checkpoint|stop"} a line.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"

namespace sextant {

enum class ControlCommand { kPause, kResume, kCheckpoint, kStop };
[[nodiscard]] std::optional<ControlCommand> control_command(const std::string& word);
[[nodiscard]] const char* control_word(ControlCommand command);

struct ControlRequest {
    std::int64_t seq = 0;
    ControlCommand command = ControlCommand::kPause;
};
// Numbers one more than the last in the file; atomic append.
[[nodiscard]] Status send_control(const std::string& path, ControlCommand command);

class ControlReader {  // the worker's side; cheap to poll every step (stat before read)
  public:
    // Starts after `last_seq` (the fold's last_control_seq).
    ControlReader(std::string path, std::int64_t last_seq);
    [[nodiscard]] std::vector<ControlRequest> poll();  // malformed lines are skipped

  private:
    std::string path_;
    std::int64_t last_seq_;
    std::int64_t offset_ = 0;
};

}  // namespace sextant
