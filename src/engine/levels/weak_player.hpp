// SPDX-License-Identifier: GPL-3.0-or-later
// The player of the levels below the main search: a plain alpha-beta search over the moves it sees, and a choice among
// those that look about equal. Big mistakes come from not seeing only; nothing known to be much worse is ever chosen.
#pragma once

#include <vector>

#include "chess/movegen.hpp"
#include "engine/levels/perception.hpp"
#include "engine/levels/profile.hpp"

namespace rokada::engine {

struct WeakGame {
    Position position;
    std::vector<Key> past_keys;  // of the game, oldest first
    Move last;                   // the opponent's last move and the own one before; none if unknown
    Move own_last;
    std::uint64_t seed = 0;  // names the game: the same seed and position give the same move
};

struct WeakMove {
    Move move;
    int score = 0;           // what the player thinks it is worth, centipawns
    int perceived_loss = 0;  // 1/100 win-percent points given up knowingly
    int depth = 0;
    std::uint64_t nodes = 0;
};

// A mate against a bare king that a player of this level has learned: with a queen or a rook every level has. Such a position
// is searched with so many nodes at least.
inline constexpr int kTechniqueNodes = 12'000, kMainTechniqueNodes = 50'000;
bool knows_mate(const Position& position, const Profile& profile);

// `allowed` must not be empty.
WeakMove choose_weak_move(const WeakGame& game, const Profile& profile, const MoveList& allowed);

}  // namespace rokada::engine
