// SPDX-License-Identifier: GPL-3.0-or-later
// Decisions that need no network: which challenges are taken, when a game is given up or drawn. Pure, so that tests can ask everything.
#pragma once

#include <optional>
#include <string>

#include "bot/messages.hpp"
#include "bot/settings.hpp"

namespace rokada::bot {

// None: accept. Otherwise a reason that servers know: "later", "tooFast", "variant", ... The games that run are those of the
// challenge's own kind, with a clock or without.
std::optional<std::string> reason_to_decline(const Policy& policy, const Challenge& challenge,
                                             int games_running);

// Of the engine's threads, for each of the games that run now.
int share_of_threads(int threads, int games);

// Watches the bot's own scores over one game.
class Mood {
  public:
    explicit Mood(const Manners& manners) : manners_(manners) {}

    // The score of the move about to be played, at that many plies.
    void add(int centipawns, std::size_t plies);
    void take_back();  // what was thought before a takeback does not count
    bool wants_to_resign() const;
    bool wants_draw() const;   // offers one, or takes one that is offered
    bool would_claim() const;  // a draw that is its right: a repetition, fifty moves

  private:
    Manners manners_;
    int bad_ = 0, equal_ = 0;  // in a row
    std::size_t plies_ = 0;
    int last_ = 0;
};

// Time kept back per move, from how long the server takes to answer: the mean and four times the mean deviation, as TCP
// estimates its own waits.
class Latency {
  public:
    void add(Milliseconds answer);
    Milliseconds overhead() const;
    Milliseconds mean() const { return Milliseconds(static_cast<int>(mean_)); }

  private:
    bool any_ = false;
    double mean_ = 0, deviation_ = 0;
};

}  // namespace rokada::bot
