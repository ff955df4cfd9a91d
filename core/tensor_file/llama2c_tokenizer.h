#pragma once
// llama2.c's tokenizer.bin (SentencePiece BPE with scores): the pair whose joined piece scores highest is merged first,
// the leftmost on ties; bytes without a piece fall back to ids 3..258. Token 1 begins a text, token 2 ends it; a space
// is put before the text and taken off again when decoding after the beginning.

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/data/byte_pair_encoder.h"

namespace sextant {

class Llama2cTokenizer {
  public:
    static constexpr std::int32_t kBeginning = 1;
    static constexpr std::int32_t kEnd = 2;

    [[nodiscard]] static Result<Llama2cTokenizer> load(const std::string& path);
    [[nodiscard]] static Result<Llama2cTokenizer> parse(std::string_view bytes, const std::string& path = {});

    [[nodiscard]] std::int64_t vocab_size() const;
    // With kBeginning first; kEnd is never added.
    [[nodiscard]] std::vector<std::int32_t> encode(std::string_view text) const;
    // The same with byte offsets into the text; the beginning token covers nothing.
    [[nodiscard]] std::vector<EncodedPiece> encode_pieces(std::string_view text) const;
    [[nodiscard]] Result<std::string> decode(const std::vector<std::int32_t>& ids) const;  // kData: id out of range
    [[nodiscard]] const std::string& bytes_of(std::int32_t id) const;                      // id in range

  private:
    struct State;
    std::shared_ptr<const State> state_;
};

}  // namespace sextant
