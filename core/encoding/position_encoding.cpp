#include "core/encoding/position_encoding.h"

#include <algorithm>

namespace sextant {

std::optional<AdditiveTable> PositionEncoding::additive(std::int64_t, const LearnedValues&) const {
    return std::nullopt;
}
std::optional<Matrix> PositionEncoding::additive_unscaled(std::int64_t length, const LearnedValues& learned) const {
    auto table = additive(length, learned);
    if (!table) return std::nullopt;
    return std::move(table->values);
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
