#pragma once
// What went wrong, as a value. Expected failures travel as Result<T> (result.h); an Error says what, where and what to
// do in one sentence, and its code is the exit status of the command line, so a script can tell the kinds apart.

#include <string>
#include <vector>

namespace sextant {

enum class ErrorCode : int {
    kUsage = 2,       // wrong command line
    kConfig = 3,      // experiment or parameter out of range
    kData = 4,        // corpus, tokenizer, artifact, model file
    kDiverged = 5,    // loss or gradient not finite
    kStorage = 6,     // cannot read, write, lock; disk full
    kDevice = 7,      // no such device, not enough memory
    kInternal = 70,   // a bug of ours
    kCancelled = 130  // Ctrl+C, SIGTERM, stop
};

struct Error {
    ErrorCode code = ErrorCode::kInternal;
    std::string message;               // one sentence: what is wrong and what to do
    std::string path;                  // file it concerns, or empty
    std::string pointer;               // JSON pointer inside that file, or empty
    std::vector<std::string> context;  // outermost last: "while reading the corpus"

    // "path: /pointer: message", one line, at most 500 characters.
    [[nodiscard]] std::string sentence() const;
    // The sentence followed by the context, one line each (--verbose).
    [[nodiscard]] std::string chain() const;
    [[nodiscard]] int exit_status() const { return static_cast<int>(code); }
};

Error usage_error(std::string message);
Error config_error(std::string message, std::string pointer = {});
Error data_error(std::string message, std::string path = {});
Error storage_error(std::string message, std::string path = {});
Error device_error(std::string message);
Error internal_error(std::string message);
// Storage error that names errno's reason: "cannot write: No space left on device".
Error errno_error(const std::string& doing, const std::string& path, int error_number);

}  // namespace sextant
