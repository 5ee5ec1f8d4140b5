// SPDX-License-Identifier: GPL-3.0-or-later
// The bot: listens to its account's events, takes and makes challenges, plays several games at once, keeps the ledger. Used by
// `rokada lichess`. Stops when told to, after the games that run.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <variant>

#include "bot/game_player.hpp"

namespace rokada::bot {

class Bot {
  public:
    explicit Bot(Settings settings);
    ~Bot();
    Bot(const Bot&) = delete;
    Bot& operator=(const Bot&) = delete;

    // Turns the account into one for bots, for ever. The error is one line.
    std::optional<std::string> upgrade();
    // Until it is stopped; an error if it cannot go on (a refused token).
    std::optional<std::string> run();
    // From any thread. The first time: no new games, those that run are played to their end. The second: leave at once.
    void stop();

  private:
    struct Line {
        std::string text;
    };
    struct Refused {
        int status;
    };
    struct GameOver {
        std::string id;
        std::optional<LedgerEntry> entry;
    };
    // A challenge that could not be accepted.
    struct NotAccepted {
        std::string id;
        int status;
    };
    struct BotsOnline {
        Answer answer;
    };
    struct Challenged {
        std::string user;
        Answer answer;
    };
    struct Stop {};
    using Event = std::variant<Line, Refused, GameOver, NotAccepted, BotsOnline, Challenged, Stop>;
    struct Running {
        std::unique_ptr<GamePlayer> player;
        std::thread thread;
    };
    // A challenge of somebody else that was accepted; its game has not begun yet.
    struct Accepted {
        Clock::time_point until;
        bool has_clock;
    };
    // Our own challenge that waits for an answer.
    struct Pending {
        std::string id, user;
        Clock::time_point until;
    };

    void handle(const Line& line);
    void handle(const Refused& refused);
    void handle(const GameOver& over);
    void handle(const NotAccepted& refusal);
    void handle(const BotsOnline& online);
    void handle(const Challenged& challenged);
    void handle(const Stop&);

    void answer(const Challenge& challenge);
    void start_game(const std::string& id);
    void seek_opponent();
    void give_up_pending();
    int committed(bool with_clock) const;  // games of that kind that run, and those about to
    bool busy() const;                     // with anything but waiting for moves by letter
    void post(const std::string& path, const std::string& form = {}, int tries = 5);

    Settings settings_;
    PolyglotBook book_;
    Table table_;
    std::string me_;
    int rating_ = 0;
    Queue<Event> events_;
    Ledger ledger_;
    std::map<std::string, Running> games_;
    std::set<std::string> finished_;  // an old gameStart may come again
    std::set<std::string> answered_;  // challenges
    std::map<std::string, Accepted> accepted_;
    std::optional<Pending> pending_;
    bool seeking_ = false;
    Clock::time_point seek_at_;
    std::deque<Clock::time_point> asked_;  // of the last day
    std::map<std::string, Clock::time_point> tried_;
    int stops_ = 0;
    std::optional<std::string> error_;
    std::mt19937_64 random_;
    std::unique_ptr<Connection> connection_;  // last: its threads must end first
};

}  // namespace rokada::bot
