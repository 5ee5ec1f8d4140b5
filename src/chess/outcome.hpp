// SPDX-License-Identifier: GPL-3.0-or-later
// How a game ended. `reason` is a stable word for storage and translation.
#pragma once

#include <optional>
#include <string_view>

#include "chess/types.hpp"

namespace rokada {

enum class EndReason : std::uint8_t {
    Checkmate,
    Stalemate,
    ThreefoldRepetition,
    FivefoldRepetition,
    FiftyMoves,
    SeventyFiveMoves,
    InsufficientMaterial,
    Resignation,
    Agreement,
    Time,
    TimeAgainstBareKing,  // the flag fell, but the opponent could never mate
    Abandonment,
    Adjudication,
    Aborted,
};

struct Outcome {
    std::optional<Color> winner;  // nobody: a draw, or a game that does not count (Aborted)
    EndReason reason;

    friend bool operator==(const Outcome& a, const Outcome& b) {
        return a.winner == b.winner && a.reason == b.reason;
    }
};

std::string_view to_string(EndReason reason);  // "checkmate", "stalemate", ...
std::optional<EndReason> parse_end_reason(std::string_view word);
// "1-0", "0-1", "1/2-1/2"; "*" for an aborted game and for none.
std::string_view result_text(const std::optional<Outcome>& outcome);

}  // namespace rokada
