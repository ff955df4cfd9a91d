#pragma once
// One writer a folder: a lock file created exclusively that names host, process and process start. A lock whose process
// is gone (same host) is stale and taken over; one of another host is never taken over without the user's word.
// Works without flock(), which network file systems may lack.

#include <cstdint>
#include <optional>
#include <string>

#include "core/base/result.h"

namespace sextant {

struct LockOwner {
    std::string host;
    std::int64_t process = 0;
    std::uint64_t process_start = 0;   // clock ticks since boot, field 22 of /proc/<pid>/stat; tells a reused pid
    [[nodiscard]] bool alive() const;  // false only when it is certainly gone
    [[nodiscard]] std::string describe() const;
};

class FileLock {
  public:
    // kStorage error naming the owner when another live process holds it.
    [[nodiscard]] static Result<FileLock> acquire(const std::string& path);
    [[nodiscard]] static std::optional<LockOwner> owner(const std::string& path);

    FileLock(FileLock&& other) noexcept;
    FileLock& operator=(FileLock&& other) noexcept;
    FileLock(const FileLock&) = delete;
    FileLock& operator=(const FileLock&) = delete;
    ~FileLock();
    void release();

  private:
    explicit FileLock(std::string path) : path_(std::move(path)) {}
    std::string path_;
};

}  // namespace sextant
