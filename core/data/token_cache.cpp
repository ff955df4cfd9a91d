#include "core/data/token_cache.h"

#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "core/base/atomic_file.h"
#include "core/base/hash.h"
#include "core/base/json.h"

namespace sextant {
namespace {

constexpr int kFormat = 1;

void append(std::string& bytes, const std::vector<Token>& tokens) {
    for (const Token token : tokens) {
        const auto value = static_cast<std::uint32_t>(token);
        for (unsigned shift = 0; shift < 32; shift += 8)
            bytes += static_cast<char>((value >> shift) & 0xFFU);
    }
}

Json shape_of(const TokenizedInstruction& record) {
    return Json::array({record.tokens.size(), record.answer_begin});
}

// Reads tokens.bin front to back; a count beyond its end, or an id outside the vocabulary, fails the whole.
class TokenReader {
  public:
    TokenReader(const std::string& bytes, std::int64_t vocabulary) : bytes_(bytes), vocabulary_(vocabulary) {}
    std::vector<Token> take(const Json& count) {
        std::vector<Token> tokens;
        if (!count.is_number_unsigned() || count.get<std::uint64_t>() > (bytes_.size() - position_) / 4) {
            failed_ = true;
            return tokens;
        }
        tokens.reserve(count.get<std::size_t>());
        for (auto left = count.get<std::uint64_t>(); left > 0; --left) {
            std::uint32_t value = 0;
            for (unsigned shift = 0; shift < 32; shift += 8)
                value |= static_cast<std::uint32_t>(static_cast<unsigned char>(bytes_[position_++])) << shift;
            if (value >= static_cast<std::uint32_t>(vocabulary_)) failed_ = true;
            tokens.push_back(static_cast<Token>(value));
        }
        return tokens;
    }
    TokenizedInstruction take_record(const Json& shape) {
        TokenizedInstruction record;
        if (!shape.is_array() || shape.size() != 2 || !shape[1].is_number_integer()) {
            failed_ = true;
            return record;
        }
        record.tokens = take(shape[0]);
        record.answer_begin = shape[1].get<std::int64_t>();
        if (record.answer_begin < 0 || record.answer_begin > static_cast<std::int64_t>(record.tokens.size())) {
            failed_ = true;
        }
        return record;
    }
    [[nodiscard]] bool whole() const { return !failed_ && position_ == bytes_.size(); }

  private:
    const std::string& bytes_;
    std::int64_t vocabulary_;
    std::size_t position_ = 0;
    bool failed_ = false;
};

std::optional<Dataset> from_document(const Json& document, const std::string& folder) {
    auto bytes = read_file(folder + "/tokens.bin");
    auto tokenizer_json = read_file(folder + "/tokenizer.json");
    if (!bytes || !tokenizer_json) return std::nullopt;
    Dataset data;
    data.identity.corpus_sha256 = document.at("corpus_sha256").get<std::string>();
    data.identity.tokenizer_sha256 = document.at("tokenizer_sha256").get<std::string>();
    data.identity.tokens_sha256 = document.at("tokens_sha256").get<std::string>();
    if (sha256_hex(*bytes) != data.identity.tokens_sha256 ||
        sha256_hex(*tokenizer_json) != data.identity.tokenizer_sha256) {
        return std::nullopt;
    }
    auto tokenizer = BytePairEncoder::from_json(*tokenizer_json, folder + "/tokenizer.json");
    if (!tokenizer) return std::nullopt;
    data.tokenizer = std::move(*tokenizer);
    data.name = document.at("name").get<std::string>();
    TokenReader reader(*bytes, data.tokenizer.vocab_size());
    data.train = reader.take(document.at("train"));
    data.validation = reader.take(document.at("validation"));
    data.test = reader.take(document.at("test"));
    for (const Json& shape : document.at("instruction_validation"))
        data.instruction_validation.push_back(reader.take_record(shape));
    for (const Json& shape : document.at("preference_validation")) {
        TokenizedPreference pair;
        pair.chosen = reader.take_record(shape.at(0));
        pair.rejected = reader.take_record(shape.at(1));
        data.preference_validation.push_back(std::move(pair));
    }
    if (!reader.whole()) return std::nullopt;
    data.narrative_tokens = document.at("narrative_tokens").get<std::int64_t>();
    data.instruction_train = document.at("instruction_train").get<std::int64_t>();
    data.test_bytes = document.at("test_bytes").get<std::int64_t>();
    data.test_words = document.at("test_words").get<std::int64_t>();
    data.notes = document.at("notes").get<std::vector<std::string>>();
    return data;
}

}  // namespace

std::string token_bytes(const Dataset& dataset) {
    std::string bytes;
    bytes.reserve(4 * (dataset.train.size() + dataset.validation.size() + dataset.test.size()));
    append(bytes, dataset.train);
    append(bytes, dataset.validation);
    append(bytes, dataset.test);
    for (const TokenizedInstruction& record : dataset.instruction_validation)
        append(bytes, record.tokens);
    for (const TokenizedPreference& pair : dataset.preference_validation) {
        append(bytes, pair.chosen.tokens);
        append(bytes, pair.rejected.tokens);
    }
    return bytes;
}

std::optional<Dataset> load_cached_dataset(const std::string& folder, const std::string& key) {
    auto document = read_json_file(folder + "/dataset.json");
    if (!document || !document->is_object()) return std::nullopt;
    try {  // a damaged file may lack any key or hold any type
        Json body = *document;
        body.erase("sha256");
        if (document->at("format") != kFormat || document->at("key") != key ||
            document->at("sha256") != sha256_hex(canonical_json(body))) {
            return std::nullopt;
        }
        return from_document(*document, folder);
    } catch (const Json::exception&) {
        return std::nullopt;
    }
}

Status store_dataset(const std::string& folder, const std::string& key, const Dataset& dataset,
                     const std::string& tokenizer_json) {
    SEXTANT_CHECK(make_directories(folder));
    SEXTANT_CHECK(write_file_atomically(folder + "/tokens.bin", token_bytes(dataset)));
    SEXTANT_CHECK(write_file_atomically(folder + "/tokenizer.json", tokenizer_json));
    Json instructions = Json::array();
    for (const TokenizedInstruction& record : dataset.instruction_validation)
        instructions.push_back(shape_of(record));
    Json preferences = Json::array();
    for (const TokenizedPreference& pair : dataset.preference_validation)
        preferences.push_back(Json::array({shape_of(pair.chosen), shape_of(pair.rejected)}));
    Json document = {{"format", kFormat},
                     {"key", key},
                     {"name", dataset.name},
                     {"train", dataset.train.size()},
                     {"validation", dataset.validation.size()},
                     {"test", dataset.test.size()},
                     {"instruction_validation", instructions},
                     {"preference_validation", preferences},
                     {"narrative_tokens", dataset.narrative_tokens},
                     {"instruction_train", dataset.instruction_train},
                     {"test_bytes", dataset.test_bytes},
                     {"test_words", dataset.test_words},
                     {"notes", dataset.notes},
                     {"corpus_sha256", dataset.identity.corpus_sha256},
                     {"tokenizer_sha256", dataset.identity.tokenizer_sha256},
                     {"tokens_sha256", dataset.identity.tokens_sha256}};
    document["sha256"] = sha256_hex(canonical_json(document));
    return write_file_atomically(folder + "/dataset.json", dump_json(document) + "\n");
}

}  // namespace sextant
