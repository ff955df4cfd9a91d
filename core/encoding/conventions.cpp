#include "core/encoding/conventions.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/text.h"
#include "core/encoding/alibi_slopes.h"

namespace sextant {
namespace {

constexpr double kMasked = -std::numeric_limits<double>::infinity();

// Number a slope is multiplied by for query i and key j of `keys`; the mask is the caller's.
double factor_of(const std::string& name, double i, double j, double keys, double head_dim) {
    if (name == "mpt") return j - (keys - 1.0);
    if (name == "modernbert-symmetric") return -std::abs(i - j);
    if (name == "jaketae") return j - i;
    if (name == "falcon-scaled") return j / std::sqrt(head_dim);
    return j;  // official-key-only, bloom
}

}  // namespace

const std::vector<Convention>& alibi_conventions() {
    static const std::vector<Convention> all = {
        {"official-key-only", "+slope * j, the key's index alone, added to the causal mask",
         "Equal to -slope * (i - j) after softmax under a causal mask: each row differs by the constant slope * i.",
         "Wrong without a causal mask; cached decoding passes no mask and so has no bias; large numbers near the "
         "diagonal round badly in half precision."},
        {"bloom", "+slope * (cumsum(padding mask) - 1), then the causal mask",
         "Equal after softmax under a causal mask; right for cached decoding and for left padding.",
         "Wrong without a causal mask; the same rounding as every key-only form."},
        {"mpt", "+slope * (j - (keys - 1)), then the causal mask",
         "Equal after softmax under a causal mask; the same with fewer queries than keys.",
         "The Hugging Face copy is built for max_seq_len, so longer inputs fail; wrong without a causal mask unless "
         "full=True."},
        {"falcon-scaled", "(q.k + slope * j) / sqrt(head_dim): the bias goes through the scaling of the scores",
         "Right for Falcon's own checkpoints, which were trained so.",
         "Its slopes are effectively slope / sqrt(head_dim); read as plain ALiBi it is wrong."},
        {"modernbert-symmetric", "-slope * |i - j| for every key, no causal mask",
         "The encoder form of the paper's authors; exact and relative.", "Not for a causal decoder without its mask."},
        {"jaketae", "+slope * (j - i) with slopes 2^(-8k/n) for every n",
         "Equal to ALiBi under a causal mask where the number of heads is a power of two.",
         "Naive slopes otherwise; causal=False gives keys after the query a positive bias, so the far future is "
         "preferred; scores are divided by sqrt(d_model)."},
    };
    return all;
}

std::vector<std::int64_t> bloom_key_positions(std::int64_t keys, std::int64_t left_padding) {
    std::vector<std::int64_t> positions(static_cast<std::size_t>(keys), 0);
    for (std::int64_t j = left_padding; j < keys; ++j)
        positions[static_cast<std::size_t>(j)] = j - left_padding;
    return positions;
}

Result<NamedTable> convention_bias(const std::string& name, const TableRequest& request, std::int64_t left_padding) {
    const auto& all = alibi_conventions();
    const auto found = std::find_if(all.begin(), all.end(), [&](const Convention& c) { return c.name == name; });
    if (found == all.end()) {
        std::vector<std::string> names;
        for (const Convention& convention : all)
            names.push_back(convention.name);
        return usage_error(
            fmt::format("there is no convention \"{}\"; there are {}", single_line(name, 40), join_limited(names, 10)));
    }
    if (request.encoding.id != "alibi" || request.what != "bias") {
        return usage_error("conventions are known for 'tables alibi --what bias' only");
    }
    // The table of ours checks every size and bound, and gives the shape.
    SEXTANT_TRY(table, make_table(request));
    if (left_padding < 0 || left_padding >= table.shape[2]) {
        return config_error(fmt::format("left-padding is {}; it must be at least 0 and below the length, {}",
                                        left_padding, table.shape[2]));
    }
    if (left_padding > 0 && name != "bloom") return usage_error("only bloom looks at left padding");
    const std::int64_t heads = table.shape[0];
    const std::int64_t queries = table.shape[1];
    const std::int64_t keys = table.shape[2];
    const bool full = name == "modernbert-symmetric" || request.symmetric;
    const std::vector<double> slopes = name == "jaketae" ? naive_slopes(heads) : interleaved_slopes(heads);
    const std::vector<std::int64_t> bloom = bloom_key_positions(keys, left_padding);
    const Precision precision = request.precision;
    const auto head_dim = static_cast<double>(request.head_dim.value_or(64));
    double* out = table.values.data();
    for (std::int64_t h = 0; h < heads; ++h) {
        const double slope = round_to(precision, slopes[static_cast<std::size_t>(h)]);
        for (std::int64_t q = 0; q < queries; ++q) {
            const std::int64_t i = keys - queries + q;
            for (std::int64_t j = 0; j < keys; ++j) {
                const auto key = static_cast<double>(name == "bloom" ? bloom[static_cast<std::size_t>(j)] : j);
                const double factor = factor_of(name, static_cast<double>(i), key, static_cast<double>(keys), head_dim);
                *out++ = j > i && !full ? kMasked : round_to(precision, slope * round_to(precision, factor)) + 0.0;
            }
        }
    }
    table.formula = found->computes;
    table.precision.reset();
    return table;
}

}  // namespace sextant
