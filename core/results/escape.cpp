#include "core/results/escape.h"

#include <fmt/format.h>

#include "core/base/hash.h"

namespace sextant {
namespace {

bool control(char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte < 0x20 || byte == 0x7F;
}

struct CodePoint {
    char32_t value = 0;
    std::size_t size = 1;
};
CodePoint code_point(std::string_view text, std::size_t at) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned char lead = byte(at);
    const std::size_t size = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    if (size == 1 || lead < 0xC0 || at + size > text.size()) return {lead, 1};
    char32_t value = lead & (0xFFU >> (size + 1));
    for (std::size_t i = 1; i < size; ++i)
        value = value << 6U | (byte(at + i) & 0x3FU);
    return {value, size};
}

}  // namespace

std::string csv_text(std::string_view text) {
    std::string field;
    if (!text.empty() && std::string_view("=+-@\t\r").find(text.front()) != std::string_view::npos) field = "'";
    field += text;
    if (field.find_first_of(",\"\r\n") == std::string::npos) return field;
    std::string quoted = "\"";
    for (const char c : field) {
        if (c == '"') quoted += '"';
        quoted += c;
    }
    return quoted + '"';
}

std::string latex_text(std::string_view text) {
    std::string out;
    for (const char c : text) {
        switch (c) {
            case '\\':
                out += "\\textbackslash{}";
                break;
            case '~':
                out += "\\textasciitilde{}";
                break;
            case '^':
                out += "\\textasciicircum{}";
                break;
            case '<':
                out += "\\textless{}";
                break;
            case '>':
                out += "\\textgreater{}";
                break;
            case '|':
                out += "\\textbar{}";
                break;
            case '"':
                out += "{\\char34}";  // \textquotedbl does not exist in OT1, the encoding of a bare document
                break;
            case '`':
                out += "\\textasciigrave{}";
                break;
            case '\'':
                out += "\\textquotesingle{}";
                break;
            case '-':
                out += out.ends_with('-') ? "{}-" : "-";
                break;
            case '{':
            case '}':
            case '#':
            case '$':
            case '%':
            case '&':
            case '_':
                out += '\\';
                out += c;
                break;
            default:
                out += control(c) ? ' ' : c;
        }
    }
    return out;
}

std::string html_text(std::string_view text) {
    std::string out;
    for (const char c : text) {
        switch (c) {
            case '&':
                out += "&amp;";
                break;
            case '<':
                out += "&lt;";
                break;
            case '>':
                out += "&gt;";
                break;
            case '"':
                out += "&quot;";
                break;
            case '\'':
                out += "&#39;";
                break;
            default:
                out += control(c) && c != '\n' && c != '\t' ? ' ' : c;
        }
    }
    return out;
}

std::string markdown_text(std::string_view text) {
    std::string out;
    for (const char c : text) {
        if (c == '<') {
            out += "&lt;";
        } else if (c == '&') {
            out += "&amp;";
        } else if (std::string_view("\\`*_{}[]()#+-.!|~>$").find(c) != std::string_view::npos) {
            out += '\\';
            out += c;
        } else {
            out += control(c) ? ' ' : c;
        }
    }
    return out;
}

std::size_t display_width(std::string_view text) {
    std::size_t width = 0;
    for (std::size_t at = 0; at < text.size();) {
        const CodePoint point = code_point(text, at);
        at += point.size;
        const char32_t c = point.value;
        if ((c >= 0x300 && c <= 0x36F) || (c >= 0x200B && c <= 0x200F) || (c >= 0xFE00 && c <= 0xFE0F)) continue;
        const bool wide =
            (c >= 0x1100 && c <= 0x115F) || (c >= 0x2E80 && c <= 0xA4CF) || (c >= 0xAC00 && c <= 0xD7A3) ||
            (c >= 0xF900 && c <= 0xFAFF) || (c >= 0xFE30 && c <= 0xFE6F) || (c >= 0xFF00 && c <= 0xFF60) ||
            (c >= 0xFFE0 && c <= 0xFFE6) || (c >= 0x1F300 && c <= 0x1FAFF) || (c >= 0x20000 && c <= 0x3FFFD);
        width += wide ? 2 : 1;
    }
    return width;
}

std::string file_name_text(std::string_view text) {
    std::string name;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
                           c == '_' || c == '.' || byte >= 0x80;
        if (plain) {
            name += c;
        } else {
            name += fmt::format("%{:02X}", byte);
        }
    }
    if (name.starts_with('.')) name = "%2E" + name.substr(1);
    if (name.empty()) name = "%";
    constexpr std::size_t kLongest = 120;
    if (name.size() <= kLongest) return name;
    std::size_t cut = kLongest - 13;
    while (cut > 0 && (static_cast<unsigned char>(name[cut]) & 0xC0U) == 0x80U)
        --cut;
    return name.substr(0, cut) + "-" + sha256_hex(text).substr(0, 12);
}

}  // namespace sextant
