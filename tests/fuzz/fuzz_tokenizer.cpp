// A tokenizer.json of any bytes is read or refused; what is read encodes and decodes back.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "core/data/byte_pair_encoder.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace sextant;
    const std::string document(reinterpret_cast<const char*>(data), size);
    const auto read = BytePairEncoder::from_json(document, "tokenizer.json");
    static const BytePairEncoder plain;
    const BytePairEncoder& tokenizer = read.ok() ? *read : plain;
    const auto ids = tokenizer.encode(document);
    const auto text = tokenizer.decode(ids);
    if (!text.ok() || *text != document) std::abort();
    if (read.ok() && !BytePairEncoder::from_json(read->to_json()).ok()) std::abort();
    return 0;
}
