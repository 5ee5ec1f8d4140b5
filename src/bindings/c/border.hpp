// SPDX-License-Identifier: GPL-3.0-or-later
// What stands behind the handles of rokada.h, and the border itself: nothing thrown gets out, every failure leaves its sentence.
// Used by the files of this folder only.
#pragma once

#include <mutex>
#include <new>
#include <string>
#include <string_view>
#include <vector>

#include <rokada/rokada.h>

#include "chess/game.hpp"
#include "chess/notation/pgn_game.hpp"
#include "chess/position.hpp"

struct rokada_position {
    explicit rokada_position(const rokada::Position& p) : position(p) {}

    rokada::Position get() const {
        const std::lock_guard lock(mutex);
        return position;
    }

    mutable std::mutex mutex{};
    rokada::Position position;
};

struct rokada_game {
    explicit rokada_game(rokada::Game g, std::vector<rokada::PgnTag> t = {})
        : game(std::move(g)), tags(std::move(t)) {}

    rokada::Game get() const {
        const std::lock_guard lock(mutex);
        return game;
    }

    mutable std::mutex mutex{};
    rokada::Game game;
    std::vector<rokada::PgnTag> tags;
};

namespace rokada::border {

// Remembers the sentence for rokada_last_error and hands the code through.
rokada_error fail(rokada_error error, std::string_view message) noexcept;
inline rokada_error fail_null() noexcept {
    return fail(ROKADA_ERROR_ARGUMENT, "a pointer is null");
}
rokada_error fail_memory() noexcept;
rokada_error fail_unknown() noexcept;

// Runs the work of one call.
template <class Work>
rokada_error guarded(Work&& work) noexcept {
    try {
        return work();
    } catch (const std::bad_alloc&) {
        return fail_memory();
    } catch (const std::exception& error) {
        return fail(ROKADA_ERROR_INTERNAL, error.what());
    } catch (...) {
        return fail_unknown();
    }
}

// The same for calls that answer with a value; `otherwise` is the answer of a failure.
template <class Value, class Work>
Value guarded_value(Value otherwise, Work&& work) noexcept {
    Value value = otherwise;
    guarded([&] {
        value = work();
        return ROKADA_OK;
    });
    return value;
}

// snprintf's way: as much as fits, always ended.
std::size_t copy_text(std::string_view from, char* text, std::size_t size) noexcept;

// For calls that give text.
template <class Work>
std::size_t guarded_text(char* text, std::size_t size, Work&& work) noexcept {
    if (text && size) *text = '\0';
    return guarded_value<std::size_t>(0, [&] { return copy_text(work(), text, size); });
}

inline Move move_of(rokada_move bits) { return Move::from_bits(bits); }
inline bool is_color(rokada_color color) { return color == ROKADA_WHITE || color == ROKADA_BLACK; }
inline Color color_of(rokada_color color) {
    return color == ROKADA_WHITE ? Color::White : Color::Black;
}
inline rokada_color color_of(Color color) {
    return color == Color::White ? ROKADA_WHITE : ROKADA_BLACK;
}

// A structure of the caller with all its fields, those its older header does not know being zero; false if it is no such structure.
template <class Structure>
bool read_structure(const Structure* given, Structure& out) noexcept {
    out = Structure{};
    if (!given) return true;
    if (given->size < sizeof(std::size_t)) return false;
    const std::size_t known = given->size < sizeof(Structure) ? given->size : sizeof(Structure);
    __builtin_memcpy(&out, given, known);
    return true;
}

}  // namespace rokada::border
