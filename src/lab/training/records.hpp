// SPDX-License-Identifier: GPL-3.0-or-later
// Positions to train on: 32 bytes each, always seen by the side to move, kept in memory so that every epoch can be shuffled
// completely. Which positions of a game are kept is decided here.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "engine/network/features.hpp"
#include "lab/training/game_file.hpp"

namespace rokada::lab {

struct Record {
    std::uint64_t occupied = 0;  // the side to move plays up the board
    std::array<std::uint8_t, 16>
        pieces{};             // a nibble per man in square order; bit 3 = the opponent's
    std::int16_t score = 0;   // centipawns of the side to move
    std::uint8_t result = 1;  // 0 lost, 1 drawn, 2 won by the side to move, 3 none (kNoResult)
    std::uint8_t own_king = 0, other_king = 0;
    std::array<std::uint8_t, 3> unused{};
};
static_assert(sizeof(Record) == 32);

// The result as in TrainingGame: White's.
Record make_record(const Position& position, int score, int white_result);

// The inputs that are on in both views.
struct ActiveInputs {
    std::array<std::uint16_t, 32> own, other;
    int count = 0;
};
void active_inputs(const Record& record, ActiveInputs& out);

struct RecordFilter {
    int first_ply = 12;
    int largest_score = 3000;
};

struct DataSet {
    std::vector<Record> training, held_out;
    std::uint64_t games = 0, branches = 0, positions = 0;
};

// Whether training leaves out this game, counted from 0 over all files in the order given. Branches do not count: they go
// where the game goes that they follow.
bool is_held_out(std::uint64_t game);

// Appends a file's positions: quiet ones only (no check, the move played neither captures nor promotes). One game in a hundred is
// held out whole, with its branches, so that no position of it helps in training.
std::string load_records(const std::string& path, const RecordFilter& filter, DataSet& set);

}  // namespace rokada::lab
