// SPDX-License-Identifier: GPL-3.0-or-later
// What each turn of a game took from the mover's clock, beside the time the player really had the move
// and had not sent it: servers may die, hang or be changed, and nobody pays for that. Used by the trials
// of several servers.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "server/store/records.hpp"

namespace rokada::server::test {

// As the player saw it.
struct Turn {
    std::chrono::milliseconds thought{0};  // up to the first attempt to send the move
    std::chrono::milliseconds in_vain{0};  // spent on connections that gave no answer at all
    // How long the opponent waited for the answer to the move before. It may have been played at any time
    // in between, and here nobody thinks before that answer.
    std::chrono::milliseconds before{0};
};

struct Charge {
    std::size_t ply = 0;
    Millis at = 0;       // on the wall clock of the server
    Millis charged = 0;  // time that was given back not counted
    int take_overs = 0;  // in this turn, each with its time given back
    Turn turn;

    // What was charged and not thought. While the game had a server the wait on a connection that is dead at
    // the player's end is the player's, as with any server; nobody else's time is.
    Millis too_much() const {
        const Millis own = take_overs == 0 ? (turn.in_vain + turn.before).count() : 0;
        return charged - turn.thought.count() - own;
    }
};

// Of a game without increment, from everything that was told about it.
std::vector<Charge> charges(const std::vector<EventRecord>& events, const std::vector<Turn>& turns,
                            Millis initial);

}  // namespace rokada::server::test
