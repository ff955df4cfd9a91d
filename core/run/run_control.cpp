#include "core/run/run_control.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <nlohmann/json.hpp>

#include "core/base/atomic_file.h"
#include "core/base/json.h"

namespace sextant {
namespace {

constexpr std::size_t kMaximumLine = 4096;
constexpr std::size_t kMaximumPoll = std::size_t{1} << 20U;
constexpr std::int64_t kMaximumNumber = std::int64_t{1} << 53U;  // a stranger's number must leave room for the next
constexpr std::array<std::pair<ControlCommand, const char*>, 4> kWords = {{{ControlCommand::kPause, "pause"},
                                                                           {ControlCommand::kResume, "resume"},
                                                                           {ControlCommand::kCheckpoint, "checkpoint"},
                                                                           {ControlCommand::kStop, "stop"}}};

std::optional<ControlRequest> parse_line(std::string_view line) {
    if (line.empty() || line.size() > kMaximumLine) return std::nullopt;
    const auto document = parse_json(line, {}, {kMaximumLine, 4, 64});
    if (!document || !document->is_object()) return std::nullopt;
    const auto seq = document->find("seq");
    const auto word = document->find("command");
    if (seq == document->end() || !seq->is_number_integer() || word == document->end() || !word->is_string()) {
        return std::nullopt;
    }
    const auto command = control_command(word->get<std::string>());
    if (!command) return std::nullopt;
    if (seq->is_number_unsigned() && seq->get<std::uint64_t>() > static_cast<std::uint64_t>(kMaximumNumber)) {
        return std::nullopt;
    }
    return ControlRequest{seq->get<std::int64_t>(), *command};
}

// Whole lines from `offset` on; moves it behind them. A file that got shorter is read from its start.
std::vector<ControlRequest> read_from(const std::string& path, std::int64_t& offset) {
    std::vector<ControlRequest> requests;
    struct stat info {};
    if (::stat(path.c_str(), &info) != 0 || !S_ISREG(info.st_mode)) return requests;
    if (info.st_size < offset) offset = 0;
    if (info.st_size == offset) return requests;
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (descriptor < 0) return requests;
    std::string bytes(std::min(static_cast<std::size_t>(info.st_size - offset), kMaximumPoll), '\0');
    const ssize_t got = ::pread(descriptor, bytes.data(), bytes.size(), offset);
    ::close(descriptor);
    if (got <= 0) return requests;
    bytes.resize(static_cast<std::size_t>(got));
    std::size_t begin = 0;
    for (std::size_t end = bytes.find('\n'); end != std::string::npos; end = bytes.find('\n', begin)) {
        if (const auto request = parse_line(std::string_view(bytes).substr(begin, end - begin))) {
            requests.push_back(*request);
        }
        begin = end + 1;
    }
    if (begin == 0 && bytes.size() > kMaximumLine) begin = bytes.size();  // no line of ours is that long
    offset += static_cast<std::int64_t>(begin);
    return requests;
}

}  // namespace

std::optional<ControlCommand> control_command(const std::string& word) {
    for (const auto& [command, name] : kWords) {
        if (word == name) return command;
    }
    return std::nullopt;
}

const char* control_word(ControlCommand command) {
    for (const auto& [candidate, name] : kWords) {
        if (candidate == command) return name;
    }
    return "unknown";
}

Status send_control(const std::string& path, ControlCommand command) {
    std::int64_t last = 0;
    std::int64_t offset = 0;
    for (std::int64_t before = -1; before != offset;) {
        before = offset;
        for (const ControlRequest& request : read_from(path, offset))
            last = std::max(last, request.seq);
    }
    const int descriptor = file_operations().open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0644);
    if (descriptor < 0) return errno_error("write", path, errno);
    struct stat info {};
    const bool torn = ::fstat(descriptor, &info) == 0 && info.st_size > offset;  // a line without its end
    const std::string line =
        fmt::format("{}{{\"seq\":{},\"command\":\"{}\"}}\n", torn ? "\n" : "", last + 1, control_word(command));
    Status status = write_all(descriptor, line.data(), line.size(), path);
    if (file_operations().close(descriptor) != 0 && status.ok()) status = errno_error("close", path, errno);
    return status;
}

ControlReader::ControlReader(std::string path, std::int64_t last_seq) : path_(std::move(path)), last_seq_(last_seq) {}

std::vector<ControlRequest> ControlReader::poll() {
    std::vector<ControlRequest> fresh;
    for (const ControlRequest& request : read_from(path_, offset_)) {
        if (request.seq <= last_seq_) continue;
        last_seq_ = request.seq;
        fresh.push_back(request);
    }
    return fresh;
}

}  // namespace sextant
