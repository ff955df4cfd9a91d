#pragma once
// Prepared data on disk: <directory>/<16 hex>/{tokens.bin, tokenizer.json, dataset.json}. dataset.json is written last
// and holds the hashes of the others; what does not match is as if absent and is prepared again.

#include <optional>
#include <string>

#include "core/data/dataset.h"

namespace sextant {

[[nodiscard]] std::optional<Dataset> load_cached_dataset(const std::string& folder, const std::string& key);
[[nodiscard]] Status store_dataset(const std::string& folder, const std::string& key, const Dataset& dataset,
                                   const std::string& tokenizer_json);
// All token streams in their order in tokens.bin: train, validation, test, instructions, preferences; 32-bit
// little-endian. Its SHA-256 is DataIdentity::tokens_sha256.
[[nodiscard]] std::string token_bytes(const Dataset& dataset);

}  // namespace sextant
