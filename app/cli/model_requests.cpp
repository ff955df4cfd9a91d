#include "app/cli/model_requests.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "core/base/text.h"
#include "core/engine/cached_decoder.h"
#include "core/engine/device.h"

namespace sextant::cli {
namespace {

// Bytes of a token as text: whole UTF-8 as it is, part of a character as \xE2.
std::string visible(const std::string& bytes) {
    if (!invalid_utf8(bytes)) return bytes;
    std::string out;
    for (const char c : bytes) {
        const auto byte = static_cast<unsigned char>(c);
        out += byte >= 0x80 ? fmt::format("\\x{:02X}", byte) : std::string(1, c);
    }
    return out;
}

}  // namespace

Result<std::vector<std::int64_t>> number_list(const std::string& option, const std::string& text) {
    std::vector<std::int64_t> numbers;
    if (text.empty()) return numbers;
    for (const std::string& part : split(text, ',')) {
        const auto number = parse_integer(trimmed(part));
        if (!number) return usage_error(option + ": \"" + part.substr(0, 40) + "\" is not a whole number");
        numbers.push_back(*number);
    }
    return numbers;
}

std::vector<std::string> word_list(const std::string& text) {
    std::vector<std::string> words;
    for (const std::string& part : split(text, ',')) {
        if (!trimmed(part).empty()) words.emplace_back(trimmed(part));
    }
    return words;
}

Result<Attended> attend_model(LanguageModel& model, const AttendArguments& arguments, const RequestHooks& hooks) {
    SEXTANT_TRY(term, attention_term(arguments.what));
    AttentionRequest request;
    request.layers = arguments.layers;
    request.heads = arguments.heads;
    request.term = term;
    request.offset = arguments.offset;
    request.values = !arguments.statistics_only;
    request.cancelled = hooks.cancelled;
    if (arguments.tokens < 0)
        return usage_error(fmt::format("--tokens is {}; it must be at least 0", arguments.tokens));
    const auto limit = arguments.tokens > 0 ? static_cast<std::size_t>(arguments.tokens) : SIZE_MAX;
    OrderedJson tokens = OrderedJson::array();
    if (!arguments.ids.empty()) {
        request.tokens = arguments.ids;
        if (request.tokens.size() > limit) request.tokens.resize(limit);
        for (const std::int32_t id : request.tokens) {
            OrderedJson token = {{"id", id}};
            if (model.codec && id >= 0 && id < model.config.vocab_size)
                token["text"] = visible(model.codec->bytes_of(id));
            tokens.push_back(std::move(token));
        }
    } else {
        if (!model.codec) return data_error("has no tokenizer beside it; name one with --tokenizer", model.path);
        for (const EncodedPiece& piece : model.codec->encode_pieces(arguments.text)) {
            if (request.tokens.size() == limit) break;
            request.tokens.push_back(piece.id);
            tokens.push_back(
                {{"id", piece.id}, {"text", visible(piece.bytes)}, {"begin", piece.begin}, {"end", piece.end}});
        }
    }
    use_threads(resolve_threads(0));
    SEXTANT_TRY(maps, guarded([&] { return probe_attention(model, request); }));
    Attended attended;
    attended.maps = std::move(maps);
    const AttentionMaps& found = attended.maps;
    OrderedJson statistics = OrderedJson::array();
    for (const HeadStatistics& head : found.statistics) {
        statistics.push_back({{"layer", head.layer},
                              {"head", head.head},
                              {"mean_distance", head.mean_distance},
                              {"entropy", head.entropy},
                              {"sink_share", head.sink_share}});
    }
    attended.header = {{"what", arguments.what},
                       {"encoding", model.encoding->spec().id},
                       {"n_layer", model.config.n_layer},
                       {"n_head", model.config.n_head},
                       {"n_kv_head", model.config.n_kv_head},
                       {"step", model.step},
                       {"layers", found.layers},
                       {"heads", found.heads},
                       {"shape", {found.layers.size(), found.heads.size(), found.length, found.length}},
                       {"tokens", std::move(tokens)},
                       {"statistics", std::move(statistics)}};
    return attended;
}

OrderedJson nested_values(const AttentionMaps& maps) {
    OrderedJson layers = OrderedJson::array();
    std::size_t next = 0;
    const auto length = static_cast<std::size_t>(maps.length);
    for (std::size_t l = 0; l < maps.layers.size(); ++l) {
        OrderedJson heads = OrderedJson::array();
        for (std::size_t h = 0; h < maps.heads.size(); ++h) {
            OrderedJson rows = OrderedJson::array();
            for (std::size_t q = 0; q < length; ++q) {
                OrderedJson row = OrderedJson::array();
                for (std::size_t k = 0; k < length; ++k)
                    row.push_back(static_cast<double>(maps.values[next++]));
                rows.push_back(std::move(row));
            }
            heads.push_back(std::move(rows));
        }
        layers.push_back(std::move(heads));
    }
    return layers;
}

Result<OrderedJson> generate_text(LanguageModel& model, const GenerateArguments& arguments, const RequestHooks& hooks) {
    if (arguments.tokens < 1 || arguments.tokens > 1'000'000)
        return usage_error(fmt::format("--tokens {} is not between 1 and 1000000", arguments.tokens));
    if (!std::isfinite(arguments.temperature) || arguments.temperature < 0.0)
        return usage_error(fmt::format("--temperature {} is not a number of at least 0", arguments.temperature));
    GenerateRequest request;
    request.prompt = arguments.prompt;
    request.tokens = arguments.tokens;
    request.temperature = arguments.temperature;
    request.seed = arguments.seed;
    request.cancelled = hooks.cancelled;
    if (hooks.progress) {
        request.progress = [&](std::int64_t done) {
            hooks.progress(static_cast<double>(done) / static_cast<double>(arguments.tokens));
        };
    }
    use_threads(resolve_threads(0));
    SEXTANT_TRY(made, guarded([&] { return generate(model, request); }));
    return OrderedJson{{"prompt", arguments.prompt},
                       {"text", made.text},
                       {"continuation", made.continuation},
                       {"prompt_ids", made.prompt_ids},
                       {"ids", made.ids},
                       {"tokens", made.ids.size()},
                       {"ended", made.ended},
                       {"temperature", arguments.temperature},
                       {"tokens_per_s", made.tokens_per_s}};
}

}  // namespace sextant::cli
