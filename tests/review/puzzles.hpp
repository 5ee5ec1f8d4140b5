// SPDX-License-Identifier: GPL-3.0-or-later
// Puzzles of the lichess database, if this machine has them: a position, the mistake, its refutation, and themes.
#pragma once

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

#include "chess/notation/fen.hpp"
#include "chess/notation/uci_move.hpp"
#include "tests/chess/shared_data.hpp"

namespace rokada::testing_support {

struct Puzzle {
    std::string id;
    std::vector<Position>
        positions;  // before each move and after the last; the first move is the mistake
    std::vector<Move> moves;
    std::vector<std::string> themes;

    bool has(std::string_view theme) const {
        return std::find(themes.begin(), themes.end(), theme) != themes.end();
    }
};

inline std::vector<std::string> split(const std::string& text, char separator) {
    std::vector<std::string> parts;
    std::stringstream stream(text);
    for (std::string part; std::getline(stream, part, separator);) parts.push_back(part);
    return parts;
}

// One in `step`; none without the data. The files have the same columns, one of them with a number before.
inline std::vector<Puzzle> read_puzzles(std::size_t step) {
    std::vector<Puzzle> puzzles;
    std::vector<std::string> seen;
    std::size_t count = 0;
    const auto folder = shared_data("puzzles");
    if (folder.empty()) return puzzles;
    for (const char* file :
         {"lichess-5000.csv", "lichess-chessnik-2691.csv", "lichess-rated-1992.csv"})
        for (const std::string& line : read_lines(folder / file)) {
            const auto columns = split(line, ',');
            std::size_t fen = 0;
            while (fen < columns.size() && !parse_position(columns[fen])) ++fen;
            if (fen == 0 || fen + 7 > columns.size()) continue;
            if (count++ % step != 0) continue;
            Puzzle puzzle;
            puzzle.id = columns[fen - 1];
            puzzle.positions.push_back(parse_position(columns[fen]).value());
            bool sound = true;
            for (const std::string& word : split(columns[fen + 1], ' ')) {
                const auto move = parse_uci_move(puzzle.positions.back(), word);
                if (!move) {
                    sound = false;
                    break;
                }
                puzzle.moves.push_back(*move);
                puzzle.positions.push_back(puzzle.positions.back());
                puzzle.positions.back().play(*move);
            }
            if (!sound || puzzle.moves.size() < 2) continue;
            for (std::size_t i = fen + 2; i < columns.size() && puzzle.themes.empty(); ++i)
                if (columns[i].find(' ') != std::string::npos ||
                    columns[i].find_first_of("0123456789") == std::string::npos)
                    puzzle.themes = split(columns[i], ' ');
            puzzles.push_back(std::move(puzzle));
        }
    return puzzles;
}

}  // namespace rokada::testing_support
