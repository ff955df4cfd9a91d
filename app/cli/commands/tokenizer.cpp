// tokenizer train | encode | decode: byte-level BPE in the Hugging Face tokenizer.json form.
#include <unistd.h>

#include <cerrno>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/cli/commands.h"
#include "core/base/atomic_file.h"
#include "core/base/json.h"
#include "core/base/text.h"
#include "core/data/byte_pair_encoder.h"
#include "core/data/corpus.h"

namespace sextant::cli {
namespace {

struct TokenizerOptions {
    std::vector<std::string> files;
    std::int64_t vocab_size = 512;
    std::string out;
    std::string tokenizer;
    std::vector<std::string> words;
    bool json = false;
    bool special = false;
};

// All of standard input, any bytes.
Result<std::string> read_input() {
    std::string bytes;
    char buffer[1 << 16];
    for (;;) {
        const ssize_t got = ::read(STDIN_FILENO, buffer, sizeof buffer);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return errno_error("read", "standard input", errno);
        if (got == 0) return bytes;
        bytes.append(buffer, static_cast<std::size_t>(got));
        if (bytes.size() > std::size_t{1} << 30U) return data_error("more than 1 GiB on standard input");
    }
}

void print_bytes(const std::string& bytes) {
    std::fwrite(bytes.data(), 1, bytes.size(), stdout);
    std::fflush(stdout);
}

Result<std::string> text_or_input(const std::vector<std::string>& words) {
    if (words.empty()) return read_input();
    std::string text;
    for (const std::string& word : words)
        text += (text.empty() ? "" : " ") + word;
    return text;
}

Result<std::vector<std::int32_t>> parse_ids(std::string_view text) {
    std::string spaced(trimmed(text));
    if (!spaced.empty() && spaced.front() == '[') {
        if (spaced.back() != ']') return data_error("the list of ids has no closing bracket");
        spaced = spaced.substr(1, spaced.size() - 2);
    }
    std::vector<std::int32_t> ids;
    std::string one;
    for (std::size_t i = 0; i <= spaced.size(); ++i) {
        const char c = i < spaced.size() ? spaced[i] : ' ';
        if (c != ' ' && c != ',' && c != '\n' && c != '\t' && c != '\r') {
            one += c;
            continue;
        }
        if (one.empty()) continue;
        const auto id = parse_integer(one);
        if (!id || *id < INT32_MIN || *id > INT32_MAX) {
            return data_error("\"" + single_line(one, 60) +
                              "\" is not a token id; ids are whole numbers between spaces or commas");
        }
        ids.push_back(static_cast<std::int32_t>(*id));
        one.clear();
    }
    return ids;
}

// Text that is not UTF-8 has no place in JSON: the visible form stands for it.
std::string json_text(const std::string& bytes) {
    return invalid_utf8(bytes) ? visible_token(bytes) : bytes;
}

Status train(const TokenizerOptions& options, const Context& context) {
    std::vector<std::string> texts;
    for (const std::string& file : options.files) {
        SEXTANT_TRY(text, read_text_file(file));
        texts.push_back(std::move(text));
    }
    auto trained =
        BytePairEncoder::train(std::vector<std::string_view>(texts.begin(), texts.end()), options.vocab_size);
    if (!trained) {
        Error error = std::move(trained).error();
        if (error.code == ErrorCode::kData) error.path = options.files.front();
        if (error.code == ErrorCode::kConfig) {
            error.code = ErrorCode::kUsage;
            error.message = "--vocab-size: " + error.message;
        }
        return error;
    }
    SEXTANT_CHECK(write_file_atomically(options.out, trained->to_json()));
    std::size_t bytes = 0;
    std::size_t tokens = 0;
    for (const std::string& text : texts) {
        bytes += text.size();
        tokens += trained->encode(text).size();
    }
    if (options.json) {
        print_text(dump_json(OrderedJson{{"path", options.out},
                                         {"vocab_size", trained->vocab_size()},
                                         {"merges", trained->merge_count()},
                                         {"bytes", bytes},
                                         {"tokens", tokens}}));
    } else if (!context.quiet) {
        print_text("wrote " + options.out + ": " + grouped(trained->vocab_size()) + " entries; " +
                   grouped(static_cast<std::int64_t>(bytes)) + " bytes are " +
                   grouped(static_cast<std::int64_t>(tokens)) + " tokens");
    }
    return {};
}

Status encode(const TokenizerOptions& options) {
    SEXTANT_TRY(tokenizer, BytePairEncoder::load(options.tokenizer));
    SEXTANT_TRY(text, text_or_input(options.words));
    const SpecialTokens special = options.special ? SpecialTokens::kRecognize : SpecialTokens::kAsText;
    if (!options.json) {
        std::string line;
        for (const std::int32_t id : tokenizer.encode(text, special))
            line += (line.empty() ? "" : " ") + std::to_string(id);
        print_text(line);
        return {};
    }
    Json ids = Json::array();
    Json pieces = Json::array();
    Json offsets = Json::array();
    for (const EncodedPiece& piece : tokenizer.encode_pieces(text, special)) {
        ids.push_back(piece.id);
        pieces.push_back(json_text(piece.bytes));
        offsets.push_back(Json::array({piece.begin, piece.end}));
    }
    print_text(dump_json(OrderedJson{{"ids", ids}, {"pieces", pieces}, {"offsets", offsets}}, -1));
    return {};
}

Status decode(const TokenizerOptions& options) {
    SEXTANT_TRY(tokenizer, BytePairEncoder::load(options.tokenizer));
    SEXTANT_TRY(text, text_or_input(options.words));
    SEXTANT_TRY(ids, parse_ids(text));
    SEXTANT_TRY(bytes, tokenizer.decode(ids));
    if (options.json) {
        OrderedJson document = {{"text", json_text(bytes)}, {"ids", ids}};
        if (const auto bad = invalid_utf8(bytes)) document["invalid_utf8_at"] = *bad;
        print_text(dump_json(document, -1));
    } else {
        print_bytes(bytes);
    }
    return {};
}

}  // namespace

void add_tokenizer(CLI::App& app, Context& context) {
    auto options = std::make_shared<TokenizerOptions>();
    CLI::App* command = app.add_subcommand("tokenizer", "Train a byte-level BPE tokenizer, encode text, decode ids");
    command->require_subcommand(1);

    CLI::App* training = command->add_subcommand("train", "Train on text files and write tokenizer.json");
    training->add_option("FILE", options->files, "Text files, UTF-8")->required();
    training->add_option("--vocab-size", options->vocab_size, "Entries: 257 and more")->capture_default_str();
    training->add_option("--out", options->out, "The tokenizer.json to write")->required();
    training->add_flag("--json", options->json, "Print one JSON document");
    training->callback([options, &context] {
        if (const Status done = train(*options, context); !done) context.fail(done.error());
    });

    const auto add_coding = [&](const char* name, const char* help, const char* words_help) {
        CLI::App* coding = command->add_subcommand(name, help);
        coding->add_option("--tokenizer", options->tokenizer, "A tokenizer.json")->required();
        coding->add_option("TEXT", options->words, words_help);
        coding->add_flag("--json", options->json, "Print one JSON document");
        return coding;
    };
    CLI::App* encoding =
        add_coding("encode", "Print the token ids of a text", "The text; standard input when absent (any bytes)");
    encoding->add_flag("--special", options->special, "Read <|endoftext|> in the text as the token");
    encoding->callback([options, &context] {
        if (const Status done = encode(*options); !done) context.fail(done.error());
    });
    CLI::App* decoding = add_coding("decode", "Print the text of token ids",
                                    "Ids between spaces or commas, or a JSON list; standard input when absent");
    decoding->callback([options, &context] {
        if (const Status done = decode(*options); !done) context.fail(done.error());
    });
}

}  // namespace sextant::cli
