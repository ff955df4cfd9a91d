#include "core/data/byte_pair_encoder.h"

#include <fmt/format.h>

#include <algorithm>
#include <queue>

#include "core/base/atomic_file.h"
#include "core/data/byte_pair_state.h"
#include "core/data/pre_tokenizer.h"

namespace sextant {

std::size_t MergeTable::slot_of(std::uint64_t key) const {
    const std::size_t mask = keys_.size() - 1;
    std::size_t slot = static_cast<std::size_t>((key * 0x9E3779B97F4A7C15ULL) >> 20U) & mask;
    while (keys_[slot] != key && keys_[slot] != kEmpty)
        slot = (slot + 1) & mask;
    return slot;
}

void MergeTable::reserve(std::size_t merges) {
    std::size_t size = 64;
    while (size < merges * 3)
        size *= 2;
    keys_.assign(size, kEmpty);
    merges_.assign(size, Merge{});
}

bool MergeTable::insert(std::int32_t left, std::int32_t right, Merge merge) {
    const std::uint64_t key = key_of(left, right);
    const std::size_t slot = slot_of(key);
    if (keys_[slot] == key) return false;
    keys_[slot] = key;
    merges_[slot] = merge;
    return true;
}

MergeTable::Merge MergeTable::find(std::int32_t left, std::int32_t right) const {
    return merges_[slot_of(key_of(left, right))];
}

BytePairEncoder::State::State() : byte_id{} {
    bytes.emplace_back("<|endoftext|>");
    for (const unsigned char byte : byte_alphabet_order()) {
        byte_id[byte] = static_cast<std::int32_t>(bytes.size());
        bytes.emplace_back(1, static_cast<char>(byte));
    }
    added.push_back({"<|endoftext|>", 0, true});
    table.reserve(0);
}

namespace {

using State = BytePairEncoder::State;

// Lowest rank first, leftmost among equals, by a heap over a linked list: n log n for a word of any length.
void merge_long(const State& state, std::vector<std::int32_t>& ids) {
    struct Candidate {
        std::uint32_t rank;
        std::uint32_t position;
        std::int32_t left, right;
        bool operator>(const Candidate& other) const {
            return rank != other.rank ? rank > other.rank : position > other.position;
        }
    };
    constexpr std::uint32_t kNone = ~std::uint32_t{0};
    const auto count = static_cast<std::uint32_t>(ids.size());
    std::vector<std::uint32_t> before(count);
    std::vector<std::uint32_t> after(count);
    std::priority_queue<Candidate, std::vector<Candidate>, std::greater<>> queue;
    const auto offer = [&](std::uint32_t left, std::uint32_t right) {
        const auto merge = state.table.find(ids[left], ids[right]);
        if (merge.result >= 0) queue.push({merge.rank, left, ids[left], ids[right]});
    };
    for (std::uint32_t i = 0; i < count; ++i) {
        before[i] = i == 0 ? kNone : i - 1;
        after[i] = i + 1 == count ? kNone : i + 1;
        if (i + 1 < count) offer(i, i + 1);
    }
    while (!queue.empty()) {
        const Candidate best = queue.top();
        queue.pop();
        const std::uint32_t left = best.position;
        const std::uint32_t right = after[left];
        if (ids[left] != best.left || right == kNone || ids[right] != best.right) continue;  // merged meanwhile
        ids[left] = state.table.find(best.left, best.right).result;
        ids[right] = -1;
        after[left] = after[right];
        if (after[left] != kNone) before[after[left]] = left;
        if (before[left] != kNone) offer(before[left], left);
        if (after[left] != kNone) offer(left, after[left]);
    }
    std::erase(ids, -1);
}

void merge_short(const State& state, std::vector<std::int32_t>& ids) {
    while (ids.size() > 1) {
        MergeTable::Merge best;
        std::size_t at = 0;
        for (std::size_t i = 0; i + 1 < ids.size(); ++i) {
            const auto merge = state.table.find(ids[i], ids[i + 1]);
            if (merge.result >= 0 && (best.result < 0 || merge.rank < best.rank)) {
                best = merge;
                at = i;
            }
        }
        if (best.result < 0) return;
        ids[at] = best.result;
        ids.erase(ids.begin() + static_cast<std::ptrdiff_t>(at) + 1);
    }
}

// Words repeat: their ids are kept for the length of one call.
class WordCache {
  public:
    explicit WordCache(const State& state) : state_(state) {}
    void append(std::string_view word, std::vector<std::int32_t>& ids) {
        if (word.size() > kLongest) {
            compute(word);
            ids.insert(ids.end(), scratch_.begin(), scratch_.end());
            return;
        }
        const auto found = ranges_.find(word);
        if (found != ranges_.end()) {
            const auto [begin, end] = found->second;
            for (std::size_t i = begin; i < end; ++i)
                ids.push_back(pool_[i]);
            return;
        }
        compute(word);
        ids.insert(ids.end(), scratch_.begin(), scratch_.end());
        if (ranges_.size() < kMost) {
            ranges_.emplace(word, std::pair{pool_.size(), pool_.size() + scratch_.size()});
            pool_.insert(pool_.end(), scratch_.begin(), scratch_.end());
        }
    }

  private:
    static constexpr std::size_t kLongest = 64;
    static constexpr std::size_t kMost = 1U << 18U;
    void compute(std::string_view word) {
        scratch_.clear();
        for (const char c : word)
            scratch_.push_back(state_.byte_id[static_cast<unsigned char>(c)]);
        word.size() > 32 ? merge_long(state_, scratch_) : merge_short(state_, scratch_);
    }

    const State& state_;
    std::unordered_map<std::string_view, std::pair<std::size_t, std::size_t>> ranges_;
    std::vector<std::int32_t> pool_;
    std::vector<std::int32_t> scratch_;
};

// The first added token at or after `from`, the longest one where two begin together.
struct AddedMatch {
    std::size_t position = std::string_view::npos;
    const AddedToken* token = nullptr;
};
AddedMatch find_added(const std::vector<const AddedToken*>& tokens, std::string_view text, std::size_t from) {
    AddedMatch best;
    for (const AddedToken* token : tokens) {
        const std::size_t at =
            text.substr(0, best.token == nullptr ? text.size()
                                                 : std::min(text.size(), best.position + token->content.size()))
                .find(token->content, from);
        if (at == std::string_view::npos) continue;
        if (best.token == nullptr || at < best.position ||
            (at == best.position && token->content.size() > best.token->content.size())) {
            best = {at, token};
        }
    }
    return best;
}

}  // namespace

BytePairEncoder::BytePairEncoder() : state_(std::make_shared<const State>()) {}

Result<BytePairEncoder> BytePairEncoder::train(std::string_view text, std::int64_t vocab_size) {
    return train(std::vector<std::string_view>{text}, vocab_size);
}

Result<BytePairEncoder> BytePairEncoder::load(const std::string& path) {
    auto text = read_file(path, std::size_t{64} << 20U);
    if (!text) return std::move(text).error();
    return from_json(*text, path);
}

std::int64_t BytePairEncoder::vocab_size() const {
    return static_cast<std::int64_t>(state_->bytes.size());
}
std::int64_t BytePairEncoder::merge_count() const {
    return static_cast<std::int64_t>(state_->merges.size());
}
std::int32_t BytePairEncoder::end_of_text() const {
    return state_->end_of_text;
}
const std::string& BytePairEncoder::bytes_of(std::int32_t id) const {
    return state_->bytes[static_cast<std::size_t>(id)];
}

std::vector<std::int32_t> BytePairEncoder::encode(std::string_view text, SpecialTokens special) const {
    std::vector<const AddedToken*> recognized;
    for (const AddedToken& token : state_->added) {
        if (!token.special || special == SpecialTokens::kRecognize) recognized.push_back(&token);
    }
    std::vector<std::int32_t> ids;
    ids.reserve(text.size() / 2 + 16);
    WordCache cache(*state_);
    std::size_t begin = 0;
    for (;;) {
        const AddedMatch match = find_added(recognized, text, begin);
        PreTokenizer words(
            text.substr(begin, match.token == nullptr ? std::string_view::npos : match.position - begin));
        std::string_view word;
        while (words.next(word))
            cache.append(word, ids);
        if (match.token == nullptr) return ids;
        ids.push_back(match.token->id);
        begin = match.position + match.token->content.size();
    }
}

std::vector<std::int32_t> BytePairEncoder::encode_documents(const std::vector<std::string_view>& texts,
                                                            std::int64_t limit) const {
    std::vector<std::int32_t> ids;
    WordCache cache(*state_);
    for (std::size_t i = 0; i < texts.size() && static_cast<std::int64_t>(ids.size()) < limit; ++i) {
        if (i > 0) ids.push_back(state_->end_of_text);
        PreTokenizer words(texts[i]);
        std::string_view word;
        while (words.next(word))
            cache.append(word, ids);
    }
    return ids;
}

std::vector<EncodedPiece> BytePairEncoder::encode_pieces(std::string_view text, SpecialTokens special) const {
    std::vector<EncodedPiece> pieces;
    std::int64_t position = 0;
    for (const std::int32_t id : encode(text, special)) {
        const std::string& bytes = bytes_of(id);
        const std::int64_t begin = position;
        position += static_cast<std::int64_t>(bytes.size());
        pieces.push_back({id, bytes, begin, position});
    }
    return pieces;
}

Result<std::string> BytePairEncoder::decode(const std::vector<std::int32_t>& ids) const {
    std::string text;
    for (std::size_t i = 0; i < ids.size(); ++i) {
        if (ids[i] < 0 || ids[i] >= vocab_size()) {
            return data_error(fmt::format("id {} at place {} is not in the vocabulary of {} (0 to {})", ids[i], i,
                                          vocab_size(), vocab_size() - 1));
        }
        text += bytes_of(ids[i]);
    }
    return text;
}

}  // namespace sextant
