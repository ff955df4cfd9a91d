// Tables of rotary and additive encodings: frequencies, angles, turned vectors, the decay bound, added rows.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <complex>

#include "core/base/text.h"
#include "core/encoding/table_kinds.h"

namespace sextant::tables {
namespace {

PrecisionReport begin_report(const Input& input, const char* unit) {
    PrecisionReport report;
    report.unit = unit;
    report.positions = static_cast<std::int64_t>(input.positions.size());
    report.by_position.assign(input.positions.size(), 0.0);
    report.distinct_positions = distinct_after_rounding(input.request.precision, input.positions);
    return report;
}

void note_error(PrecisionReport& report, std::size_t row, double error) {
    report.by_position[row] = std::max(report.by_position[row], std::abs(error));
    report.maximum = std::max(report.maximum, std::abs(error));
}

Status check_fit(const Input& input) {
    if (input.request.precision == Precision::kFp64 || input.positions.empty()) return {};
    std::int64_t largest = 0;
    for (const std::int64_t position : input.positions)
        largest = std::max(largest, static_cast<std::int64_t>(std::llabs(position)));
    return check_positions_fit(input.request.precision, largest);
}

RotaryTable rotary_of(const Input& input) {
    return *input.encoding.rotary(input.length);
}

}  // namespace

Status inverse_frequencies(const Input& input, NamedTable& table) {
    const RotaryTable rotary = rotary_of(input);
    SEXTANT_CHECK(reserve(table, {"pair"}, {rotary.rotary_dim / 2}));
    std::transform(rotary.inverse_frequencies.begin(), rotary.inverse_frequencies.end(), table.values.begin(),
                   [&](double value) { return round_to(input.request.precision, value); });
    table.attention_factor = rotary.attention_factor;
    return {};
}

Status angles(const Input& input, NamedTable& table) {
    const RotaryTable rotary = rotary_of(input);
    const std::int64_t pairs = rotary.rotary_dim / 2;
    const Precision precision = input.request.precision;
    SEXTANT_CHECK(reserve(table, {"position", "pair"}, {static_cast<std::int64_t>(input.positions.size()), pairs}));
    SEXTANT_CHECK(check_fit(input));
    table.positions = input.positions;
    if (input.request.what != "angles") table.attention_factor = rotary.attention_factor;
    PrecisionReport report = begin_report(input, "radians");
    double* out = table.values.data();
    for (std::size_t row = 0; row < input.positions.size(); ++row) {
        for (std::size_t i = 0; i < static_cast<std::size_t>(pairs); ++i, ++out) {
            const double angle = phase(rotary, input.positions[row], i, precision);
            if (precision != Precision::kFp64) {
                note_error(report, row, angle - phase(rotary, input.positions[row], i, Precision::kFp64));
            }
            if (input.request.what == "angles") {
                *out = angle;
            } else {
                const double side = input.request.what == "cos" ? std::cos(angle) : std::sin(angle);
                *out = round_to(precision, side * rotary.attention_factor);
            }
        }
    }
    if (precision != Precision::kFp64) table.precision = std::move(report);
    return {};
}

Status rotated(const Input& input, NamedTable& table) {
    const RotaryTable rotary = rotary_of(input);
    const std::int64_t width = input.encoding.site().head_dim;
    if (input.request.vector.empty()) {
        return usage_error(fmt::format("rotate needs --vector with the {} numbers to turn", width));
    }
    if (static_cast<std::int64_t>(input.request.vector.size()) != width) {
        return config_error(fmt::format("vector has {} numbers; head-dim is {}, so it must have as many",
                                        input.request.vector.size(), width));
    }
    SEXTANT_CHECK(reserve(table, {"position", "channel"}, {static_cast<std::int64_t>(input.positions.size()), width}));
    SEXTANT_CHECK(check_fit(input));
    table.positions = input.positions;
    table.attention_factor = rotary.attention_factor;
    PrecisionReport report = begin_report(input, "radians");
    for (std::size_t row = 0; row < input.positions.size(); ++row) {
        const std::span<double> out(table.values.data() + row * static_cast<std::size_t>(width),
                                    static_cast<std::size_t>(width));
        std::copy(input.request.vector.begin(), input.request.vector.end(), out.begin());
        rotate(rotary, input.request.side, input.positions[row], out, input.request.precision);
        for (std::size_t i = 0; i < rotary.inverse_frequencies.size(); ++i) {
            note_error(report, row,
                       phase(rotary, input.positions[row], i, input.request.precision) -
                           phase(rotary, input.positions[row], i, Precision::kFp64));
        }
    }
    if (input.request.precision != Precision::kFp64) table.precision = std::move(report);
    return {};
}

// RoFormer section 3.4.3: the mean over j of |sum_{i<j} exp(i m theta_i)|, an upper bound of the score up to a factor.
Status decay(const Input& input, NamedTable& table) {
    const RotaryTable rotary = rotary_of(input);
    const std::vector<std::int64_t>& distances = input.positions;
    SEXTANT_CHECK(reserve(table, {"distance"}, {static_cast<std::int64_t>(distances.size())}));
    if (input.positions_given) table.positions = distances;
    const auto pairs = static_cast<double>(rotary.inverse_frequencies.size());
    for (std::size_t row = 0; row < distances.size(); ++row) {
        std::complex<double> partial = 0.0;
        double sum = 0.0;
        for (const double frequency : rotary.inverse_frequencies) {
            partial += std::polar(1.0, static_cast<double>(distances[row]) * frequency);
            sum += std::abs(partial);
        }
        table.values[row] = round_to(input.request.precision, sum / pairs);
    }
    return {};
}

Status additive(const Input& input, NamedTable& table) {
    const std::int64_t width = input.encoding.site().d_model;
    for (const std::int64_t position : input.positions) {
        if (position < 0) {
            return config_error(fmt::format("positions has {}; rows of an added table are at least 0", position));
        }
        const auto longest = input.encoding.maximum_length();
        if (longest && position >= *longest) {
            return config_error(
                fmt::format("positions has {}; {} is defined below {} only", position, table.encoding, *longest));
        }
    }
    SEXTANT_CHECK(reserve(table, {"position", "channel"}, {static_cast<std::int64_t>(input.positions.size()), width}));
    SEXTANT_CHECK(check_fit(input));
    SEXTANT_TRY(learned, values_of(input, table));
    table.positions = input.positions;
    const Precision precision = input.request.precision;
    const auto rows = input.encoding.additive_unscaled(input.positions, learned);
    if (!rows) return internal_error(table.encoding + " gave no additive table");
    table.values = rows->values();
    if (precision == Precision::kFp64) return {};
    // A computed table starts from rounded positions; a trained one is only stored in fewer bits.
    std::vector<std::int64_t> positions = input.positions;
    if (!input.encoding.spec().traits.learned) {
        for (std::int64_t& position : positions)
            position = static_cast<std::int64_t>(round_to(precision, static_cast<double>(position)));
    }
    const auto moved = input.encoding.additive_unscaled(positions, learned);
    if (!moved) return internal_error(table.encoding + " gave no additive table");
    PrecisionReport report = begin_report(input, "values");
    for (std::size_t i = 0; i < table.values.size(); ++i) {
        const double value = round_to(precision, moved->values()[i]);
        note_error(report, i / static_cast<std::size_t>(width), value - table.values[i]);
        table.values[i] = value;
    }
    table.precision = std::move(report);
    return {};
}

}  // namespace sextant::tables
