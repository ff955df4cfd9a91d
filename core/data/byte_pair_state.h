#pragma once
// What a tokenizer is once read or trained, shared by the encoder, the trainer and the file form. Private to core/data.

#include <array>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/data/byte_pair_encoder.h"

namespace sextant {

// Pair of ids -> merge, open addressing: the innermost lookup of encoding.
class MergeTable {
  public:
    struct Merge {
        std::uint32_t rank = 0;
        std::int32_t result = -1;  // -1: no merge
    };
    void reserve(std::size_t merges);
    bool insert(std::int32_t left, std::int32_t right, Merge merge);  // false when the pair is there already
    [[nodiscard]] Merge find(std::int32_t left, std::int32_t right) const;

  private:
    static std::uint64_t key_of(std::int32_t left, std::int32_t right) {
        return (static_cast<std::uint64_t>(static_cast<std::uint32_t>(left)) << 32U) |
               static_cast<std::uint32_t>(right);
    }
    [[nodiscard]] std::size_t slot_of(std::uint64_t key) const;
    static constexpr std::uint64_t kEmpty = ~std::uint64_t{0};
    std::vector<std::uint64_t> keys_;
    std::vector<Merge> merges_;
};

struct AddedToken {
    std::string content;
    std::int32_t id = 0;
    bool special = true;
};

struct BytePairEncoder::State {
    std::vector<std::string> bytes;         // by id
    std::array<std::int32_t, 256> byte_id;  // by byte
    std::vector<std::pair<std::int32_t, std::int32_t>> merges;
    MergeTable table;
    std::vector<AddedToken> added;
    std::int32_t end_of_text = 0;

    State();  // <|endoftext|> and the bytes
};

}  // namespace sextant
