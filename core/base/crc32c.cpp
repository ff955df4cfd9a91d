#include "core/base/crc32c.h"

#include <array>

namespace sextant {
namespace {
constexpr std::array<std::uint32_t, 256> make_table() {
    std::array<std::uint32_t, 256> table{};
    for (std::uint32_t i = 0; i < 256; ++i) {
        std::uint32_t value = i;
        for (int bit = 0; bit < 8; ++bit)
            value = (value >> 1U) ^ ((value & 1U) != 0U ? 0x82F63B78U : 0U);
        table[i] = value;
    }
    return table;
}
constexpr std::array<std::uint32_t, 256> kTable = make_table();
}  // namespace

std::uint32_t crc32c(std::string_view bytes) {
    std::uint32_t crc = 0xFFFFFFFFU;
    for (const char c : bytes)
        crc = kTable[(crc ^ static_cast<unsigned char>(c)) & 0xFFU] ^ (crc >> 8U);
    return crc ^ 0xFFFFFFFFU;
}
}  // namespace sextant
