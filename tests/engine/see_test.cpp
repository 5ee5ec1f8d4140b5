// SPDX-License-Identifier: GPL-3.0-or-later
// The exchange evaluation agrees with playing the captures out.
#include "engine/search/see.hpp"

#include "tests/engine/helpers.hpp"

namespace rokada::engine {
namespace {

// What the side to move can win at most on the square: it may stop at any time, recaptures with its cheapest legal piece.
Value best_exchange(const Position& position, Square target) {
    Move cheapest;
    Value price = 100000;
    for (const Move m : legal_moves(position)) {
        if (m.to() != target || m.kind() != MoveKind::Normal || !position.is_capture(m)) continue;
        Value value = exchange_value(position.at(m.from()));
        if (type_of(position.at(m.from())) == PieceType::King) value = 90000;
        if (value < price) {
            price = value;
            cheapest = m;
        }
    }
    if (!cheapest) return 0;
    Position next = position;
    next.play(cheapest);
    return std::max(0, exchange_value(position.at(target)) - best_exchange(next, target));
}

Value exchange(const Position& position, Move m) {
    Position next = position;
    next.play(m);
    return exchange_value(position.captured(m)) - best_exchange(next, m.to());
}

// In these positions no piece on either side is pinned in a way that a capture elsewhere changes, so that playing out
// with legal moves gives the exact answer.
TEST(Exchange, AgreesWithPlayingItOut) {
    int compared = 0;
    for (const char* fen : {"1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - - 0 1",
                            "1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - - 0 1",
                            "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3",
                            "r4rk1/1bp1qppp/p1pb4/4n3/4P3/1NN1BP2/PPP1Q1PP/R4RK1 b - - 4 15",
                            "2r2rk1/1bqnbpp1/1p1ppn1p/pP6/N1P1P3/P2B1N1P/1B2QPP1/R2R2K1 b - - 0 18",
                            "r1bq1rk1/pp2ppbp/2np1np1/8/3NP3/2N1BP2/PPPQ2PP/R3KB1R w KQ - 3 9",
                            "8/2k5/1p1p1p2/pPpPpPp1/P1P1P1P1/3K4/8/8 w - - 0 50",
                            "6k1/1b3p1p/4pbp1/2r5/PpN2N2/1P2P2P/5PP1/Q2R2K1 b - - 4 26"}) {
        const Position position = position_of(fen);
        for (const Move m : legal_moves(position)) {
            if (m.kind() != MoveKind::Normal) continue;
            const Value truth = exchange(position, m);
            EXPECT_TRUE(exchange_reaches(position, m, truth))
                << fen << ' ' << to_uci(m) << ' ' << truth;
            EXPECT_FALSE(exchange_reaches(position, m, truth + 1))
                << fen << ' ' << to_uci(m) << ' ' << truth;
            ++compared;
        }
    }
    EXPECT_GT(compared, 200);
}

TEST(Exchange, PinnedDefenderDoesNotCount) {
    // The knight on d7 is pinned to its king and cannot take back on e5.
    const Position pinned = position_of("3k4/3n4/8/4p3/8/5N2/8/3RK3 w - - 0 1");
    EXPECT_TRUE(exchange_reaches(pinned, Move(Square::F3, Square::E5), 100));
    const Position free = position_of("k7/3n4/8/4p3/8/5N2/8/3RK3 w - - 0 1");
    EXPECT_FALSE(exchange_reaches(free, Move(Square::F3, Square::E5), 100));
}

TEST(Exchange, KingDoesNotTakeWhatIsDefended) {
    const Position position = position_of("8/8/3k4/4p3/8/8/4R3/4RK2 w - - 0 1");
    EXPECT_TRUE(exchange_reaches(position, Move(Square::E2, Square::E5), 100));
}

}  // namespace
}  // namespace rokada::engine
