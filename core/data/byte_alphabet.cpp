#include "core/data/byte_alphabet.h"

#include <fmt/format.h>

#include <cstdint>

#include "core/base/text.h"

namespace sextant {
namespace {

struct Alphabet {
    std::array<unsigned char, 256> order{};
    std::array<std::uint32_t, 256> character{};
    std::array<int, 512> byte{};  // by code point, -1 where none

    Alphabet() {
        byte.fill(-1);
        std::size_t next = 0;
        std::uint32_t extra = 256;
        const auto printable = [](unsigned b) {
            return (b >= 33 && b <= 126) || (b >= 161 && b <= 172) || (b >= 174 && b <= 255);
        };
        for (unsigned pass = 0; pass < 2; ++pass) {
            for (unsigned b = 0; b < 256; ++b) {
                if (printable(b) != (pass == 0)) continue;
                order[next++] = static_cast<unsigned char>(b);
                character[b] = pass == 0 ? b : extra++;
                byte[character[b]] = static_cast<int>(b);
            }
        }
    }
};

const Alphabet& alphabet() {
    static const Alphabet table;
    return table;
}

}  // namespace

const std::array<unsigned char, 256>& byte_alphabet_order() {
    return alphabet().order;
}

std::string spell_bytes(std::string_view bytes) {
    std::string text;
    text.reserve(bytes.size() + 4);
    for (const char c : bytes) {
        const std::uint32_t code = alphabet().character[static_cast<unsigned char>(c)];
        if (code < 0x80) {
            text += static_cast<char>(code);
        } else {
            text += static_cast<char>(0xC0U | (code >> 6U));
            text += static_cast<char>(0x80U | (code & 0x3FU));
        }
    }
    return text;
}

std::optional<std::string> unspell_bytes(std::string_view text) {
    std::string bytes;
    bytes.reserve(text.size());
    for (std::size_t i = 0; i < text.size(); ++i) {
        std::uint32_t code = static_cast<unsigned char>(text[i]);
        if (code >= 0x80) {
            if (code < 0xC2 || code > 0xC7 || i + 1 >= text.size()) return std::nullopt;
            const auto low = static_cast<unsigned char>(text[++i]);
            if ((low & 0xC0U) != 0x80U) return std::nullopt;
            code = ((code & 0x1FU) << 6U) | (low & 0x3FU);
        }
        const int byte = alphabet().byte[code];
        if (byte < 0) return std::nullopt;
        bytes += static_cast<char>(static_cast<unsigned char>(byte));
    }
    return bytes;
}

std::string visible_token(std::string_view bytes) {
    std::string text;
    while (!bytes.empty()) {
        const std::size_t valid = invalid_utf8(bytes).value_or(bytes.size());
        for (const char c : bytes.substr(0, valid)) {
            const auto byte = static_cast<unsigned char>(c);
            if (c == ' ') {
                text += "\u2423";
            } else if (c == '\n') {
                text += "\u23CE";
            } else if (c == '\t') {
                text += "\u21E5";
            } else if (byte < 0x20 || byte == 0x7F) {
                text += fmt::format("<0x{:02X}>", byte);
            } else {
                text += c;
            }
        }
        bytes.remove_prefix(valid);
        if (bytes.empty()) break;
        text += fmt::format("<0x{:02X}>", static_cast<unsigned char>(bytes.front()));
        bytes.remove_prefix(1);
    }
    return text;
}

}  // namespace sextant
