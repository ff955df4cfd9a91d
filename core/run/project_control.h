#pragma once
// Commands to whoever orchestrates a project (a terminal, an earlier window): <project>/control.jsonl, in the form of a
// run's control file. Heard only by orchestrators that were started before the command was written.

#include <string>

namespace sextant {

[[nodiscard]] inline std::string project_control_file(const std::string& project) {
    return project + "/control.jsonl";
}

}  // namespace sextant
