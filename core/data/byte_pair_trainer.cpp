// Byte-pair encoding after Sennrich, Haddow and Birch 2016 (arXiv 1508.07909), on unique words with incremental pair
// counts. Same ids as the trainer of Hugging Face tokenizers: most frequent pair, ties to the lower pair.
#include <fmt/format.h>

#include <algorithm>
#include <queue>
#include <unordered_map>

#include "core/data/byte_pair_encoder.h"
#include "core/data/byte_pair_state.h"
#include "core/data/pre_tokenizer.h"

namespace sextant {
namespace {

using Pair = std::pair<std::int32_t, std::int32_t>;

struct PairHash {
    std::size_t operator()(const Pair& pair) const {
        const std::uint64_t key = (static_cast<std::uint64_t>(static_cast<std::uint32_t>(pair.first)) << 32U) |
                                  static_cast<std::uint32_t>(pair.second);
        return static_cast<std::size_t>((key * 0x9E3779B97F4A7C15ULL) >> 16U);
    }
};

struct Word {
    std::vector<std::int32_t> ids;
    std::int64_t count = 0;
};

struct PairUse {
    std::int64_t count = 0;
    std::vector<std::uint32_t> words;  // may name words that hold the pair no more
};

struct Candidate {
    std::int64_t count = 0;
    Pair pair;
    bool operator<(const Candidate& other) const {
        return count != other.count ? count < other.count : pair > other.pair;
    }
};

// A merge costs the length of every word that holds it, so a text without spaces is cut: no language has such words.
constexpr std::size_t kLongestWord = 256;

std::vector<Word> count_words(const std::vector<std::string_view>& texts, const BytePairEncoder::State& state) {
    std::unordered_map<std::string_view, std::uint32_t> index;
    std::vector<Word> words;
    for (const std::string_view text : texts) {
        PreTokenizer pieces(text);
        std::string_view piece;
        while (pieces.next(piece)) {
            for (; !piece.empty(); piece.remove_prefix(std::min(piece.size(), kLongestWord))) {
                const std::string_view word = piece.substr(0, kLongestWord);
                const auto [place, added] = index.try_emplace(word, static_cast<std::uint32_t>(words.size()));
                if (added) {
                    Word entry;
                    for (const char c : word)
                        entry.ids.push_back(state.byte_id[static_cast<unsigned char>(c)]);
                    words.push_back(std::move(entry));
                }
                ++words[place->second].count;
            }
        }
    }
    return words;
}

class Trainer {
  public:
    explicit Trainer(std::vector<Word> words) : words_(std::move(words)) {
        for (std::uint32_t w = 0; w < words_.size(); ++w)
            add_pairs(w, nullptr);
        for (const auto& [pair, use] : uses_)
            queue_.push({use.count, pair});
    }

    // The pair to merge next; a count of 0 when none is left.
    Candidate best() {
        while (!queue_.empty()) {
            Candidate top = queue_.top();
            queue_.pop();
            const auto use = uses_.find(top.pair);
            const std::int64_t count = use == uses_.end() ? 0 : use->second.count;
            if (count == top.count && count > 0) return top;
            if (count > 0) queue_.push({count, top.pair});
        }
        return {};
    }

    void merge(const Pair& pair, std::int32_t result) {
        std::vector<std::uint32_t> affected = std::move(uses_[pair].words);
        std::sort(affected.begin(), affected.end());
        affected.erase(std::unique(affected.begin(), affected.end()), affected.end());
        std::vector<Pair> grown;
        for (const std::uint32_t w : affected) {
            std::vector<std::int32_t>& ids = words_[w].ids;
            if (!holds(ids, pair)) continue;
            for (std::size_t i = 0; i + 1 < ids.size(); ++i)
                uses_[{ids[i], ids[i + 1]}].count -= words_[w].count;
            std::size_t out = 0;
            for (std::size_t i = 0; i < ids.size(); ++out) {
                const bool here = i + 1 < ids.size() && ids[i] == pair.first && ids[i + 1] == pair.second;
                ids[out] = here ? result : ids[i];
                i += here ? 2 : 1;
            }
            ids.resize(out);
            new_token_ = result;
            add_pairs(w, &grown);
        }
        uses_.erase(pair);
        std::sort(grown.begin(), grown.end());
        grown.erase(std::unique(grown.begin(), grown.end()), grown.end());
        for (const Pair& changed : grown)
            queue_.push({uses_[changed].count, changed});
    }

  private:
    static bool holds(const std::vector<std::int32_t>& ids, const Pair& pair) {
        for (std::size_t i = 0; i + 1 < ids.size(); ++i) {
            if (ids[i] == pair.first && ids[i + 1] == pair.second) return true;
        }
        return false;
    }
    // Only pairs with the new token can have grown; those alone are noted and newly tied to the word.
    void add_pairs(std::uint32_t w, std::vector<Pair>* grown) {
        const std::vector<std::int32_t>& ids = words_[w].ids;
        for (std::size_t i = 0; i + 1 < ids.size(); ++i) {
            const Pair pair{ids[i], ids[i + 1]};
            PairUse& use = uses_[pair];
            use.count += words_[w].count;
            if (grown == nullptr || pair.first == new_token_ || pair.second == new_token_) {
                if (use.words.empty() || use.words.back() != w) use.words.push_back(w);
                if (grown != nullptr) grown->push_back(pair);
            }
        }
    }

    std::vector<Word> words_;
    std::unordered_map<Pair, PairUse, PairHash> uses_;
    std::priority_queue<Candidate> queue_;
    std::int32_t new_token_ = -1;
};

}  // namespace

Result<BytePairEncoder> BytePairEncoder::train(const std::vector<std::string_view>& texts, std::int64_t vocab_size) {
    constexpr std::int64_t kSmallest = 257;
    constexpr std::int64_t kLargest = 1 << 20;
    if (vocab_size < kSmallest || vocab_size > kLargest) {
        return config_error(
            fmt::format("a byte-level vocabulary has {} to {} tokens, not {}", kSmallest, kLargest, vocab_size));
    }
    auto state = std::make_shared<State>();
    Trainer trainer(count_words(texts, *state));
    std::unordered_map<std::string, std::int32_t> known;
    for (std::size_t id = 1; id < state->bytes.size(); ++id)
        known.emplace(state->bytes[id], static_cast<std::int32_t>(id));
    while (static_cast<std::int64_t>(state->bytes.size()) < vocab_size) {
        const Candidate next = trainer.best();
        if (next.count == 0) {
            return data_error(
                fmt::format("the text gives a vocabulary of {} tokens, {} were asked for; use more text or a smaller "
                            "vocabulary",
                            state->bytes.size(), vocab_size));
        }
        std::string token = state->bytes[static_cast<std::size_t>(next.pair.first)] +
                            state->bytes[static_cast<std::size_t>(next.pair.second)];
        const auto [place, added] = known.try_emplace(token, static_cast<std::int32_t>(state->bytes.size()));
        if (added) state->bytes.push_back(std::move(token));
        state->merges.push_back(next.pair);
        trainer.merge(next.pair, place->second);
    }
    state->table.reserve(state->merges.size());
    for (std::size_t rank = 0; rank < state->merges.size(); ++rank) {
        const auto [left, right] = state->merges[rank];
        const std::string token =
            state->bytes[static_cast<std::size_t>(left)] + state->bytes[static_cast<std::size_t>(right)];
        state->table.insert(left, right, {static_cast<std::uint32_t>(rank), known.at(token)});
    }
    return BytePairEncoder(std::move(state));
}

}  // namespace sextant
