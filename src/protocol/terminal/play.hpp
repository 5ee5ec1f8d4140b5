// SPDX-License-Identifier: GPL-3.0-or-later
// Chess in a terminal or a plain pipe: a board, moves in SAN or UCI, commands in words. In a pipe
// the lines wait for the engine's moves, so that a script plays the same game as a person.
#pragma once

#include <atomic>
#include <deque>

#include "chess/game.hpp"
#include "protocol/board_text.hpp"
#include "protocol/events.hpp"
#include "protocol/house.hpp"
#include "protocol/output.hpp"
#include "protocol/temper.hpp"
#include "protocol/thinker.hpp"

namespace rokada::protocol {

struct PlayClock {
    engine::Milliseconds base{0}, increment{0};
};

struct PlaySettings {
    bool interactive = false;  // a person sits there: prompts, thinking shown
    BoardStyle style;
    std::optional<Color> own;  // the person's colour; none: both sides are moved by hand
    Position start;
    std::optional<PlayClock> clock;
    engine::Milliseconds think_time{1000};  // of the engine without a clock
};

class PlaySession : public Session {
  public:
    PlaySession(EventQueue& queue, Output& output, const ThinkerFactory& make_thinker, House house,
                PlaySettings settings);
    ~PlaySession() override;

    void begin();  // shows the board; the engine moves if it is its turn
    void handle(Event event) override;
    bool finished() const override { return finished_; }
    // When the clock of the person runs out; the caller should then call tick().
    std::optional<std::chrono::steady_clock::time_point> flag_time() const;
    void tick();

    // Strength and clock by the words of the commands `level` and `clock`; the error is a sentence.
    std::optional<std::string> choose_level(std::string_view level);
    std::optional<std::string> choose_clock(std::string_view clock);

    // These may come from another thread. Whether there is something to interrupt, and doing so: a search answers
    // with what it has, a count ends.
    bool busy() const { return thinking_ || counting_; }
    void interrupt();

  private:
    struct CommandEntry {
        std::string_view name, arguments, help;
        void (PlaySession::*run)(std::string_view arguments);
    };
    static const std::vector<CommandEntry>& commands();
    enum class Task { None, Move, Hint, Search };

    void on_line(std::string_view line);
    void execute(std::string_view line);
    void on_thought(const engine::Info& info);
    void on_decided(const engine::BestMove& best);
    void prompt();
    void say(const std::string& text) { output_.line(text); }

    // Commands, in play_commands.cpp.
    void show_help(std::string_view);
    void show_board(std::string_view);
    void show_moves(std::string_view square);
    void show_fen(std::string_view fen);
    void show_eval(std::string_view);
    void show_options(std::string_view);
    void show_record(std::string_view);
    void new_game(std::string_view color);
    void undo(std::string_view count);
    void hint(std::string_view);
    void search(std::string_view seconds);
    void run_perft(std::string_view depth);
    void save(std::string_view path);
    void load(std::string_view path);
    void set_level(std::string_view level);
    void set_clock(std::string_view clock);
    void set_time(std::string_view seconds);
    void set_option(std::string_view name_and_value);
    void flip(std::string_view);
    void set_symbols(std::string_view);
    void resign(std::string_view);
    void draw(std::string_view);
    void engine_to_move(std::string_view);
    void both_sides(std::string_view);
    void move_now(std::string_view);
    void quit(std::string_view);

    // The game.
    void start_game(const Game& game);
    void play_move(Move move);
    void next_turn();
    void announce_end();
    void think(Task task, engine::Limits limits);
    void stop_thinking();
    void charge_clock(Color mover);
    bool engine_to_play() const;

    EventQueue& queue_;
    Output& output_;
    House house_;
    PlaySettings settings_;
    Game game_;
    Temper temper_;
    PerColor<engine::Milliseconds> time_left_{};
    std::vector<PerColor<engine::Milliseconds>> times_before_;  // of the moves made with this clock
    std::chrono::steady_clock::time_point turn_begun_;
    std::string level_ = "Full";
    std::deque<std::string> waiting_;  // lines that came while the engine thought
    bool closing_ = false, finished_ = false;
    Task task_ = Task::None;
    std::atomic<bool> thinking_{false};  // task_, for other threads
    std::atomic<bool> counting_{false}, stop_counting_{false};
    std::uint64_t search_number_ = 0;
    engine::Info last_;

    std::unique_ptr<Thinker> thinker_;
};

}  // namespace rokada::protocol
