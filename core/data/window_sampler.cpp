#include "core/data/window_sampler.h"

#include <algorithm>
#include <array>
#include <cassert>

#include "core/base/hash.h"
#include "core/base/random.h"

namespace sextant {
namespace {

std::uint64_t mixed(std::uint64_t value) {  // SplitMix64's finisher (Steele, Lea and Flood 2014)
    value = (value ^ (value >> 30U)) * 0xBF58476D1CE4E5B9ULL;
    value = (value ^ (value >> 27U)) * 0x94D049BB133111EBULL;
    return value ^ (value >> 31U);
}

// A permutation of [0, count) that can be asked at any place: a Feistel network over the next even power of two, walked
// until the value is in range. No table, so step 1,000,000 costs what step 0 does.
class Permutation {
  public:
    Permutation(std::uint64_t count, std::uint64_t key) : count_(count) {
        while ((std::uint64_t{1} << (2 * half_bits_)) < count)
            ++half_bits_;
        Random random(key);
        for (std::uint64_t& round : keys_)
            round = (static_cast<std::uint64_t>(random.next()) << 32U) | random.next();
    }
    [[nodiscard]] std::uint64_t operator()(std::uint64_t value) const {
        do {
            value = scramble(value);
        } while (value >= count_);
        return value;
    }

  private:
    [[nodiscard]] std::uint64_t scramble(std::uint64_t value) const {
        const std::uint64_t mask = (std::uint64_t{1} << half_bits_) - 1;
        std::uint64_t left = value >> half_bits_;
        std::uint64_t right = value & mask;
        for (const std::uint64_t key : keys_) {
            const std::uint64_t next = left ^ (mixed(right ^ key) & mask);
            left = right;
            right = next;
        }
        return (left << half_bits_) | right;
    }

    std::uint64_t count_;
    unsigned half_bits_ = 1;
    std::array<std::uint64_t, 6> keys_{};
};

}  // namespace

WindowSampler::WindowSampler(std::int64_t token_count, std::int64_t length, std::int64_t batch_size, std::uint64_t seed)
    : token_count_(token_count), length_(length), batch_size_(batch_size), seed_(derive_seed(seed, "batch order")) {
    assert(length > 0 && batch_size > 0 && token_count > length);
}

std::int64_t WindowSampler::windows_per_epoch() const {
    return std::max<std::int64_t>(1, (token_count_ - length_) / length_);
}

std::vector<std::int64_t> WindowSampler::offsets(std::int64_t step) const {
    const std::int64_t windows = windows_per_epoch();
    const std::int64_t phases = std::min(length_, token_count_ - windows * length_);
    std::vector<std::int64_t> result;
    result.reserve(static_cast<std::size_t>(batch_size_));
    std::int64_t index = step * batch_size_;
    while (static_cast<std::int64_t>(result.size()) < batch_size_) {
        const std::int64_t epoch = index / windows;
        const std::uint64_t key = derive_seed(seed_, "epoch " + std::to_string(epoch));
        const Permutation order(static_cast<std::uint64_t>(windows), key);
        const auto phase = static_cast<std::int64_t>(mixed(key) % static_cast<std::uint64_t>(phases));
        for (; index < (epoch + 1) * windows && static_cast<std::int64_t>(result.size()) < batch_size_; ++index) {
            const auto window = static_cast<std::int64_t>(order(static_cast<std::uint64_t>(index - epoch * windows)));
            result.push_back(phase + window * length_);
        }
    }
    return result;
}

std::string WindowSampler::order_sha256(std::int64_t steps) const {
    Sha256 hash;
    for (std::int64_t step = 0; step < steps; ++step) {
        for (const std::int64_t offset : offsets(step)) {
            std::array<unsigned char, 8> bytes{};
            for (std::size_t i = 0; i < 8; ++i)
                bytes[i] = static_cast<unsigned char>((static_cast<std::uint64_t>(offset) >> (8 * i)) & 0xFFU);
            hash.update(bytes.data(), bytes.size());
        }
    }
    return hash.hex();
}

}  // namespace sextant
