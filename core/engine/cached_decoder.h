#pragma once
// Decoding with a key-value cache. Keys are cached before rotation and turned at each step, so the cache stays right
// when dynamic-ntk changes its base with the length; the base is that of the planned length throughout.

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/engine/language_model.h"

namespace sextant {

class CachedDecoder {
  public:
    enum class Precision { kFloat32, kFloat64 };
    // `planned`: tokens that will be fed in all. The model outlives the decoder.
    CachedDecoder(LanguageModel& model, std::int64_t planned, Precision precision = Precision::kFloat32);
    ~CachedDecoder();
    CachedDecoder(CachedDecoder&&) noexcept;
    CachedDecoder& operator=(CachedDecoder&&) noexcept;

    // Logits after each of the new tokens, [n, vocab].
    [[nodiscard]] std::vector<double> feed(std::span<const std::int32_t> tokens);
    [[nodiscard]] std::int64_t length() const;

  private:
    struct State;
    std::unique_ptr<State> state_;
};

struct GenerateRequest {
    std::string prompt;
    std::int64_t tokens = 100;
    double temperature = 0.0;  // 0: greedy
    std::uint64_t seed = 0;
    std::function<bool()> cancelled;
    std::function<void(std::int64_t done)> progress;
};
struct Generated {
    std::vector<std::int32_t> prompt_ids;
    std::vector<std::int32_t> ids;  // new ones
    std::string text;               // prompt and continuation
    std::string continuation;
    bool ended = false;  // an end-of-text token came first; it is not in ids
    double tokens_per_s = 0.0;
};
// kData: no tokenizer, id out of range; kConfig: prompt and tokens beyond a learned table.
[[nodiscard]] Result<Generated> generate(LanguageModel& model, const GenerateRequest& request);

}  // namespace sextant
