#pragma once
// PCG32 (O'Neill 2014, XSH-RR 64/32) and seeds derived from names. Each consumer owns its generator, named by what it
// is for, so that adding one (a position table, say) never shifts the numbers of another.

#include <cstdint>
#include <string_view>

namespace sextant {

// First eight bytes (little-endian) of SHA-256 over "<seed>/<name>" in decimal: the same on every machine.
[[nodiscard]] std::uint64_t derive_seed(std::uint64_t seed, std::string_view name);

class Random {
  public:
    explicit Random(std::uint64_t seed, std::uint64_t stream = 0);
    std::uint32_t next();                        // uniform over 32 bits
    std::uint32_t below(std::uint32_t bound);    // uniform over [0, bound), unbiased; bound > 0
    std::uint64_t below64(std::uint64_t bound);  // the same for 64 bits
    double uniform();                            // [0, 1), 53 bits
    double normal();                             // N(0, 1), Box-Muller

    struct State {  // exact resume
        std::uint64_t state = 0, increment = 0;
        double spare = 0.0;
        bool has_spare = false;
    };
    [[nodiscard]] State state() const { return state_; }
    void restore(const State& state) { state_ = state; }

  private:
    State state_;
};

}  // namespace sextant
