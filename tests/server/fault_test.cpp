// SPDX-License-Identifier: GPL-3.0-or-later
// "A move the server acknowledged is on disk", when the power goes, a sync fails, the disk is full or the database
// restarts. ROKADA_POWER_LOSSES sets the number of rounds (20 by default).
#include <atomic>
#include <cstdlib>
#include <random>
#include <thread>

#include "chess/game.hpp"
#include "chess/movegen.hpp"
#include "chess/notation/uci_move.hpp"
#include "tests/server/fault_vfs.hpp"
#include "tests/server/private_postgres.hpp"
#include "tests/server/site_fixture.hpp"

namespace rokada::server::test {
namespace {

std::string random_move(const Position& position, std::mt19937& random) {
    const MoveList moves = legal_moves(position);
    return to_uci(moves[std::uniform_int_distribution<std::size_t>(0, moves.size() - 1)(random)]);
}

class Faults : public SiteTest {
  protected:
    void SetUp() override {
        FaultVfs::get().power_on();
        options_.sqlite_vfs = FaultVfs::kName;
        options_.log = {};  // failures are the point
        options_.limits.guest_address = {100'000, std::chrono::seconds(1)};
        options_.limits.new_game = {100'000, std::chrono::seconds(1)};
        start();
    }
    void TearDown() override {
        stop();
        FaultVfs::get().power_on();
    }
};

TEST_F(Faults, PowerLossForgetsNoAcknowledgedMove) {
    const char* wish = std::getenv("ROKADA_POWER_LOSSES");
    const int rounds = wish != nullptr ? std::atoi(wish) : 20;
    constexpr int kPlayers = 3;
    std::mt19937 random(7);
    std::uint64_t forgotten = 0;
    int acknowledged = 0;
    for (int round = 0; round < rounds; ++round) {
        std::atomic<bool> stop_playing{false};
        struct Played {
            std::string id;
            std::vector<std::string> moves;
        };
        std::vector<std::vector<Played>> played(kPlayers);
        std::vector<std::string> cookies(kPlayers);
        std::vector<std::thread> players;
        for (int i = 0; i < kPlayers; ++i)
            players.emplace_back([&, i, seed = random()] {
                std::mt19937 own(static_cast<std::mt19937::result_type>(seed));
                Visitor visitor(*this);
                visitor.check_schema = false;
                while (!stop_playing) {
                    const Answer made =
                        visitor.post("/api/v1/games", R"({"opponent":"device","auto_draw":false})");
                    if (made.status != 201) continue;
                    cookies[static_cast<std::size_t>(i)] = visitor.cookie;
                    Played game{made.text("/id"), {}};
                    Game board(Position(), DrawRule::Claim);
                    while (!stop_playing && !board.over() && game.moves.size() < 60) {
                        const std::string uci = random_move(board.position(), own);
                        const Answer moved =
                            visitor.move(game.id, static_cast<int>(game.moves.size()) + 1, uci);
                        if (moved.status != 200) break;
                        board.play(*parse_uci_move(board.position(), uci));
                        game.moves.push_back(uci);
                    }
                    played[static_cast<std::size_t>(i)].push_back(std::move(game));
                }
            });
        std::this_thread::sleep_for(std::chrono::milliseconds(20 + random() % 150));
        FaultVfs::get().lose_power();
        stop_playing = true;
        for (std::thread& player : players) player.join();
        forgotten += FaultVfs::get().forgotten();
        stop();
        FaultVfs::get().power_on();
        start();
        for (int i = 0; i < kPlayers; ++i) {
            Visitor visitor(*this);
            visitor.cookie = cookies[static_cast<std::size_t>(i)];
            for (const Played& game : played[static_cast<std::size_t>(i)]) {
                const Answer read = visitor.get("/api/v1/games/" + game.id);
                ASSERT_EQ(read.status, 200) << "a game that was made is gone";
                const auto& moves = read.json.at("moves").get_array();
                ASSERT_GE(moves.size(), game.moves.size()) << "an acknowledged move is lost";
                for (std::size_t ply = 0; ply < game.moves.size(); ++ply)
                    ASSERT_EQ(moves[ply].get_string(), game.moves[ply]);
                acknowledged += static_cast<int>(game.moves.size());
            }
        }
    }
    EXPECT_GT(acknowledged, rounds) << "the test must have played";
    RecordProperty("acknowledged", acknowledged);
    RecordProperty("forgotten_bytes", static_cast<int>(forgotten));
}

TEST_F(Faults, TheTestDiskReallyForgets) {
    // Otherwise the test above would prove nothing: what was written without a sync is gone.
    Visitor ana(*this);
    const std::string id = ana.new_game(R"({"opponent":"device"})");
    ana.move(id, 1, "e2e4");
    FaultVfs::get().fail_syncs(true);
    EXPECT_EQ(ana.move(id, 2, "e7e5").status, 503);
    FaultVfs::get().lose_power();
    EXPECT_GT(FaultVfs::get().forgotten(), 0u);
}

TEST_F(Faults, AFailedSyncStopsAcknowledging) {
    Visitor ana(*this);
    const std::string id = ana.new_game(R"({"opponent":"device"})");
    EXPECT_EQ(ana.move(id, 1, "e2e4").status, 200);
    FaultVfs::get().fail_syncs(true);
    EXPECT_EQ(ana.move(id, 2, "e7e5").status, 503);
    EXPECT_EQ(ana.get("/readyz").status, 503);
    // A retry that seems to work could stand on data the system has thrown away.
    FaultVfs::get().fail_syncs(false);
    EXPECT_EQ(ana.move(id, 2, "e7e5").status, 503);
    start();
    EXPECT_EQ(ana.get("/readyz").status, 200);
    EXPECT_GE(ana.get("/api/v1/games/" + id).number("/ply"), 1);
}

TEST_F(Faults, AFullDiskRefusesAndRecovers) {
    Visitor ana(*this);
    const std::string id = ana.new_game(R"({"opponent":"device","auto_draw":false})");
    EXPECT_EQ(ana.move(id, 1, "e2e4").status, 200);
    FaultVfs::get().fill_disk(true);
    std::mt19937 random(1);
    int refused = 0, ply = 1;
    Game board;
    board.play(*parse_uci_move(board.position(), "e2e4"));
    for (int i = 0; i < 40 && refused == 0 && !board.over(); ++i) {
        // Pages of the log that are there already may be used again.
        const std::string uci = random_move(board.position(), random);
        const Answer answer = ana.move(id, ply + 1, uci);
        if (answer.status == 200) {
            board.play(*parse_uci_move(board.position(), uci));
            ++ply;
        } else {
            EXPECT_EQ(answer.status, 507) << answer.body;
            EXPECT_EQ(answer.text("/code"), "disk_full");
            ++refused;
        }
    }
    EXPECT_EQ(refused, 1);
    EXPECT_EQ(ana.get("/api/v1/games/" + id).number("/ply"), ply) << "readable, and nothing more";
    EXPECT_EQ(ana.post("/api/v1/games", R"({"opponent":"device"})").status, 507);
    FaultVfs::get().fill_disk(false);
    EXPECT_EQ(ana.move(id, ply + 1, random_move(board.position(), random)).status, 200)
        << "recovers without a restart";
}

class PostgresFaults : public SiteTest {};

TEST_F(PostgresFaults, ARestartedDatabaseLosesNothingAndIsFoundAgain) {
    PrivatePostgres* postgres = PrivatePostgres::get();
    if (postgres == nullptr) GTEST_SKIP() << "no PostgreSQL here";
    options_.database = postgres->fresh_url();
    options_.log = {};
    port_ = 0;  // the database, started just now, may hold the sockets of the first server
    start();
    Visitor ana(*this);
    const std::string id = ana.new_game(R"({"opponent":"device"})");
    EXPECT_EQ(ana.move(id, 1, "e2e4").status, 200);
    postgres->restart();
    Answer moved;
    for (int i = 0; i < 100 && moved.status != 200; ++i) {
        moved = ana.move(id, 2, "e7e5");
        if (moved.status == 200) break;
        EXPECT_EQ(moved.status, 503) << moved.body;
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
    EXPECT_EQ(moved.status, 200);
    EXPECT_EQ(ana.get("/api/v1/games/" + id).number("/ply"), 2);
}

}  // namespace
}  // namespace rokada::server::test
