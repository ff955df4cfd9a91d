#pragma once
// Result<T> is a T or an Error. It converts implicitly from both, so `return value;` and `return data_error(...)` read
// naturally; Result<void> is Status. Using a result without asking is a compile-time warning, value() without one
// asserts.

#include <cassert>
#include <utility>
#include <variant>

#include "core/base/error.h"

namespace sextant {

template <typename T>
class [[nodiscard]] Result {
  public:
    Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}      // NOLINT(google-explicit-constructor)
    Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}  // NOLINT(google-explicit-constructor)

    [[nodiscard]] bool ok() const { return state_.index() == 0; }
    explicit operator bool() const { return ok(); }

    T& value() & {
        assert(ok());
        return std::get<0>(state_);
    }
    const T& value() const& {
        assert(ok());
        return std::get<0>(state_);
    }
    T&& value() && {
        assert(ok());
        return std::get<0>(std::move(state_));
    }
    T& operator*() & { return value(); }
    const T& operator*() const& { return value(); }
    T&& operator*() && { return std::move(*this).value(); }
    T* operator->() { return &value(); }
    const T* operator->() const { return &value(); }

    [[nodiscard]] const Error& error() const& {
        assert(!ok());
        return std::get<1>(state_);
    }
    [[nodiscard]] Error&& error() && {
        assert(!ok());
        return std::get<1>(std::move(state_));
    }
    // Adds what the caller was doing; no effect on a value.
    Result&& with_context(std::string doing) && {
        if (!ok()) std::get<1>(state_).context.push_back(std::move(doing));
        return std::move(*this);
    }

  private:
    std::variant<T, Error> state_;
};

template <>
class [[nodiscard]] Result<void> {
  public:
    Result() = default;
    Result(Error error) : error_(std::move(error)), failed_(true) {}  // NOLINT(google-explicit-constructor)
    [[nodiscard]] bool ok() const { return !failed_; }
    explicit operator bool() const { return ok(); }
    [[nodiscard]] const Error& error() const& {
        assert(failed_);
        return error_;
    }
    [[nodiscard]] Error&& error() && {
        assert(failed_);
        return std::move(error_);
    }
    Result&& with_context(std::string doing) && {
        if (failed_) error_.context.push_back(std::move(doing));
        return std::move(*this);
    }

  private:
    Error error_;
    bool failed_ = false;
};

using Status = Result<void>;

// SEXTANT_TRY(name, expression): declares `name` as the value, or returns the error from the enclosing function.
#define SEXTANT_TRY(name, expression)                                 \
    auto name##_result = (expression);                                \
    if (!name##_result.ok()) return std::move(name##_result).error(); \
    auto name = std::move(name##_result).value()
// SEXTANT_CHECK(expression): for a Status; returns its error from the enclosing function.
#define SEXTANT_CHECK(expression)                                                          \
    do {                                                                                   \
        if (auto status_ = (expression); !status_.ok()) return std::move(status_).error(); \
    } while (false)

}  // namespace sextant
