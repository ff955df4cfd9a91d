#pragma once
#include <string>

namespace sextant::cli {
// Sextant, commit, compiler, LibTorch, oneDNN, BLAS in use, threads.
std::string version_text(bool json);
}  // namespace sextant::cli
