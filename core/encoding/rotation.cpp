#include "core/encoding/rotation.h"

#include <cmath>

namespace sextant {

ChannelPair channel_pair(const RotaryTable& table, std::int64_t pair) {
    const auto i = static_cast<std::size_t>(pair);
    if (table.layout == RotaryLayout::kInterleaved) return {2 * i, 2 * i + 1};
    return {i, i + static_cast<std::size_t>(table.rotary_dim / 2)};
}

double phase(const RotaryTable& table, std::int64_t position, std::size_t pair, Precision precision) {
    return round_to(precision, round_to(precision, static_cast<double>(position)) *
                                   round_to(precision, table.inverse_frequencies[pair]));
}

void rotate(const RotaryTable& table, Side side, std::int64_t position, std::span<double> vector, Precision precision) {
    const auto rounded = [precision](double value) { return round_to(precision, value); };
    for (std::int64_t i = 0; i < table.rotary_dim / 2; ++i) {
        const auto pair = static_cast<std::size_t>(i);
        double size = table.attention_factor;
        if (!table.zeta.empty()) {
            const double power = static_cast<double>(position) / table.scale_base;
            size *= std::pow(table.zeta[pair], side == Side::kQuery ? power : -power);
        }
        const double angle = phase(table, position, pair, precision);
        const double cosine = rounded(std::cos(angle) * size);
        const double sine = rounded(std::sin(angle) * size);
        const ChannelPair at = channel_pair(table, i);
        const double a = rounded(vector[at.first]);
        const double b = rounded(vector[at.second]);
        vector[at.first] = rounded(rounded(a * cosine) - rounded(b * sine));
        vector[at.second] = rounded(rounded(a * sine) + rounded(b * cosine));
    }
    if (precision == Precision::kFp64) return;
    for (auto rest = static_cast<std::size_t>(table.rotary_dim); rest < vector.size(); ++rest)
        vector[rest] = rounded(vector[rest]);
}

}  // namespace sextant
