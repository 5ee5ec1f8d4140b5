// SPDX-License-Identifier: GPL-3.0-or-later
// Training games in our compact byte format: whole games from the normal start position, two bytes a move and two a
// score. Little-endian, one game after another, no header:
//   u16 plies, u8 opening (plies without a score), u8 result (0 Black won, 1 draw, 2 White won, 3 none),
//   u16 moves[plies]   from | to << 6 | promotion << 12 (0 none, 1 knight .. 4 queen); castling as the king's move
//   i16 scores[plies - opening]   before each ply, for the side to move; mate in m plies = 30000 - m
// Without a result is only a branch: a position that a search met and that was never on the board, with the moves that lead
// there and one more, the best. It has one score, and stands behind the game it leaves; whoever moves or picks games must
// not part them.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "chess/position.hpp"
#include "engine/score.hpp"

namespace rokada::lab {

inline constexpr int kNoResult = 3;

struct TrainingGame {
    int opening = 0;
    int result = 1;
    bool is_branch() const { return result == kNoResult; }
    std::vector<std::uint16_t> moves;
    std::vector<std::int16_t> scores;
};

// Reads a whole file, plain or zstd-compressed by its first bytes; calls back game by game. The returned text is empty
// if all went well, else it says what is wrong and at which byte.
std::string read_training_games(const std::string& path,
                                const std::function<void(const TrainingGame&)>& on_game);

// Adds the bytes of a game, which must have one score for every ply after its opening.
void append_training_game(const TrainingGame& game, std::vector<unsigned char>& bytes);
// Writes a whole file, zstd-compressed if its name ends in .zst; the text is empty if all went well.
std::string write_training_file(const std::string& path, const std::vector<unsigned char>& bytes);

// Between a score and its two bytes.
std::int16_t to_training_score(const engine::Score& score);

// The legal move a stored move stands for; none if there is no such move here.
Move decode_training_move(const Position& position, std::uint16_t stored);
std::uint16_t encode_training_move(Move move);

}  // namespace rokada::lab
