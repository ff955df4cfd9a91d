#include "core/base/atomic_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <climits>
#include <cstdio>
#include <filesystem>

#include "core/base/text.h"

namespace sextant {
namespace {
FileOperations system_operations;
std::atomic<FileOperations*> current_operations{&system_operations};

std::string parent_of(const std::string& path) {
    const std::string parent = std::filesystem::path(path).parent_path().string();
    return parent.empty() ? "." : parent;
}
}  // namespace

int FileOperations::open(const char* path, int flags, unsigned mode) {
    return ::open(path, flags | O_CLOEXEC, mode);
}
ssize_t FileOperations::write(int descriptor, const void* data, std::size_t size) {
    return ::write(descriptor, data, size);
}
int FileOperations::fsync(int descriptor) {
    return ::fsync(descriptor);
}
int FileOperations::close(int descriptor) {
    return ::close(descriptor);
}
int FileOperations::rename(const char* from, const char* to) {
    return std::rename(from, to);
}
int FileOperations::unlink(const char* path) {
    return ::unlink(path);
}
int FileOperations::mkdir(const char* path, unsigned mode) {
    return ::mkdir(path, mode);
}
int FileOperations::truncate(int descriptor, std::int64_t size) {
    return ::ftruncate(descriptor, size);
}

FileOperations& file_operations() {
    return *current_operations.load();
}
void set_file_operations(FileOperations* operations) {
    current_operations.store(operations != nullptr ? operations : &system_operations);
}

Status write_all(int descriptor, const void* data, std::size_t size, const std::string& path) {
    const char* next = static_cast<const char*>(data);
    while (size > 0) {
        const ssize_t wrote = file_operations().write(descriptor, next, size);
        if (wrote < 0 && errno == EINTR) continue;
        if (wrote < 0) return errno_error("write", path, errno);
        if (wrote == 0) return storage_error("cannot write: no progress", path);
        next += wrote;
        size -= static_cast<std::size_t>(wrote);
    }
    return {};
}

Status sync_directory(const std::string& directory) {
    const int descriptor = file_operations().open(directory.c_str(), O_RDONLY | O_DIRECTORY, 0);
    if (descriptor < 0) return errno_error("open the folder", directory, errno);
    const int failed = file_operations().fsync(descriptor);
    const int reason = errno;
    file_operations().close(descriptor);
    if (failed != 0 && reason != EINVAL) return errno_error("sync the folder", directory, reason);
    return {};
}

Status write_file_atomically(const std::string& path, std::string_view bytes) {
    return write_file_atomically(path, std::span<const std::string_view>(&bytes, 1));
}

Status write_file_atomically(const std::string& path, std::span<const std::string_view> pieces) {
    FileOperations& files = file_operations();
    static std::atomic<unsigned> counter{0};
    const std::string temporary = fmt::format("{}.{}-{}.tmp", path, ::getpid(), counter++);
    const int descriptor = files.open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL, 0644);
    if (descriptor < 0) return errno_error("write", path, errno);
    Status status;
    for (const std::string_view piece : pieces) {
        if (status.ok()) status = write_all(descriptor, piece.data(), piece.size(), path);
    }
    if (status.ok() && files.fsync(descriptor) != 0) status = errno_error("sync", path, errno);
    if (files.close(descriptor) != 0 && status.ok()) status = errno_error("close", path, errno);
    if (status.ok() && files.rename(temporary.c_str(), path.c_str()) != 0) status = errno_error("replace", path, errno);
    if (!status.ok()) {
        files.unlink(temporary.c_str());
        return status;
    }
    return sync_directory(parent_of(path));
}

void remove_stale_temporaries(const std::string& directory) {
    std::error_code failed;
    for (const auto& entry : std::filesystem::directory_iterator(directory, failed)) {
        const std::string name = entry.path().filename().string();
        // <file>.<process>-<n>.tmp, lock.<process>, .writable-<process>
        std::string_view rest = name;
        if (rest.size() > 4 && rest.substr(rest.size() - 4) == ".tmp") {
            rest.remove_suffix(4);
            const std::size_t dash = rest.rfind('-');
            if (dash == std::string_view::npos || !parse_integer(rest.substr(dash + 1))) continue;
            rest = rest.substr(0, dash);
        } else if (rest.find("lock.") == std::string_view::npos && rest.substr(0, 10) != ".writable-") {
            continue;
        }
        const std::size_t number = rest.find_last_of(".-");
        if (number == std::string_view::npos) continue;
        const auto process = parse_integer(rest.substr(number + 1));
        if (!process || *process <= 0 || *process > INT_MAX) continue;
        if (::kill(static_cast<pid_t>(*process), 0) == 0 || errno != ESRCH) continue;
        file_operations().unlink(entry.path().c_str());
    }
}

Status make_directories(const std::string& path) {
    if (path.empty()) return {};
    struct stat info {};
    if (::stat(path.c_str(), &info) == 0) {
        if (S_ISDIR(info.st_mode)) return {};
        return storage_error("is a file where a folder is needed", path);
    }
    const std::string parent = parent_of(path);
    if (parent != path) SEXTANT_CHECK(make_directories(parent));
    if (file_operations().mkdir(path.c_str(), 0755) != 0 && errno != EEXIST) {
        return errno_error("create the folder", path, errno);
    }
    return {};
}

Result<std::string> read_file(const std::string& path, std::size_t limit) {
    struct stat info {};
    if (::stat(path.c_str(), &info) != 0) {
        if (errno == ENOENT || errno == ENOTDIR) return data_error("no such file", path);
        Error error = errno_error("read", path, errno);
        error.code = ErrorCode::kData;
        return error;
    }
    if (S_ISDIR(info.st_mode)) return data_error("is a folder; a file is needed", path);
    if (!S_ISREG(info.st_mode)) return data_error("is not a regular file; devices and pipes are not read", path);
    if (static_cast<std::uint64_t>(info.st_size) > limit) {
        return data_error(fmt::format("is {} bytes; at most {} are read here", info.st_size, limit), path);
    }
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (descriptor < 0) {
        Error error = errno_error("read", path, errno);
        error.code = ErrorCode::kData;
        return error;
    }
    std::string bytes;
    bytes.resize(static_cast<std::size_t>(info.st_size));
    std::size_t filled = 0;
    while (filled < bytes.size()) {
        const ssize_t got = ::read(descriptor, bytes.data() + filled, bytes.size() - filled);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) {
            Error error = errno_error("read", path, errno);
            error.code = ErrorCode::kData;
            ::close(descriptor);
            return error;
        }
        if (got == 0) break;
        filled += static_cast<std::size_t>(got);
    }
    ::close(descriptor);
    bytes.resize(filled);
    return bytes;
}

}  // namespace sextant
