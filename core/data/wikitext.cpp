// WikiText folders under every name they are published with (reference: Merity et al. 2016, arXiv 1609.07843).
#include <fmt/format.h>

#include <filesystem>

#include "core/base/text.h"
#include "core/data/corpus.h"

namespace sextant {
namespace {

namespace fs = std::filesystem;

// " = Title = " and not " = = Section = = ".
bool is_title(std::string_view line) {
    line = trimmed(line);
    return line.size() > 4 && line.starts_with("= ") && line.ends_with(" =") && !line.starts_with("= =") &&
           !line.ends_with("= =");
}

bool is_there(const fs::path& path) {
    std::error_code ignored;
    return fs::exists(path, ignored);
}

std::string find_split(const fs::path& directory, const std::vector<std::string>& names) {
    for (const std::string& name : names) {
        if (is_there(directory / name)) return (directory / name).string();
    }
    return {};
}

std::string find_parquet(const fs::path& directory) {
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(directory, error)) {
        if (entry.path().extension() == ".parquet") return entry.path().string();
    }
    return {};
}

}  // namespace

std::vector<std::string> wikitext_articles(std::string_view text) {
    std::vector<std::string> articles;
    std::size_t article = 0;
    std::string_view before;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        const std::string_view line = text.substr(begin, end - begin);
        const std::size_t after = std::min(end + 1, text.size());
        const std::string_view next = text.substr(after, std::min(text.find('\n', after), text.size()) - after);
        // A line that only looks like a title stands inside a paragraph: titles have blank lines around them.
        if (is_title(line) && trimmed(before).empty() && trimmed(next).empty()) {
            if (!trimmed(text.substr(article, begin - article)).empty()) {
                articles.emplace_back(text.substr(article, begin - article));
                article = begin;
            }
        }
        before = line;
        begin = after;
    }
    if (!trimmed(text.substr(article)).empty()) articles.emplace_back(text.substr(article));
    return articles;
}

Result<Corpus> read_wikitext(const std::string& directory, const CorpusNeed& need) {
    std::error_code error;
    if (directory.empty())
        return config_error("is missing: a wikitext corpus needs a folder", "/data/corpus/directory");
    if (!is_there(directory)) return data_error("no such folder", directory);
    if (!fs::is_directory(directory, error))
        return data_error("is not a folder; a wikitext corpus needs one", directory);

    const auto names = [](const std::string& split, const std::string& longer) {
        return std::vector<std::string>{
            "wiki." + split + ".tokens",  "wiki." + split + ".raw", split + ".txt", longer + ".txt",
            "wiki." + longer + ".tokens", "wiki." + longer + ".raw"};
    };
    const std::string train = find_split(directory, names("train", "training"));
    const std::string valid = find_split(directory, names("valid", "validation"));
    const std::string test = find_split(directory, names("test", "test"));
    if (valid.empty() || test.empty()) {
        if (const std::string parquet = find_parquet(directory); !parquet.empty()) {
            return data_error("parquet files are not readable here; convert to text (train.txt, valid.txt, test.txt)",
                              parquet);
        }
        return data_error(fmt::format("holds no {} split (wiki.{}.tokens, wiki.{}.raw or {}.txt)",
                                      valid.empty() ? "valid" : "test", valid.empty() ? "valid" : "test",
                                      valid.empty() ? "valid" : "test", valid.empty() ? "valid" : "test"),
                          directory);
    }
    Corpus corpus;
    SEXTANT_TRY(valid_text, read_text_file(valid));
    SEXTANT_TRY(test_text, read_text_file(test));
    corpus.test = wikitext_articles(test_text);
    std::vector<std::string> held = wikitext_articles(valid_text);
    if (!train.empty()) {
        SEXTANT_TRY(train_text, read_text_file(train));
        corpus.name = train_text.size() > (std::size_t{50} << 20U) ? "WikiText-103" : "WikiText-2";
        corpus.train = wikitext_articles(train_text);
        corpus.validation = std::move(held);
        return corpus;
    }
    // No train split: the last articles of valid are kept aside, as many as the validation tokens need at three bytes a
    // token (BPE-512 has 2.2 on this text), the others are trained on; test stays whole.
    corpus.name = "WikiText-2 (valid re-split)";
    std::size_t first = held.size();
    std::size_t bytes = 0;
    while (first > 1 && bytes < 3 * static_cast<std::size_t>(need.validation_tokens))
        bytes += held[--first].size();
    if (first == held.size()) {
        return data_error("has one article only and there is no train split; it cannot be re-split", valid);
    }
    corpus.validation.assign(std::make_move_iterator(held.begin() + static_cast<std::ptrdiff_t>(first)),
                             std::make_move_iterator(held.end()));
    held.resize(first);
    corpus.train = std::move(held);
    corpus.notes.push_back(
        fmt::format("WikiText-2 (valid re-split) by article: {} train, {} validation, {} test; the "
                    "folder has no train split",
                    corpus.train.size(), corpus.validation.size(), corpus.test.size()));
    return corpus;
}

}  // namespace sextant
