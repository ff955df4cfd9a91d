#pragma once
// Which training windows a step reads: a function of seed and step alone, so that every arm sees the same tokens in the
// same order and a resumed run continues exactly. Each epoch lays windows edge to edge from a random phase and visits
// them in a random order: every token is read once an epoch, where independent random offsets would miss a third of
// them.

#include <cstdint>
#include <string>
#include <vector>

namespace sextant {

class WindowSampler {
  public:
    // token_count > length: a window needs one token more than its length.
    WindowSampler(std::int64_t token_count, std::int64_t length, std::int64_t batch_size, std::uint64_t seed);
    // Start offsets of the step's windows, each in [0, token_count - length - 1]; inputs are [o, o+length), targets one
    // later.
    [[nodiscard]] std::vector<std::int64_t> offsets(std::int64_t step) const;
    // SHA-256 over the offsets (8 bytes each, little-endian) of steps 0 .. steps-1: the fairness proof of batch order.
    [[nodiscard]] std::string order_sha256(std::int64_t steps) const;
    [[nodiscard]] std::int64_t windows_per_epoch() const;

  private:
    std::int64_t token_count_, length_, batch_size_;
    std::uint64_t seed_;
};

}  // namespace sextant
