#pragma once
// Runs a program found in PATH, without a shell, and collects what it says.
#include <string>
#include <vector>

#include "core/base/result.h"

namespace sextant::cli {

struct CapturedOutput {
    int status = 0;  // exit status; 128 + signal when it was killed
    std::string output, errors;
};
// kUsage when the program is not there.
[[nodiscard]] Result<CapturedOutput> run_captured(const std::vector<std::string>& arguments,
                                                  const std::string& directory = {});

}  // namespace sextant::cli
