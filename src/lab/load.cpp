// SPDX-License-Identifier: GPL-3.0-or-later
#include "lab/load.hpp"

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <random>
#include <thread>

#include "chess/game.hpp"
#include "chess/movegen.hpp"
#include "chess/notation/uci_move.hpp"

namespace rokada::lab {
namespace {

using net::Clock;

// Everything below runs on the one loop of the generator.
struct Tally {
    std::mutex mutex;
    std::condition_variable changed;
    int ready = 0, failed = 0;
    bool counting = false, over = false;
    std::uint64_t answered = 0, told = 0, refused = 0;
    std::vector<std::uint32_t> microseconds;
    std::string problem;

    void fail(const std::string& why) {
        const std::lock_guard lock(mutex);
        if (problem.empty()) problem = why;
        ++failed;
        ++refused;
        changed.notify_all();
    }
};

std::string field(const std::string& body, const std::string& name) {
    const std::string key = "\"" + name + "\":\"";
    const std::size_t at = body.find(key);
    if (at == std::string::npos) return "";
    const std::size_t begin = at + key.size();
    return body.substr(begin, body.find('"', begin) - begin);
}

// Plays device games, one after the other, both sides from one socket.
class Player : public std::enable_shared_from_this<Player> {
  public:
    Player(net::HttpClient& client, net::Executor executor, const LoadPlan& plan, Tally& tally,
           unsigned seed)
        : client_(client), plan_(plan), tally_(tally), random_(seed), pause_(executor) {}

    void connect() {
        if (plan_.kind == LoadPlan::Kind::Echo || plan_.kind == LoadPlan::Kind::Idle)
            return open_socket();
        make_game([self = shared_from_this()] { self->open_socket(); });
    }
    void begin(Clock::duration first_pause, Clock::duration period) {
        period_ = period;
        if (plan_.kind == LoadPlan::Kind::Idle || !socket_) return;
        pause_.start(first_pause, [self = shared_from_this()] { self->say(); });
    }
    void end() {
        pause_.cancel();
        if (socket_) socket_->close(net::CloseCode::kNormal);
        socket_.reset();
    }

  private:
    void make_game(std::function<void()> next) {
        net::ClientRequest request;
        request.method = net::Method::kPost;
        request.url = plan_.url + "/api/v1/games";
        request.headers.set("Origin", plan_.url);
        request.headers.set("Content-Type", "application/json");
        if (!cookie_.empty()) request.headers.set("Cookie", cookie_);
        request.body = R"({"opponent":"device","auto_draw":false,"visibility":"link"})";
        client_.send(std::move(request),
                     [self = shared_from_this(), next = std::move(next)](net::ClientResult result) {
                         if (!result) return self->tally_.fail(result.error().message);
                         if (result->status != 201)
                             return self->tally_.fail("no game: " + std::to_string(result->status));
                         const auto set = result->headers.get("Set-Cookie");
                         if (!set.empty())
                             self->cookie_ = std::string(set.substr(0, set.find(';')));
                         self->id_ = field(result->body, "id");
                         self->game_ = Game(Position(), DrawRule::Claim);
                         next();
                     });
    }

    void open_socket() {
        net::ClientRequest request;
        const std::string& server = plan_.sockets.empty() ? plan_.url : plan_.sockets;
        request.url = "ws" + server.substr(4) + "/api/v1/live";
        request.headers.set("Origin", server);
        if (!cookie_.empty()) request.headers.set("Cookie", cookie_);
        net::WebSocketEvents events;
        events.on_message = [self = shared_from_this()](const net::WebSocketPtr&,
                                                        std::string_view text) {
            self->hear(text);
        };
        events.on_close = [self = shared_from_this()](const net::WebSocketPtr&,
                                                      const net::WebSocketClosed& closed) {
            const std::lock_guard lock(self->tally_.mutex);
            if (self->tally_.over) return;
            ++self->tally_.refused;
            if (self->tally_.problem.empty())
                self->tally_.problem =
                    "closed with " + std::to_string(static_cast<int>(closed.code));
        };
        client_.open_websocket(
            std::move(request), std::move(events),
            [self = shared_from_this()](Result<net::WebSocketPtr, net::ClientError> result) {
                if (!result) return self->tally_.fail(result.error().message);
                self->socket_ = *result;
                if (!self->id_.empty()) self->watch();
                const std::lock_guard lock(self->tally_.mutex);
                ++self->tally_.ready;
                self->tally_.changed.notify_all();
            });
    }

    void watch() {
        if (socket_) socket_->send(R"({"t":"watch","game":")" + id_ + "\"}");
    }

    // One thing to say; the answer is waited for.
    void say() {
        if (!socket_) return;
        sent_ = Clock::now();
        if (plan_.kind == LoadPlan::Kind::Echo) {
            socket_->send(R"({"t":"ping","n":1})");
            return;
        }
        if (game_.over() || game_.plies().size() >= 200) {
            socket_->send(R"({"t":"leave","game":")" + id_ + "\"}");
            return make_game([self = shared_from_this()] {
                self->watch();
                self->say();
            });
        }
        const MoveList moves = legal_moves(game_.position());
        const Move move =
            moves[std::uniform_int_distribution<std::size_t>(0, moves.size() - 1)(random_)];
        game_.play(move);
        socket_->send(R"({"t":"move","game":")" + id_ + R"(","ply":)" +
                      std::to_string(game_.plies().size()) + R"(,"uci":")" + to_uci(move) +
                      R"(","id":"m"})");
    }

    void hear(std::string_view text) {
        if (text.find(R"("t":"error")") != std::string_view::npos) {
            const std::lock_guard lock(tally_.mutex);
            ++tally_.refused;
            if (tally_.problem.empty()) tally_.problem = std::string(text.substr(0, 200));
            return;
        }
        if (text.find(R"("t":"event")") != std::string_view::npos) {
            const std::lock_guard lock(tally_.mutex);
            if (tally_.counting) ++tally_.told;
            return;
        }
        const std::string_view wanted =
            plan_.kind == LoadPlan::Kind::Echo ? R"("t":"pong")" : R"("t":"ack")";
        if (text.find(wanted) == std::string_view::npos) return;
        const auto now = Clock::now();
        bool go_on = false;
        {
            const std::lock_guard lock(tally_.mutex);
            if (tally_.counting) {
                ++tally_.answered;
                tally_.microseconds.push_back(static_cast<std::uint32_t>(
                    std::chrono::duration_cast<std::chrono::microseconds>(now - sent_).count()));
            }
            go_on = !tally_.over;
        }
        if (!go_on) return;
        if (plan_.kind != LoadPlan::Kind::Paced) return say();
        // Late answers do not make the next move later: the rate is kept as far as possible.
        const auto left = period_ - (now - sent_);
        pause_.start(std::max(left, Clock::duration::zero()),
                     [self = shared_from_this()] { self->say(); });
    }

    net::HttpClient& client_;
    const LoadPlan& plan_;
    Tally& tally_;
    std::mt19937 random_;
    net::Timer pause_;
    net::WebSocketPtr socket_;
    std::string cookie_, id_;
    Game game_{Position(), DrawRule::Claim};
    Clock::time_point sent_{};
    Clock::duration period_{};
};

double milliseconds(const std::vector<std::uint32_t>& sorted, double share) {
    if (sorted.empty()) return 0;
    const auto last = static_cast<double>(sorted.size() - 1);
    return sorted[static_cast<std::size_t>(last * share)] / 1000.0;
}

}  // namespace

LoadReport run_load(const LoadPlan& plan) {
    Tally tally;
    net::Loops loops(1);
    net::ClientOptions options;
    options.timeout = net::Milliseconds(60'000);
    net::HttpClient client(loops, options);
    std::vector<std::shared_ptr<Player>> players;
    const auto wait = [&tally](auto condition, Clock::duration longest) {
        std::unique_lock lock(tally.mutex);
        return tally.changed.wait_for(lock, longest, condition);
    };
    // A few at a time: connecting is not what is measured.
    constexpr int kAtOnce = 64;
    for (int i = 0; i < plan.players; ++i) {
        wait([&] { return i - tally.ready - tally.failed < kAtOnce; }, std::chrono::seconds(60));
        players.push_back(std::make_shared<Player>(client, loops.executor(0), plan, tally,
                                                   static_cast<unsigned>(i) + 1));
        loops.executor(0).post([player = players.back()] { player->connect(); });
    }
    wait([&] { return tally.ready + tally.failed >= plan.players; }, std::chrono::seconds(120));
    if (plan.on_ready) plan.on_ready();

    const auto period = std::chrono::duration_cast<Clock::duration>(
        std::chrono::duration<double>(plan.players / std::max(plan.moves_per_second, 0.001)));
    const bool paced = plan.kind == LoadPlan::Kind::Paced;
    {
        const std::lock_guard lock(tally.mutex);
        tally.counting = true;
    }
    const auto begun = Clock::now();
    for (std::size_t i = 0; i < players.size(); ++i) {
        const auto first = paced ? period * static_cast<int>(i) / static_cast<int>(players.size())
                                 : Clock::duration::zero();
        loops.executor(0).post(
            [player = players[i], first, period] { player->begin(first, period); });
    }
    std::this_thread::sleep_for(std::chrono::duration<double>(plan.seconds));
    LoadReport report;
    {
        const std::lock_guard lock(tally.mutex);
        tally.counting = false;
        tally.over = true;
        report.answered = tally.answered;
        report.told = tally.told;
        report.refused = tally.refused;
        report.players = tally.ready;
        report.problem = tally.problem;
    }
    report.seconds = std::chrono::duration<double>(Clock::now() - begun).count();
    if (plan.on_done) plan.on_done();
    std::sort(tally.microseconds.begin(), tally.microseconds.end());
    report.p50_ms = milliseconds(tally.microseconds, 0.5);
    report.p90_ms = milliseconds(tally.microseconds, 0.9);
    report.p99_ms = milliseconds(tally.microseconds, 0.99);
    report.worst_ms = milliseconds(tally.microseconds, 1);
    for (const auto& player : players) loops.executor(0).post([player] { player->end(); });
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    return report;
}

}  // namespace rokada::lab
