#pragma once
// Values of learned parameters from outside (`tables --values FILE`, a checkpoint shown in the window), and the ones an
// encoding begins with where that is a single number.

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "core/encoding/position_encoding.h"

namespace sextant {

// One nested array when the encoding has a single parameter, else an object by parameter name; names that are absent
// keep their initial constant. Sizes must match the encoding's; missing ones and surplus ones are named.
[[nodiscard]] Result<LearnedValues> learned_values_from_json(const PositionEncoding& encoding,
                                                             const nlohmann::json& document);
// Constants as they are, uniform ones at the middle of their range (said in `notes`). Parameters that begin as noise
// around zero have no such value: an error that asks for values.
[[nodiscard]] Result<LearnedValues> typical_learned_values(const PositionEncoding& encoding,
                                                           std::vector<std::string>& notes);

}  // namespace sextant
