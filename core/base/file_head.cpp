#include "core/base/file_head.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "core/base/atomic_file.h"

namespace sextant {
namespace {
constexpr std::size_t kTextHead = std::size_t{64} << 10U;
}

Result<FileHead> read_head(const std::string& path, std::size_t size) {
    struct stat info {};
    if (::stat(path.c_str(), &info) != 0 || !S_ISREG(info.st_mode)) {
        SEXTANT_TRY(bytes, read_file(path));  // says what it is instead
        return FileHead{bytes.substr(0, size), bytes.size()};
    }
    FileHead head;
    head.file_size = static_cast<std::uint64_t>(info.st_size);
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    ssize_t got = -1;
    if (descriptor >= 0) {
        head.bytes.resize(static_cast<std::size_t>(std::min<std::uint64_t>(size, head.file_size)));
        do {
            got = ::pread(descriptor, head.bytes.data(), head.bytes.size(), 0);
        } while (got < 0 && errno == EINTR);
    }
    if (got < 0) {
        Error error = errno_error("read", path, errno);
        error.code = ErrorCode::kData;
        if (descriptor >= 0) ::close(descriptor);
        return error;
    }
    ::close(descriptor);
    head.bytes.resize(static_cast<std::size_t>(got));
    return head;
}

Status refuse_binary(const std::string& path) {
    SEXTANT_TRY(head, read_head(path, kTextHead));
    const std::size_t zero = head.bytes.find('\0');
    if (zero == std::string::npos) return {};
    return data_error(fmt::format("is not a text file: byte {} is zero", zero), path);
}

}  // namespace sextant
