#pragma once
// The same decoder in plain double-precision loops with full score matrices: slow, short, and independent of the
// kernels it judges. It shares only the encodings' tables and the parameter layout with the engine.

#include <cstdint>
#include <vector>

#include "core/encoding/position_encoding.h"
#include "core/experiment/experiment.h"
#include "core/experiment/parameter_layout.h"

namespace sextant::test {

struct DoubleResult {
    double loss = 0.0;
    std::vector<double> token_losses;  // [batch, length]
    std::vector<double> gradients;     // flat, as the layout
};

DoubleResult double_model(const ModelConfig& model, const PositionEncoding& encoding, const ParameterLayout& layout,
                          const std::vector<double>& parameters, const std::vector<std::int32_t>& tokens,
                          const std::vector<std::int32_t>& targets, std::int64_t batch, std::int64_t length);

}  // namespace sextant::test
