#pragma once
// Attention scores of one head from the core's tables, with random learned values: what the property tests vary.

#include <cmath>
#include <cstdint>
#include <vector>

#include "core/base/random.h"
#include "core/encoding/registry.h"
#include "core/encoding/rotation.h"

namespace sextant::test {

// Values inside the bounds of every learned parameter.
inline LearnedValues random_values(const PositionEncoding& encoding, std::uint64_t seed) {
    Random random(seed);
    LearnedValues values;
    for (const LearnedParameter& parameter : encoding.learned_parameters()) {
        std::size_t size = 1;
        for (const std::int64_t dimension : parameter.shape)
            size *= static_cast<std::size_t>(dimension);
        std::vector<double> one(size);
        for (double& value : one) {
            value = parameter.initializer == Initializer::kNormal ? random.normal() : 0.1 + 0.8 * random.uniform();
            if (!parameter.minimum && parameter.initializer == Initializer::kUniform) value = 2.0 * value - 1.0;
        }
        values.push_back(std::move(one));
    }
    return values;
}

// Bias of (head, query, key), both positions shifted by `shift`.
inline double bias_at(const PositionEncoding& encoding, const LearnedValues& learned, std::int64_t head,
                      std::int64_t query, std::int64_t key) {
    const auto table = encoding.bias({1, query + 1, query, false}, learned);
    if (!table) return 0.0;
    if (table->kind == BiasTable::Kind::kByDistance) {
        return table->values.values[static_cast<std::size_t>(head * table->values.shape[1] + query - key)];
    }
    return table->values.values[static_cast<std::size_t>(head * (query + 1) + key)];
}

inline double score(const PositionEncoding& encoding, const LearnedValues& learned, std::vector<double> q,
                    std::vector<double> k, std::int64_t head, std::int64_t query, std::int64_t key) {
    if (const auto rotary = encoding.rotary(encoding.site().context_length)) {
        rotate(*rotary, Side::kQuery, query, q);
        rotate(*rotary, Side::kKey, key, k);
    }
    double product = 0.0;
    for (std::size_t c = 0; c < q.size(); ++c)
        product += q[c] * k[c];
    return product * encoding.score_scale() / std::sqrt(static_cast<double>(q.size())) +
           bias_at(encoding, learned, head, query, key);
}

inline std::vector<double> random_vector(Random& random, std::int64_t size) {
    std::vector<double> vector(static_cast<std::size_t>(size));
    for (double& value : vector)
        value = random.normal();
    return vector;
}

}  // namespace sextant::test
