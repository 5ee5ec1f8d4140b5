// SPDX-License-Identifier: GPL-3.0-or-later
// The GUI side of UCI, for one engine.
#pragma once

#include "chess/notation/uci_move.hpp"
#include "protocol/driver/driver.hpp"
#include "protocol/uci/command.hpp"

namespace rokada::protocol {

class UciDriver : public EngineDriver {
  public:
    UciDriver(DriverSettings settings, std::unique_ptr<ChildProcess> process, LinkGroup& group)
        : EngineDriver(std::move(settings), std::move(process), group) {}

    std::optional<std::string> start() override;
    std::optional<std::string> new_game(const GameStart& start) override;
    void play(Move move) override;
    Reply think(const TurnLimits& limits) override;
    void game_over(const std::optional<Outcome>& outcome) override;

    // Lines as they are, for callers with needs of their own (perft and the like).
    void send(std::string_view line) { link_->send(line); }
    std::optional<Link::Line> wait_for_line(SteadyTime deadline) {
        return group_.wait(*link_, deadline);
    }
    bool wait_until_ready();

  private:
    std::string failure(std::string_view what);
    uci::Go go_command(const TurnLimits& limits) const;

    uci::SetPosition record_;  // the game so far, in the words of `position`
    GameTerms terms_;
    CastlingNotation castling_ = CastlingNotation::KingMove;
    std::string complaint_;  // the first `info string error...` while waiting to be ready
};

}  // namespace rokada::protocol
