#pragma once
// Text that came from a user, made safe for the file it goes into. Every exporter uses these and nothing else.

#include <string>
#include <string_view>

namespace sextant {

// RFC 4180: quoted when needed. A field that a spreadsheet would run as a formula (= + - @, tab, return first) gets an
// apostrophe before it; numbers are not passed through here.
[[nodiscard]] std::string csv_text(std::string_view text);
[[nodiscard]] std::string latex_text(std::string_view text);
[[nodiscard]] std::string html_text(std::string_view text);      // element content and quoted attributes
[[nodiscard]] std::string markdown_text(std::string_view text);  // inline, table cells included
// Columns a terminal gives it: wide East Asian characters and emoji take two, combining marks none.
[[nodiscard]] std::size_t display_width(std::string_view text);
// As a file name: letters, digits, '-', '_', '.' and other UTF-8 stay, the rest becomes "%XX"; cut to 120 bytes with a
// hash of the whole when longer; never empty, "." or "..".
[[nodiscard]] std::string file_name_text(std::string_view text);

}  // namespace sextant
