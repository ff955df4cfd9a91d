// `slopes`, `bias` and `buckets`: what is added to attention scores.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/text.h"
#include "core/encoding/table_kinds.h"

namespace sextant::tables {
namespace {

constexpr double kMasked = -std::numeric_limits<double>::infinity();

bool symmetric_form(const Input& input) {
    if (input.request.symmetric) return true;
    const auto& parameters = input.encoding.parameters();
    const auto found = parameters.find("symmetric");
    return found != parameters.end() && std::get<bool>(found->second);
}

// Bias of each head by distance as an implementation in `precision` has it: the distance is rounded, then the slope and
// the product where there is one, then the result. One side (keys before or after the query).
class RoundedBias {
  public:
    RoundedBias(const Input& input, const BiasTable& exact, const Array& side)
        : precision_(input.request.precision), side_(side), distances_(side.shape[1]) {
        static_cast<void>(exact);
        if (const auto slopes = input.encoding.slopes()) {
            slopes_ = *slopes;
            const auto scale = input.encoding.parameters().find("distance_scale");
            if (scale != input.encoding.parameters().end()) scale_ = std::get<double>(scale->second);
        }
    }
    [[nodiscard]] double exact(std::int64_t head, std::int64_t distance) const {
        return side_.values[static_cast<std::size_t>(head * distances_ + distance)];
    }
    [[nodiscard]] double operator()(std::int64_t head, std::int64_t distance) const {
        if (precision_ == Precision::kFp64) return exact(head, distance);
        const double rounded = round_to(precision_, static_cast<double>(distance));
        if (!slopes_.empty()) {
            const double slope = round_to(precision_, slopes_[static_cast<std::size_t>(head)]);
            const double scaled = scale_ == 1.0 ? rounded : round_to(precision_, rounded / scale_);
            return -round_to(precision_, slope * scaled);
        }
        return round_to(precision_, exact(head, static_cast<std::int64_t>(rounded)));
    }

  private:
    Precision precision_;
    const Array& side_;
    std::int64_t distances_;
    std::vector<double> slopes_;
    double scale_ = 1.0;
};

void report_by_distance(const Input& input, const RoundedBias& bias, std::int64_t distances, NamedTable& table) {
    PrecisionReport report;
    report.unit = "logits";
    report.positions = distances;
    std::vector<std::int64_t> all;
    for (std::int64_t d = 0; d < distances; ++d) {
        all.push_back(d);
        double worst = 0.0;
        for (std::int64_t h = 0; h < input.encoding.site().n_head; ++h)
            worst = std::max(worst, std::abs(bias(h, d) - bias.exact(h, d)));
        report.by_position.push_back(worst);
        report.maximum = std::max(report.maximum, worst);
    }
    report.distinct_positions = distinct_after_rounding(input.request.precision, all);
    table.precision = std::move(report);
}

// Rounds a whole [H, queries, keys] table in place; the largest error of each query.
void round_whole(const Input& input, std::int64_t first_query, NamedTable& table) {
    PrecisionReport report;
    report.unit = "logits";
    const std::int64_t queries = table.shape[1];
    const std::int64_t keys = table.shape[2];
    report.positions = queries;
    report.by_position.assign(static_cast<std::size_t>(queries), 0.0);
    std::vector<std::int64_t> all;
    for (std::int64_t q = 0; q < queries; ++q)
        all.push_back(first_query + q);
    for (std::size_t i = 0; i < table.values.size(); ++i) {
        const double exact = table.values[i];
        if (!std::isfinite(exact)) continue;
        table.values[i] = round_to(input.request.precision, exact);
        const std::size_t query = i / static_cast<std::size_t>(keys) % static_cast<std::size_t>(queries);
        report.by_position[query] = std::max(report.by_position[query], std::abs(table.values[i] - exact));
    }
    for (const double error : report.by_position)
        report.maximum = std::max(report.maximum, error);
    report.distinct_positions = distinct_after_rounding(input.request.precision, all);
    table.precision = std::move(report);
}

}  // namespace

Status slopes(const Input& input, NamedTable& table) {
    SEXTANT_CHECK(reserve(table, {"head"}, {input.encoding.site().n_head}));
    const std::vector<double> exact = *input.encoding.slopes();
    std::transform(exact.begin(), exact.end(), table.values.begin(),
                   [&](double slope) { return round_to(input.request.precision, slope); });
    return {};
}

Status bias(const Input& input, NamedTable& table) {
    const std::int64_t heads = input.encoding.site().n_head;
    const std::int64_t keys = input.length;
    const std::int64_t queries = input.request.queries.value_or(keys);
    const bool rounding = input.request.precision != Precision::kFp64;
    BiasRange range{queries, keys, keys - queries, symmetric_form(input)};
    if (input.positions_given) {
        return usage_error("bias takes --length and --queries, not --positions");
    }
    SEXTANT_CHECK(reserve(table, {"head", "query", "key"}, {heads, queries, keys}));
    if (rounding) SEXTANT_CHECK(check_positions_fit(input.request.precision, keys));
    SEXTANT_TRY(learned, values_of(input, table));
    // A rounded distance can lie beyond the longest one (255 of 256 rounds up): twice as many are asked for.
    BiasRange asked = range;
    if (rounding) asked.first_query = 2 * keys;
    std::optional<BiasTable> exact = input.encoding.bias(range, learned);
    if (exact && rounding && exact->kind == BiasTable::Kind::kByDistance) exact = input.encoding.bias(asked, learned);
    if (!exact) return internal_error(table.encoding + " gave no bias table");
    const bool whole = exact->kind == BiasTable::Kind::kWhole;
    const Array& after_side = exact->after.values.empty() ? exact->values : exact->after;
    const RoundedBias* before = nullptr;
    const RoundedBias* after = nullptr;
    std::optional<RoundedBias> sides[2];
    if (!whole) {
        before = &sides[0].emplace(input, *exact, exact->values);
        after = &sides[1].emplace(input, *exact, after_side);
    }
    double* out = table.values.data();
    std::size_t index = 0;
    for (std::int64_t h = 0; h < heads; ++h) {
        for (std::int64_t q = 0; q < queries; ++q) {
            const std::int64_t position = range.first_query + q;
            for (std::int64_t k = 0; k < keys; ++k, ++out, ++index) {
                const std::int64_t distance = position - k;
                const bool outside = input.request.window > 0 && std::llabs(distance) >= input.request.window;
                if ((distance < 0 && !range.symmetric) || outside) {
                    *out = kMasked;
                } else if (whole) {
                    *out = exact->values.values[index];
                } else {
                    *out = distance >= 0 ? (*before)(h, distance) : (*after)(h, -distance);
                }
            }
        }
    }
    if (!rounding) return {};
    if (whole) {
        round_whole(input, range.first_query, table);
    } else {
        report_by_distance(input, *before, keys, table);
    }
    return {};
}

Status buckets(const Input& input, NamedTable& table) {
    const auto& parameters = input.encoding.parameters();
    const auto both = parameters.find("bidirectional");
    const bool bidirectional = both != parameters.end() && std::get<bool>(both->second);
    for (const std::int64_t position : input.positions) {
        if (position < 0 && !bidirectional) {
            return config_error(
                fmt::format("positions has {}; distances to earlier keys are at least 0 (negative "
                            "ones only with --param bidirectional=true)",
                            position));
        }
    }
    SEXTANT_CHECK(reserve(table, {"distance"}, {static_cast<std::int64_t>(input.positions.size())}));
    if (input.positions_given) table.positions = input.positions;
    const auto found = input.encoding.buckets(input.positions);
    std::transform(found->begin(), found->end(), table.values.begin(),
                   [](std::int64_t bucket) { return static_cast<double>(bucket); });
    return {};
}

}  // namespace sextant::tables
