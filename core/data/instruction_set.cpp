#include "core/data/instruction_set.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "core/base/hash.h"
#include "core/base/json.h"
#include "core/base/text.h"
#include "core/data/corpus.h"
#include "core/data/synthetic_corpus.h"

namespace sextant {
namespace {

Result<InstructionRecord> record_of(const Json& entry, RecordKind kind, const std::string& where,
                                    const std::string& path) {
    if (!entry.is_object()) return data_error(where + ": is not an object", path);
    const auto text = [&](const char* key, bool needed) -> Result<std::string> {
        const auto found = entry.find(key);
        if (found == entry.end() || found->is_null()) {
            if (!needed) return std::string();
            return data_error(fmt::format("{}: has no \"{}\"", where, key), path);
        }
        if (!found->is_string()) return data_error(fmt::format("{}: \"{}\" is not a text", where, key), path);
        return found->get<std::string>();
    };
    SEXTANT_TRY(instruction, text("instruction", true));
    SEXTANT_TRY(input, text("input", false));
    const bool preference = kind == RecordKind::kPreferences;
    SEXTANT_TRY(answer, text(preference ? "chosen" : "output", true));
    SEXTANT_TRY(rejected, text("rejected", preference));
    if (answer.empty() || (preference && rejected.empty())) return data_error(where + ": the answer is empty", path);
    return InstructionRecord{instruction + "\n" + input + "\n", std::move(answer), std::move(rejected)};
}

InstructionSet built_in(const InstructionConfig& config, RecordKind kind, std::uint64_t seed) {
    InstructionSet set;
    Sha256 hash;
    const auto fill = [&](std::vector<InstructionRecord>& records, const std::string& split, std::int64_t count) {
        for (std::int64_t i = 0; i < count; ++i) {
            StoryQuestion question = make_story_question(seed, split, i);
            records.push_back({question.instruction + "\n" + question.input + "\n", std::move(question.answer),
                               std::move(question.wrong_answer)});
            hash.update(records.back().prompt + records.back().answer + "\n" + records.back().rejected + "\n");
        }
    };
    if (kind == RecordKind::kInstructions) {
        fill(set.train, "instructions train", config.train);
        fill(set.validation, "instructions validation", config.validation);
    } else {
        fill(set.validation, "preferences", config.validation);
    }
    set.sha256 = hash.hex();
    return set;
}

}  // namespace

Result<std::vector<InstructionRecord>> parse_instructions(std::string_view text, RecordKind kind,
                                                          const std::string& path) {
    std::vector<InstructionRecord> records;
    if (trimmed(text).starts_with("[")) {
        SEXTANT_TRY(document, parse_json(text, path));
        for (std::size_t i = 0; i < document.size(); ++i) {
            SEXTANT_TRY(record, record_of(document[i], kind, fmt::format("record {}", i), path));
            records.push_back(std::move(record));
        }
        return records;
    }
    std::size_t line = 0;
    while (!text.empty()) {
        ++line;
        const std::size_t end = std::min(text.find('\n'), text.size());
        const std::string_view one = trimmed(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
        if (one.empty()) continue;
        auto entry = parse_json(one, path, {std::size_t{64} << 20U, 32, 1'000'000});
        if (!entry) {
            Error error = std::move(entry).error();
            error.message = fmt::format("line {}: {}", line, error.message);
            return error;
        }
        SEXTANT_TRY(record, record_of(*entry, kind, fmt::format("line {}", line), path));
        records.push_back(std::move(record));
    }
    return records;
}

Result<InstructionSet> read_instructions(const InstructionConfig& config, RecordKind kind, std::uint64_t corpus_seed) {
    const bool preferences = kind == RecordKind::kPreferences;
    const std::string pointer = preferences ? "/data/preferences" : "/data/instructions";
    if (config.kind == "none") return InstructionSet{{}, {}, sha256_hex("")};
    if (config.kind == "synthetic") return built_in(config, kind, corpus_seed);
    if (config.kind != "file") {
        return config_error(
            fmt::format("\"{}\" is no kind of records (synthetic, file, none)", single_line(config.kind, 60)),
            pointer + "/kind");
    }
    if (config.path.empty()) return config_error("is missing: kind \"file\" needs a path", pointer + "/path");
    SEXTANT_TRY(text, read_text_file(config.path));
    SEXTANT_TRY(records, parse_instructions(text, kind, config.path));
    const std::int64_t train = preferences ? 0 : config.train;
    if (static_cast<std::int64_t>(records.size()) < train + config.validation) {
        return data_error(fmt::format("has {} records, {} were asked for ({} train, {} validation)", records.size(),
                                      train + config.validation, train, config.validation),
                          config.path);
    }
    InstructionSet set;
    set.sha256 = sha256_hex(text);
    const auto middle = records.begin() + static_cast<std::ptrdiff_t>(train);
    set.train.assign(std::make_move_iterator(records.begin()), std::make_move_iterator(middle));
    set.validation.assign(std::make_move_iterator(middle),
                          std::make_move_iterator(middle + static_cast<std::ptrdiff_t>(config.validation)));
    return set;
}

TokenizedInstruction tokenize_instruction(const BytePairEncoder& tokenizer, const std::string& prompt,
                                          const std::string& answer) {
    TokenizedInstruction record;
    record.tokens = tokenizer.encode(prompt);
    record.answer_begin = static_cast<std::int64_t>(record.tokens.size());
    const std::vector<Token> rest = tokenizer.encode(answer);
    record.tokens.insert(record.tokens.end(), rest.begin(), rest.end());
    record.tokens.push_back(tokenizer.end_of_text());
    return record;
}

}  // namespace sextant
