// SPDX-License-Identifier: GPL-3.0-or-later
// "A move the server acknowledged is on disk": the real program, killed at random moments under load.
// ROKADA_KILLS sets the number of kills (20 by default).
#include <atomic>
#include <cstdlib>
#include <random>
#include <thread>

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include "chess/game.hpp"
#include "chess/movegen.hpp"
#include "chess/notation/uci_move.hpp"
#include "net/client.hpp"
#include "net/json.hpp"
#include "tests/server/server_process.hpp"
#include "tests/server/temporary_folder.hpp"

namespace rokada::server::test {
namespace {

// What is seen of a kill from outside.
struct Times {
    net::Clock::time_point killed, started;  // the old one, the new one
};

// Visitors who take up room and do nothing: half a request, a whole one whose answer is not read, and
// a live socket that says nothing and reads nothing.
class SilentVisitors {
  public:
    explicit SilentVisitors(const std::string& origin) {
        const auto port =
            static_cast<std::uint16_t>(std::atoi(origin.substr(origin.rfind(':') + 1).c_str()));
        const std::string host = "Host: localhost:" + std::to_string(port) + "\r\n";
        const std::string socket =
            "GET /api/v1/live HTTP/1.1\r\n" + host +
            "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";
        for (const std::string& text :
             {std::string("GET / HTTP/1.1\r\nHo"), "GET / HTTP/1.1\r\n" + host + "\r\n", socket})
            for (int i = 0; i < 5; ++i) connect(port, text);
    }
    ~SilentVisitors() {
        for (const int handle : handles_) ::close(handle);
    }
    SilentVisitors(const SilentVisitors&) = delete;
    SilentVisitors& operator=(const SilentVisitors&) = delete;

  private:
    void connect(std::uint16_t port, const std::string& text) {
        const int handle = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        handles_.push_back(handle);
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_port = htons(port);
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        ASSERT_EQ(::connect(handle, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
        ASSERT_EQ(::send(handle, text.data(), text.size(), MSG_NOSIGNAL),
                  static_cast<ssize_t>(text.size()));
    }
    std::vector<int> handles_;
};

// Plays device games with random moves and remembers every acknowledgement.
class Player {
  public:
    explicit Player(unsigned seed) : random_(seed) {}

    // Moves until the server is gone.
    void play(net::HttpClient& client, const std::string& origin, const std::atomic<bool>& stop) {
        while (!stop) {
            if (game_.empty() || board_.over()) {
                if (!make_game(client, origin)) return;
                continue;
            }
            if (pending_.empty()) pending_ = random_move();
            const auto asked = net::Clock::now();
            const auto answer = send(
                client, origin, net::Method::kPut,
                "/api/v1/games/" + game_ + "/moves/" + std::to_string(board_.plies().size() + 1),
                "{\"uci\":\"" + pending_ + "\"}");
            if (!answer) return;  // perhaps played, perhaps not
            ASSERT_EQ(answer->status, 200) << answer->body;
            read_clocks(*net::parse_json(answer->body, 64), asked);
            board_.play(*parse_uci_move(board_.position(), pending_));
            pending_.clear();
            ++acknowledged_;
        }
    }

    // After a restart: everything acknowledged is there, at most the one unanswered move more.
    void check(net::HttpClient& client, const std::string& origin, Times times) {
        if (game_.empty()) return;
        const auto asked = net::Clock::now();
        const auto answer = send(client, origin, net::Method::kGet, "/api/v1/games/" + game_, "");
        ASSERT_TRUE(answer);
        ASSERT_EQ(answer->status, 200) << answer->body;
        const auto state = net::parse_json(answer->body, 64);
        const auto& moves = state->at("moves").get_array();
        ASSERT_GE(moves.size(), board_.plies().size()) << "an acknowledged move is lost";
        ASSERT_LE(moves.size(), board_.plies().size() + 1) << "a move was played twice";
        for (std::size_t i = 0; i < board_.plies().size(); ++i)
            ASSERT_EQ(moves[i].get_string(), to_uci(board_.plies()[i].move)) << "ply " << i + 1;
        const bool clocks_ran = board_.plies().size() >= 2 && known_at_;
        const PerColor<std::int64_t> before = clocks_;
        const std::optional<net::Clock::time_point> known_at = known_at_;
        std::optional<Color> moved;
        if (moves.size() > board_.plies().size()) {
            ASSERT_EQ(moves[board_.plies().size()].get_string(), pending_);
            moved = board_.position().turn();
            board_.play(*parse_uci_move(board_.position(), pending_));
            pending_.clear();
        }
        read_clocks(*state, asked);
        if (clocks_ran && !board_.over() && state->at("status").get_string() == "playing")
            check_clocks(before, moved, *known_at, times);
    }
    int acknowledged() const { return acknowledged_; }

  private:
    void read_clocks(const net::json::value& state, net::Clock::time_point asked) {
        clocks_[Color::White] = state.at("clocks").at("white_ms").to_number<std::int64_t>();
        clocks_[Color::Black] = state.at("clocks").at("black_ms").to_number<std::int64_t>();
        known_at_ = asked;
    }
    // The promise, for each clock: the side to move gets 15 s, pays for what it thought until the kill
    // and for nothing of the time without a server; the other one's stands still. What the test cannot
    // see is when between our question and its answer the server read the clocks, how much of the time
    // until the kill the last heartbeat covers, and when after its start the new server let the clock run
    // on. These spans are measured from outside and allowed in full, and nothing else is but rounding.
    void check_clocks(const PerColor<std::int64_t>& before, std::optional<Color> moved,
                      net::Clock::time_point known_at, const Times& times) const {
        const auto milliseconds = [](net::Clock::duration time) {
            return std::chrono::duration_cast<std::chrono::milliseconds>(time).count();
        };
        constexpr std::int64_t kRounding = 2;
        const std::int64_t thought = milliseconds(times.killed - known_at) + kRounding;
        const std::int64_t running = milliseconds(net::Clock::now() - times.started) + kRounding;
        const Color turn = board_.position().turn();
        constexpr std::int64_t kGiven = 15'000, kIncrement = 1'000;
        EXPECT_LE(clocks_[turn], before[turn] + kGiven) << "time from nowhere";
        EXPECT_GE(clocks_[turn], before[turn] + kGiven - thought - running)
            << "charged for the time without a server";
        const std::int64_t other = clocks_[~turn] - before[~turn];
        if (!moved) {
            EXPECT_EQ(other, 0) << "it was not to move";
        } else {
            // The move that was not answered: it was thought about, and has its increment.
            EXPECT_LE(other, kIncrement);
            EXPECT_GE(other, kIncrement - thought);
        }
    }
    std::optional<net::ClientResponse> send(net::HttpClient& client, const std::string& origin,
                                            net::Method method, const std::string& path,
                                            const std::string& body) {
        net::ClientRequest request;
        request.method = method;
        request.url = origin + path;
        request.body = body;
        request.headers.set("Origin", origin);
        if (!body.empty()) request.headers.set("Content-Type", "application/json");
        if (!cookie_.empty()) request.headers.set("Cookie", cookie_);
        auto result = client.fetch(std::move(request));
        if (!result) return std::nullopt;
        if (const auto set = result->headers.get("Set-Cookie"); !set.empty())
            cookie_ = std::string(set.substr(0, set.find(';')));
        return std::move(*result);
    }
    bool make_game(net::HttpClient& client, const std::string& origin) {
        const auto answer = send(
            client, origin, net::Method::kPost, "/api/v1/games",
            R"({"opponent":"device","auto_draw":false,"clock":{"initial":600,"increment":1}})");
        if (!answer || answer->status != 201) return false;
        game_ = std::string(net::parse_json(answer->body, 64)->at("id").get_string());
        board_ = Game(Position(), DrawRule::Claim);
        pending_.clear();
        known_at_.reset();
        return true;
    }
    std::string random_move() {
        const MoveList moves = legal_moves(board_.position());
        return to_uci(
            moves[std::uniform_int_distribution<std::size_t>(0, moves.size() - 1)(random_)]);
    }

    std::mt19937 random_;
    std::string cookie_, game_, pending_;
    Game board_{Position(), DrawRule::Claim};
    PerColor<std::int64_t> clocks_{};
    std::optional<net::Clock::time_point> known_at_;  // when they were asked for
    int acknowledged_ = 0;
};

TEST(Durability, NoAcknowledgedMoveIsLostWhenTheServerIsKilled) {
    const char* wish = std::getenv("ROKADA_KILLS");
    const int kills = wish != nullptr ? std::atoi(wish) : 20;
    const TemporaryFolder folder;
    std::mt19937 random(20261115);
    std::vector<std::unique_ptr<Player>> players;
    for (unsigned i = 0; i < 6; ++i) players.push_back(std::make_unique<Player>(i));
    Times times;
    for (int round = 0; round <= kills; ++round) {
        times.started = net::Clock::now();
        ServerProcess server(folder.path() / "data");
        net::Loops loops(1);
        net::HttpClient client(loops);
        const SilentVisitors silent(server.origin());
        for (const auto& player : players) player->check(client, server.origin(), times);
        if (round == kills || ::testing::Test::HasFatalFailure()) break;
        std::atomic<bool> stop{false};
        std::vector<std::thread> threads;
        for (const auto& player : players)
            threads.emplace_back([&] { player->play(client, server.origin(), stop); });
        std::this_thread::sleep_for(
            std::chrono::milliseconds(std::uniform_int_distribution<int>(20, 400)(random)));
        server.kill();
        times.killed = net::Clock::now();
        stop = true;
        for (auto& thread : threads) thread.join();
    }
    int acknowledged = 0;
    for (const auto& player : players) acknowledged += player->acknowledged();
    EXPECT_GT(acknowledged, kills) << "there was no load";
    RecordProperty("acknowledged_moves", acknowledged);
}

}  // namespace
}  // namespace rokada::server::test
