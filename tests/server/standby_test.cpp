// SPDX-License-Identifier: GPL-3.0-or-later
// Two real servers on one PostgreSQL and one NATS: what happens to the games of one that is killed,
// stopped for a while, or ends in good order.
#include <cstdio>
#include <thread>

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>

#include "net/client.hpp"
#include "net/json.hpp"
#include "tests/server/cluster_people.hpp"
#include "tests/server/eventually.hpp"
#include "tests/server/private_nats.hpp"
#include "tests/server/private_postgres.hpp"
#include "tests/server/server_process.hpp"
#include "tests/server/temporary_folder.hpp"

namespace rokada::server::test {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

class Standby : public ::testing::Test {
  protected:
    void SetUp() override {
        PrivatePostgres* postgres = PrivatePostgres::get();
        if (postgres == nullptr || !PrivateNats::installed())
            GTEST_SKIP() << "needs PostgreSQL and nats-server";
        nats_ = std::make_unique<PrivateNats>();
        database_ = postgres->fresh_url();
        one_ = server("one");
        two_ = server("two");
    }
    std::unique_ptr<ServerProcess> server(const std::string& name) {
        return std::make_unique<ServerProcess>(
            folder_.path() / name, std::vector<std::string>{"--db", database_, "--bus",
                                                            nats_->url(), "--node-name", name});
    }

    net::ClientResponse send(const ServerProcess& to, net::Method method, const std::string& path,
                             const std::string& body = "") {
        net::ClientRequest request;
        request.method = method;
        request.url = to.origin() + path;
        request.body = body;
        request.timeout = net::Milliseconds(30'000);
        request.headers.set("Origin", to.origin());
        if (!body.empty()) request.headers.set("Content-Type", "application/json");
        if (!cookie_.empty()) request.headers.set("Cookie", cookie_);
        auto result = client_.fetch(std::move(request));
        if (!result) return {};
        if (const auto set = result->headers.get("Set-Cookie"); !set.empty())
            cookie_ = std::string(set.substr(0, set.find(';')));
        return std::move(*result);
    }
    std::string new_game(const ServerProcess& at) {
        const auto made = send(
            at, net::Method::kPost, "/api/v1/games",
            R"({"opponent":"device","auto_draw":false,"clock":{"initial":600,"increment":0}})");
        EXPECT_EQ(made.status, 201) << made.body;
        return std::string(net::parse_json(made.body, 64)->at("id").get_string());
    }
    int move(const ServerProcess& at, const std::string& game, std::size_t ply) {
        return send(at, net::Method::kPut,
                    "/api/v1/games/" + game + "/moves/" + std::to_string(ply),
                    "{\"uci\":\"" + kMoves[ply - 1] + "\"}")
            .status;
    }
    struct State {
        int status = 0;
        std::size_t moves = 0;
        std::int64_t clocks = 0;  // both together
    };
    State state(const ServerProcess& at, const std::string& game) {
        const auto read = send(at, net::Method::kGet, "/api/v1/games/" + game);
        State result;
        result.status = read.status;
        const auto json = net::parse_json(read.body, 64);
        if (!json || read.status != 200) return result;
        const auto& moves = json->at("moves").get_array();
        result.moves = moves.size();
        for (std::size_t i = 0; i < moves.size(); ++i)
            EXPECT_EQ(moves[i].get_string(), kMoves[i]) << "ply " << i + 1;
        for (const char* side : {"white_ms", "black_ms"})
            result.clocks += json->at("clocks").at(side).to_number<std::int64_t>();
        return result;
    }
    // How long until this server plays the move: it waits until the game is its own.
    Clock::duration await(const ServerProcess& at, const std::string& game, std::size_t ply) {
        const auto begun = Clock::now();
        EXPECT_TRUE(eventually([&] { return move(at, game, ply) == 200; })) << ply;
        return Clock::now() - begun;
    }

    TemporaryFolder folder_;
    std::unique_ptr<PrivateNats> nats_;
    std::string database_, cookie_;
    std::unique_ptr<ServerProcess> one_, two_;
    net::Loops loops_{1};
    net::HttpClient client_{loops_};
};

TEST_F(Standby, AKilledServerIsReplacedWithinFiveSecondsAndNoMoveIsLost) {
    const std::string game = new_game(*one_);
    for (std::size_t ply = 1; ply <= 6; ++ply) ASSERT_EQ(move(*one_, game, ply), 200);
    const State before = state(*one_, game);
    one_->kill();
    EXPECT_EQ(state(*two_, game).moves, 6u) << "to look at it one need not wait";
    EXPECT_LT(await(*two_, game, 7), take_over_limit());
    const State after = state(*two_, game);
    EXPECT_EQ(after.moves, 7u);
    EXPECT_GE(after.clocks, before.clocks - 1500)
        << "the time nobody looked after it is not charged";
    EXPECT_LE(after.clocks, 2 * 600'000 + 15'000) << "what both had, and the bonus";
    for (std::size_t ply = 8; ply <= 10; ++ply) ASSERT_EQ(move(*two_, game, ply), 200);
    one_ = server("one");  // it comes back as somebody new
    EXPECT_EQ(state(*one_, game).moves, 10u);
}

TEST_F(Standby, AStoppedServerIsFencedOffWhenItGoesOn) {
    const std::string game = new_game(*one_);
    for (std::size_t ply = 1; ply <= 4; ++ply) ASSERT_EQ(move(*one_, game, ply), 200);
    ::kill(one_->pid(), SIGSTOP);
    EXPECT_LT(await(*two_, game, 5), take_over_limit());
    ::kill(one_->pid(), SIGCONT);
    // It does not know yet what happened: this must not be acknowledged.
    EXPECT_NE(
        send(*one_, net::Method::kPut, "/api/v1/games/" + game + "/moves/5", R"({"uci":"d2d4"})")
            .status,
        200);
    EXPECT_LT(await(*one_, game, 6), take_over_limit()) << "it has let the game go";
    EXPECT_EQ(state(*two_, game).moves, 6u);
    EXPECT_EQ(send(*one_, net::Method::kGet, "/readyz").status, 200) << "and is of use again";
}

TEST_F(Standby, AServerThatEndsHandsItsGamesOverAtOnce) {
    const std::string game = new_game(*one_);
    for (std::size_t ply = 1; ply <= 4; ++ply) ASSERT_EQ(move(*one_, game, ply), 200);
    const State before = state(*one_, game);
    const auto begun = std::chrono::steady_clock::now();
    EXPECT_EQ(one_->stop(), 0);
    // As long as it is the game's server its clock runs.
    const auto stopping = std::chrono::duration_cast<std::chrono::milliseconds>(
        std::chrono::steady_clock::now() - begun);
    EXPECT_LT(await(*two_, game, 5), 2s);
    EXPECT_GE(state(*two_, game).clocks, before.clocks - stopping.count() - 1000);
}

TEST_F(Standby, ClusterStatusNamesTheLivingAndTheDead) {
    const auto status = [this](int& code) {
        const std::string command =
            std::string(ROKADA_BINARY) + " cluster status --db '" + database_ + "' 2>&1";
        FILE* pipe = ::popen(command.c_str(), "r");
        std::string output;
        for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe))
            output.push_back(static_cast<char>(c));
        const int ended = ::pclose(pipe);
        code = WIFEXITED(ended) ? WEXITSTATUS(ended) : -1;
        return output;
    };
    int code = -1;
    const std::string both = status(code);
    EXPECT_EQ(code, 0) << both;
    EXPECT_NE(both.find("one "), std::string::npos) << both;
    EXPECT_NE(both.find("2 of 2 servers alive, 0 running games without one"), std::string::npos)
        << both;
    const std::string game = new_game(*one_);
    for (std::size_t ply = 1; ply <= 3; ++ply) ASSERT_EQ(move(*one_, game, ply), 200);
    one_->kill();
    await(*two_, game, 4);
    const std::string left = status(code);
    EXPECT_EQ(code, 1) << left;
    EXPECT_NE(left.find("not heard of"), std::string::npos) << left;
    EXPECT_NE(left.find("1 of 2 servers alive, 0 running games without one"), std::string::npos)
        << left;
}

TEST_F(Standby, WithoutNatsTheGamesGoOn) {
    const std::string game = new_game(*one_);
    ASSERT_EQ(move(*one_, game, 1), 200);
    nats_->kill(0);
    ASSERT_EQ(move(*one_, game, 2), 200);
    one_->kill();
    EXPECT_LT(await(*two_, game, 3), take_over_limit());
    EXPECT_EQ(state(*two_, game).moves, 3u);
}

}  // namespace
}  // namespace rokada::server::test
