#pragma once
// The prepared data of an experiment: token streams, instruction and preference records, and how they came about. Every
// arm reads the same Dataset. Prepared once under <project>/data (lock file, cache keyed by corpus and tokenizer hash).

#include <cstdint>
#include <string>
#include <vector>

#include "core/data/byte_pair_encoder.h"
#include "core/experiment/experiment.h"
#include "core/experiment/run_plan.h"

namespace sextant {

using Token = std::int32_t;

struct TokenizedInstruction {       // prompt = instruction, newline, input, newline; then the answer and eos
    std::vector<Token> tokens;      // whole record
    std::int64_t answer_begin = 0;  // index of the first answer token
};
struct TokenizedPreference {
    TokenizedInstruction chosen;
    TokenizedInstruction rejected;
};

struct Dataset {
    std::string name;  // "Sextant stories", "WikiText-2 (valid re-split)", ...
    BytePairEncoder tokenizer;
    std::vector<Token> train;  // instruction records appended, narrative mixed in; exactly train_tokens
    std::vector<Token> validation;
    std::vector<Token> test;
    std::vector<TokenizedInstruction> instruction_validation;
    std::vector<TokenizedPreference> preference_validation;
    std::int64_t narrative_tokens = 0;
    std::int64_t instruction_train = 0;
    std::int64_t test_bytes = 0;  // UTF-8 bytes of the text behind `test` (bits per byte)
    std::int64_t test_words = 0;  // whitespace-separated words of it (word perplexity)
    std::vector<std::string>
        notes;  // what a reader must know: "valid re-split by article: 48 train, 6 validation, 6 test"
    DataIdentity identity;
};

// Reads, tokenizes and caches. Errors: kData with both counts when a corpus has fewer tokens than asked; invalid UTF-8
// with its byte offset. Deterministic.
[[nodiscard]] Result<Dataset> prepare_dataset(const DataConfig& config, const std::string& cache_directory);

}  // namespace sextant
