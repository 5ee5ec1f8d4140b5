// SPDX-License-Identifier: GPL-3.0-or-later
// The log of moves: what was answered is there, whatever happens before it is entered in the tables.
#include "server/store/move_log.hpp"

#include <filesystem>
#include <fstream>
#include <future>
#include <sstream>
#include <thread>

#include <gtest/gtest.h>

#include "server/store/dump.hpp"
#include "server/store/games_table.hpp"
#include "server/store/sqlite_session.hpp"
#include "server/store/store.hpp"
#include "tests/server/temporary_folder.hpp"

namespace rokada::server {
namespace {

class MoveLogTest : public ::testing::Test {
  protected:
    MoveLogTest() {
        options_.folder = folder_.path() / "data";
        store_ = std::make_unique<Store>(options_);
        for (const char* id : {"game000001", "game000002"}) insert(id);
    }
    void insert(const std::string& id) {
        GameRecord record;
        record.id = id;
        record.status = GameStatus::Playing;
        record.settings.initial_fen = record.fen = "fen";
        record.white = {SeatKind::User, "u1", "", false};
        record.black = {SeatKind::Computer, "", "", false};
        store_->write([&](Session& s) { games_table::insert(s, record, {}); });
    }
    static std::shared_ptr<const TurnRecord> turn(const std::string& game, int ply) {
        auto record = std::make_shared<TurnRecord>();
        record->game_id = game;
        record->version = record->ply = ply;
        record->move = {"e2e" + std::to_string(ply % 8 + 1), 1000 - ply, 2000 - ply, 5000 + ply};
        record->turn_at = 6000;
        record->draw_offer = ply == 1 ? "white" : "";
        record->fen = "fen after " + std::to_string(ply);
        record->message = R"({"t":"event","san":"e\t4"})";
        return record;
    }
    WriteOutcome play(const std::string& game, int ply) {
        std::promise<WriteOutcome> promise;
        store_->writer().submit_turn(turn(game, ply), [&promise](const WriteOutcome& outcome) {
            promise.set_value(outcome);
        });
        return promise.get_future().get();
    }
    static GameRecord found(Store& store, const std::string& id, bool settled = true) {
        const auto reading = [&id](Session& s) { return *games_table::find(s, id); };
        return settled ? store.read_settled(reading) : store.read(reading);
    }
    static std::int64_t rows(Store& store) {
        return store.read([](Session& s) {
            const auto row = s.select("SELECT count(*) FROM move_log");
            row->next();
            return row->integer(0);
        });
    }
    static void expect_moves(const GameRecord& game, int plies) {
        EXPECT_EQ(game.ply, plies);
        EXPECT_EQ(game.version, plies);
        ASSERT_EQ(game.moves.size(), static_cast<std::size_t>(plies));
        EXPECT_EQ(game.fen, "fen after " + std::to_string(plies));
        EXPECT_EQ(game.last_move, game.moves.back().uci);
        EXPECT_EQ(game.white_ms, 1000 - plies);
        EXPECT_EQ(game.moves.back().black_ms, 2000 - plies);
        EXPECT_EQ(game.moves.back().at, 5000 + plies);
        EXPECT_EQ(game.turn_at, 6000);
    }
    // The file as a crash would leave it, opened by the next server.
    std::unique_ptr<Store> after_crash() {
        StoreOptions copy;
        copy.folder = folder_.path() / ("copy" + std::to_string(++copies_));
        std::filesystem::create_directories(copy.folder);
        std::filesystem::copy(store_->backup("crash-", 1), copy.folder / "rokada.db");
        return std::make_unique<Store>(copy);
    }

    test::TemporaryFolder folder_;
    StoreOptions options_;
    std::unique_ptr<Store> store_;
    int copies_ = 0;
};

TEST_F(MoveLogTest, AMoveIsDurableBeforeItIsInTheTables) {
    EXPECT_FALSE(play("game000001", 1));
    EXPECT_EQ(rows(*store_), 1);
    EXPECT_EQ(found(*store_, "game000001", false).ply, 0);
    const auto next = after_crash();
    EXPECT_EQ(rows(*next), 0);
    expect_moves(found(*next, "game000001", false), 1);
    EXPECT_EQ(found(*next, "game000001").draw_offer, "white");
    const auto events =
        next->read([](Session& s) { return games_table::events_after(s, "game000001", 0); });
    ASSERT_EQ(events.size(), 1u);
    EXPECT_EQ(events[0].message, turn("game000001", 1)->message);
}

TEST_F(MoveLogTest, ReadersThatAskForItSeeEverything) {
    for (int ply = 1; ply <= 20; ++ply) {
        EXPECT_FALSE(play("game000001", ply));
        if (ply <= 7) {
            EXPECT_FALSE(play("game000002", ply));
        }
    }
    expect_moves(found(*store_, "game000001"), 20);
    expect_moves(found(*store_, "game000002"), 7);
    EXPECT_EQ(rows(*store_), 0) << "what is entered is forgotten";
    EXPECT_FALSE(play("game000001", 21));
    store_ = nullptr;
    store_ = std::make_unique<Store>(options_);
    expect_moves(found(*store_, "game000001", false), 21);
}

TEST_F(MoveLogTest, OtherChangesOfAGameComeAfterItsMoves) {
    for (int ply = 1; ply <= 3; ++ply) {
        play("game000001", ply);
        play("game000002", ply);
    }
    GameRecord ended = found(*store_, "game000001", false);
    ended.version = 4;
    ended.ply = 3;
    ended.status = GameStatus::Finished;
    GameChange change;
    change.game = &ended;
    change.version_before = 3;
    store_->write([&](Session& s) {
        store_->writer().settle("game000001");
        games_table::apply(s, change);
    });
    const GameRecord read = found(*store_, "game000001", false);
    EXPECT_EQ(read.status, GameStatus::Finished);
    EXPECT_EQ(read.moves.size(), 3u);
    EXPECT_EQ(found(*store_, "game000002", false).ply, 0) << "the other one waits";
    const auto next = after_crash();
    EXPECT_EQ(found(*next, "game000001").moves.size(), 3u) << "not entered twice";
    EXPECT_EQ(found(*next, "game000001").version, 4);
    expect_moves(found(*next, "game000002"), 3);
}

TEST_F(MoveLogTest, MovesEnteredTogetherAreTakenBackOneByOne) {
    for (int ply = 1; ply <= 6; ++ply) {
        play("game000001", ply);
        if (ply == 2 || ply == 5) {
            EXPECT_FALSE(store_->writer().settle_all());
        }
    }
    GameRecord back = found(*store_, "game000001");
    back.version = 7;
    back.ply = 4;
    GameChange change;
    change.game = &back;
    change.version_before = 6;
    change.keep_plies = 4;
    change.events = {{7, 4, 9000, "taken back"}};
    store_->write([&](Session& s) { games_table::apply(s, change); });
    const GameRecord read = found(*store_, "game000001");
    ASSERT_EQ(read.moves.size(), 4u);
    EXPECT_EQ(read.moves.back().uci, turn("game000001", 4)->move.uci);
    EXPECT_EQ(read.moves.back().at, 5004);
    const auto events =
        store_->read([](Session& s) { return games_table::events_after(s, "game000001", 3); });
    ASSERT_EQ(events.size(), 4u) << "what happened stays";
    for (std::size_t i = 0; i < events.size(); ++i)
        EXPECT_EQ(events[i].version, static_cast<std::int64_t>(i) + 4);
    EXPECT_EQ(events[2].message, turn("game000001", 6)->message);
    EXPECT_EQ(events[2].at, 5006);
    EXPECT_EQ(events[3].message, "taken back");
}

TEST_F(MoveLogTest, ABackupHoldsMovesThatWereEnteredTogether) {
    for (int ply = 1; ply <= 5; ++ply) play("game000001", ply);
    std::stringstream dump;
    store_->read_settled([&](Session& s) { return write_dump(s, dump); });
    StoreOptions copy;
    copy.folder = folder_.path() / "restored";
    std::filesystem::create_directories(copy.folder);
    read_dump(*open_sqlite(copy.folder / "rokada.db", SqliteAccess::ReadWrite), dump);
    Store restored(copy);
    expect_moves(found(restored, "game000001"), 5);
    const auto [rows, events] = restored.read([](Session& s) {
        const auto row = s.select("SELECT count(*) FROM moves");
        row->next();
        return std::pair{row->integer(0), games_table::events_after(s, "game000001", 0)};
    });
    EXPECT_EQ(rows, 5) << "one by one, as PostgreSQL has them";
    EXPECT_EQ(events.size(), 5u);
}

TEST_F(MoveLogTest, ALogWithRoomBehindItIsReadLikeAnyOther) {
    for (int ply = 1; ply <= 400; ++ply) {
        play("game000001", ply);
        if (ply % 50 == 0) {
            EXPECT_FALSE(store_->writer().settle_all());
        }
    }
    const auto file = store_->sqlite_file();
    StoreOptions copy;
    copy.folder = folder_.path() / "cut off";
    std::filesystem::create_directories(copy.folder);
    for (const char* part : {"rokada.db", "rokada.db-wal"})
        std::filesystem::copy(file.parent_path() / part, copy.folder / part);
    std::ifstream log(copy.folder / "rokada.db-wal", std::ios::binary);
    log.seekg(-4096, std::ios::end);
    std::string end(4096, 'x');
    log.read(end.data(), static_cast<std::streamsize>(end.size()));
    EXPECT_EQ(end, std::string(4096, '\0')) << "there is room";
    Store next(copy);
    expect_moves(found(next, "game000001"), 400);
    expect_moves(found(*store_, "game000001"), 400);
}

TEST_F(MoveLogTest, AFailureBesideThemUndoesNoMove) {
    play("game000001", 1);
    // Both wait for the same commit; one settles the game and then fails.
    std::promise<void> hold, held;
    std::promise<WriteOutcome> moved;
    store_->writer().submit(
        [&](Session&) {
            held.set_value();
            hold.get_future().wait();
        },
        [](const WriteOutcome&) {});
    held.get_future().wait();
    store_->writer().submit(
        [&](Session& session) {
            store_->writer().settle("game000001");
            session.run("INSERT INTO games(id) VALUES('x')");
        },
        [](const WriteOutcome& outcome) { EXPECT_TRUE(outcome); });
    store_->writer().submit_turn(turn("game000002", 1),
                                 [&](const WriteOutcome& outcome) { moved.set_value(outcome); });
    hold.set_value();
    EXPECT_FALSE(moved.get_future().get());
    const auto next = after_crash();
    expect_moves(found(*next, "game000001"), 1);
    expect_moves(found(*store_, "game000001"), 1);
    expect_moves(found(*store_, "game000002"), 1);
}

TEST_F(MoveLogTest, AGameIsCompleteWithTheMovesThatWait) {
    for (int ply = 1; ply <= 3; ++ply) play("game000001", ply);
    const Turns turns = store_->writer().waiting_turns("game000001");
    ASSERT_EQ(turns.size(), 3u);
    GameRecord game = found(*store_, "game000001", false);
    add_turns(game, turns);
    expect_moves(game, 3);
    GameRecord settled = found(*store_, "game000001");
    add_turns(settled, turns);
    expect_moves(settled, 3);
    std::vector<EventRecord> events;
    add_turns(events, 1, turns);
    ASSERT_EQ(events.size(), 2u);
    EXPECT_EQ(events[0].version, 2);
    add_turns(events, 1, turns);
    EXPECT_EQ(events.size(), 2u) << "none twice";
    EXPECT_TRUE(store_->writer().waiting_turns("game000001").empty());
}

TEST_F(MoveLogTest, ManyGamesAreEnteredInSlicesWhileOthersGoOn) {
    for (int i = 100; i < 300; ++i) {
        insert("game000" + std::to_string(i));
        play("game000" + std::to_string(i), 1);
    }
    store_->writer().settle_later();
    play("game000001", 1);
    for (int i = 0; i < 200 && rows(*store_) > 1; ++i)
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    EXPECT_EQ(rows(*store_), 1) << "the move made meanwhile waits for the next time";
    for (int i = 100; i < 300; ++i)
        expect_moves(found(*store_, "game000" + std::to_string(i), false), 1);
    expect_moves(found(*store_, "game000001"), 1);
}

TEST_F(MoveLogTest, MovesOfAGameThatIsGoneAreDropped) {
    play("game000001", 1);
    play("game000002", 1);
    store_->write([](Session& s) { s.run("DELETE FROM games WHERE id='game000001'"); });
    expect_moves(found(*store_, "game000002"), 1);
    EXPECT_EQ(rows(*store_), 0);
}

}  // namespace
}  // namespace rokada::server
