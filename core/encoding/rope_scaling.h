#pragma once
// Inverse frequencies of rotary encodings and the ways to stretch them to longer inputs. Plain functions, so that tests
// and the precision page can use each alone. "yarn" follows the reference code (ramp over the pair index), which is
// what checkpoints use; "yarn-paper" is eq. 18-20 of the paper (ramp over original_length / wavelength): up to 80 %
// apart.

#include <cstdint>
#include <string>
#include <vector>

namespace sextant {

struct RopeScaling {
    std::string method = "none";  // none|linear|ntk|dynamic-ntk|yarn|yarn-paper|llama3
    double factor = 1.0;          // s
    double original_length = 0.0;
    double sequence_length = 0.0;  // dynamic-ntk
    double low_frequency_factor = 1.0;
    double high_frequency_factor = 4.0;
    double beta_fast = 32.0;
    double beta_slow = 1.0;
};

// base^(-2i/dim), radians a token, i = 0 .. dim/2 - 1.
[[nodiscard]] std::vector<double> inverse_frequencies(std::int64_t dim, double base);
[[nodiscard]] std::vector<double> scaled_inverse_frequencies(std::int64_t dim, double base, const RopeScaling& scaling);
// Multiplies cos and sin, hence logits by its square: 0.1 ln s + 1 for both YaRN forms, else 1.
[[nodiscard]] double rope_attention_factor(const RopeScaling& scaling);

}  // namespace sextant
