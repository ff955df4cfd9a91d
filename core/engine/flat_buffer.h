#pragma once
// A 64-byte aligned array of floats, zeroed: where parameters, gradients and optimizer moments live, so that both
// paths, the optimizer and the checkpoint see the same memory.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <span>

namespace sextant {

class FlatBuffer {
  public:
    FlatBuffer() = default;
    explicit FlatBuffer(std::int64_t size) : size_(static_cast<std::size_t>(size)) {
        const std::size_t bytes = ((size_ * sizeof(float) + 63) / 64 + 1) * 64;
        values_.reset(static_cast<float*>(std::aligned_alloc(64, bytes)));
        if (!values_) throw std::bad_alloc();
        std::memset(values_.get(), 0, bytes);
    }
    [[nodiscard]] std::span<float> values() { return {values_.get(), size_}; }
    [[nodiscard]] std::span<const float> values() const { return {values_.get(), size_}; }
    [[nodiscard]] float* data() { return values_.get(); }
    [[nodiscard]] const float* data() const { return values_.get(); }
    [[nodiscard]] std::int64_t size() const { return static_cast<std::int64_t>(size_); }

  private:
    struct Free {
        void operator()(float* pointer) const { std::free(pointer); }
    };
    std::unique_ptr<float, Free> values_;
    std::size_t size_ = 0;
};

}  // namespace sextant
