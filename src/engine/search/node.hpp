// SPDX-License-Identifier: GPL-3.0-or-later
// What the steps of one node of the main search tell each other. Internal to the search.
#pragma once

#include "engine/search/frame.hpp"
#include "engine/search/transposition_table.hpp"

namespace rokada::engine {

struct Node {
    Frame* frame;
    Value alpha;
    Value beta;
    Depth depth;
    bool pv;        // on the principal variation: searched with an open window
    bool cut_node;  // expected to fail high

    bool table_hit = false;
    TableEntry entry{};  // its value is kNoValue when it must not be used
    Move table_move{};   // legal, or none
    bool table_noisy = false;

    Value raw_evaluation = kNoValue;  // as the evaluator gave it, for the table
    Value estimate = kNoValue;        // the best guess of the value without searching
    Value correction = 0;
    bool improving = false;  // better than at our last move
    bool worsening = false;  // worse for the opponent than at his last move
    int reduction_1024 = 0;  // of every move, see Worker::node_reduction_1024()

    const Position& position() const { return frame->position; }
};

// A move in the loop of a node.
struct Candidate {
    Move move;
    bool noisy;
    bool gives_check;
    int history;  // experience with it, in history units
    int reduction_1024;
};

}  // namespace rokada::engine
