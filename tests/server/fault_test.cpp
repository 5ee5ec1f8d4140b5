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
#include "tests/server/cable.hpp"
#include "tests/server/eventually.hpp"
#include "tests/server/fault_vfs.hpp"
#include "tests/server/private_postgres.hpp"
#include "tests/server/site_fixture.hpp"

namespace rokada::server::test {
namespace {

std::string random_move(const Position& position, std::mt19937& random) {
    const MoveList moves = legal_moves(position);
    return to_uci(moves[std::uniform_int_distribution<std::size_t>(0, moves.size() - 1)(random)]);
}

// Players who play device games as fast as they can, and remember what was acknowledged.
class Crowd {
  public:
    Crowd(SiteTest& site, int size, unsigned seed)
        : site_(site), games_(static_cast<std::size_t>(size)) {
        for (std::size_t i = 0; i < games_.size(); ++i)
            threads_.emplace_back(
                [this, i, seed] { play(games_[i], seed + static_cast<unsigned>(i)); });
    }
    ~Crowd() { stop(); }
    Crowd(const Crowd&) = delete;
    Crowd& operator=(const Crowd&) = delete;

    void stop() {
        stop_ = true;
        for (std::thread& thread : threads_) thread.join();
        threads_.clear();
    }
    int acknowledged() const { return acknowledged_; }
    int refused() const { return refused_; }
    // Every move that was acknowledged is there; their number.
    int check() {
        int moves_seen = 0;
        for (const auto& own : games_) {
            Visitor visitor(site_);
            visitor.cookie = own.cookie;
            for (const Played& game : own.games) {
                Answer read;
                // A connection for reading may still have to find out that the database was away.
                eventually([&] {
                    read = visitor.get("/api/v1/games/" + game.id);
                    return read.status != 503;
                });
                EXPECT_EQ(read.status, 200) << "a game that was made is gone";
                if (read.status != 200) continue;
                const auto& moves = read.json.at("moves").get_array();
                EXPECT_GE(moves.size(), game.moves.size()) << "an acknowledged move is lost";
                EXPECT_LE(moves.size(), game.moves.size() + 1) << "a move was played twice";
                for (std::size_t ply = 0; ply < std::min(moves.size(), game.moves.size()); ++ply)
                    EXPECT_EQ(moves[ply].get_string(), game.moves[ply]);
                moves_seen += static_cast<int>(game.moves.size());
            }
        }
        return moves_seen;
    }

  private:
    struct Played {
        std::string id;
        std::vector<std::string> moves;
    };
    struct Own {
        std::string cookie;
        std::vector<Played> games;
    };
    void play(Own& own, unsigned seed) {
        std::mt19937 random(seed);
        Visitor visitor(site_);
        visitor.check_schema = false;
        while (!stop_) {
            const Answer made =
                visitor.post("/api/v1/games", R"({"opponent":"device","auto_draw":false})");
            if (made.status != 201) {
                refused(made.status);
                continue;
            }
            own.cookie = visitor.cookie;
            Played game{made.text("/id"), {}};
            Game board(Position(), DrawRule::Claim);
            while (!stop_ && !board.over() && game.moves.size() < 60) {
                const std::string uci = random_move(board.position(), random);
                const Answer moved =
                    visitor.move(game.id, static_cast<int>(game.moves.size()) + 1, uci);
                if (moved.status != 200) {
                    refused(moved.status);
                    break;
                }
                board.play(*parse_uci_move(board.position(), uci));
                game.moves.push_back(uci);
                ++acknowledged_;
            }
            own.games.push_back(std::move(game));
        }
    }
    void refused(int status) {
        EXPECT_TRUE(status == 503 || status == 507) << status;
        ++refused_;
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }

    SiteTest& site_;
    std::vector<Own> games_;
    std::atomic<bool> stop_{false};
    std::atomic<int> acknowledged_{0}, refused_{0};
    std::vector<std::thread> threads_;
};

class Faults : public SiteTest {
  protected:
    void SetUp() override {
        FaultVfs::get().power_on();
        options_.sqlite_vfs = FaultVfs::kName;
        options_.log = {};  // failures are the point
        options_.limits.guest_address =
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
        Crowd crowd(*this, kPlayers, static_cast<unsigned>(random()));
        std::this_thread::sleep_for(std::chrono::milliseconds(20 + random() % 150));
        FaultVfs::get().lose_power();
        crowd.stop();
        forgotten += FaultVfs::get().forgotten();
        stop();
        FaultVfs::get().power_on();
        start();
        acknowledged += crowd.check();
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

TEST_F(Faults, AFullDiskUnderLoadForgetsNothingAndEverybodyPlaysOn) {
    Crowd crowd(*this, 4, 11);
    ASSERT_TRUE(eventually([&] { return crowd.acknowledged() > 20; }));
    for (int round = 0; round < 3; ++round) {
        FaultVfs::get().fill_disk(true);
        const int refused = crowd.refused();
        EXPECT_TRUE(eventually([&] { return crowd.refused() > refused + 4; }));
        FaultVfs::get().fill_disk(false);
        const int before = crowd.acknowledged();
        EXPECT_TRUE(eventually([&] { return crowd.acknowledged() > before + 20; }))
            << "without a restart";
    }
    crowd.stop();
    crowd.check();
    start();
    EXPECT_GT(crowd.check(), 60);
}

class PostgresFaults : public SiteTest {};

TEST_F(PostgresFaults, ARestartUnderLoadForgetsNoAcknowledgedMove) {
    PrivatePostgres* postgres = PrivatePostgres::get();
    if (postgres == nullptr) GTEST_SKIP() << "no PostgreSQL here";
    options_.database = postgres->fresh_url();
    options_.log = {};
    options_.limits.guest_address = options_.limits.new_game = {100'000, std::chrono::seconds(1)};
    start();
    Crowd crowd(*this, 4, 12);
    for (const bool in_good_order : {true, false}) {
        const int before = crowd.acknowledged();
        EXPECT_TRUE(eventually([&] { return crowd.acknowledged() > before + 20; }));
        postgres->restart(in_good_order);
    }
    const int before = crowd.acknowledged();
    EXPECT_TRUE(eventually([&] { return crowd.acknowledged() > before + 20; }));
    crowd.stop();
    crowd.check();
    start();
    EXPECT_GT(crowd.check(), 60);
}

TEST_F(PostgresFaults, ARestartedDatabaseLosesNothingAndIsFoundAgain) {
    PrivatePostgres* postgres = PrivatePostgres::get();
    if (postgres == nullptr) GTEST_SKIP() << "no PostgreSQL here";
    options_.database = postgres->fresh_url();
    options_.log = {};
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

TEST_F(PostgresFaults, TheServerIsNotReadyWhileTheDatabaseCannotBeReached) {
    PrivatePostgres* postgres = PrivatePostgres::get();
    if (postgres == nullptr) GTEST_SKIP() << "no PostgreSQL here";
    Cable cable(postgres->socket());
    options_.database = postgres->by_way_of(postgres->fresh_url(), cable.port());
    options_.log = {};
    options_.beat = std::chrono::milliseconds(50);
    start();
    Visitor ana(*this);
    const auto ready = [&ana] { return ana.get("/readyz").status; };
    EXPECT_EQ(ready(), 200);
    cable.cut();
    EXPECT_TRUE(eventually([&] { return ready() == 503; })) << "without anybody at a board";
    cable.join();
    EXPECT_TRUE(eventually([&] { return ready() == 200; }));
}

}  // namespace
}  // namespace rokada::server::test
