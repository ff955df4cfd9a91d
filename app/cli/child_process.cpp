#include "app/cli/child_process.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <fstream>

extern char** environ;

namespace sextant::cli {
namespace {

// How often the kernel has killed a process for want of memory, here or in this control group.
std::int64_t memory_kills() {
    std::int64_t most = 0;
    for (const char* path :
         {"/proc/vmstat", "/sys/fs/cgroup/memory.events", "/sys/fs/cgroup/memory/memory.oom_control"}) {
        std::ifstream file(path);
        std::string key;
        std::int64_t value = 0;
        while (file >> key >> value) {
            if (key == "oom_kill") most += value;
        }
    }
    return most;
}

}  // namespace

Result<ChildProcess> ChildProcess::start(const std::string& program, const std::vector<std::string>& arguments,
                                         const std::string& output_file) {
    std::vector<char*> argv;
    argv.push_back(const_cast<char*>(program.c_str()));
    for (const std::string& argument : arguments)
        argv.push_back(const_cast<char*>(argument.c_str()));
    argv.push_back(nullptr);

    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output_file.c_str(),
                                     O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0644);
    posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    sigset_t defaults;
    sigemptyset(&defaults);
    for (const int signal : {SIGINT, SIGTERM, SIGPIPE})
        sigaddset(&defaults, signal);
    posix_spawnattr_setsigdefault(&attributes, &defaults);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);

    ChildProcess child;
    child.memory_kills_ = memory_kills();
    const int failed = ::posix_spawn(&child.process_, program.c_str(), &actions, &attributes, argv.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    if (failed != 0) return errno_error("start a worker with output to", output_file, failed);
    return child;
}

std::optional<ChildExit> ChildProcess::poll() {
    int status = 0;
    const pid_t ended = ::waitpid(process_, &status, WNOHANG);
    if (ended == 0 || (ended < 0 && errno == EINTR)) return std::nullopt;
    ChildExit result;
    if (ended < 0) {
        result.code = static_cast<int>(ErrorCode::kInternal);
    } else if (WIFSIGNALED(status)) {
        result.signal = WTERMSIG(status);
        result.code = 128 + result.signal;
        result.out_of_memory = result.signal == SIGKILL && memory_kills() > memory_kills_;
    } else {
        result.code = WEXITSTATUS(status);
    }
    return result;
}

void ChildProcess::send(int signal) const {
    if (process_ > 0) (void)::kill(process_, signal);
}

std::string last_line(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    if (!file) return {};
    file.seekg(0, std::ios::end);
    const auto size = static_cast<std::int64_t>(file.tellg());
    const std::int64_t begin = std::max<std::int64_t>(0, size - 4096);
    file.seekg(begin);
    std::string text(static_cast<std::size_t>(size - begin), '\0');
    file.read(text.data(), static_cast<std::streamsize>(text.size()));
    while (!text.empty() && (text.back() == '\n' || text.back() == '\r'))
        text.pop_back();
    const std::size_t line = text.rfind('\n');
    return line == std::string::npos ? text : text.substr(line + 1);
}

}  // namespace sextant::cli
