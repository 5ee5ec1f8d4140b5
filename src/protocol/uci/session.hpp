// SPDX-License-Identifier: GPL-3.0-or-later
// The engine side of UCI. Commands are carried out in the order they came; those that must wait for
// the end of a search do so without keeping `stop`, `isready`, `ponderhit` and `quit` waiting. Bad
// input changes nothing and is answered by one `info string`.
#pragma once

#include <deque>

#include "chess/notation/uci_move.hpp"
#include "protocol/background.hpp"
#include "protocol/events.hpp"
#include "protocol/house.hpp"
#include "protocol/output.hpp"
#include "protocol/thinker.hpp"
#include "protocol/uci/answer.hpp"
#include "protocol/uci/command.hpp"

namespace rokada::protocol::uci {

class Session : public protocol::Session {
  public:
    Session(EventQueue& queue, Output& output, const ThinkerFactory& make_thinker,
            House house = {});
    ~Session() override;

    void handle(Event event) override;
    bool finished() const override { return finished_; }

  private:
    // From the user.
    void on_line(std::string_view line);
    void on_end_of_input();
    void execute(const Command& command);
    void execute_deferred();
    bool must_wait(const Command& command) const;

    void hello();
    void set_option(const SetOption& command);
    void set_position(const SetPosition& command);
    void flip();
    void go(const Go& command);
    void go_without_moves(bool endless);
    void go_perft(int depth);
    void bench(const std::string& arguments);
    void stop_when_due();
    void stop();
    void ponder_hit();
    void quit();
    void display();
    void show_moves();
    void show_evaluation();
    void complain(const std::string& message) { output_.line("info string " + message); }

    std::optional<ParseError> fill_limits(const Go& command, engine::Limits& limits) const;
    std::string move_text(Move move) const;

    // From the search, in its thread.
    void on_info(const engine::Info& info);
    void on_current_move(const engine::CurrentMove& current);
    void on_best_move(const engine::BestMove& best);
    void print_best_move(const engine::BestMove& best);
    void release_best_move();

    EventQueue& queue_;
    Output& output_;
    House house_;
    std::vector<engine::Option> own_options_;  // those the protocol itself answers for
    Position start_;
    std::vector<Move> moves_;
    Position position_;
    bool debug_ = false;
    bool finished_ = false;
    bool closing_ = false;    // the input has ended; finish what was asked for, then go
    bool searching_ = false;  // from `go` to the event that ends it
    bool endless_ = false;    // that search waits for `stop` or `ponderhit`
    std::deque<Command> deferred_;

    // An endless search may come to its end before it is stopped; its move must wait.
    std::mutex hold_mutex_;
    bool hold_ = false;
    std::optional<engine::BestMove> held_;
    // How the running search writes; set before it starts.
    CastlingNotation castling_ = CastlingNotation::KingMove;
    bool show_chances_ = false;

    std::unique_ptr<Thinker> thinker_;
    Background background_;
};

}  // namespace rokada::protocol::uci
