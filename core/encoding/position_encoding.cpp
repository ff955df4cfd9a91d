#include "core/encoding/position_encoding.h"

#include <algorithm>

namespace sextant {

std::optional<AdditiveTable> PositionEncoding::additive(std::int64_t, const LearnedValues&) const {
    return std::nullopt;
}
std::optional<Matrix> PositionEncoding::additive_unscaled(std::span<const std::int64_t> positions,
                                                          const LearnedValues& learned) const {
    std::int64_t length = 0;
    for (const std::int64_t position : positions)
        length = std::max(length, position + 1);
    const auto table = additive(length, learned);
    if (!table) return std::nullopt;
    Matrix rows(static_cast<std::int64_t>(positions.size()), table->values.columns());
    for (std::int64_t r = 0; r < rows.rows(); ++r)
        std::copy_n(table->values.row(positions[static_cast<std::size_t>(r)]), rows.columns(), rows.row(r));
    return rows;
}
std::optional<RotaryTable> PositionEncoding::rotary(std::int64_t) const {
    return std::nullopt;
}
std::optional<BiasTable> PositionEncoding::bias(const BiasRange&, const LearnedValues&) const {
    return std::nullopt;
}
void PositionEncoding::accumulate_gradient(const BiasRange&, const LearnedValues&, const Array&, LearnedValues&) const {
}
std::unique_ptr<BiasRows> PositionEncoding::bias_rows(std::int64_t, const LearnedValues&) const {
    return nullptr;
}
std::int64_t distances_of(const BiasRange& range) {
    const std::int64_t before = range.first_query + range.queries;
    return range.symmetric ? std::max(before, range.keys - range.first_query) : before;
}
ParameterValues PositionEncoding::architecture_stats() const {
    return {};
}

double PositionEncoding::real(const std::string& name) const {
    const ParameterValue& value = parameters_.at(name);
    if (const auto* whole = std::get_if<std::int64_t>(&value)) return static_cast<double>(*whole);
    return std::get<double>(value);
}
std::int64_t PositionEncoding::integer(const std::string& name) const {
    return std::get<std::int64_t>(parameters_.at(name));
}
bool PositionEncoding::boolean(const std::string& name) const {
    return std::get<bool>(parameters_.at(name));
}
const std::string& PositionEncoding::choice(const std::string& name) const {
    return std::get<std::string>(parameters_.at(name));
}

}  // namespace sextant
