// SPDX-License-Identifier: GPL-3.0-or-later
// Result<T, E>: a value or the reason why there is none. Used by everything that reads input;
// reading never throws and never guesses.
#pragma once

#include <cassert>
#include <optional>
#include <utility>
#include <variant>

namespace rokada {

// Wraps an error so that `return Error{...}` is never mistaken for a value.
template <class E>
struct Error {
    E value;
};
template <class E>
Error(E) -> Error<E>;

template <class T, class E>
class [[nodiscard]] Result {
  public:
    Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
    template <class F>
    Result(Error<F> error) : state_(std::in_place_index<1>, std::move(error.value)) {}

    bool ok() const { return state_.index() == 0; }
    explicit operator bool() const { return ok(); }

    const T& value() const& {
        assert(ok());
        return *std::get_if<0>(&state_);
    }
    T& value() & {
        assert(ok());
        return *std::get_if<0>(&state_);
    }
    T&& value() && {
        assert(ok());
        return std::move(*std::get_if<0>(&state_));
    }
    const T& operator*() const& { return value(); }
    T& operator*() & { return value(); }
    T&& operator*() && { return std::move(*this).value(); }
    const T* operator->() const { return &value(); }
    T* operator->() { return &value(); }

    const E& error() const {
        assert(!ok());
        return *std::get_if<1>(&state_);
    }

  private:
    std::variant<T, E> state_;
};

}  // namespace rokada
