#pragma once
// A float array on a 64-byte boundary with kSlack readable floats behind its end, so that a kernel may load a whole
// vector at the last element. Growing drops the content: every user overwrites it.

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>

namespace sextant::fused {

class AlignedBuffer {
  public:
    static constexpr std::int64_t kSlack = 64;
    AlignedBuffer() = default;
    explicit AlignedBuffer(std::int64_t count) { reserve(count); }

    // At least `count` floats; content is kept only when it fits already.
    void reserve(std::int64_t count) {
        if (count <= capacity_) return;
        values_.reset();
        capacity_ = 0;
        const auto floats = (static_cast<std::size_t>(count + kSlack) + 15) / 16 * 16;
        values_.reset(static_cast<float*>(std::aligned_alloc(64, floats * sizeof(float))));
        if (!values_) throw std::bad_alloc();
        std::fill_n(values_.get() + count, floats - static_cast<std::size_t>(count), 0.0f);
        capacity_ = count;
    }
    void fill(float value) { std::fill_n(values_.get(), static_cast<std::size_t>(capacity_), value); }
    [[nodiscard]] float* data() { return values_.get(); }
    [[nodiscard]] const float* data() const { return values_.get(); }
    [[nodiscard]] std::int64_t capacity() const { return capacity_; }
    void release() {
        values_.reset();
        capacity_ = 0;
    }

  private:
    struct Free {
        void operator()(float* pointer) const { std::free(pointer); }
    };
    std::unique_ptr<float[], Free> values_;
    std::int64_t capacity_ = 0;
};

}  // namespace sextant::fused
