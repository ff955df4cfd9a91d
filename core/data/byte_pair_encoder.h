#pragma once
// Byte-level byte-pair encoding in the Hugging Face tokenizer.json form: <|endoftext|> (id 0), 256 byte tokens in
// GPT-2's order and merges; ByteLevel pre-tokenizer with the GPT-2 pattern. Any bytes encode, and decode(encode(x)) ==
// x.

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/data/byte_alphabet.h"

namespace sextant {

struct EncodedPiece {
    std::int32_t id = 0;
    std::string bytes;       // what the token stands for; may be part of a character
    std::int64_t begin = 0;  // byte offsets into the text
    std::int64_t end = 0;
};

// Whether "<|endoftext|>" written in a text means the token. A corpus must not be able to forge document boundaries.
enum class SpecialTokens { kAsText, kRecognize };

class BytePairEncoder {
  public:
    BytePairEncoder();  // bytes and <|endoftext|> only
    // Ties go to the lower pair (ids). vocab_size >= 257; kData when the text cannot give that many tokens. Several
    // texts: nothing is merged across their borders.
    [[nodiscard]] static Result<BytePairEncoder> train(std::string_view text, std::int64_t vocab_size);
    [[nodiscard]] static Result<BytePairEncoder> train(const std::vector<std::string_view>& texts,
                                                       std::int64_t vocab_size);
    [[nodiscard]] static Result<BytePairEncoder> from_json(std::string_view document, const std::string& path = {});
    [[nodiscard]] static Result<BytePairEncoder> load(const std::string& path);
    [[nodiscard]] std::string to_json() const;

    [[nodiscard]] std::int64_t vocab_size() const;
    [[nodiscard]] std::int64_t merge_count() const;
    [[nodiscard]] std::int32_t end_of_text() const;  // 0 for ours
    [[nodiscard]] std::vector<std::int32_t> encode(std::string_view text,
                                                   SpecialTokens special = SpecialTokens::kAsText) const;
    // Texts with <|endoftext|> between them (none before the first or after the last); stops after the text that
    // reaches `limit` tokens.
    [[nodiscard]] std::vector<std::int32_t> encode_documents(const std::vector<std::string_view>& texts,
                                                             std::int64_t limit = INT64_MAX) const;
    [[nodiscard]] std::vector<EncodedPiece> encode_pieces(std::string_view text,
                                                          SpecialTokens special = SpecialTokens::kAsText) const;
    [[nodiscard]] Result<std::string> decode(
        const std::vector<std::int32_t>& ids) const;                   // kData on an id out of range
    [[nodiscard]] const std::string& bytes_of(std::int32_t id) const;  // id in range

    struct State;  // byte_pair_state.h, private to core/data
    explicit BytePairEncoder(std::shared_ptr<const State> state) : state_(std::move(state)) {}

  private:
    std::shared_ptr<const State> state_;
};

}  // namespace sextant
