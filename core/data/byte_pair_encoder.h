#pragma once
// Byte-level byte-pair encoding in the Hugging Face tokenizer.json form: 256 byte tokens, <|endoftext|> (id 0) and
// merges; ByteLevel pre-tokenizer with the GPT-2 pattern. Any bytes encode, and decode(encode(x)) == x.

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace sextant {

struct EncodedPiece {
    std::int32_t id = 0;
    std::string bytes;       // what the token stands for; may be part of a character
    std::int64_t begin = 0;  // byte offsets into the text
    std::int64_t end = 0;
};

class BytePairEncoder {
  public:
    BytePairEncoder();  // bytes and <|endoftext|> only
    // Ties go to the lower pair (ids). vocab_size >= 257.
    [[nodiscard]] static Result<BytePairEncoder> train(std::string_view text, std::int64_t vocab_size);
    [[nodiscard]] static Result<BytePairEncoder> from_json(std::string_view document, const std::string& path = {});
    [[nodiscard]] static Result<BytePairEncoder> load(const std::string& path);
    [[nodiscard]] std::string to_json() const;

    [[nodiscard]] std::int64_t vocab_size() const;
    [[nodiscard]] std::int32_t end_of_text() const;  // 0 for ours
    [[nodiscard]] std::vector<std::int32_t> encode(std::string_view text) const;
    [[nodiscard]] std::vector<EncodedPiece> encode_pieces(std::string_view text) const;
    [[nodiscard]] Result<std::string> decode(
        const std::vector<std::int32_t>& ids) const;                   // kData on an id out of range
    [[nodiscard]] const std::string& bytes_of(std::int32_t id) const;  // id in range

  private:
    struct State;
    std::shared_ptr<const State> state_;
};

}  // namespace sextant
