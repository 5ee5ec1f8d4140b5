// SPDX-License-Identifier: GPL-3.0-or-later
// A game from its start position to its result: moves, takebacks, repetition and the draw rules.
// Used by server, protocols, PGN and the lab; the referee of all of them.
#pragma once

#include <chrono>
#include <optional>
#include <vector>

#include "chess/outcome.hpp"
#include "chess/position.hpp"

namespace rokada {

enum class DrawRule : std::uint8_t {
    Automatic,  // threefold and fifty moves end the game by themselves
    Claim,      // a player has to claim them; fivefold and 75 moves still end it
};

class Game {
  public:
    using Milliseconds = std::chrono::milliseconds;
    struct Ply {
        Move move;
        std::optional<Milliseconds> clock;  // the mover's time left after the move
    };

    explicit Game(Position start = Position(), DrawRule rule = DrawRule::Automatic);

    const Position& start() const { return positions_.front(); }
    const Position& position() const { return positions_.back(); }
    const Position& position_after(std::size_t plies) const { return positions_[plies]; }
    const std::vector<Ply>& plies() const { return plies_; }
    DrawRule draw_rule() const { return rule_; }

    // False, and nothing changes, if the move is illegal or the game is over.
    bool play(Move move, std::optional<Milliseconds> clock = std::nullopt);
    // Takes the last move back; a result that the board had decided goes with it.
    bool take_back();

    const std::optional<Outcome>& outcome() const { return outcome_; }
    bool over() const { return outcome_.has_value(); }

    // How often the current position has stood on the board, this time included.
    int repetitions() const;
    // What the side to move may claim now; none under DrawRule::Automatic, where nobody has to.
    std::optional<EndReason> claimable_draw() const;
    bool claim_draw();

    // These end the game from outside; false if it is over already.
    bool resign(Color who);
    bool agree_draw();
    bool flag_fell(Color who);  // a draw if the opponent could never mate
    bool abandon(Color who);
    bool adjudicate(std::optional<Color> winner);
    bool abort();

  private:
    bool end(std::optional<Color> winner, EndReason reason);
    void judge_board();

    DrawRule rule_;
    std::vector<Position> positions_;
    std::vector<Ply> plies_;
    std::optional<Outcome> outcome_;
};

}  // namespace rokada
