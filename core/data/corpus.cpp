#include "core/data/corpus.h"

#include <fmt/format.h>

#include <array>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "core/base/atomic_file.h"
#include "core/base/file_head.h"
#include "core/base/hash.h"
#include "core/base/json.h"
#include "core/base/random.h"
#include "core/base/text.h"
#include "core/data/synthetic_corpus.h"

namespace sextant {
namespace {

constexpr std::array<std::string_view, 3> kSplits = {"train", "validation", "test"};

std::vector<std::string>& split_of(Corpus& corpus, std::string_view name) {
    return name == "train" ? corpus.train : name == "validation" ? corpus.validation : corpus.test;
}

std::string file_name(const std::string& path) {
    return std::filesystem::path(path).filename().string();
}

Corpus stories(const CorpusConfig& config) {
    Corpus corpus;
    corpus.name = config.seed == 0 ? "Sextant stories" : fmt::format("Sextant stories, seed {}", config.seed);
    const std::uint64_t seed = config.seed;
    corpus.generate = [seed](std::string_view split, std::int64_t index) {
        return make_story(seed, split, index).text;
    };
    return corpus;
}

Result<Corpus> copy_task(const CorpusConfig& config) {
    if (config.distance < 1 || config.distance > 4096) {
        return config_error("is out of range (1 to 4096)", "/data/corpus/distance");
    }
    if (config.alphabet < 2 || config.alphabet > 26) {
        return config_error("is out of range (2 to 26 letters)", "/data/corpus/alphabet");
    }
    Corpus corpus;
    corpus.name = fmt::format("Copy task, distance {}, {} letters", config.distance, config.alphabet);
    corpus.generate = [config](std::string_view split, std::int64_t index) {
        return copy_record(config, split, index);
    };
    return corpus;
}

// The generator's own identity: a stretch of each split stands for the endless rest.
std::string generated_sha256(const Corpus& corpus) {
    Sha256 hash;
    for (const std::string_view split : kSplits) {
        std::size_t size = 0;
        for (std::int64_t index = 0; size < 100'000; ++index) {
            const std::string document = corpus.generate(split, index);
            size += document.size() + 1;
            hash.update(document);
            hash.update(std::string_view("\0", 1));
        }
    }
    return hash.hex();
}

Result<std::vector<std::string>> read_split(const CorpusConfig& config, const std::string& path) {
    SEXTANT_TRY(text, read_text_file(path));
    if (config.kind == "text") {
        std::vector<std::string> one;
        one.push_back(std::move(text));
        return one;
    }
    return parse_json_lines(text, config.field, path);
}

Result<Corpus> files(const CorpusConfig& config) {
    Corpus corpus;
    const std::array<const std::string*, 3> paths = {&config.train, &config.validation, &config.test};
    for (std::size_t i = 0; i < kSplits.size(); ++i) {
        if (paths[i]->empty()) {
            return config_error(fmt::format("is missing: a {} corpus needs a file for each of train, validation and "
                                            "test",
                                            config.kind),
                                fmt::format("/data/corpus/{}", kSplits[i]));
        }
        auto documents = read_split(config, *paths[i]);
        if (!documents)
            return std::move(documents).with_context(fmt::format("reading the {} split", kSplits[i])).error();
        split_of(corpus, kSplits[i]) = std::move(*documents);
    }
    corpus.name = file_name(config.train);
    for (std::size_t i = 1; i < kSplits.size(); ++i) {
        if (split_of(corpus, kSplits[i]) == corpus.train) {
            corpus.notes.push_back(
                fmt::format("the {} split is the train split: its loss says nothing about new text", kSplits[i]));
        }
    }
    return corpus;
}

}  // namespace

const std::vector<std::string>& Corpus::split(std::string_view split_name) const {
    return split_of(const_cast<Corpus&>(*this), split_name);
}

Result<std::string> read_text_file(const std::string& path) {
    SEXTANT_CHECK(refuse_binary(path));
    SEXTANT_TRY(text, read_file(path));
    if (text.empty()) return data_error("is empty; a corpus needs text", path);
    if (const auto bad = invalid_utf8(text)) {
        return data_error(fmt::format("is not UTF-8: byte {} (0x{:02X}); convert the file to UTF-8", *bad,
                                      static_cast<unsigned char>(text[*bad])),
                          path);
    }
    return text;
}

Result<std::vector<std::string>> parse_json_lines(std::string_view text, const std::string& field,
                                                  const std::string& path) {
    std::vector<std::string> documents;
    std::size_t line = 0;
    while (!text.empty()) {
        ++line;
        const std::size_t end = std::min(text.find('\n'), text.size());
        const std::string_view record = trimmed(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
        if (record.empty()) continue;
        auto parsed = parse_json(record, path, {std::size_t{64} << 20U, 32, 1'000'000});
        if (!parsed) {
            Error error = std::move(parsed).error();
            const std::string inner = "line 1, ";  // a record is one line of the file
            if (const auto at = error.message.find(inner); at != std::string::npos) {
                error.message.replace(at, inner.size(), fmt::format("line {}, ", line));
            } else {
                error.message = fmt::format("line {}: {}", line, error.message);
            }
            return error;
        }
        if (!parsed->is_object() || !parsed->contains(field)) {
            return data_error(
                fmt::format("line {}: has no key \"{}\" (set the corpus's \"field\")", line, single_line(field, 60)),
                path);
        }
        const Json& value = (*parsed)[field];
        if (!value.is_string()) {
            return data_error(fmt::format("line {}: \"{}\" is not a text", line, single_line(field, 60)), path);
        }
        documents.push_back(value.get<std::string>());
        if (documents.back().empty()) documents.pop_back();
    }
    if (documents.empty()) return data_error("has no records with text", path);
    return documents;
}

std::string copy_record(const CorpusConfig& config, std::string_view split, std::int64_t index) {
    Random random(derive_seed(config.seed, fmt::format("copy/{}/{}", split, index)));
    std::string word;
    for (std::int64_t i = 0; i < config.distance; ++i)
        word += static_cast<char>('a' + random.below(static_cast<std::uint32_t>(config.alphabet)));
    return word + word + word + word;
}

std::string corpus_sha256(const Corpus& corpus) {
    if (corpus.generate) return generated_sha256(corpus);
    Sha256 hash;
    for (const std::string_view split : kSplits) {
        const auto& documents = corpus.split(split);
        hash.update(fmt::format("{} {}\n", split, documents.size()));
        for (const std::string& document : documents) {
            hash.update(fmt::format("{}\n", document.size()));
            hash.update(document);
        }
    }
    return hash.hex();
}

Result<Corpus> read_corpus(const CorpusConfig& config, const CorpusNeed& need) {
    const auto read = [&]() -> Result<Corpus> {
        if (config.kind == "synthetic") return stories(config);
        if (config.kind == "copy") return copy_task(config);
        if (config.kind == "wikitext") return read_wikitext(config.directory, need);
        if (config.kind == "text" || config.kind == "jsonl") return files(config);
        return config_error(fmt::format("\"{}\" is no kind of corpus (synthetic, wikitext, text, jsonl, copy)",
                                        single_line(config.kind, 60)),
                            "/data/corpus/kind");
    };
    auto corpus = read();
    if (corpus) corpus->sha256 = corpus_sha256(*corpus);
    return corpus;
}

}  // namespace sextant
