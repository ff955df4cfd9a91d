#include "core/data/dataset.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <thread>

#include "core/base/atomic_file.h"
#include "core/base/file_lock.h"
#include "core/base/hash.h"
#include "core/base/json.h"
#include "core/base/text.h"
#include "core/data/corpus.h"
#include "core/data/instruction_set.h"
#include "core/data/token_cache.h"

namespace sextant {
namespace {

constexpr std::size_t kTokenizerSample =
    1'000'000;  // bytes of a generated train split that its tokenizer is trained on

struct Sources {
    Corpus corpus;
    std::optional<Corpus> narrative;
    InstructionSet instructions, preferences;
    std::string tokenizer_json;  // kind "file" only
};

Error config_problem(std::string message, std::string pointer) {
    return config_error(std::move(message), std::move(pointer));
}

Status check_sizes(const DataConfig& config) {
    const auto positive = [](std::int64_t value, const char* pointer) -> Status {
        constexpr std::int64_t kMost = 2'000'000'000;
        if (value >= 2 && value <= kMost) return {};
        return config_problem(fmt::format("is {}; 2 to {} tokens are possible", value, kMost), pointer);
    };
    SEXTANT_CHECK(positive(config.train_tokens, "/data/train_tokens"));
    SEXTANT_CHECK(positive(config.validation_tokens, "/data/validation_tokens"));
    SEXTANT_CHECK(positive(config.test_tokens, "/data/test_tokens"));
    for (const CorpusConfig* corpus : {&config.corpus, config.narrative ? &*config.narrative : nullptr}) {
        if (corpus == nullptr || (corpus->kind != "synthetic" && corpus->kind != "copy")) continue;
        for (const std::int64_t tokens : {config.train_tokens, config.validation_tokens, config.test_tokens}) {
            if (tokens > 10'000'000) {
                return config_problem(
                    fmt::format("{} tokens were asked for; a generated corpus gives up to 10000000", tokens), "/data");
            }
        }
    }
    if (config.corpus.kind == "copy" && config.tokenizer.kind == "bpe" && config.tokenizer.vocab_size != 257) {
        return config_problem("is not 257; the copy corpus is read letter by letter", "/data/tokenizer/vocab_size");
    }
    return {};
}

Result<Sources> read_sources(const DataConfig& config) {
    Sources sources;
    SEXTANT_TRY(corpus, read_corpus(config.corpus, {config.validation_tokens}));
    sources.corpus = std::move(corpus);
    if (config.narrative) {
        auto narrative = read_corpus(*config.narrative);
        if (!narrative) return std::move(narrative).with_context("reading the narrative corpus").error();
        sources.narrative = std::move(*narrative);
    }
    SEXTANT_TRY(instructions, read_instructions(config.instructions, RecordKind::kInstructions, config.corpus.seed));
    SEXTANT_TRY(preferences, read_instructions(config.preferences, RecordKind::kPreferences, config.corpus.seed));
    sources.instructions = std::move(instructions);
    sources.preferences = std::move(preferences);
    if (config.tokenizer.kind == "file") {
        if (config.tokenizer.path.empty()) return config_problem("is missing", "/data/tokenizer/path");
        SEXTANT_TRY(json, read_file(config.tokenizer.path, std::size_t{64} << 20U));
        sources.tokenizer_json = std::move(json);
    } else if (config.tokenizer.kind != "bpe") {
        return config_problem(
            fmt::format("\"{}\" is no kind of tokenizer (bpe, file)", single_line(config.tokenizer.kind, 60)),
            "/data/tokenizer/kind");
    }
    return sources;
}

std::string cache_key(const DataConfig& config, const Sources& sources) {
    Json key = {
        {"format", 1},
        {"corpus", sources.corpus.sha256},
        {"corpus_kind", config.corpus.kind},
        {"tokenizer", sources.tokenizer_json.empty() ? "bpe" : sha256_hex(sources.tokenizer_json)},
        {"vocab_size", config.tokenizer.vocab_size},
        {"tokens", {config.train_tokens, config.validation_tokens, config.test_tokens}},
        {"instructions", {sources.instructions.sha256, config.instructions.train, config.instructions.validation}},
        {"preferences", {sources.preferences.sha256, config.preferences.validation}},
        {"narrative", sources.narrative ? sources.narrative->sha256 : ""},
        {"narrative_tokens", config.narrative_tokens}};
    return sha256_hex(canonical_json(key));
}

Result<BytePairEncoder> make_tokenizer(const DataConfig& config, const Sources& sources) {
    if (config.tokenizer.kind == "file") {
        SEXTANT_TRY(tokenizer, BytePairEncoder::from_json(sources.tokenizer_json, config.tokenizer.path));
        if (tokenizer.vocab_size() != config.tokenizer.vocab_size) {
            return data_error(fmt::format("has {} tokens, the experiment says {}; set /data/tokenizer/vocab_size to {}",
                                          tokenizer.vocab_size(), config.tokenizer.vocab_size, tokenizer.vocab_size()),
                              config.tokenizer.path);
        }
        return tokenizer;
    }
    std::vector<std::string> sample;
    if (sources.corpus.generate) {  // always the same stretch, so that a shorter corpus is a prefix in tokens too
        std::size_t size = 0;
        for (std::int64_t index = 0; size < kTokenizerSample; ++index) {
            sample.push_back(sources.corpus.generate("train", index));
            size += sample.back().size();
        }
    }
    const auto& documents = sources.corpus.generate ? sample : sources.corpus.train;
    return BytePairEncoder::train(std::vector<std::string_view>(documents.begin(), documents.end()),
                                  config.tokenizer.vocab_size);
}

// Exactly `wanted` tokens from the start of a split; the last document may be cut.
Result<std::vector<Token>> take_tokens(const Corpus& corpus, std::string_view split, std::int64_t wanted,
                                       const BytePairEncoder& tokenizer) {
    std::vector<Token> tokens;
    if (!corpus.generate) {
        const auto& documents = corpus.split(split);
        tokens = tokenizer.encode_documents(std::vector<std::string_view>(documents.begin(), documents.end()), wanted);
        if (static_cast<std::int64_t>(tokens.size()) < wanted) {
            return data_error(
                fmt::format("the {} split of {} has {} tokens, {} were asked for; lower the sizes under "
                            "/data or give more text",
                            split, corpus.name, tokens.size(), wanted));
        }
    } else {
        tokens.reserve(static_cast<std::size_t>(wanted) + 4096);
        for (std::int64_t index = 0; static_cast<std::int64_t>(tokens.size()) < wanted;) {
            std::vector<std::string> batch;
            std::size_t bytes = 0;
            const std::size_t enough = 2 * (static_cast<std::size_t>(wanted) - tokens.size()) + 4096;
            while (bytes < std::min<std::size_t>(enough, 8U << 20U)) {
                batch.push_back(corpus.generate(split, index++));
                bytes += batch.back().size();
            }
            if (!tokens.empty()) tokens.push_back(tokenizer.end_of_text());
            const auto more = tokenizer.encode_documents(std::vector<std::string_view>(batch.begin(), batch.end()));
            tokens.insert(tokens.end(), more.begin(), more.end());
        }
    }
    tokens.resize(static_cast<std::size_t>(wanted));
    return tokens;
}

// Documents of both streams in turn, each as far along as the other.
std::vector<Token> mixed(const std::vector<Token>& first, const std::vector<Token>& second, Token end_of_text) {
    std::vector<Token> result;
    result.reserve(first.size() + second.size());
    std::size_t a = 0;
    std::size_t b = 0;
    const auto copy_document = [&](const std::vector<Token>& from, std::size_t& at) {
        do {
            result.push_back(from[at]);
        } while (from[at++] != end_of_text && at < from.size());
        if (at == from.size()) result.back() = end_of_text;
    };
    while (a < first.size() || b < second.size()) {
        const bool take_first = b == second.size() || (a < first.size() && a * second.size() <= b * first.size());
        take_first ? copy_document(first, a) : copy_document(second, b);
    }
    return result;
}

void measure_test(Dataset& data) {
    bool in_word = false;
    for (const Token token : data.test) {
        if (token == data.tokenizer.end_of_text()) {
            in_word = false;
            continue;
        }
        const std::string& bytes = data.tokenizer.bytes_of(token);
        data.test_bytes += static_cast<std::int64_t>(bytes.size());
        for (const char c : bytes) {
            const bool space = c == ' ' || (c >= '\t' && c <= '\r');
            if (!space && !in_word) ++data.test_words;
            in_word = !space;
        }
    }
}

Result<Dataset> build(const DataConfig& config, const Sources& sources, std::string& tokenizer_json) {
    Dataset data;
    SEXTANT_TRY(tokenizer, make_tokenizer(config, sources));
    data.tokenizer = std::move(tokenizer);
    const Token eos = data.tokenizer.end_of_text();
    tokenizer_json = sources.tokenizer_json.empty() ? data.tokenizer.to_json() : sources.tokenizer_json;
    data.name = sources.corpus.name;
    data.notes = sources.corpus.notes;

    std::vector<Token> records;
    for (const InstructionRecord& record : sources.instructions.train) {
        const auto tokens = tokenize_instruction(data.tokenizer, record.prompt, record.answer).tokens;
        records.insert(records.end(), tokens.begin(), tokens.end());
    }
    data.instruction_train = static_cast<std::int64_t>(sources.instructions.train.size());
    const std::int64_t text_tokens = config.train_tokens - static_cast<std::int64_t>(records.size());
    if (text_tokens < 2) {
        return config_problem(fmt::format("is {}, but the instruction records alone have {} tokens; raise it or lower "
                                          "/data/instructions/train",
                                          config.train_tokens, records.size()),
                              "/data/train_tokens");
    }
    if (sources.narrative) {
        const std::int64_t narrative = config.narrative_tokens > 0 ? config.narrative_tokens : text_tokens / 2;
        if (narrative >= text_tokens) {
            return config_problem(fmt::format("is {}, which leaves nothing of the {} training tokens to the corpus",
                                              narrative, text_tokens),
                                  "/data/narrative_tokens");
        }
        SEXTANT_TRY(first, take_tokens(sources.corpus, "train", text_tokens - narrative, data.tokenizer));
        SEXTANT_TRY(second, take_tokens(*sources.narrative, "train", narrative, data.tokenizer));
        data.train = mixed(first, second, eos);
        data.narrative_tokens = narrative;
        data.notes.push_back(fmt::format("training text: {} tokens of {} and {} of {}, document by document",
                                         text_tokens - narrative, sources.corpus.name, narrative,
                                         sources.narrative->name));
    } else {
        SEXTANT_TRY(text, take_tokens(sources.corpus, "train", text_tokens, data.tokenizer));
        data.train = std::move(text);
    }
    if (!records.empty()) {
        data.train.back() = eos;  // the last story is cut anyway; the first record must not run into it
        data.train.insert(data.train.end(), records.begin(), records.end());
    }
    SEXTANT_TRY(validation, take_tokens(sources.corpus, "validation", config.validation_tokens, data.tokenizer));
    SEXTANT_TRY(test, take_tokens(sources.corpus, "test", config.test_tokens, data.tokenizer));
    data.validation = std::move(validation);
    data.test = std::move(test);
    for (const InstructionRecord& record : sources.instructions.validation) {
        data.instruction_validation.push_back(tokenize_instruction(data.tokenizer, record.prompt, record.answer));
    }
    for (const InstructionRecord& record : sources.preferences.validation) {
        data.preference_validation.push_back({tokenize_instruction(data.tokenizer, record.prompt, record.answer),
                                              tokenize_instruction(data.tokenizer, record.prompt, record.rejected)});
    }
    measure_test(data);
    data.identity = {sources.corpus.sha256, sha256_hex(tokenizer_json), sha256_hex(token_bytes(data))};
    return data;
}

// Another process may be preparing the same data: its lock is waited for, up to ten minutes.
Result<FileLock> wait_for_lock(const std::string& path) {
    for (int tries = 0;; ++tries) {
        auto lock = FileLock::acquire(path);
        const bool held = !lock && FileLock::owner(path).has_value();
        if (lock || !held || tries >= 12000) return lock;
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
}

Result<Dataset> prepare(const DataConfig& config, const std::string& cache_directory) {
    SEXTANT_CHECK(check_sizes(config));
    SEXTANT_TRY(sources, read_sources(config));
    std::string tokenizer_json;
    if (cache_directory.empty()) return build(config, sources, tokenizer_json);
    const std::string key = cache_key(config, sources);
    const std::string folder = cache_directory + "/" + key.substr(0, 16);
    if (auto cached = load_cached_dataset(folder, key)) return std::move(*cached);
    SEXTANT_CHECK(make_directories(cache_directory));
    SEXTANT_TRY(lock, wait_for_lock(cache_directory + "/" + key.substr(0, 16) + ".lock"));
    if (auto cached = load_cached_dataset(folder, key)) return std::move(*cached);  // made while we waited
    SEXTANT_TRY(data, build(config, sources, tokenizer_json));
    SEXTANT_CHECK(store_dataset(folder, key, data, tokenizer_json));
    return data;
}

}  // namespace

Result<Dataset> prepare_dataset(const DataConfig& config, const std::string& cache_directory) {
    auto data = prepare(config, cache_directory);
    if (data && !config.expected_sha256.empty() && data->identity.tokens_sha256 != config.expected_sha256) {
        return data_error(fmt::format(
            "the prepared tokens have SHA-256 {}..., this experiment is frozen to {}...; it can "
            "only be repeated with the corpus and the version it was made with",
            data->identity.tokens_sha256.substr(0, 16), single_line(config.expected_sha256.substr(0, 16), 16)));
    }
    return data;
}

}  // namespace sextant
