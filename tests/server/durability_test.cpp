// SPDX-License-Identifier: GPL-3.0-or-later
// "A move the server acknowledged is on disk": the real program, killed at random moments under load.
// ROKADA_KILLS sets the number of kills (20 by default).
#include <atomic>
#include <cstdlib>
#include <random>
#include <thread>

#include <gtest/gtest.h>

#include "chess/game.hpp"
#include "chess/movegen.hpp"
#include "chess/notation/uci_move.hpp"
#include "net/client.hpp"
#include "net/json.hpp"
#include "tests/server/server_process.hpp"
#include "tests/server/temporary_folder.hpp"

namespace rokada::server::test {
namespace {

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
            const auto answer = send(
                client, origin, net::Method::kPut,
                "/api/v1/games/" + game_ + "/moves/" + std::to_string(board_.plies().size() + 1),
                "{\"uci\":\"" + pending_ + "\"}");
            if (!answer) return;  // perhaps played, perhaps not
            ASSERT_EQ(answer->status, 200) << answer->body;
            const auto state = net::parse_json(answer->body, 64);
            clock_sum_ = state->at("clocks").at("white_ms").to_number<std::int64_t>() +
                         state->at("clocks").at("black_ms").to_number<std::int64_t>();
            board_.play(*parse_uci_move(board_.position(), pending_));
            pending_.clear();
            ++acknowledged_;
        }
    }

    // After a restart: everything acknowledged is there, at most the one unanswered move more.
    void check(net::HttpClient& client, const std::string& origin) {
        if (game_.empty()) return;
        const auto answer = send(client, origin, net::Method::kGet, "/api/v1/games/" + game_, "");
        ASSERT_TRUE(answer);
        ASSERT_EQ(answer->status, 200) << answer->body;
        const auto state = net::parse_json(answer->body, 64);
        const auto& moves = state->at("moves").get_array();
        ASSERT_GE(moves.size(), board_.plies().size()) << "an acknowledged move is lost";
        ASSERT_LE(moves.size(), board_.plies().size() + 1) << "a move was played twice";
        for (std::size_t i = 0; i < board_.plies().size(); ++i)
            ASSERT_EQ(moves[i].get_string(), to_uci(board_.plies()[i].move)) << "ply " << i + 1;
        if (moves.size() > board_.plies().size()) {
            ASSERT_EQ(moves[board_.plies().size()].get_string(), pending_);
            board_.play(*parse_uci_move(board_.position(), pending_));
            pending_.clear();
        }
        if (board_.plies().size() >= 2 && !board_.over() && clock_sum_ > 0) {
            const auto sum = state->at("clocks").at("white_ms").to_number<std::int64_t>() +
                             state->at("clocks").at("black_ms").to_number<std::int64_t>();
            // Downtime is not charged; the side to move gets 15 s; thinking here is a moment.
            EXPECT_GE(sum, clock_sum_ - 3'000);
            EXPECT_LE(sum, clock_sum_ + 15'000 + 1'000);
            clock_sum_ = sum;  // the next kill may come before the next move
        }
    }
    int acknowledged() const { return acknowledged_; }

  private:
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
        clock_sum_ = 0;
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
    std::int64_t clock_sum_ = 0;
    int acknowledged_ = 0;
};

TEST(Durability, NoAcknowledgedMoveIsLostWhenTheServerIsKilled) {
    const char* wish = std::getenv("ROKADA_KILLS");
    const int kills = wish != nullptr ? std::atoi(wish) : 20;
    const TemporaryFolder folder;
    std::mt19937 random(20261115);
    std::vector<std::unique_ptr<Player>> players;
    for (unsigned i = 0; i < 6; ++i) players.push_back(std::make_unique<Player>(i));
    for (int round = 0; round <= kills; ++round) {
        ServerProcess server(folder.path() / "data");
        net::Loops loops(1);
        net::HttpClient client(loops);
        for (const auto& player : players) player->check(client, server.origin());
        if (round == kills || ::testing::Test::HasFatalFailure()) break;
        std::atomic<bool> stop{false};
        std::vector<std::thread> threads;
        for (const auto& player : players)
            threads.emplace_back([&] { player->play(client, server.origin(), stop); });
        std::this_thread::sleep_for(
            std::chrono::milliseconds(std::uniform_int_distribution<int>(20, 400)(random)));
        server.kill();
        stop = true;
        for (auto& thread : threads) thread.join();
    }
    int acknowledged = 0;
    for (const auto& player : players) acknowledged += player->acknowledged();
    EXPECT_GT(acknowledged, kills) << "there was no load";
    RecordProperty("acknowledged_moves", acknowledged);
}

int run(const std::string& arguments, std::string* output = nullptr) {
    FILE* pipe = ::popen((std::string(ROKADA_BINARY) + " " + arguments + " 2>&1").c_str(), "r");
    char buffer[512];
    while (const std::size_t size = std::fread(buffer, 1, sizeof buffer, pipe))
        if (output != nullptr) output->append(buffer, size);
    return WEXITSTATUS(::pclose(pipe));
}

TEST(Backup, RestoreDrill) {
    const TemporaryFolder folder;
    const std::string data = (folder.path() / "data").string();
    const std::string file = (folder.path() / "all.dump").string();
    {
        ServerProcess server(data);
        EXPECT_EQ(run("user add mia --data " + data), 0) << "beside a running server";
        EXPECT_EQ(run("backup --data " + data + " " + file), 0);
        std::string refusal;
        EXPECT_EQ(run("restore --data " + data + " " + file, &refusal), 1);
        EXPECT_NE(refusal.find("another Rokada server"), std::string::npos) << refusal;
        EXPECT_EQ(run("user add leo --data " + data), 0);
    }
    EXPECT_EQ(run("verify " + file), 0);
    EXPECT_EQ(run("restore --data " + data + " " + file), 0);
    EXPECT_EQ(run("verify --data " + data), 0);
    std::string names;
    EXPECT_EQ(run("user list --data " + data, &names), 0);
    EXPECT_EQ(names, "mia\n") << "as it was when the backup was made";
    ServerProcess server(data);
}

TEST(ServeCommand, StopsCleanlyOnRequest) {
    const TemporaryFolder folder;
    ServerProcess server(folder.path() / "data");
    EXPECT_EQ(server.stop(), 0);
}

TEST(ServeCommand, ABusyPortNamesTheNextFreeOne) {
    const TemporaryFolder folder;
    ServerProcess server(folder.path() / "data");
    const std::string port = server.origin().substr(server.origin().rfind(':') + 1);
    const std::string command = std::string(ROKADA_BINARY) + " serve --port " + port + " --data " +
                                (folder.path() / "other").string() + " 2>&1";
    FILE* pipe = ::popen(command.c_str(), "r");
    char line[256] = {};
    ASSERT_NE(std::fgets(line, sizeof line, pipe), nullptr);
    EXPECT_NE(std::string(line).find("port " + port + " is in use; --port "), std::string::npos)
        << line;
    EXPECT_EQ(WEXITSTATUS(::pclose(pipe)), 1);
}

}  // namespace
}  // namespace rokada::server::test
