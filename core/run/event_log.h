#pragma once
// The event log: "<crc32c, 8 hex> <JSON>\n" a record, append only, flushed each record, fsynced every few seconds.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/run/run_event.h"

namespace sextant {

class EventLogWriter {
  public:
    // Appends; a torn last line is cut off first. seq continues, segment is one more than the last one.
    [[nodiscard]] static Result<EventLogWriter> open(const std::string& path);
    EventLogWriter(EventLogWriter&&) noexcept;
    EventLogWriter& operator=(EventLogWriter&&) noexcept;
    ~EventLogWriter();
    [[nodiscard]] std::int64_t segment() const;
    // Fills seq, segment, time and elapsed.
    [[nodiscard]] Status append(std::int64_t step, std::int64_t tokens, RunEventBody body);
    [[nodiscard]] Status sync();

  private:
    struct State;
    explicit EventLogWriter(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
};

// Reads whole records from an offset: for the first fold and for following a live file.
class EventLogReader {
  public:
    explicit EventLogReader(std::string path);
    struct Batch {
        std::vector<RunEvent> events;
        std::vector<std::string> problems;  // damaged records that were skipped, with their line
        bool reset = false;                 // the file got shorter or was replaced: fold from the start
        bool more = false;                  // a large file: call again for the rest
    };
    // New complete records since the last call; a torn tail waits for its rest. A missing file gives none.
    [[nodiscard]] Result<Batch> poll();
    [[nodiscard]] std::int64_t offset() const { return offset_; }  // bytes of the whole records read so far

  private:
    std::string path_;
    std::int64_t offset_ = 0;
    std::int64_t line_ = 0;
    std::uint64_t inode_ = 0;
};

}  // namespace sextant
