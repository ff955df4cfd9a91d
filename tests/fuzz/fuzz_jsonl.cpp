// JSON Lines corpora, instruction records and WikiText articles of any bytes: read or refused in one sentence.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "core/data/corpus.h"
#include "core/data/instruction_set.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace sextant;
    const std::string text(reinterpret_cast<const char*>(data), size);
    const auto records = parse_json_lines(text, "text", "corpus.jsonl");
    if (!records.ok() && records.error().sentence().size() > 500) std::abort();
    for (const RecordKind kind : {RecordKind::kInstructions, RecordKind::kPreferences}) {
        const auto parsed = parse_instructions(text, kind, "records.json");
        if (!parsed.ok() && parsed.error().sentence().size() > 500) std::abort();
    }
    std::size_t bytes = 0;
    for (const std::string& article : wikitext_articles(text))
        bytes += article.size();
    if (bytes > size) std::abort();
    return 0;
}
