#pragma once
// Attention of one text in a trained model, head by head, split into the terms it is made of. Rows are made in chunks,
// so one head of a long text needs its own matrix and little more.

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "core/engine/language_model.h"

namespace sextant {

// scores = content + bias, before the softmax; what is masked is -infinity in scores and bias and 0 in weights.
// unrotated: content as it would be without the rotation of queries and keys.
enum class AttentionTerm { kWeights, kScores, kContent, kBias, kUnrotated };
[[nodiscard]] Result<AttentionTerm> attention_term(const std::string& word);

struct HeadStatistics {
    std::int64_t layer = 0, head = 0;
    double mean_distance = 0.0;  // tokens, mean over queries of the weighted distance
    double entropy = 0.0;        // nats, mean over queries
    double sink_share = 0.0;     // mean weight on the first token, over queries after it
};

struct AttentionRequest {
    std::vector<std::int32_t> tokens;
    std::vector<std::int64_t> layers, heads;  // empty: all
    AttentionTerm term = AttentionTerm::kWeights;
    bool statistics = true;
    bool values = true;       // false: only the statistics are kept
    std::int64_t offset = 0;  // position of the first token
    std::function<bool()> cancelled;
};
struct AttentionMaps {
    std::vector<std::int64_t> layers, heads;
    std::int64_t length = 0;
    std::vector<float> values;  // [layers, heads, T, T]
    std::vector<HeadStatistics> statistics;
};
// kUsage: no such layer or head; kConfig: longer than a learned table; kDevice: the result would not fit, with numbers.
[[nodiscard]] Result<AttentionMaps> probe_attention(LanguageModel& model, const AttentionRequest& request);

// Attention itself on given queries, keys and values in double, as the model computes it: what golden values check.
struct AttentionCase {
    std::int64_t heads = 1, queries = 1, keys = 1, head_dim = 1;
    std::int64_t first_query = 0;
    bool symmetric = false;
    std::int64_t window = 0;
    std::vector<double> query, key, value;  // [H, T, D]
};
struct AttentionValues {
    std::vector<double> logits, weights;  // [H, queries, keys]
    std::vector<double> output;           // [H, queries, D]
};
[[nodiscard]] AttentionValues attention_values(const PositionEncoding& encoding, const AttentionCase& input);

}  // namespace sextant
