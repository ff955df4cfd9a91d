#include "app/cli/captured_process.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

namespace sextant::cli {
namespace {

constexpr int kNotFound = 127;
constexpr std::size_t kMostOutput = std::size_t{64} << 20U;

}  // namespace

Result<CapturedOutput> run_captured(const std::vector<std::string>& arguments, const std::string& directory) {
    std::array<int, 2> out{};
    std::array<int, 2> err{};
    if (::pipe2(out.data(), O_CLOEXEC) != 0) return errno_error("make a pipe", arguments[0], errno);
    if (::pipe2(err.data(), O_CLOEXEC) != 0) {
        const int reason = errno;
        ::close(out[0]);
        ::close(out[1]);
        return errno_error("make a pipe", arguments[0], reason);
    }
    std::vector<char*> words;
    for (const std::string& argument : arguments)
        words.push_back(const_cast<char*>(argument.c_str()));
    words.push_back(nullptr);
    const pid_t child = ::fork();
    if (child == 0) {
        ::dup2(out[1], STDOUT_FILENO);
        ::dup2(err[1], STDERR_FILENO);
        if (directory.empty() || ::chdir(directory.c_str()) == 0) ::execvp(words[0], words.data());
        ::_exit(kNotFound);
    }
    ::close(out[1]);
    ::close(err[1]);
    CapturedOutput result;
    if (child > 0) {
        std::array<pollfd, 2> watched{pollfd{out[0], POLLIN, 0}, pollfd{err[0], POLLIN, 0}};
        std::array<std::string*, 2> texts{&result.output, &result.errors};
        std::array<char, 65536> block{};
        int open = 2;
        while (open > 0) {
            if (::poll(watched.data(), watched.size(), -1) < 0 && errno != EINTR) break;
            for (std::size_t i = 0; i < watched.size(); ++i) {
                if (watched[i].fd < 0 || watched[i].revents == 0) continue;
                const ssize_t got = ::read(watched[i].fd, block.data(), block.size());
                if (got < 0 && errno == EINTR) continue;
                if (got <= 0) {
                    watched[i].fd = -1;
                    --open;
                } else if (texts[i]->size() < kMostOutput) {
                    texts[i]->append(block.data(), static_cast<std::size_t>(got));
                }
            }
        }
    }
    const int reason = errno;
    ::close(out[0]);
    ::close(err[0]);
    if (child < 0) return errno_error("start", arguments[0], reason);
    int status = 0;
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    result.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    if (result.status == kNotFound && result.output.empty() && result.errors.empty()) {
        return usage_error(arguments[0] + " is not in PATH; this command needs a Slurm client on this machine");
    }
    return result;
}

}  // namespace sextant::cli
