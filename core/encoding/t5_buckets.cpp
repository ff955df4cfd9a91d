#include "core/encoding/t5_buckets.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <vector>

namespace sextant {
namespace {

// A whole number in base 2^32, least significant first: only products of powers are ever needed.
std::vector<std::uint32_t> product_of_powers(std::uint64_t a, std::int64_t a_power, std::uint64_t b,
                                             std::int64_t b_power) {
    std::vector<std::uint32_t> digits{1};
    const auto times = [&digits](std::uint64_t factor) {
        std::uint64_t carry = 0;
        for (std::uint32_t& digit : digits) {
            carry += static_cast<std::uint64_t>(digit) * factor;  // factors are below 2^31: no overflow
            digit = static_cast<std::uint32_t>(carry);
            carry >>= 32U;
        }
        if (carry != 0) digits.push_back(static_cast<std::uint32_t>(carry));
    };
    for (std::int64_t i = 0; i < a_power; ++i)
        times(a);
    for (std::int64_t i = 0; i < b_power; ++i)
        times(b);
    return digits;
}

bool at_least(const std::vector<std::uint32_t>& a, const std::vector<std::uint32_t>& b) {
    if (a.size() != b.size()) return a.size() > b.size();
    return !std::lexicographical_compare(a.rbegin(), a.rend(), b.rbegin(), b.rend());
}

// floor(ln(m / exact) / ln(longest / exact) * steps), exactly: the largest k with
// (m / exact)^steps >= (longest / exact)^k.
std::int64_t logarithmic_step(std::int64_t m, std::int64_t exact, std::int64_t longest, std::int64_t steps) {
    const double ratio = std::log(static_cast<double>(m) / static_cast<double>(exact)) /
                         std::log(static_cast<double>(longest) / static_cast<double>(exact));
    const double place = ratio * static_cast<double>(steps);
    const auto nearest = static_cast<std::int64_t>(std::llround(place));
    if (std::abs(place - static_cast<double>(nearest)) > 1e-6) return static_cast<std::int64_t>(std::floor(place));
    // m^steps * exact^k >= longest^k * exact^steps decides whether step `nearest` is reached.
    const auto reached =
        product_of_powers(static_cast<std::uint64_t>(m), steps, static_cast<std::uint64_t>(exact), nearest);
    const auto needed =
        product_of_powers(static_cast<std::uint64_t>(longest), nearest, static_cast<std::uint64_t>(exact), steps);
    return at_least(reached, needed) ? nearest : nearest - 1;
}

}  // namespace

std::int64_t t5_bucket(std::int64_t position, std::int64_t num_buckets, std::int64_t max_distance, bool bidirectional) {
    std::int64_t offset = 0;
    std::int64_t distance = std::max<std::int64_t>(position, 0);
    if (bidirectional) {
        num_buckets /= 2;
        if (position > 0) offset = num_buckets;
        distance = std::llabs(position);
    }
    const std::int64_t exact = num_buckets / 2;
    if (distance < exact) return offset + distance;
    if (distance >= max_distance) return offset + num_buckets - 1;
    return offset +
           std::min(exact + logarithmic_step(distance, exact, max_distance, num_buckets - exact), num_buckets - 1);
}

}  // namespace sextant
