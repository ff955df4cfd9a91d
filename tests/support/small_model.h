#pragma once
// A model small enough for tests, with any encoding of the catalog.

#include <memory>
#include <string>
#include <vector>

#include "core/base/random.h"
#include "core/encoding/registry.h"
#include "core/engine/flat_buffer.h"
#include "core/engine/trainer.h"
#include "core/experiment/parameter_layout.h"

namespace sextant::test {

inline ModelConfig small_config() {
    ModelConfig config;
    config.vocab_size = 40;
    config.d_model = 32;
    config.n_layer = 2;
    config.n_head = 4;
    config.n_kv_head = 2;
    config.d_ff = 48;
    config.context_length = 24;
    return config;
}

struct SmallModel {
    explicit SmallModel(const std::string& id, ModelConfig model = small_config(), std::uint64_t seed = 3,
                        ParameterValues parameters = {})
        : config(model), encoding(make_encoding({id, std::move(parameters)}, model.encoding_site()).value()) {
        layout = parameter_layout(config, *encoding);
        values = FlatBuffer(layout.buffer_size);
        gradients = FlatBuffer(layout.buffer_size);
        initialize_parameters(layout, seed, values.values());
    }
    ModelConfig config;
    std::unique_ptr<PositionEncoding> encoding;
    ParameterLayout layout;
    FlatBuffer values, gradients;
};

inline std::vector<std::int32_t> some_tokens(std::size_t count, std::int32_t vocabulary, std::uint64_t seed = 1) {
    Random random(seed);
    std::vector<std::int32_t> tokens(count);
    for (auto& token : tokens)
        token = static_cast<std::int32_t>(random.below(static_cast<std::uint32_t>(vocabulary)));
    return tokens;
}

inline std::vector<std::string> all_encodings() {
    std::vector<std::string> ids;
    for (const EncodingSpec& spec : encoding_catalog())
        ids.push_back(spec.id);
    return ids;
}

}  // namespace sextant::test
