#include "core/encoding/position_encoding.h"

namespace sextant {

std::optional<AdditiveTable> PositionEncoding::additive(std::int64_t, const LearnedValues&) const {
    return std::nullopt;
}
std::optional<RotaryTable> PositionEncoding::rotary(std::int64_t) const {
    return std::nullopt;
}
std::optional<BiasTable> PositionEncoding::bias(const BiasRange&, const LearnedValues&) const {
    return std::nullopt;
}
void PositionEncoding::accumulate_gradient(const BiasRange&, const LearnedValues&, const Array&, LearnedValues&) const {
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
