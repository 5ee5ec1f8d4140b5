// SPDX-License-Identifier: GPL-3.0-or-later
// For fuzzing readers of moves: `FEN`, end of line, the move. Without a legal FEN the usual start is taken.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "chess/notation/fen.hpp"

namespace rokada::fuzz {

struct MoveLine {
    Position position;
    std::string_view move;
};

inline MoveLine read_move_line(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos) return {Position(), text};
    const auto position = parse_position(text.substr(0, end));
    return {position ? *position : Position(), text.substr(end + 1)};
}

inline void require(bool holds) {
    if (!holds) std::abort();
}

}  // namespace rokada::fuzz
