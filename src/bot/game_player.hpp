// SPDX-License-Identifier: GPL-3.0-or-later
// One game from its first line to its result: follows the stream, thinks, moves, answers offers. Owns a thread of its own while it runs.
// The state of the game is always what the server said last; a move is sent once for a position and again only when the server's
// own state shows that it never arrived.
#pragma once

#include <atomic>
#include <memory>
#include <random>
#include <variant>

#include "bot/connection.hpp"
#include "bot/ledger.hpp"
#include "bot/policy.hpp"
#include "chess/polyglot.hpp"
#include "engine/engine.hpp"

namespace rokada::bot {

// What the games of one bot share.
struct Table {
    std::atomic<int> games{0};  // that need the engine now; they share the threads
    Latency latency;            // guarded by mutex
    std::mutex mutex;
    const PolyglotBook* book = nullptr;
};

class GamePlayer {
  public:
    GamePlayer(Connection& connection, const Settings& settings, Table& table, std::string id,
               std::string me);
    ~GamePlayer();

    // Returns when the game is over; nothing if it was left before that.
    std::optional<LedgerEntry> play();
    // From any thread.
    void leave();  // play() returns soon
    void look();   // the game may be over: ask the server if its stream does not say so soon
    bool has_clock() const { return has_clock_; }
    bool busy() const { return busy_ || asked_; }  // false: waits for a move by letter

  private:
    struct Connected {};
    struct Line {
        std::string text;
        int feed;  // lines of one that was replaced are old
    };
    struct Refused {
        int status;
    };
    struct Found {
        std::uint64_t search;
        engine::BestMove best;
        std::optional<int> score;  // centipawns
    };
    struct Sent {
        std::uint64_t number;
        Answer answer;
    };
    struct Leave {};
    struct Look {};
    using Event = std::variant<Connected, Line, Refused, Found, Sent, Leave, Look>;

    // A move on its way.
    struct Sending {
        std::uint64_t number;
        std::string uci;
        bool offering_draw;
        std::vector<std::string> before;  // the moves of the game it answers
        enum { OnItsWay, Accepted, Unsure, Refused, Limited } state;
        Clock::time_point
            again{};  // Limited: when it is sent again. Others: when the whole state is asked for
        bool reconnected = false;  // a stream was opened since the answer
    };
    // A move that is held back while a claim may end the game.
    struct Ready {
        std::string uci;
        std::vector<std::string> before;
        Clock::time_point at;
    };
    struct Search {
        std::uint64_t number;
        std::vector<std::string> moves;  // the game it thinks about
        bool pondering;
    };

    void handle(Connected&);
    void handle(Line& line);
    void handle(Refused& refused);
    void handle(Found& found);
    void handle(Sent& sent);
    void handle(Leave&) { left_ = true; }
    void handle(Look&);

    void begin(const GameFull& full);
    void follow(const GameState& state, bool fresh);
    bool rebuild(const std::vector<std::string>& moves);
    void answer_offers(const GameState& state, bool fresh);
    void take_turn(bool fresh);
    bool may_claim_draw() const;
    void set_busy(bool busy);
    void think();
    void ponder(Move reply);
    void stop_search();
    void start_search(const engine::Limits& limits, std::vector<std::string> moves, bool pondering);
    void send_move(const std::string& uci, bool offering_draw, std::vector<std::string> before);
    void post(const std::string& action, const std::string& form = {});
    void say(const std::string& text);
    void open_feed();
    void check_time();
    Clock::time_point next_deadline() const;
    engine::Limits limits() const;
    void tune_engine();
    bool my_turn() const { return position_.turn() == color_; }
    const Person& opponent() const { return color_ == Color::White ? full_->black : full_->white; }
    void log(const std::string& text) const { connection_.log(id_ + ": " + text); }
    LedgerEntry entry() const;

    Connection& connection_;
    const Settings& settings_;
    Table& table_;
    const std::string id_, me_;

    // Shared with callbacks, which may come after the game.
    std::shared_ptr<Queue<Event>> events_ = std::make_shared<Queue<Event>>();
    std::shared_ptr<Feed> feed_;
    int earlier_reconnects_ = 0;
    std::optional<GameFull> full_;
    GameState state_;
    Color color_ = Color::White;
    Position start_, position_;
    std::vector<Move> line_;
    Mood mood_;
    std::optional<Search> search_;
    std::optional<Sending> sending_;
    std::optional<Ready> ready_;
    std::uint64_t searches_ = 0, sendings_ = 0;
    int refusals_ = 0;
    int takebacks_ = 0, guessed_ = 0;
    bool over_ = false, left_ = false, resigned_ = false, aborted_ = false;
    bool draw_answered_ = false, takeback_answered_ = false;
    std::optional<std::vector<std::string>>
        held_;  // a takeback was granted here; what it leaves is not known yet
    std::optional<Clock::time_point> claim_at_, look_at_, abort_at_;
    std::atomic<bool> has_clock_{true}, busy_{false};
    std::atomic<bool> asked_{false};  // to look, until the whole state has come
    bool looking_ = false;
    int feeds_ = 0;
    int engine_threads_ = 1;
    std::mt19937_64 random_;

    // Touched by the engine's thread only.
    std::uint64_t answers_ = 0;
    std::optional<int> last_score_;
    std::unique_ptr<engine::Engine> engine_;  // last: its thread must end first
};

}  // namespace rokada::bot
