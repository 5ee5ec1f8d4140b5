// SPDX-License-Identifier: GPL-3.0-or-later
// The referee with a clock moved by hand.
#include "server/app/live_game.hpp"

#include <gtest/gtest.h>

#include "chess/notation/fen.hpp"

namespace rokada::server {
namespace {

constexpr const char* kAna = "ana0000000";
constexpr const char* kBen = "ben0000000";

class LiveGameTest : public ::testing::Test {
  protected:
    static GameRecord person_game(Millis initial = 60'000, Millis increment = 2'000,
                                  ClockMode mode = ClockMode::Increment) {
        GameRecord record;
        record.id = "game000001";
        record.settings.kind = GameKind::Person;
        record.settings.auto_draw = false;
        record.settings.clock = mode;
        record.settings.white_clock = record.settings.black_clock = {initial, increment};
        record.settings.initial_fen = std::string(kStartFen);
        record.white = {SeatKind::User, kAna, "ana", false};
        record.black = {SeatKind::User, kBen, "ben", false};
        record.status = GameStatus::Playing;
        return record;
    }
    static GameRecord computer_game() {
        GameRecord record = person_game(0, 0, ClockMode::None);
        record.settings.kind = GameKind::Computer;
        record.settings.auto_draw = true;
        record.black = {SeatKind::Computer, "", "", false};
        return record;
    }
    LiveGame& start(GameRecord record) {
        game_.emplace(std::move(record), now_);
        return *game_;
    }
    void wait(Millis time) {
        now_.steady += time;
        now_.wall += time;
    }
    // Alternating moves from the current ply, each after `each` of thinking.
    void play(std::initializer_list<const char*> moves, Millis each = 1000) {
        for (const char* uci : moves) {
            wait(each);
            const bool white = game_->turn() == Color::White;
            const auto step =
                game_->play(white ? kAna : kBen, game_->ply() + 1, uci, false, now_, 0);
            ASSERT_TRUE(step) << uci << ": " << step.error().detail;
            game_->committed(now_);
        }
    }
    std::string refused(const StepResult& result) {
        return result.ok() ? "accepted" : result.error().code;
    }

    Moment now_{1'000'000, 1'700'000'000'000};
    std::optional<LiveGame> game_;
};

TEST_F(LiveGameTest, AMoveSentTwiceIsAnsweredTwiceAndPlayedOnce) {
    LiveGame& game = start(person_game());
    const auto first = game.play(kAna, 1, "e2e4", false, now_, 0);
    ASSERT_TRUE(first);
    EXPECT_EQ(first->events.size(), 1u);
    const auto again = game.play(kAna, 1, "e2e4", false, now_, 0);
    ASSERT_TRUE(again);
    EXPECT_TRUE(again->empty());
    EXPECT_EQ(game.ply(), 1);
    EXPECT_EQ(refused(game.play(kAna, 1, "d2d4", false, now_, 0)), "wrong_ply");
    EXPECT_EQ(refused(game.play(kBen, 1, "e2e4", false, now_, 0)), "wrong_ply")
        << "the opponent cannot ask for an answer to a move that was not his";
}

TEST_F(LiveGameTest, WhatIsNotAllowedChangesNothing) {
    LiveGame& game = start(person_game());
    EXPECT_EQ(refused(game.play(kBen, 1, "e7e5", false, now_, 0)), "not_your_turn");
    EXPECT_EQ(refused(game.play(kAna, 2, "e2e4", false, now_, 0)), "wrong_ply");
    EXPECT_EQ(refused(game.play(kAna, 1, "e2e5", false, now_, 0)), "illegal_move");
    EXPECT_EQ(refused(game.play(kAna, 1, "castle!", false, now_, 0)), "illegal_move");
    EXPECT_EQ(refused(game.play("stranger00", 1, "e2e4", false, now_, 0)), "not_a_player");
    EXPECT_EQ(refused(game.play("", 1, "e2e4", false, now_, 0)), "not_a_player");
    EXPECT_EQ(refused(game.draw(kAna, OfferAction::Offer, now_)), "too_early");
    EXPECT_EQ(refused(game.draw(kAna, OfferAction::Accept, now_)), "nothing_offered");
    EXPECT_EQ(refused(game.draw(kAna, OfferAction::Claim, now_)), "no_claim");
    EXPECT_EQ(refused(game.takeback(kAna, OfferAction::Offer, now_)), "too_early");
    EXPECT_EQ(refused(game.offer_rematch(kAna, OfferAction::Offer, now_)), "game_running");
    EXPECT_EQ(game.record().version, 0);
    EXPECT_EQ(game.ply(), 0);
}

TEST_F(LiveGameTest, ClocksStartAfterEachSidesFirstMove) {
    LiveGame& game = start(person_game());
    play({"e2e4", "e7e5"}, 20'000);
    EXPECT_EQ(game.clock().left(Color::White, now_.steady), 60'000);
    EXPECT_EQ(game.clock().left(Color::Black, now_.steady), 60'000);
    wait(5'000);
    EXPECT_EQ(game.clock().left(Color::White, now_.steady), 55'000);
    EXPECT_EQ(game.clock().left(Color::Black, now_.steady), 60'000);
    play({"g1f3"}, 0);
    EXPECT_EQ(game.clock().left(Color::White, now_.steady), 57'000) << "2 s increment";
}

TEST_F(LiveGameTest, NoFirstMoveInThirtySecondsAborts) {
    LiveGame& game = start(person_game());
    wait(29'999);
    EXPECT_TRUE(game.tick(now_, 0).empty());
    wait(1);
    EXPECT_FALSE(game.tick(now_, 0).empty());
    EXPECT_EQ(game.record().status, GameStatus::Aborted);
    EXPECT_EQ(game.record().result, GameResult::None);
}

TEST_F(LiveGameTest, TheServersTimerFlags) {
    LiveGame& game = start(person_game());
    play({"e2e4", "e7e5"});
    const auto deadline = game.next_deadline(0);
    ASSERT_TRUE(deadline);
    EXPECT_EQ(*deadline, now_.steady + 60'000);
    wait(60'000);
    EXPECT_FALSE(game.tick(now_, 0).empty());
    EXPECT_EQ(game.record().status, GameStatus::Finished);
    EXPECT_EQ(game.record().result, GameResult::BlackWins);
    EXPECT_EQ(game.record().reason, "time");
}

TEST_F(LiveGameTest, AMoveAfterTheFlagLosesOnTime) {
    LiveGame& game = start(person_game());
    play({"e2e4", "e7e5"});
    wait(60'001);
    const auto late = game.play(kAna, 3, "g1f3", false, now_, 0);
    ASSERT_TRUE(late);
    EXPECT_EQ(game.ply(), 2);
    EXPECT_EQ(game.record().reason, "time");
    EXPECT_EQ(game.record().result, GameResult::BlackWins);
}

TEST_F(LiveGameTest, AFlagAgainstABareKingIsADraw) {
    GameRecord record = person_game();
    record.settings.initial_fen = "7k/8/8/8/8/8/P7/K7 w - - 0 1";
    LiveGame& game = start(std::move(record));
    play({"a1b1", "h8g8"});
    wait(60'000);
    game.tick(now_, 0);
    EXPECT_EQ(game.record().result, GameResult::Draw);
    EXPECT_EQ(game.record().reason, "time-against-bare-king");
}

TEST_F(LiveGameTest, DelayIsNotCountedAndBronsteinGivesBackWhatWasUsed) {
    {
        LiveGame& game = start(person_game(60'000, 5'000, ClockMode::Delay));
        play({"e2e4", "e7e5"});
        wait(4'000);
        EXPECT_EQ(game.clock().left(Color::White, now_.steady), 60'000);
        play({"g1f3"}, 3'000);
        EXPECT_EQ(game.clock().left(Color::White, now_.steady), 58'000);
        EXPECT_EQ(*game.next_deadline(0), now_.steady + 65'000);
    }
    {
        LiveGame& game = start(person_game(60'000, 5'000, ClockMode::Bronstein));
        play({"e2e4", "e7e5"});
        play({"g1f3"}, 3'000);
        EXPECT_EQ(game.clock().left(Color::White, now_.steady), 60'000);
        play({"b8c6"}, 9'000);
        EXPECT_EQ(game.clock().left(Color::Black, now_.steady), 56'000);
    }
}

TEST_F(LiveGameTest, TimeOddsGiveEachSideItsOwnClock) {
    GameRecord record = person_game(300'000, 0);
    record.settings.black_clock = {60'000, 1'000};
    LiveGame& game = start(std::move(record));
    EXPECT_EQ(game.clock().left(Color::White, now_.steady), 300'000);
    EXPECT_EQ(game.clock().left(Color::Black, now_.steady), 60'000);
}

TEST_F(LiveGameTest, LagIsCreditedFromAQuotaThatRunsOut) {
    LiveGame& game = start(person_game(60'000, 0));
    play({"e2e4", "e7e5"});
    // Quota 3 x (150 + 60000/250 = 390); each move gains 390 and uses at most what is there.
    const Millis lag = 900;
    Millis credited = 0;
    for (int i = 0; i < 6; ++i) {
        const bool white = game.turn() == Color::White;
        const Millis before = game.clock().stored(game.turn());
        wait(1'000);
        const Color mover = game.turn();
        const char* moves[] = {"g1f3", "g8f6", "f3g1", "f6g8", "g1f3", "g8f6"};
        ASSERT_TRUE(game.play(white ? kAna : kBen, game.ply() + 1, moves[i], false, now_, lag));
        game.committed(now_);
        if (mover == Color::White) credited += 1'000 - (before - game.clock().stored(mover));
    }
    EXPECT_GT(credited, 1'500);
    EXPECT_LE(credited, 3 * 390 + 3 * 390);
    EXPECT_LT(credited, 3 * lag) << "the quota bounds what lag can gain";
}

TEST_F(LiveGameTest, AMoveThatWaitsForTheDiskCostsNobodyTime) {
    LiveGame& game = start(person_game());
    play({"e2e4", "e7e5"});
    wait(1'000);
    ASSERT_TRUE(game.play(kAna, 3, "g1f3", false, now_, 0));
    wait(700);  // a slow disk
    game.committed(now_);
    EXPECT_EQ(game.clock().left(Color::Black, now_.steady), 60'000);
    EXPECT_EQ(game.clock().left(Color::White, now_.steady), 61'000);
}

TEST_F(LiveGameTest, TakebackBetweenPeopleIsAnOfferAndRestoresBothClocks) {
    LiveGame& game = start(person_game());
    play({"e2e4", "e7e5", "g1f3"}, 5'000);
    const Millis white_before = game.moves()[1].white_ms;
    wait(3'000);
    ASSERT_TRUE(game.takeback(kAna, OfferAction::Offer, now_));
    EXPECT_EQ(game.record().takeback_offer, "white");
    EXPECT_EQ(game.ply(), 3);
    EXPECT_EQ(refused(game.takeback(kAna, OfferAction::Accept, now_)), "nothing_offered");
    const auto step = game.takeback(kBen, OfferAction::Accept, now_);
    ASSERT_TRUE(step);
    EXPECT_EQ(step->keep_plies, 2);
    EXPECT_EQ(game.ply(), 2);
    EXPECT_EQ(game.turn(), Color::White);
    EXPECT_EQ(game.clock().left(Color::White, now_.steady), white_before);
    EXPECT_EQ(game.clock().left(Color::Black, now_.steady), 60'000);
}

TEST_F(LiveGameTest, ADeclinedOfferIsGone) {
    LiveGame& game = start(person_game());
    play({"e2e4", "e7e5"});
    ASSERT_TRUE(game.draw(kAna, OfferAction::Offer, now_));
    ASSERT_TRUE(game.draw(kBen, OfferAction::Decline, now_));
    EXPECT_EQ(game.record().draw_offer, "");
    EXPECT_EQ(refused(game.draw(kBen, OfferAction::Accept, now_)), "nothing_offered");
    EXPECT_TRUE(game.playing());
}

TEST_F(LiveGameTest, TwoDrawOffersMeetInAgreement) {
    LiveGame& game = start(person_game());
    play({"e2e4", "e7e5"});
    ASSERT_TRUE(game.draw(kAna, OfferAction::Offer, now_));
    ASSERT_TRUE(game.draw(kBen, OfferAction::Offer, now_));
    EXPECT_EQ(game.record().reason, "agreement");
    EXPECT_EQ(game.record().result, GameResult::Draw);
}

TEST_F(LiveGameTest, AMoveAnswersADrawOffer) {
    LiveGame& game = start(person_game());
    play({"e2e4", "e7e5"});
    ASSERT_TRUE(game.play(kAna, 3, "g1f3", true, now_, 0));
    EXPECT_EQ(game.record().draw_offer, "white");
    game.committed(now_);
    play({"b8c6"});
    EXPECT_EQ(game.record().draw_offer, "");
}

TEST_F(LiveGameTest, ThreefoldIsClaimedBetweenPeopleAndAutomaticWhereSet) {
    const auto shuffle = {"g1f3", "g8f6", "f3g1", "f6g8", "g1f3", "g8f6", "f3g1", "f6g8"};
    LiveGame& claim = start(person_game());
    play(shuffle, 10);
    EXPECT_TRUE(claim.playing());
    EXPECT_TRUE(claim.can_claim_draw());
    EXPECT_EQ(refused(claim.draw(kBen, OfferAction::Claim, now_)), "not_your_turn");
    ASSERT_TRUE(claim.draw(kAna, OfferAction::Claim, now_));
    EXPECT_EQ(claim.record().reason, "threefold-repetition");

    GameRecord record = person_game();
    record.settings.auto_draw = true;
    LiveGame& automatic = start(std::move(record));
    play(shuffle, 10);
    EXPECT_EQ(automatic.record().reason, "threefold-repetition");
}

TEST_F(LiveGameTest, AgainstTheComputerATakebackIsImmediate) {
    LiveGame& game = start(computer_game());
    ASSERT_TRUE(game.play(kAna, 1, "e2e4", false, now_, 0));
    EXPECT_TRUE(game.computer_to_move());
    ASSERT_TRUE(game.takeback(kAna, OfferAction::Offer, now_)) << "while it thinks";
    EXPECT_EQ(game.ply(), 0);
    ASSERT_TRUE(game.play(kAna, 1, "e2e4", false, now_, 0));
    ASSERT_TRUE(game.play_for_computer("e7e5", 30, now_));
    ASSERT_TRUE(game.takeback(kAna, OfferAction::Offer, now_));
    EXPECT_EQ(game.ply(), 0);
    EXPECT_EQ(game.moves().size(), 0u);
}

TEST_F(LiveGameTest, TheComputerAcceptsADrawOnlyWhenNotBetter) {
    for (const int score : {50, -1}) {
        LiveGame& game = start(computer_game());
        ASSERT_TRUE(game.play(kAna, 1, "e2e4", false, now_, 0));
        ASSERT_TRUE(game.play_for_computer("e7e5", score, now_));
        ASSERT_TRUE(game.draw(kAna, OfferAction::Offer, now_));
        EXPECT_EQ(game.playing(), score > 0);
    }
}

TEST_F(LiveGameTest, AnOpenSeatIsTakenOnceAndNotByItsMaker) {
    GameRecord record = person_game();
    record.black = {};
    record.status = GameStatus::Waiting;
    LiveGame& game = start(std::move(record));
    EXPECT_EQ(refused(game.play(kAna, 1, "e2e4", false, now_, 0)), "not_started");
    EXPECT_EQ(refused(game.join({SeatKind::User, kAna, "ana", false}, now_)), "own_game");
    ASSERT_TRUE(game.join({SeatKind::Guest, kBen, "Guest 7", false}, now_));
    EXPECT_TRUE(game.join({SeatKind::Guest, kBen, "Guest 7", false}, now_)) << "again is fine";
    EXPECT_EQ(refused(game.join({SeatKind::User, "cid0000000", "cid", false}, now_)), "seat_taken");
    EXPECT_TRUE(game.playing());
}

TEST_F(LiveGameTest, AfterARestartDowntimeIsNotChargedAndTimeIsGivenBack) {
    LiveGame& before = start(person_game());
    play({"e2e4", "e7e5"}, 1'000);
    wait(4'000);  // White thinks; the last heartbeat is half a second old when the server dies
    GameRecord row = before.record();
    row.moves = before.moves();
    const Millis last_alive = now_.wall - 500;
    wait(3'600'000);
    auto loaded = LiveGame::load(std::move(row), now_);
    ASSERT_TRUE(loaded);
    EXPECT_TRUE(loaded->tick(now_, 0).empty()) << "nobody loses on time while the server is down";
    const Step step = loaded->resume_clock(last_alive, now_);
    ASSERT_EQ(step.events.size(), 1u);
    EXPECT_EQ(step.events[0].reason, "restart");
    EXPECT_EQ(loaded->clock().left(Color::White, now_.steady), 60'000 - 3'500 + 15'000);
    EXPECT_EQ(loaded->clock().left(Color::Black, now_.steady), 60'000);
}

TEST_F(LiveGameTest, HandedOnInGoodOrderThinkingIsChargedAndTheTimeBetweenIsNot) {
    LiveGame& before = start(person_game());
    play({"e2e4", "e7e5"}, 1'000);
    wait(4'000);
    GameRecord row = before.record();
    row.moves = before.moves();
    const Millis given_back = now_.wall;
    wait(700);
    auto loaded = LiveGame::load(std::move(row), now_);
    ASSERT_TRUE(loaded);
    const Step step = loaded->go_on(given_back, now_);
    ASSERT_EQ(step.events.size(), 1u);
    EXPECT_EQ(step.events[0].reason, "handover");
    EXPECT_EQ(loaded->clock().left(Color::White, now_.steady), 60'000 - 4'000);
    EXPECT_EQ(loaded->clock().left(Color::Black, now_.steady), 60'000);
    wait(1'000);
    EXPECT_EQ(loaded->clock().left(Color::White, now_.steady), 60'000 - 5'000) << "and goes on";
}

TEST_F(LiveGameTest, HandedOnTwiceInOneTurnTheTimeBetweenIsNeverCharged) {
    LiveGame& before = start(person_game());
    play({"e2e4", "e7e5"}, 1'000);
    wait(4'000);
    GameRecord row = before.record();
    row.moves = before.moves();
    // Over night no server ran; the next one stops soon, and then one dies.
    for (const Millis night : {28'800'000, 3'600'000}) {
        const Millis given_back = now_.wall;
        wait(night);
        auto loaded = LiveGame::load(row, now_);
        ASSERT_TRUE(loaded);
        EXPECT_EQ(loaded->go_on(given_back, now_).events.size(), 1u);
        wait(1'000);
        row = loaded->record();
        row.moves = loaded->moves();
        const auto seen = LiveGame::view(row, now_);
        ASSERT_TRUE(seen);
        EXPECT_EQ(seen->clock().left(Color::White, now_.steady),
                  loaded->clock().left(Color::White, now_.steady))
            << "other servers show the same";
    }
    const Millis last_alive = now_.wall;
    wait(3'600'000);
    auto loaded = LiveGame::load(row, now_);
    ASSERT_TRUE(loaded);
    loaded->resume_clock(last_alive, now_);
    EXPECT_EQ(loaded->clock().left(Color::White, now_.steady), 60'000 - 6'000 + 15'000);
}

TEST_F(LiveGameTest, AnAbsentOpponentCanBeClaimedAfterTheCountdownOnly) {
    LiveGame& game = start(person_game());
    game.set_connected(Color::White, true, false, now_.steady);
    game.set_connected(Color::Black, true, false, now_.steady);
    play({"e2e4", "e7e5"});
    EXPECT_FALSE(game.claim_in(Color::Black, now_.steady));
    game.set_connected(Color::Black, false, false, now_.steady);
    const auto wait_for = game.claim_in(Color::Black, now_.steady);
    ASSERT_TRUE(wait_for);
    wait(*wait_for - 1);
    EXPECT_EQ(refused(game.claim(kAna, true, now_)), "opponent_here");
    wait(1);
    ASSERT_TRUE(game.claim(kAna, true, now_));
    EXPECT_EQ(game.record().reason, "abandonment");
    EXPECT_EQ(game.record().result, GameResult::WhiteWins);
}

TEST_F(LiveGameTest, EveryEventCarriesVersionPlyAndKeyWithoutGaps) {
    LiveGame& game = start(person_game());
    std::int64_t version = 0;
    const auto check = [&](const StepResult& result) {
        ASSERT_TRUE(result);
        for (const GameEvent& event : result->events) {
            EXPECT_EQ(event.version, ++version);
            EXPECT_EQ(event.ply, game.ply());
            EXPECT_EQ(event.key, game.game().position().key());
        }
    };
    check(game.play(kAna, 1, "f2f3", false, now_, 0));
    check(game.play(kBen, 2, "e7e5", false, now_, 0));
    check(game.draw(kAna, OfferAction::Offer, now_));
    check(game.play(kAna, 3, "g2g4", false, now_, 0));
    check(game.play(kBen, 4, "d8h4", false, now_, 0));
    EXPECT_EQ(game.record().reason, "checkmate");
    EXPECT_EQ(game.record().version, 6) << "the mating move and the end are two events";
}

TEST_F(LiveGameTest, Chess960CastlingIsUnderstoodInBothForms) {
    GameRecord record = computer_game();
    record.settings.chess960 = true;
    record.settings.initial_fen = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    LiveGame& game = start(std::move(record));
    ASSERT_TRUE(game.play(kAna, 1, "e1h1", false, now_, 0));
    EXPECT_EQ(game.uci(0), "e1h1");
    const auto again = game.play(kAna, 1, "e1h1", false, now_, 0);
    EXPECT_TRUE(again && again->empty());
}

TEST_F(LiveGameTest, ADrawCanBeClaimedFromAnOpponentWhoIsGone) {
    LiveGame& game = start(person_game());
    play({"e2e4", "e7e5", "g1f3", "b8c6"});
    for (const Color side : kColors) game.set_connected(side, true, false, now_.steady);
    EXPECT_EQ(refused(game.claim(kAna, false, now_)), "opponent_here");
    game.set_connected(Color::Black, false, false, now_.steady);
    EXPECT_EQ(refused(game.claim(kAna, false, now_)), "opponent_here") << "not at once";
    wait(*game.claim_in(Color::Black, now_.steady));
    EXPECT_EQ(refused(game.claim(kBen, false, now_)), "opponent_here") << "only the one who waits";
    EXPECT_EQ(refused(game.claim(kAna, false, now_)), "accepted");
    EXPECT_EQ(game.record().result, GameResult::Draw);
    EXPECT_EQ(game.record().status, GameStatus::Finished);
}

TEST_F(LiveGameTest, AGameAgainstADeletedPlayerCanBeClaimedAtOnceWithoutAClockToo) {
    GameRecord record = person_game(0, 0, ClockMode::None);
    record.white = {SeatKind::Deleted, "", "", false};
    LiveGame& game = start(record);
    EXPECT_EQ(refused(game.claim(kBen, true, now_)), "accepted");
    EXPECT_EQ(game.record().result, GameResult::BlackWins);
}

TEST_F(LiveGameTest, ADeletedPlayerLosesWhatWasBegunAndNothingElse) {
    LiveGame& begun = start(person_game());
    play({"e2e4", "e7e5", "g1f3"});
    const Step end = begun.erase(kBen, now_);
    EXPECT_TRUE(end.seats_changed);
    EXPECT_EQ(begun.record().result, GameResult::WhiteWins);
    EXPECT_EQ(begun.record().black.kind, SeatKind::Deleted);
    EXPECT_TRUE(begun.record().black.name.empty());
    EXPECT_TRUE(begun.erase(kAna, now_).empty()) << "over already";
    EXPECT_EQ(begun.record().result, GameResult::WhiteWins);
    LiveGame& fresh = start(person_game());
    fresh.erase(kAna, now_);
    EXPECT_EQ(fresh.record().status, GameStatus::Aborted);
    GameRecord challenge = person_game();
    challenge.status = GameStatus::Waiting;
    challenge.black = {};
    challenge.invited = kBen;
    LiveGame& waiting = start(challenge);
    waiting.erase(kBen, now_);
    EXPECT_EQ(waiting.record().reason, "declined");
    EXPECT_TRUE(waiting.record().invited.empty());
    LiveGame& others = start(person_game());
    EXPECT_TRUE(others.erase("somebody00", now_).empty());
    EXPECT_TRUE(others.playing());
}

}  // namespace
}  // namespace rokada::server
