// SPDX-License-Identifier: GPL-3.0-or-later
// What tablebases say about the moves of the root: which may be played at all, and which makes progress. The fifty-move
// clock and the repetitions of the game so far are taken into account. Used by the search before it starts.
#pragma once

#include <vector>

#include "engine/search/value.hpp"
#include "engine/syzygy/tablebases.hpp"

namespace rokada::engine {

struct RankedMove {
    Move move;
    // Only moves of the highest rank keep the result. Those of one rank are told apart by the search, except that a
    // win without a mate in sight prefers the smaller distance.
    int rank = 0;
    int distance = 0;     // plies until the next capture, pawn move or mate; 0 if unknown or drawn
    Value value = kDraw;  // what the tables promise
};

struct RootRanking {
    std::vector<RankedMove>
        moves;                 // best rank first; empty if the tables do not cover the position
    bool by_distance = false;  // otherwise only win, draw and loss are known
};

RootRanking rank_root_moves(const Tablebases& tables, const Position& position,
                            const std::vector<Key>& past_keys, const std::vector<Move>& moves,
                            bool fifty_move_rule);

// The result of a position inside the search as a value, seen from a node `ply` plies from the root.
Value value_of(TableResult result, int ply, bool fifty_move_rule);

}  // namespace rokada::engine
