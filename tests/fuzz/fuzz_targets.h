#pragma once
// Every parser of files that may come from a stranger: how to call it and valid files to start from. Used by libFuzzer
// programs (preset fuzz, clang) and by fuzz_smoke, which mutates with plain means so that CI needs no clang.

#include <string>
#include <string_view>
#include <vector>

namespace sextant::fuzz {

struct Target {
    const char* name;
    std::vector<std::string> (*seeds)();  // valid files
    void (*run)(std::string_view bytes);
};

[[nodiscard]] const std::vector<Target>& targets();
[[nodiscard]] const Target* find_target(std::string_view name);

// The bytes as a regular file; the path is valid until the next call.
[[nodiscard]] const std::string& as_file(std::string_view bytes);

}  // namespace sextant::fuzz
