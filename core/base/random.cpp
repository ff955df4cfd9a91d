#include "core/base/random.h"

#include <cmath>
#include <numbers>
#include <string>

#include "core/base/hash.h"

namespace sextant {

std::uint64_t derive_seed(std::uint64_t seed, std::string_view name) {
    const std::string hex = sha256_hex(std::to_string(seed) + "/" + std::string(name));
    std::uint64_t value = 0;
    for (int byte = 7; byte >= 0; --byte) {
        value = (value << 8) | std::stoull(hex.substr(static_cast<std::size_t>(byte) * 2, 2), nullptr, 16);
    }
    return value;
}

Random::Random(std::uint64_t seed, std::uint64_t stream) {
    state_.state = 0;
    state_.increment = (stream << 1U) | 1U;
    next();
    state_.state += seed;
    next();
}

std::uint32_t Random::next() {
    const std::uint64_t old = state_.state;
    state_.state = old * 6364136223846793005ULL + state_.increment;
    const auto xorshifted = static_cast<std::uint32_t>(((old >> 18U) ^ old) >> 27U);
    const auto rotation = static_cast<std::uint32_t>(old >> 59U);
    return (xorshifted >> rotation) | (xorshifted << ((32U - rotation) & 31U));
}

std::uint32_t Random::below(std::uint32_t bound) {
    const std::uint32_t threshold = (0U - bound) % bound;
    for (;;) {
        const std::uint32_t value = next();
        if (value >= threshold) return value % bound;
    }
}

std::uint64_t Random::below64(std::uint64_t bound) {
    const std::uint64_t threshold = (0ULL - bound) % bound;
    for (;;) {
        const std::uint64_t value = (static_cast<std::uint64_t>(next()) << 32U) | next();
        if (value >= threshold) return value % bound;
    }
}

double Random::uniform() {
    const std::uint64_t bits = ((static_cast<std::uint64_t>(next()) << 32U) | next()) >> 11U;
    return static_cast<double>(bits) * 0x1.0p-53;
}

double Random::normal() {
    if (state_.has_spare) {
        state_.has_spare = false;
        return state_.spare;
    }
    const double radius = std::sqrt(-2.0 * std::log(1.0 - uniform()));
    const double angle = 2.0 * std::numbers::pi * uniform();
    state_.spare = radius * std::sin(angle);
    state_.has_spare = true;
    return radius * std::cos(angle);
}

}  // namespace sextant
