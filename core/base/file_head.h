#pragma once
// The beginning of a file, to judge a stranger by before the rest is read.

#include <cstdint>
#include <string>

#include "core/base/result.h"

namespace sextant {

struct FileHead {
    std::string bytes;
    std::uint64_t file_size = 0;
};
// At most `size` bytes; devices, FIFOs and folders are refused as by read_file().
[[nodiscard]] Result<FileHead> read_head(const std::string& path, std::size_t size);
// A kData error when the beginning holds a zero byte: no text file does.
[[nodiscard]] Status refuse_binary(const std::string& path);

}  // namespace sextant
