#pragma once
// A trained model as a value: configuration, encoding, weights in one flat buffer and the tokenizer. Read from a
// checkpoint folder of ours, a run, a LLaMA-form folder of Hugging Face, or a llama2.c .bin.

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/data/byte_pair_encoder.h"
#include "core/engine/flat_buffer.h"
#include "core/experiment/parameter_layout.h"
#include "core/tensor_file/llama2c_tokenizer.h"

namespace sextant {

// Text to ids and back by whichever tokenizer the model came with.
class TextCodec {
  public:
    explicit TextCodec(BytePairEncoder encoder) : tokenizer_(std::move(encoder)) {}
    explicit TextCodec(Llama2cTokenizer tokenizer) : tokenizer_(std::move(tokenizer)) {}
    [[nodiscard]] std::vector<std::int32_t> encode(std::string_view text) const;
    [[nodiscard]] std::vector<EncodedPiece> encode_pieces(std::string_view text) const;
    [[nodiscard]] Result<std::string> decode(const std::vector<std::int32_t>& ids) const;
    [[nodiscard]] std::string bytes_of(std::int32_t id) const;
    [[nodiscard]] std::int64_t vocab_size() const;
    // The byte-pair encoder, or null for llama2.c's tokenizer.
    [[nodiscard]] const BytePairEncoder* byte_pairs() const { return std::get_if<BytePairEncoder>(&tokenizer_); }
    // What a text begins with when it is empty: llama2.c's beginning token, our end of text.
    [[nodiscard]] std::int32_t first_token() const;
    // The tokens after which generation ends.
    [[nodiscard]] bool ends_text(std::int32_t id) const;

  private:
    std::variant<BytePairEncoder, Llama2cTokenizer> tokenizer_;
};

struct LanguageModel {
    std::string path;    // folder or file it was read from
    std::string format;  // "sextant" | "hugging-face" | "llama2.c"
    std::string arm;     // ours only
    std::int64_t step = -1;
    ModelConfig config;
    EncodingConfig encoding_config;
    std::unique_ptr<PositionEncoding> encoding;
    std::unique_ptr<ParameterLayout> layout;
    FlatBuffer parameters;
    FlatBuffer gradients;  // empty: a model that is only looked at has none
    std::optional<TextCodec> codec;
    std::vector<std::string> notes;
};

struct ModelRequest {
    std::string path;
    std::string tokenizer;  // file; empty: tokenizer.json beside the weights
    bool is_run = false;    // path is a run folder: its newest whole checkpoint
};
[[nodiscard]] Result<LanguageModel> load_language_model(const ModelRequest& request);
// A run folder, by its plan.json.
[[nodiscard]] bool is_run_folder(const std::string& path);
// The run folder that a checkpoint, snapshot or run path belongs to, or empty.
[[nodiscard]] std::string run_folder_of(const std::string& path);

}  // namespace sextant
