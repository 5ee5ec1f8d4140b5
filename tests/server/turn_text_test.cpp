// SPDX-License-Identifier: GPL-3.0-or-later
// Moves as lines of text: what is read is what was written, and what the fields say is not written twice.
#include "server/store/turn_text.hpp"

#include <gtest/gtest.h>

#include "server/api/live_out.hpp"
#include "server/store/error.hpp"

namespace rokada::server {
namespace {

constexpr std::string_view kFen = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";

TurnRecord turn_with(std::string message) {
    TurnRecord turn;
    turn.game_id = "aB3dE5gH7j";
    turn.version = 12;
    turn.ply = 11;
    turn.move = {"e2e4", 59'000, 61'000, 1'794'976'223'361};
    turn.turn_at = 1'794'976'223'000;
    turn.draw_offer = "white";
    turn.fen = kFen;
    turn.message = std::move(message);
    return turn;
}

// As the games tell it.
std::string usual_message(bool with_more) {
    GameEvent event;
    event.kind = GameEvent::Kind::Move;
    event.version = 12;
    event.ply = 11;
    event.key = 0x00a6c775078d1166;
    event.at = 1'794'976'223'361;
    event.uci = "e2e4";
    event.san = "e4";
    event.fen = kFen;
    if (with_more) event.side = "white", event.can_claim_draw = true;
    return live_out::event(event, "aB3dE5gH7j", GameSettings());
}

void expect_same(const TurnRecord& read, const TurnRecord& written) {
    EXPECT_EQ(read.game_id, written.game_id);
    EXPECT_EQ(read.version, written.version);
    EXPECT_EQ(read.ply, written.ply);
    EXPECT_EQ(read.move.uci, written.move.uci);
    EXPECT_EQ(read.move.white_ms, written.move.white_ms);
    EXPECT_EQ(read.move.black_ms, written.move.black_ms);
    EXPECT_EQ(read.move.at, written.move.at);
    EXPECT_EQ(read.turn_at, written.turn_at);
    EXPECT_EQ(read.draw_offer, written.draw_offer);
    EXPECT_EQ(read.fen, written.fen);
    EXPECT_EQ(read.message, written.message);
}

TEST(TurnText, KeepsEveryMessageAsItWas) {
    const std::string usual = usual_message(false);
    std::vector<std::string> messages{usual, usual_message(true), "", "{}", "=", usual + " "};
    // A little more, less or something else in any place.
    for (std::size_t at = 0; at < usual.size(); ++at) {
        messages.push_back(usual.substr(0, at));
        messages.push_back(usual.substr(at));
        std::string other = usual;
        other[at] = other[at] == '7' ? '"' : '7';
        messages.push_back(other);
    }
    std::string text;
    for (const std::string& message : messages) append_turn(text, turn_with(message));
    const Turns turns = read_turns(text);
    ASSERT_EQ(turns.size(), messages.size());
    for (std::size_t i = 0; i < turns.size(); ++i) expect_same(*turns[i], turn_with(messages[i]));
    expect_same(*last_turn(text), turn_with(messages.back()));
}

TEST(TurnText, SaysNothingTwice) {
    for (const bool with_more : {false, true}) {
        const TurnRecord turn = turn_with(usual_message(with_more));
        std::string text;
        append_turn(text, turn);
        EXPECT_LT(text.size(), turn.message.size()) << text;
        EXPECT_EQ(text.find(kFen), text.rfind(kFen)) << text;
    }
}

TEST(TurnText, ADamagedLineIsRefused) {
    std::string text;
    append_turn(text, turn_with(usual_message(false)));
    for (const std::size_t size : {std::size_t{5}, std::size_t{20}, text.size() - 8})
        EXPECT_THROW(read_turns(text.substr(0, size)), StoreError) << size;
    std::string letters = text;
    letters[letters.find("12")] = 'x';
    EXPECT_THROW(read_turns(letters), StoreError);
}

}  // namespace
}  // namespace rokada::server
