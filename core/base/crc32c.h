#pragma once
// CRC-32C (Castagnoli, reflected 0x82F63B78), the checksum of event-log records and of TensorBoard's TFRecord.

#include <cstdint>
#include <string_view>

namespace sextant {
[[nodiscard]] std::uint32_t crc32c(std::string_view bytes);
}  // namespace sextant
