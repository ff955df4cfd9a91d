#pragma once
// The arithmetic behind the audit: what the numbers of an artifact must be, computed from its other numbers.

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

namespace sextant {

inline constexpr double kIdentityTolerance = 1e-9;  // relative
inline constexpr double kBetweenRunsTolerance = 1e-6;

[[nodiscard]] bool identity_holds(double stated, double computed, double tolerance = kIdentityTolerance);

struct ParameterCount {
    std::optional<std::int64_t> value;
    std::string note;  // what was assumed, or why there is no value
};
// `arm`: "/baseline" or "/method".
[[nodiscard]] ParameterCount expected_parameters(const nlohmann::json& document, const std::string& arm);

[[nodiscard]] std::int64_t pairs_needed_for(std::int64_t family);
[[nodiscard]] std::optional<double> per_seed_mean(const nlohmann::json& per_seed,
                                                  const std::vector<std::int64_t>& seeds, const std::string& arm,
                                                  const std::string& key);
struct PValueCheck {
    std::optional<double> stated, computed;
};
// The endpoint's sign-flip p from the single values under /per_seed.
[[nodiscard]] PValueCheck recompute_p(const nlohmann::json& document);

}  // namespace sextant
