#include "core/tensor_file/llama2c_tokenizer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <queue>
#include <unordered_map>

#include "core/base/atomic_file.h"

namespace sextant {
namespace {

constexpr std::int32_t kFirstByte = 3;
constexpr std::size_t kMostTokens = std::size_t{1} << 24U;

// Bytes of the character that begins here as llama2.c cuts them: a lead byte and up to three continuations.
std::size_t character_bytes(std::string_view text, std::size_t at) {
    std::size_t size = 1;
    while (size < 4 && at + size < text.size() && (static_cast<unsigned char>(text[at + size]) & 0xC0U) == 0x80U)
        ++size;
    return size;
}

}  // namespace

struct Llama2cTokenizer::State {
    std::vector<std::string> pieces;  // as stored: "<0x0A>" for a byte
    std::vector<std::string> bytes;   // what each decodes to
    std::vector<float> scores;
    std::unordered_map<std::string, std::int32_t> ids;

    [[nodiscard]] std::int32_t find(const std::string& piece) const {
        const auto at = ids.find(piece);
        return at == ids.end() ? -1 : at->second;
    }
};

Result<Llama2cTokenizer> Llama2cTokenizer::load(const std::string& path) {
    SEXTANT_TRY(bytes, read_file(path, std::size_t{256} << 20U));
    return parse(bytes, path);
}

Result<Llama2cTokenizer> Llama2cTokenizer::parse(std::string_view bytes, const std::string& path) {
    if (bytes.size() < 4) return data_error("is not a llama2.c tokenizer: it is shorter than its header", path);
    std::int32_t longest = 0;
    std::memcpy(&longest, bytes.data(), 4);
    auto state = std::make_shared<State>();
    std::size_t at = 4;
    while (at < bytes.size()) {
        float score = 0.0F;
        std::int32_t length = -1;
        if (bytes.size() - at >= 8) {
            std::memcpy(&score, bytes.data() + at, 4);
            std::memcpy(&length, bytes.data() + at + 4, 4);
        }
        if (length < 0 || length > longest || bytes.size() - at - 8 < static_cast<std::size_t>(length) ||
            !std::isfinite(score) || state->pieces.size() >= kMostTokens) {
            return data_error(
                fmt::format("is not a llama2.c tokenizer: token {} at byte {} is malformed", state->pieces.size(), at),
                path);
        }
        at += 8;
        std::string piece(bytes.substr(at, static_cast<std::size_t>(length)));
        at += static_cast<std::size_t>(length);
        unsigned value = 0;
        std::string decoded = piece;
        if (piece.size() == 6 && piece.back() == '>' && std::sscanf(piece.c_str(), "<0x%02X>", &value) == 1) {
            decoded = std::string(1, static_cast<char>(value));
        }
        state->ids.emplace(piece, static_cast<std::int32_t>(state->pieces.size()));
        state->pieces.push_back(std::move(piece));
        state->bytes.push_back(std::move(decoded));
        state->scores.push_back(score);
    }
    if (state->pieces.size() < static_cast<std::size_t>(kFirstByte) + 256) {
        return data_error(fmt::format("has {} tokens; a llama2.c tokenizer has at least {} (three special, 256 bytes)",
                                      state->pieces.size(), kFirstByte + 256),
                          path);
    }
    Llama2cTokenizer tokenizer;
    tokenizer.state_ = std::move(state);
    return tokenizer;
}

std::int64_t Llama2cTokenizer::vocab_size() const {
    return static_cast<std::int64_t>(state_->pieces.size());
}

std::vector<EncodedPiece> Llama2cTokenizer::encode_pieces(std::string_view text) const {
    struct Symbol {
        std::int32_t id = 0;
        std::size_t begin = 0, end = 0;
        std::ptrdiff_t previous = -1, next = -1;
        bool gone = false;
    };
    std::vector<EncodedPiece> result{{kBeginning, {}, 0, 0}};
    if (text.empty()) return result;
    std::string padded(1, ' ');
    padded.append(text);
    std::vector<Symbol> symbols;
    for (std::size_t at = 0; at < padded.size();) {
        const std::size_t size = character_bytes(padded, at);
        const std::int32_t id = state_->find(padded.substr(at, size));
        if (id >= 0) {
            symbols.push_back({id, at, at + size, -1, -1, false});
        } else {
            for (std::size_t i = at; i < at + size; ++i)
                symbols.push_back({kFirstByte + static_cast<unsigned char>(padded[i]), i, i + 1, -1, -1, false});
        }
        at += size;
    }
    for (std::size_t i = 0; i < symbols.size(); ++i) {
        symbols[i].previous = static_cast<std::ptrdiff_t>(i) - 1;
        symbols[i].next = i + 1 < symbols.size() ? static_cast<std::ptrdiff_t>(i) + 1 : -1;
    }
    struct Candidate {
        float score;
        std::ptrdiff_t left, right;
        std::int32_t left_id, right_id, merged;
        bool operator<(const Candidate& other) const {  // lower priority
            return score != other.score ? score < other.score : left > other.left;
        }
    };
    std::priority_queue<Candidate> queue;
    const auto symbol = [&](std::ptrdiff_t at) -> Symbol& { return symbols[static_cast<std::size_t>(at)]; };
    const auto propose = [&](std::ptrdiff_t left, std::ptrdiff_t right) {
        if (left < 0 || right < 0) return;
        const std::int32_t a = symbol(left).id;
        const std::int32_t b = symbol(right).id;
        const std::int32_t merged =
            state_->find(state_->pieces[static_cast<std::size_t>(a)] + state_->pieces[static_cast<std::size_t>(b)]);
        if (merged >= 0) queue.push({state_->scores[static_cast<std::size_t>(merged)], left, right, a, b, merged});
    };
    for (std::size_t i = 0; i + 1 < symbols.size(); ++i)
        propose(static_cast<std::ptrdiff_t>(i), static_cast<std::ptrdiff_t>(i) + 1);
    while (!queue.empty()) {
        const Candidate best = queue.top();
        queue.pop();
        Symbol& left = symbol(best.left);
        Symbol& right = symbol(best.right);
        if (left.gone || right.gone || left.id != best.left_id || right.id != best.right_id ||
            left.next != best.right) {
            continue;  // one of the two was merged meanwhile
        }
        left.id = best.merged;
        left.end = right.end;
        left.next = right.next;
        right.gone = true;
        if (right.next >= 0) symbol(right.next).previous = best.left;
        propose(left.previous, best.left);
        propose(best.left, left.next);
    }
    for (const Symbol& item : symbols) {
        if (item.gone) continue;
        const auto shift = [](std::size_t offset) {
            return offset == 0 ? std::int64_t{0} : static_cast<std::int64_t>(offset) - 1;
        };
        result.push_back({item.id, bytes_of(item.id), shift(item.begin), shift(item.end)});
    }
    return result;
}

std::vector<std::int32_t> Llama2cTokenizer::encode(std::string_view text) const {
    std::vector<std::int32_t> ids;
    for (const EncodedPiece& piece : encode_pieces(text))
        ids.push_back(piece.id);
    return ids;
}

Result<std::string> Llama2cTokenizer::decode(const std::vector<std::int32_t>& ids) const {
    std::string text;
    for (std::size_t i = 0; i < ids.size(); ++i) {
        if (ids[i] < 0 || ids[i] >= vocab_size()) {
            return data_error(fmt::format("token {} is outside the vocabulary of {}", ids[i], vocab_size()));
        }
        if (ids[i] == kBeginning || ids[i] == kEnd) continue;
        std::string_view bytes = bytes_of(ids[i]);
        if (i > 0 && ids[i - 1] == kBeginning && bytes.starts_with(' ')) bytes.remove_prefix(1);
        text += bytes;
    }
    return text;
}

const std::string& Llama2cTokenizer::bytes_of(std::int32_t id) const {
    return state_->bytes[static_cast<std::size_t>(id)];
}

}  // namespace sextant
