// SPDX-License-Identifier: GPL-3.0-or-later
// The game as an xboard engine keeps it: it must know its own board, take moves back, and notice
// when it is over.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "chess/outcome.hpp"
#include "chess/position.hpp"
#include "protocol/tokens.hpp"

namespace rokada::protocol::cecp {

class Record {
  public:
    void reset(const Position& start = Position());
    const Position& start() const { return positions_.front(); }
    const Position& position() const { return positions_.back(); }
    const std::vector<Move>& moves() const { return moves_; }
    void play(Move move);
    bool take_back();
    // Mate, stalemate, and the draws that need no claim or that the side to move would claim.
    std::optional<Outcome> outcome() const;

  private:
    std::vector<Position> positions_{Position()};
    std::vector<Move> moves_;
};

// "1-0 {White mates}", as an engine claims a result.
std::string claim_text(const Outcome& outcome);

// The lines of the old `edit` mode put together a position.
class BoardEditor {
  public:
    explicit BoardEditor(const Position& position) : setup_(position.to_setup()) {}
    enum class Step { More, Done, Bad };
    Step line(std::string_view text);
    // Rights to castle where king and rook stand at home, as the protocol supposes.
    Result<Position, SetupErrors> position() const;

  private:
    Setup setup_;
    Color color_ = Color::White;
};

}  // namespace rokada::protocol::cecp
