#include "core/run/disk_space.h"

#include <sys/statvfs.h>

namespace sextant {

std::optional<DiskSpace> disk_space(const std::string& folder, std::int64_t parameters) {
    struct statvfs disk {};
    if (::statvfs(folder.c_str(), &disk) != 0) return std::nullopt;
    DiskSpace space;
    space.free = static_cast<std::uint64_t>(disk.f_bavail) * disk.f_frsize;
    space.needed = (std::uint64_t{1} << 20U) + 12 * static_cast<std::uint64_t>(parameters > 0 ? parameters : 0);
    return space;  // 12: float32 weights and two moments
}

}  // namespace sextant
