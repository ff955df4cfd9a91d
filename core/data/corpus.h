#pragma once
// Where documents come from: the built-in stories, text files, WikiText folders, JSON Lines, the copy task. Readers
// check everything (UTF-8, empty files, missing splits) before a token is made; generated corpora give documents on
// demand.

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/experiment/experiment.h"

namespace sextant {

struct Corpus {
    std::string name;
    std::vector<std::string> train, validation, test;  // documents; <|endoftext|> goes between
    std::vector<std::string> notes;                    // what a reader of results must know
    std::string sha256;                                // of content, not of paths
    // Generated corpora only: document `index` of a split ("train", "validation", "test"), without end.
    std::function<std::string(std::string_view, std::int64_t)> generate;

    [[nodiscard]] const std::vector<std::string>& split(std::string_view name) const;
};

// How many validation tokens a WikiText folder without train split has to leave aside.
struct CorpusNeed {
    std::int64_t validation_tokens = 8000;
};

// Errors are kData with file and place; a corpus that lacks what the experiment asks for says what to do.
[[nodiscard]] Result<Corpus> read_corpus(const CorpusConfig& config, const CorpusNeed& need = {});

[[nodiscard]] Result<Corpus> read_wikitext(const std::string& directory, const CorpusNeed& need);
// Articles of a WikiText file: a title line " = X = " with a blank line before and after begins one.
[[nodiscard]] std::vector<std::string> wikitext_articles(std::string_view text);
// The text file, checked: regular, not empty, UTF-8 (else the byte offset).
[[nodiscard]] Result<std::string> read_text_file(const std::string& path);
// One string of each record; errors name the line. Blank lines are skipped.
[[nodiscard]] Result<std::vector<std::string>> parse_json_lines(std::string_view text, const std::string& field,
                                                                const std::string& path);
// Record `index` of the copy task: `distance` random letters of the first `alphabet` ones, said four times.
[[nodiscard]] std::string copy_record(const CorpusConfig& config, std::string_view split, std::int64_t index);
// SHA-256 over the splits, lengths included.
[[nodiscard]] std::string corpus_sha256(const Corpus& corpus);

}  // namespace sextant
