// SPDX-License-Identifier: GPL-3.0-or-later
// What people read: the drawn board, the table of the evaluation, the log; and how output behaves
// when the other end is slow or gone.
#include <cstdio>
#include <fstream>
#include <sstream>
#include <thread>

#include <fcntl.h>
#include <gmock/gmock.h>
#include <unistd.h>

#include "chess/notation/fen.hpp"
#include "chess/notation/uci_move.hpp"
#include "engine/explain.hpp"
#include "protocol/board_text.hpp"
#include "protocol/evaluation_text.hpp"
#include "protocol/output.hpp"
#include "protocol/temper.hpp"

namespace rokada::protocol {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(BoardText, DrawsLettersForALog) {
    EXPECT_EQ(draw_board(*parse_position("4k2r/8/8/3pP3/8/8/8/R3K3 w - - 0 1")),
              " 8  . : . : k : . r\n"
              " 7  : . : . : . : .\n"
              " 6  . : . : . : . :\n"
              " 5  : . : p P . : .\n"
              " 4  . : . : . : . :\n"
              " 3  : . : . : . : .\n"
              " 2  . : . : . : . :\n"
              " 1  R . : . K . : .\n"
              "\n"
              "    a b c d e f g h\n");
}

TEST(BoardText, OutlinesAreWhiteOnlyWhereNoColourTells) {
    BoardStyle style;
    style.unicode = true;
    EXPECT_THAT(draw_board(Position(), style), HasSubstr("♙ ♙ ♙"));
    EXPECT_THAT(draw_board(Position(), style), HasSubstr("♟ ♟ ♟"));
    style.colors = true;
    EXPECT_THAT(draw_board(Position(), style), Not(HasSubstr("♙")));
}

TEST(BoardText, ColoursMarkTheLastMoveAndAreSwitchedOffAtEveryLineEnd) {
    BoardStyle style;
    style.colors = true;
    Position position;
    const auto marks = [&] {
        const std::string board = draw_board(position, style);
        int count = 0;
        for (const char* mark : {"\x1b[48;5;186m", "\x1b[48;5;143m"})
            for (std::size_t at = 0; (at = board.find(mark, at)) != std::string::npos; ++at)
                ++count;
        EXPECT_THAT(board, HasSubstr("\x1b[0m\n")) << board;
        return count;
    };
    EXPECT_EQ(marks(), 0);
    style.last = *parse_uci_move(position, "g1f3");
    position.play(style.last);
    EXPECT_EQ(marks(), 2);
}

TEST(EvaluationText, ShowsEveryTermAndTheSameSumAsTheEngine) {
    for (const char* fen : {"r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 0 1",
                            "8/5pk1/6p1/8/3P4/6P1/5PK1/8 b - - 0 1"}) {
        const Position position = *parse_position(fen);
        const engine::Explanation explained = engine::explain(position);
        const std::string text = evaluation_text(position);
        ASSERT_FALSE(explained.terms.empty());
        for (const auto& term : explained.terms) EXPECT_THAT(text, HasSubstr(term.name));
        char sum[80];
        std::snprintf(sum, sizeof sum, "\nEvaluation: %+.2f pawns (White's view)\n",
                      explained.centipawns / 100.0);
        EXPECT_THAT(text, testing::EndsWith(sum));
        EXPECT_THAT(text, HasSubstr("Phase: " + std::to_string(explained.phase_percent) + " %"));
        EXPECT_THAT(text, Not(HasSubstr("known ending")));
    }
}

TEST(EvaluationText, SaysWhenAKnownEndingDecides) {
    EXPECT_THAT(evaluation_text(*parse_position("8/8/8/4k3/8/8/8/KBN5 w - - 0 1")),
                HasSubstr("A known ending"));
}

class Pipe {
  public:
    Pipe() { EXPECT_EQ(::pipe2(ends_, O_NONBLOCK), 0); }
    ~Pipe() {
        close_reader();
        ::close(ends_[1]);
    }
    int writer() const { return ends_[1]; }
    void close_reader() {
        if (ends_[0] >= 0) ::close(std::exchange(ends_[0], -1));
    }
    std::string read_all(std::size_t size) {
        std::string text;
        char buffer[4096];
        while (text.size() < size) {
            const ssize_t got = ::read(ends_[0], buffer, sizeof buffer);
            if (got > 0)
                text.append(buffer, static_cast<std::size_t>(got));
            else
                std::this_thread::yield();
        }
        return text;
    }

  private:
    int ends_[2] = {-1, -1};
};

TEST(Output, WaitsForASlowReaderAndLosesNothing) {
    Pipe pipe;
    FileOutput output(pipe.writer());
    std::string expected;
    for (int i = 0; i < 30'000; ++i) expected += "line " + std::to_string(i) + '\n';
    std::thread writer([&] {
        for (int i = 0; i < 30'000; ++i) output.line("line " + std::to_string(i));
    });
    const std::string text = pipe.read_all(expected.size());
    writer.join();
    EXPECT_TRUE(text == expected);
    EXPECT_FALSE(output.broken());
}

TEST(Output, RemembersThatNobodyListens) {
    Pipe pipe;
    FileOutput output(pipe.writer());
    output.line("heard");
    EXPECT_FALSE(output.broken());
    pipe.close_reader();
    output.line("unheard");
    EXPECT_TRUE(output.broken());
}

TEST(Output, AForeignLineBreakDoesNotBreakTheProtocol) {
    Pipe pipe;
    FileOutput output(pipe.writer());
    output.line("info string a\r\nbestmove e2e4");
    const std::string expected = "info string a  bestmove e2e4\n";
    EXPECT_EQ(pipe.read_all(expected.size()), expected);
}

// When an engine should give up or make peace.
TEST(Temper, ResignsAfterSixHopelessMovesInARow) {
    Temper temper;
    for (int i = 0; i < 5; ++i) temper.note(engine::Score::centipawns(-1200), 10, Position());
    EXPECT_FALSE(temper.wants_to_resign());
    temper.note(engine::Score::centipawns(-900), 10, Position());
    for (int i = 0; i < 5; ++i) temper.note(engine::Score::mated_in(2), 10, Position());
    EXPECT_FALSE(temper.wants_to_resign()) << "a better score begins the count again";
    temper.note(engine::Score::centipawns(-1200), 3, Position());
    EXPECT_FALSE(temper.wants_to_resign()) << "a shallow score decides nothing";
    temper.note(engine::Score::mated_in(2), 3, Position());
    EXPECT_TRUE(temper.wants_to_resign()) << "but a mate is a mate";
}

TEST(Temper, OffersADrawInADeadPositionOnceInTwentyMoves) {
    const Position dry = *parse_position("4k2r/8/8/8/8/8/8/R3K3 w - - 30 50");
    Temper temper;
    int offers = 0;
    for (int move = 1; move <= 30; ++move) {
        temper.note(engine::Score::centipawns(5), 12, dry);
        if (temper.offers_draw()) ++offers;
        EXPECT_EQ(offers, move < 8 ? 0 : move < 28 ? 1 : 2) << move;
    }
    EXPECT_TRUE(temper.accepts_draw());
    Temper lively;
    for (int i = 0; i < 30; ++i) lively.note(engine::Score::centipawns(0), 12, Position());
    EXPECT_FALSE(lively.offers_draw());
    EXPECT_FALSE(lively.accepts_draw());
}

}  // namespace
}  // namespace rokada::protocol
