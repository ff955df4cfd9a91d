#pragma once
// What `evaluate`, `attend`, `generate` and `describe` do, apart from the command line: `serve` answers the same
// requests with the same code.

#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/base/json.h"
#include "core/engine/attention_probe.h"
#include "core/engine/language_model.h"

namespace sextant::cli {

struct RequestHooks {
    std::function<bool()> cancelled;
    std::function<void(double)> progress;
};

struct EvaluateArguments {
    std::string text;                   // file; empty: the test split of the run the model belongs to
    std::vector<std::int64_t> lengths;  // empty: the whole text at the training length only
    std::vector<std::string> modes{"non-overlapping", "sliding"};
    std::int64_t stride = 16;
    std::int64_t targets = 0;  // N; 0: as many as fit, at most 32,768
    bool by_position = false;
    std::int64_t window = 0;  // attention sink: last keys seen; 0: off
    std::int64_t sink = 4;
    std::string probe;                    // a task probe instead of a text: copy, induction, needle, recall
    std::vector<std::int64_t> distances;  // its distances; empty: 8, 16, 32 where they fit
    std::int64_t answer_tokens = 2, probes = 200;
    std::string path = "auto", device = "auto";
    std::int64_t threads = 0;
};
[[nodiscard]] Result<OrderedJson> evaluate_model(LanguageModel& model, const EvaluateArguments& arguments,
                                                 const RequestHooks& hooks);
[[nodiscard]] std::string evaluation_table(const OrderedJson& document);  // for people

struct AttendArguments {
    std::string text;
    std::vector<std::int32_t> ids;  // instead of text
    std::vector<std::int64_t> layers, heads;
    std::string what = "weights";
    std::int64_t tokens = 0;  // only the first N; 0: all
    std::int64_t offset = 0;  // position of the first token
    bool statistics_only = false;
};
struct Attended {
    AttentionMaps maps;
    OrderedJson header;  // all but the values: what, layers, heads, shape, tokens, statistics
};
[[nodiscard]] Result<Attended> attend_model(LanguageModel& model, const AttendArguments& arguments,
                                            const RequestHooks& hooks);
[[nodiscard]] OrderedJson nested_values(const AttentionMaps& maps);  // "-inf" for masked entries

struct GenerateArguments {
    std::string prompt;
    std::int64_t tokens = 100;
    double temperature = 0.0;
    std::uint64_t seed = 0;
};
[[nodiscard]] Result<OrderedJson> generate_text(LanguageModel& model, const GenerateArguments& arguments,
                                                const RequestHooks& hooks);

// Architecture, encoding, layout, tensors, inferences. `problems`: what makes `describe` end with exit 4.
struct Described {
    OrderedJson document;
    std::string text;
    std::vector<std::string> problems;
};
[[nodiscard]] Result<Described> describe_file(const std::string& path, const std::string& tokenizer);

// "64,128" as numbers; kUsage names the option and the part that is none.
[[nodiscard]] Result<std::vector<std::int64_t>> number_list(const std::string& option, const std::string& text);
[[nodiscard]] std::vector<std::string> word_list(const std::string& text);

}  // namespace sextant::cli
