#pragma once
// The byte <-> printable character table of GPT-2's byte-level tokenizers: how tokenizer.json spells any byte string as
// text without spaces or controls. Byte order here is also the id order of an untrained tokenizer, as Hugging Face
// trains it.

#include <array>
#include <optional>
#include <string>
#include <string_view>

namespace sextant {

// Bytes in ascending order of the character that stands for them: '!' first, the unprintable ones last.
[[nodiscard]] const std::array<unsigned char, 256>& byte_alphabet_order();
[[nodiscard]] std::string spell_bytes(std::string_view bytes);
// Nothing when a character is not in the table (a space, say) or the text is not UTF-8.
[[nodiscard]] std::optional<std::string> unspell_bytes(std::string_view text);
// For people: space is U+2423, line break U+23CE, tab U+21E5; controls and bytes that are no whole character "<0xE2>".
[[nodiscard]] std::string visible_token(std::string_view bytes);

}  // namespace sextant
