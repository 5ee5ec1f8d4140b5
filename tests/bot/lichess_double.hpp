// SPDX-License-Identifier: GPL-3.0-or-later
// A server that behaves like lichess on a bad day, over HTTPS: it challenges the bot, plays random legal moves against it, and does
// everything a real one may do to a conversation. It is strict about the bot: every move that should not have been sent is counted.
#pragma once

#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <random>

#include "chess/game.hpp"
#include "tests/net/support.hpp"

namespace rokada::bot::test {

inline constexpr const char* kToken = "secret-token-of-the-bot";

class LichessDouble {
  public:
    struct Faults {
        bool lines = false;     // split, doubled, unknown, empty, dropped half-way, gone silent
        bool answers = false;   // slow, lost, 429 with and without Retry-After, 503
        bool opponent = false;  // takebacks, draw offers, gone and back
    };
    // How the opponent plays; by default at random.
    struct Plan {
        std::string fen = {};                      // empty: as usual
        std::vector<std::string> moves = {};       // in turn, again and again
        std::optional<std::size_t> stops_at = {};  // it has gone when so many plies are played
        bool has_clock = true;
        std::size_t length = 0;  // plies; 0: as usual
    };
    // What the bot did, and how the games went.
    struct Report {
        int finished = 0;
        int moves = 0;         // of the bot, accepted
        int double_moves = 0;  // sent when it was not its turn
        int illegal_moves = 0;
        int lost_on_time = 0;
        int unauthorized = 0;
        int accepted = 0, declined = 0, chats = 0, draws_declined = 0, takebacks = 0, claims = 0;
        int faults = 0;
        int challenges = 0;  // made by the bot
        int upgrades = 0, most_at_once = 0;
        std::vector<std::string> actions;  // of the bot in games, chat left out
        std::vector<std::string> first_moves;
        std::map<std::string, int> statuses;
        std::vector<std::string> reasons;  // of declines
    };

    explicit LichessDouble(Faults faults, std::uint64_t seed = 1);
    LichessDouble(Plan plan, std::string title);
    ~LichessDouble();

    std::string url() const { return "https://127.0.0.1:" + std::to_string(server_->port); }
    std::string ca_file() const { return certificate_.certificate(); }
    // Challenges the bot to so many games, no more than `at_once` running; waits for their end. False as soon as nothing has
    // happened for the time of the patience.
    bool play_games(int count, int at_once, std::chrono::seconds patience);
    std::string unfinished();                 // what stands still, for a message
    void challenge(const std::string& body);  // the object of a challenge event
    Report report();
    int event_streams() { return report_event_streams_; }

  private:
    struct Play;
    void add_routes(net::Router& router);
    bool known(const net::RequestPtr& request, const net::Responder& responder);
    bool trouble(const net::Responder& responder);
    void open_events(const net::Responder& responder);
    void open_game(const net::RequestPtr& request, const net::Responder& responder);
    void challenged(const net::RequestPtr& request, const net::Responder& responder);
    void answered(const net::RequestPtr& request, const net::Responder& responder);
    Play* find(const net::RequestPtr& request, const net::Responder& responder);
    void done(const net::Responder& responder);
    void keep_alive();
    void move(const net::RequestPtr& request, const net::Responder& responder);
    void action(const net::RequestPtr& request, const net::Responder& responder);
    void start_game(const std::string& id);
    void opponent_moves(const std::string& id);
    void end(Play& play, const std::string& status, const std::string& winner);
    void judge(Play& play);
    void tell(Play& play);
    void write(Play& play, const std::string& line);
    void next_challenges();
    std::string state_of(Play& play);
    std::string full_of(Play& play);
    bool chance(double probability);
    void after(std::chrono::milliseconds delay, net::Task task);

    Faults faults_;
    std::optional<Plan> plan_;
    std::string title_ = "BOT";
    std::mutex mutex_;  // guards all that follows
    std::condition_variable changed_;
    std::mt19937_64 random_;
    Report report_;
    std::map<std::string, std::unique_ptr<Play>> plays_;
    net::Stream events_;
    std::deque<std::pair<std::string, std::string>> open_challenges_;  // id, object
    int wanted_ = 0, at_once_ = 1, made_ = 0, running_ = 0, ids_ = 0;
    std::uint64_t progress_ = 0;
    bool events_silent_ = false;
    std::atomic<int> report_event_streams_{0};
    std::vector<std::unique_ptr<net::Timer>> timers_;
    net::test::TestCertificate certificate_;
    std::unique_ptr<net::test::TestServer> server_;  // last: its threads must end first
};

}  // namespace rokada::bot::test
