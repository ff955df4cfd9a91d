#include "core/data/pre_tokenizer.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include <cassert>

#include "core/base/text.h"

namespace sextant {
namespace {

// openai/gpt-2 encoder.py, with \s spelled as Unicode's White_Space.
constexpr const char* kPattern =
    "'s|'t|'re|'ve|'m|'ll|'d| ?\\p{L}+| ?\\p{N}+| ?[^\\p{Z}\\x09-\\x0d\\x{85}\\p{L}\\p{N}]+"
    "|[\\p{Z}\\x09-\\x0d\\x{85}]+(?![^\\p{Z}\\x09-\\x0d\\x{85}])|[\\p{Z}\\x09-\\x0d\\x{85}]+";

const pcre2_code* pattern() {
    static const pcre2_code* const code = [] {
        int error = 0;
        PCRE2_SIZE offset = 0;
        pcre2_code* compiled = pcre2_compile(reinterpret_cast<PCRE2_SPTR>(kPattern), PCRE2_ZERO_TERMINATED,
                                             PCRE2_UTF | PCRE2_UCP | PCRE2_ANCHORED, &error, &offset, nullptr);
        assert(compiled != nullptr);
        pcre2_jit_compile(compiled, PCRE2_JIT_COMPLETE);  // without it the same code is interpreted
        return compiled;
    }();
    return code;
}

enum Kind : unsigned char { kOther, kLetter, kDigit, kSpace, kWide };

Kind kind_of(char c) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x80) return kWide;
    if ((byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z')) return kLetter;
    if (byte >= '0' && byte <= '9') return kDigit;
    if (byte == ' ' || (byte >= 9 && byte <= 13)) return kSpace;
    return kOther;
}

std::size_t contraction(std::string_view text) {  // "'s" and the like at the start of text
    if (text.size() < 2 || text[0] != '\'') return 0;
    const char first = text[1];
    if (first == 's' || first == 't' || first == 'm' || first == 'd') return 2;
    if (text.size() < 3) return 0;
    const std::string_view two = text.substr(1, 2);
    return two == "re" || two == "ve" || two == "ll" ? 3 : 0;
}

}  // namespace

PreTokenizer::PreTokenizer(std::string_view text, CutBy how) : text_(text), how_(how) {
    find_valid_end();
}

PreTokenizer::~PreTokenizer() {
    if (match_ != nullptr) pcre2_match_data_free(static_cast<pcre2_match_data*>(match_));
}

void PreTokenizer::find_valid_end() {
    const auto bad = invalid_utf8(text_.substr(position_));
    valid_end_ = bad ? position_ + *bad : text_.size();
}

std::size_t PreTokenizer::cut_ascii() const {
    const std::string_view rest = text_.substr(position_, valid_end_ - position_);
    if (const std::size_t length = contraction(rest); length > 0) return length;
    const std::size_t begin = rest[0] == ' ' ? 1 : 0;
    std::size_t end = begin;
    if (begin < rest.size()) {
        const Kind kind = kind_of(rest[begin]);
        if (kind == kWide) return 0;
        if (kind != kSpace) {
            while (end < rest.size() && kind_of(rest[end]) == kind)
                ++end;
            return end < rest.size() && kind_of(rest[end]) == kWide ? 0 : end;
        }
    }
    end = 0;
    while (end < rest.size() && kind_of(rest[end]) == kSpace)
        ++end;
    if (end == rest.size()) return end;
    if (kind_of(rest[end]) == kWide) return 0;
    return end > 1 ? end - 1 : end;  // the last space belongs to the next word
}

std::size_t PreTokenizer::cut_by_pattern() {
    if (match_ == nullptr) match_ = pcre2_match_data_create(1, nullptr);
    auto* match = static_cast<pcre2_match_data*>(match_);
    const auto* subject = reinterpret_cast<PCRE2_SPTR>(text_.data() + position_);
    const int count =
        pcre2_match(pattern(), subject, valid_end_ - position_, 0, PCRE2_NO_UTF_CHECK | PCRE2_ANCHORED, match, nullptr);
    if (count < 1) return 1;  // every character is in one of the classes, so only a resource limit leads here
    return pcre2_get_ovector_pointer(match)[1];
}

bool PreTokenizer::next(std::string_view& piece) {
    if (position_ >= text_.size()) return false;
    std::size_t length = 0;
    if (position_ == valid_end_) {
        const std::size_t begin = position_;
        while (position_ == valid_end_ && position_ < text_.size()) {
            ++position_;
            find_valid_end();
        }
        piece = text_.substr(begin, position_ - begin);
        return true;
    }
    if (how_ == CutBy::kFastest) length = cut_ascii();
    if (length == 0) length = cut_by_pattern();
    piece = text_.substr(position_, length);
    position_ += length;
    if (position_ == valid_end_ && position_ < text_.size()) find_valid_end();
    return true;
}

}  // namespace sextant
