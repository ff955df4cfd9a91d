#include "core/base/file_lock.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <climits>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <thread>

#include "core/base/atomic_file.h"
#include "core/base/json.h"

namespace sextant {
namespace {

std::string host_name() {
    char name[256] = {};
    ::gethostname(name, sizeof name - 1);
    return name;
}

struct ProcessStat {
    std::uint64_t start = 0;  // 0: unknown
    bool dead = false;        // a zombie nobody has waited for yet: it holds nothing any more
};

ProcessStat stat_of(std::int64_t process) {
    ProcessStat result;
    std::ifstream file("/proc/" + std::to_string(process) + "/stat");
    std::string line;
    std::getline(file, line);
    const auto end = line.rfind(')');  // the command name may hold spaces and parentheses
    if (end == std::string::npos) return result;
    std::istringstream fields(line.substr(end + 1));
    std::string field;
    for (int i = 3; i <= 22 && fields >> field; ++i) {
        if (i == 3) result.dead = field == "Z" || field == "X";
        if (i == 22) result.start = std::stoull(field);
    }
    return result;
}

// Removes the lock of a holder that is gone. Takers of one folder go one at a time (flock on the folder, given up by
// the system when a taker dies) and look again: an existing lock is only ever replaced here, so what is removed is what
// was judged. Where folders cannot be locked the look again is all there is. False when it is too early to judge.
bool remove_stale(const std::string& path) {
    std::string parent = std::filesystem::path(path).parent_path().string();
    if (parent.empty()) parent = ".";
    const int folder = ::open(parent.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder >= 0) (void)::flock(folder, LOCK_EX);
    bool judged = true;
    if (const auto holder = FileLock::owner(path)) {
        if (!holder->alive()) ::unlink(path.c_str());
    } else if (struct stat info{}; ::stat(path.c_str(), &info) == 0) {
        // Nobody is named in it. Where there are no hard links a fresh lock is like that for a moment; a file that was
        // let go of while we read is fresh now, too. Only an old one is broken.
        judged = std::time(nullptr) - info.st_mtime > 2;
        if (judged) ::unlink(path.c_str());
    }
    if (folder >= 0) ::close(folder);
    return judged;
}

}  // namespace

bool LockOwner::alive() const {
    if (host != host_name()) return true;
    if (process <= 0 || process > INT_MAX) return false;
    if (::kill(static_cast<pid_t>(process), 0) != 0 && errno == ESRCH) return false;
    const ProcessStat stat = stat_of(process);
    if (stat.dead) return false;
    return stat.start == 0 || process_start == 0 || stat.start == process_start;
}

std::string LockOwner::describe() const {
    return fmt::format("process {} on {}", process, host);
}

std::optional<LockOwner> FileLock::owner(const std::string& path) {
    auto document = read_json_file(path, ErrorCode::kStorage, {4096, 4, 16});
    if (!document || !document->is_object()) return std::nullopt;
    LockOwner owner;
    const auto host = document->find("host");
    const auto process = document->find("process");
    const auto start = document->find("process_start");
    if (host == document->end() || !host->is_string() || process == document->end() || !process->is_number_integer()) {
        return std::nullopt;
    }
    owner.host = host->get<std::string>();
    owner.process = process->get<std::int64_t>();
    if (start != document->end() && start->is_number_unsigned()) owner.process_start = start->get<std::uint64_t>();
    return owner;
}

Result<FileLock> FileLock::acquire(const std::string& path) {
    const auto self = static_cast<std::int64_t>(::getpid());
    const Json content = {{"host", host_name()}, {"process", self}, {"process_start", stat_of(self).start}};
    const std::string bytes = dump_json(content, -1) + "\n";
    for (int attempt = 0; attempt < 40; ++attempt) {
        // Written whole under a private name, then linked: the lock never exists half written.
        const std::string mine = fmt::format("{}.{}", path, self);
        const int descriptor = file_operations().open(mine.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
        if (descriptor < 0) return errno_error("lock", path, errno);
        Status written = write_all(descriptor, bytes.data(), bytes.size(), path);
        file_operations().close(descriptor);
        const int linked = written.ok() ? ::link(mine.c_str(), path.c_str()) : -1;
        int reason = errno;
        if (written.ok() && linked != 0 && (reason == EPERM || reason == ENOTSUP)) {  // no hard links here
            const int exclusive = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
            reason = errno;
            if (exclusive >= 0) {
                written = write_all(exclusive, bytes.data(), bytes.size(), path);
                ::close(exclusive);
                ::unlink(mine.c_str());
                if (!written.ok()) return std::move(written).error();
                return FileLock(path);
            }
        }
        ::unlink(mine.c_str());
        if (!written.ok()) return std::move(written).error();
        if (linked == 0) return FileLock(path);
        if (reason != EEXIST) return errno_error("lock", path, reason);
        const auto holder = owner(path);
        if (holder && holder->alive()) {
            return storage_error(fmt::format("is in use by {}; wait for it to end or stop it", holder->describe()),
                                 path);
        }
        if (!remove_stale(path)) std::this_thread::sleep_for(std::chrono::milliseconds(100));
    }
    return storage_error("cannot be locked; remove the stale lock file", path);
}

FileLock::FileLock(FileLock&& other) noexcept : path_(std::move(other.path_)) {
    other.path_.clear();
}
FileLock& FileLock::operator=(FileLock&& other) noexcept {
    if (this != &other) {
        release();
        path_ = std::move(other.path_);
        other.path_.clear();
    }
    return *this;
}
FileLock::~FileLock() {
    release();
}
void FileLock::release() {
    if (!path_.empty()) ::unlink(path_.c_str());
    path_.clear();
}

}  // namespace sextant
