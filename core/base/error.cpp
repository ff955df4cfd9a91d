#include "core/base/error.h"

#include <cstring>
#include <utility>

#include "core/base/text.h"

namespace sextant {

std::string Error::sentence() const {
    std::string line;
    if (!path.empty()) line += path + ": ";
    if (!pointer.empty()) line += pointer + ": ";
    line += message;
    return single_line(line, 500);
}

std::string Error::chain() const {
    std::string lines = sentence();
    for (const std::string& step : context)
        lines += "\n  " + single_line(step, 500);
    return lines;
}

Error usage_error(std::string message) {
    return {ErrorCode::kUsage, std::move(message), {}, {}, {}};
}
Error config_error(std::string message, std::string pointer) {
    return {ErrorCode::kConfig, std::move(message), {}, std::move(pointer), {}};
}
Error data_error(std::string message, std::string path) {
    return {ErrorCode::kData, std::move(message), std::move(path), {}, {}};
}
Error storage_error(std::string message, std::string path) {
    return {ErrorCode::kStorage, std::move(message), std::move(path), {}, {}};
}
Error device_error(std::string message) {
    return {ErrorCode::kDevice, std::move(message), {}, {}, {}};
}
Error internal_error(std::string message) {
    return {ErrorCode::kInternal, std::move(message), {}, {}, {}};
}
Error errno_error(const std::string& doing, const std::string& path, int error_number) {
    return storage_error("cannot " + doing + ": " + std::strerror(error_number), path);
}

}  // namespace sextant
