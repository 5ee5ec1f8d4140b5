// SPDX-License-Identifier: GPL-3.0-or-later
// What a comment in a PGN file says: plain text and the commands [%clk] [%emt] [%eval] [%cal] [%csl] that
// programs put there. Commands not known, or malformed, stay in the text.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "chess/types.hpp"

namespace rokada {

// From White's point of view.
struct PgnEvaluation {
    int centipawns = 0;
    std::optional<int> mate;  // moves to mate; negative: Black mates
    std::optional<int> depth;

    friend bool operator==(const PgnEvaluation& a, const PgnEvaluation& b) {
        return a.centipawns == b.centipawns && a.mate == b.mate && a.depth == b.depth;
    }
};

// An arrow, or a marked square if both ends are the same.
struct PgnMark {
    char color = 'G';  // a capital letter: Green, Red, Yellow, Blue ...
    Square from = Square::None, to = Square::None;

    friend bool operator==(const PgnMark& a, const PgnMark& b) {
        return a.color == b.color && a.from == b.from && a.to == b.to;
    }
};

struct PgnComment {
    using Milliseconds = std::chrono::milliseconds;

    std::string text;                     // words parted by single blanks
    std::optional<Milliseconds> clock;    // [%clk]: the mover's time left
    std::optional<Milliseconds> elapsed;  // [%emt]: the time the move took
    std::optional<PgnEvaluation> evaluation;
    std::vector<PgnMark> marks;

    bool empty() const {
        return text.empty() && !clock && !elapsed && !evaluation && marks.empty();
    }
    friend bool operator==(const PgnComment& a, const PgnComment& b) {
        return a.text == b.text && a.clock == b.clock && a.elapsed == b.elapsed &&
               a.evaluation == b.evaluation && a.marks == b.marks;
    }
};

// What stands between the braces. Adds to what the comment says already.
void read_pgn_comment(std::string_view text, PgnComment& comment);
// The pieces to write between the braces; only the last, the plain text, may be broken into lines.
std::vector<std::string> pgn_commands(const PgnComment& comment);

// "0:03:00.5": hours, minutes, seconds, and what is left.
std::string to_clock_text(std::chrono::milliseconds time);
std::optional<std::chrono::milliseconds> parse_clock_text(std::string_view text);

}  // namespace rokada
