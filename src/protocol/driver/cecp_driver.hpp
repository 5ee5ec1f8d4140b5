// SPDX-License-Identifier: GPL-3.0-or-later
// The GUI side of the xboard protocol, for one engine.
#pragma once

#include "protocol/driver/driver.hpp"

namespace rokada::protocol {

class CecpDriver : public EngineDriver {
  public:
    CecpDriver(DriverSettings settings, std::unique_ptr<ChildProcess> process, LinkGroup& group)
        : EngineDriver(std::move(settings), std::move(process), group) {}

    std::optional<std::string> start() override;
    std::optional<std::string> new_game(const GameStart& start) override;
    void play(Move move) override;
    Reply think(const TurnLimits& limits) override;
    void game_over(const std::optional<Outcome>& outcome) override;
    bool reusable() const override { return reuse_; }

  private:
    void take_features(const std::vector<std::pair<std::string, std::string>>& items);
    std::optional<std::string> set_options();
    void send_edits(const Position& position);
    void send_terms(const GameTerms& terms);
    std::string move_text(Move move) const;
    void send_move(Move move);
    std::optional<std::string> synchronise();
    std::string failure(std::string_view what);
    static void judge_claim(const std::string& result, Color us, Reply& reply);

    bool features_done_ = false, features_pending_ = false;
    bool ping_ = false, setboard_ = false, usermove_ = false, san_ = false, reuse_ = true;
    bool time_ = true, colors_ = true, memory_ = false, smp_ = false;
    std::string variants_;
    bool chess960_ = false;
    bool thinking_mode_ = false;  // it moves by itself after ours
    std::optional<Move> unsent_;  // the opponent's move, sent when its clock starts
    int pings_ = 0;
};

}  // namespace rokada::protocol
