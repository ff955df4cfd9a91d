#pragma once
// What one encoding hands to the catalog: its spec, how to build it, and the checks that need more than one value.
// Each encoding file defines one function `EncodingEntry <id>()` in sextant::encodings; registry.cpp lists them.

#include <memory>
#include <string>
#include <vector>

#include "core/encoding/position_encoding.h"
#include "core/encoding/registry.h"

namespace sextant {

struct EncodingEntry {
    EncodingSpec spec;
    std::unique_ptr<PositionEncoding> (*make)(const EncodingSpec& spec, const EncodingSite& site,
                                              ParameterValues parameters) = nullptr;
    // Called only when every single parameter is in its range; `parameters` is complete.
    void (*check)(const EncodingSite& site, const ParameterValues& parameters,
                  std::vector<EncodingProblem>& problems) = nullptr;
    // Sizes that given learned values imply: heads, number of buckets, ... Parameters that are set stay.
    void (*infer)(const nlohmann::json& values, EncodingSite& site, ParameterValues& parameters) = nullptr;
};

template <typename Encoding>
std::unique_ptr<PositionEncoding> build_encoding(const EncodingSpec& spec, const EncodingSite& site,
                                                 ParameterValues parameters) {
    return std::make_unique<Encoding>(spec, site, std::move(parameters));
}

// Reads of a completed parameter set.
[[nodiscard]] double real_parameter(const ParameterValues& parameters, const std::string& name);
[[nodiscard]] std::int64_t integer_parameter(const ParameterValues& parameters, const std::string& name);
[[nodiscard]] const std::string& choice_parameter(const ParameterValues& parameters, const std::string& name);

// Shorter rows in the spec of an encoding.
[[nodiscard]] ParameterSpec real_spec(std::string name, double default_value, double minimum, double maximum,
                                      std::string description);
// The range begins above `minimum`, not at it.
[[nodiscard]] ParameterSpec above_spec(std::string name, double default_value, double minimum, double maximum,
                                       std::string description);
[[nodiscard]] ParameterSpec integer_spec(std::string name, std::int64_t default_value, std::int64_t minimum,
                                         std::int64_t maximum, std::string description);
[[nodiscard]] ParameterSpec boolean_spec(std::string name, bool default_value, std::string description);
[[nodiscard]] ParameterSpec choice_spec(std::string name, std::vector<std::string> choices, std::string description);
// May be absent: derived from where the encoding stands.
[[nodiscard]] ParameterSpec optional_spec(ParameterSpec spec);

}  // namespace sextant
