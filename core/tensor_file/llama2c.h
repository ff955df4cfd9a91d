#pragma once
// llama2.c's legacy .bin: seven int32 (dim, hidden, layers, heads, kv heads, vocabulary, context), then float32 weights
// grouped by kind over all layers. Its rotation pairs neighbours, so the encoding is rope with layout=interleaved and
// the rows of q and k stay as they are. A negative vocabulary means an untied head.

#include <string>

#include "core/tensor_file/imported_model.h"

namespace sextant {

[[nodiscard]] Result<ModelDescription> describe_llama2c(const std::string& path);
[[nodiscard]] Result<ImportedModel> import_llama2c(const std::string& path);
// From memory (tests, fuzzing).
[[nodiscard]] Result<ImportedModel> parse_llama2c(std::string_view bytes, const std::string& path);

}  // namespace sextant
