#pragma once
// Instruction and preference records, built in (questions about the story world) or from a file: a JSON list or JSON
// Lines of {instruction, input, output} and, for preferences, {instruction, input, chosen, rejected}.

#include <string>
#include <string_view>
#include <vector>

#include "core/data/dataset.h"

namespace sextant {

struct InstructionRecord {
    std::string prompt;  // "instruction\ninput\n"
    std::string answer;  // the output, or the chosen answer
    std::string rejected;
};

struct InstructionSet {
    std::vector<InstructionRecord> train, validation;
    std::string sha256;
};

enum class RecordKind { kInstructions, kPreferences };

// The first `train` records of a file are trained on, the next `validation` ones are scored; fewer than that is an
// error that names both counts. Kind "none" gives none.
[[nodiscard]] Result<InstructionSet> read_instructions(const InstructionConfig& config, RecordKind kind,
                                                       std::uint64_t corpus_seed);
[[nodiscard]] Result<std::vector<InstructionRecord>> parse_instructions(std::string_view text, RecordKind kind,
                                                                        const std::string& path);
[[nodiscard]] TokenizedInstruction tokenize_instruction(const BytePairEncoder& tokenizer, const std::string& prompt,
                                                        const std::string& answer);

}  // namespace sextant
