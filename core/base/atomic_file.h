#pragma once
// The one way files are written: a temporary file in the same folder, write, fsync, rename, fsync the folder. A reader
// sees the old bytes or the new ones, never a mixture. The operations go through FileOperations so that tests can fail
// each in turn.

#include <sys/types.h>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace sextant {

// Every operating-system call that persistence needs. The default is the system; set_file_operations() replaces it
// process-wide (tests only). Functions return -1 and set errno on failure, as the calls they stand for.
class FileOperations {
  public:
    virtual ~FileOperations() = default;
    virtual int open(const char* path, int flags, unsigned mode);
    virtual ssize_t write(int descriptor, const void* data, std::size_t size);
    virtual int fsync(int descriptor);
    virtual int close(int descriptor);
    virtual int rename(const char* from, const char* to);
    virtual int unlink(const char* path);
    virtual int mkdir(const char* path, unsigned mode);
    virtual int truncate(int descriptor, std::int64_t size);
};
FileOperations& file_operations();
void set_file_operations(FileOperations* operations);  // nullptr restores the system

[[nodiscard]] Status write_file_atomically(const std::string& path, std::string_view bytes);
// The pieces one after the other: large tensors are not copied into one string first.
[[nodiscard]] Status write_file_atomically(const std::string& path, std::span<const std::string_view> pieces);
[[nodiscard]] Status write_all(int descriptor, const void* data, std::size_t size, const std::string& path);
// Removes what writers that are gone left half done in a folder: temporaries of write_file_atomically(), private lock
// names, writability probes. Only files that name a process of this machine which no longer exists.
void remove_stale_temporaries(const std::string& directory);
[[nodiscard]] Status sync_directory(const std::string& directory);
[[nodiscard]] Status make_directories(const std::string& path);

// Whole regular file; devices, FIFOs and folders are refused before opening, sizes above `limit` before reading.
[[nodiscard]] Result<std::string> read_file(const std::string& path, std::size_t limit = std::size_t{1} << 32U);

}  // namespace sextant
