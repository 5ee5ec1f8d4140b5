// SPDX-License-Identifier: GPL-3.0-or-later
// The engine side of the xboard protocol, version 2: keeps the game, plays one side of it, ponders,
// analyses. Everything happens in one thread; what a search says after it was broken off is
// dropped.
#pragma once

#include <deque>
#include <set>

#include "protocol/cecp/answer.hpp"
#include "protocol/cecp/command.hpp"
#include "protocol/cecp/game_clock.hpp"
#include "protocol/cecp/record.hpp"
#include "protocol/events.hpp"
#include "protocol/house.hpp"
#include "protocol/output.hpp"
#include "protocol/temper.hpp"
#include "protocol/thinker.hpp"

namespace rokada::protocol::cecp {

class Session : public protocol::Session {
  public:
    Session(EventQueue& queue, Output& output, const ThinkerFactory& make_thinker,
            House house = {});
    ~Session() override;

    void handle(Event event) override;
    bool finished() const override { return finished_; }

  private:
    enum class Mode { Force, Play, Analyze };
    enum class Search { None, Move, Ponder, Analysis, Hint };

    // Commands.
    void on_line(std::string_view line);
    void execute(const Command& command, std::string_view line);
    void execute(Simple command);
    bool must_wait(const Command& command) const;
    void announce_features();
    void new_game();
    void set_variant(const std::string& name);
    void set_board(const std::string& fen);
    void start_from(const Position& position);
    void finish_edit();
    void user_move(const std::string& text);
    void take_back(int plies);
    void play_color(Color color);
    void set_side_to_move(Color color);
    void answer_draw_offer();
    void set_option(const SetOption& option);
    void set_engine_option(std::string_view name, std::string_view value, std::string_view command);
    void exclude(const Exclude& command);
    void show_status();
    void show_hint();
    void show_book();
    void pause();
    void resume();
    void refuse(std::string_view reason, std::string_view about);

    // The search.
    void think();
    void ponder();
    void analyze();
    void go(Search kind, const engine::Limits& limits, bool with_expected_move = false);
    void break_off();
    void restart_if_needed();
    void on_thought(const Thought& thought);
    void on_decided(const Decided& decided);
    void make_move(const engine::BestMove& best);
    void claim_if_over();
    int own_moves() const;
    std::string move_text(Move move) const;

    EventQueue& queue_;
    Output& output_;
    House house_;
    Record record_;
    GameClock clock_;
    Temper temper_;
    Mode mode_ = Mode::Force;
    Color own_color_ = Color::Black;
    bool post_ = false;
    bool pondering_allowed_ = false;
    bool resigning_allowed_ = true;
    bool chess960_ = false;
    bool paused_ = false;
    bool finished_ = false;
    std::optional<BoardEditor> editor_;
    std::set<std::uint16_t> excluded_;  // bits of moves left out of the analysis

    Search search_ = Search::None;
    std::uint64_t search_number_ = 0;
    std::chrono::steady_clock::time_point search_begun_;
    Move expected_;      // the opponent's move we ponder on, or would
    engine::Info last_;  // the last line of the running or last search
    std::deque<std::pair<Command, std::string>> deferred_;  // until our move is made

    std::unique_ptr<Thinker> thinker_;
};

}  // namespace rokada::protocol::cecp
