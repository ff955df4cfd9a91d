#include "core/run/event_log.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <nlohmann/json.hpp>

#include "core/base/atomic_file.h"
#include "core/base/crc32c.h"
#include "core/base/json.h"
#include "core/base/text.h"

namespace sextant {
namespace {

using Clock = std::chrono::steady_clock;
constexpr auto kSyncInterval = std::chrono::seconds(3);
constexpr std::size_t kMaximumRecord = std::size_t{16} << 20U;
constexpr std::size_t kMaximumPoll = std::size_t{64} << 20U;
constexpr std::size_t kMaximumProblems = 20;
constexpr JsonLimits kRecordLimits{kMaximumRecord, 8, 2'000'000};

// "<crc32c, 8 hex> <JSON>" without its line end.
Result<ParsedEvent> parse_record(std::string_view line) {
    if (line.size() < 10 || line[8] != ' ') return data_error("is not an event record");
    const std::string_view json = line.substr(9);
    if (line.substr(0, 8) != fmt::format("{:08x}", crc32c(json))) return data_error("has a wrong checksum");
    SEXTANT_TRY(document, parse_json(json, {}, kRecordLimits));
    return event_from_json(document);
}

Result<std::string> read_range(const std::string& path, std::int64_t offset, std::size_t size) {
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (descriptor < 0) return errno_error("read", path, errno);
    std::string bytes(size, '\0');
    std::size_t filled = 0;
    while (filled < size) {
        const ssize_t got =
            ::pread(descriptor, bytes.data() + filled, size - filled, offset + static_cast<std::int64_t>(filled));
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) {
            const int reason = errno;
            ::close(descriptor);
            return errno_error("read", path, reason);
        }
        if (got == 0) break;
        filled += static_cast<std::size_t>(got);
    }
    ::close(descriptor);
    bytes.resize(filled);
    return bytes;
}

}  // namespace

struct EventLogWriter::State {
    std::string path;
    int descriptor = -1;
    std::int64_t next_seq = 0;
    std::int64_t segment = 0;
    std::int64_t size = 0;  // bytes of whole records
    Clock::time_point began = Clock::now();
    Clock::time_point synced = Clock::now();
    bool torn = false;  // an append failed half-way: its bytes are cut off before the next one

    ~State() {
        if (descriptor < 0) return;
        (void)file_operations().fsync(descriptor);
        (void)file_operations().close(descriptor);
    }
};

EventLogWriter::EventLogWriter(std::unique_ptr<State> state) : state_(std::move(state)) {}
EventLogWriter::EventLogWriter(EventLogWriter&&) noexcept = default;
EventLogWriter& EventLogWriter::operator=(EventLogWriter&&) noexcept = default;
EventLogWriter::~EventLogWriter() = default;

Result<EventLogWriter> EventLogWriter::open(const std::string& path) {
    auto state = std::make_unique<State>();
    state->path = path;
    struct stat info {};
    if (::stat(path.c_str(), &info) == 0) {
        if (!S_ISREG(info.st_mode)) return storage_error("is not a regular file", path);
        // Records are numbered on from the last whole one. Damaged records in the middle stay: they are skipped by
        // every reader; only bytes after the last line end are a torn write and are cut off.
        EventLogReader reader(path);
        for (;;) {
            SEXTANT_TRY(batch, reader.poll());
            for (const RunEvent& event : batch.events) {
                state->next_seq = std::max(state->next_seq, event.seq + 1);
                state->segment = std::max(state->segment, event.segment + 1);
            }
            if (!batch.more) break;
        }
        state->size = reader.offset();
    }
    state->descriptor = file_operations().open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0644);
    if (state->descriptor < 0) return errno_error("write", path, errno);
    if (::stat(path.c_str(), &info) == 0 && info.st_size > state->size) {
        if (file_operations().truncate(state->descriptor, state->size) != 0) {
            return errno_error("cut off the torn last record", path, errno);
        }
    }
    return EventLogWriter(std::move(state));
}

std::int64_t EventLogWriter::segment() const {
    return state_->segment;
}

Status EventLogWriter::append(std::int64_t step, std::int64_t tokens, RunEventBody body) {
    RunEvent event;
    event.seq = state_->next_seq;
    event.segment = state_->segment;
    event.step = step;
    event.tokens = tokens;
    event.time =
        std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::system_clock::now().time_since_epoch())
            .count();
    event.elapsed = std::chrono::duration<double>(Clock::now() - state_->began).count();
    event.body = std::move(body);
    const std::string json = dump_json(to_json(event), -1);
    const std::string record = fmt::format("{:08x} {}\n", crc32c(json), json);
    if (state_->torn) {
        if (file_operations().truncate(state_->descriptor, state_->size) != 0) {
            return errno_error("cut off a torn record", state_->path, errno);
        }
        state_->torn = false;
    }
    if (Status written = write_all(state_->descriptor, record.data(), record.size(), state_->path); !written.ok()) {
        state_->torn = true;
        return written;
    }
    state_->size += static_cast<std::int64_t>(record.size());
    ++state_->next_seq;
    if (Clock::now() - state_->synced >= kSyncInterval) return sync();
    return {};
}

Status EventLogWriter::sync() {
    state_->synced = Clock::now();
    if (file_operations().fsync(state_->descriptor) != 0 && errno != EINVAL) {
        return errno_error("sync", state_->path, errno);
    }
    return {};
}

EventLogReader::EventLogReader(std::string path) : path_(std::move(path)) {}

Result<EventLogReader::Batch> EventLogReader::poll() {
    Batch batch;
    struct stat info {};
    if (::stat(path_.c_str(), &info) != 0) {
        if (errno != ENOENT && errno != ENOTDIR) return errno_error("read", path_, errno);
        batch.reset = offset_ > 0;
        offset_ = line_ = 0;
        inode_ = 0;
        return batch;
    }
    if (!S_ISREG(info.st_mode)) return data_error("is not a regular file", path_);
    if (info.st_size < offset_ || (inode_ != 0 && inode_ != info.st_ino)) {
        batch.reset = true;
        offset_ = line_ = 0;
    }
    inode_ = info.st_ino;
    const auto available = static_cast<std::size_t>(info.st_size - offset_);
    if (available == 0) return batch;
    SEXTANT_TRY(bytes, read_range(path_, offset_, std::min(available, kMaximumPoll)));
    const auto problem = [&](const std::string& what) {
        if (batch.problems.size() < kMaximumProblems) {
            batch.problems.push_back(fmt::format("line {}: {}; the record is skipped", line_, what));
        }
    };
    std::size_t begin = 0;
    for (;;) {
        const std::size_t end = bytes.find('\n', begin);
        if (end == std::string::npos) break;
        ++line_;
        const std::string_view line = std::string_view(bytes).substr(begin, end - begin);
        begin = end + 1;
        if (line.size() > kMaximumRecord) {
            problem("is longer than any event");
            continue;
        }
        auto parsed = parse_record(line);
        if (!parsed) {
            problem(single_line(parsed.error().message, 200));
        } else if (parsed->known) {
            batch.events.push_back(std::move(parsed->event));
        }
    }
    if (begin == 0 && bytes.size() > kMaximumRecord) {
        // More bytes than a record can have and no line end: whatever comes behind could be anywhere.
        return data_error(
            fmt::format("is no event log behind byte {}: {} bytes without a line end; move the file away to train this "
                        "run again",
                        offset_, bytes.size()),
            path_);
    }
    offset_ += static_cast<std::int64_t>(begin);
    batch.more = begin > 0 && begin < available && bytes.size() < available;
    return batch;
}

}  // namespace sextant
