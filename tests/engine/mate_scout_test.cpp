// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/search/mate_scout.hpp"

#include <gtest/gtest.h>

#include "chess/notation/fen.hpp"
#include "chess/notation/uci_move.hpp"

namespace rokada::engine {
namespace {

// The smothered mate: check, knight check, double check, the queen sacrifices herself, and the knight mates.
constexpr const char* kSmothered = "r5k1/6pp/8/4N3/8/1P6/2Q3PP/6K1 w - - 0 1";
constexpr std::uint64_t kPlenty = 100'000;

Position position(const char* fen) { return *parse_position(fen); }

TEST(MateScout, FindsTheShortestMateAndItsFirstMove) {
    MateScout scout([] { return false; });
    scout.start(position(kSmothered), {}, {});
    const auto mate = scout.look(kPlenty);
    ASSERT_TRUE(mate);
    EXPECT_EQ(to_uci(mate->move), "c2c4");
    EXPECT_EQ(mate->moves, 5);
}

TEST(MateScout, SaysNothingWhereThereIsNoMate) {
    MateScout scout([] { return false; });
    scout.start(position("r5k1/6pp/8/8/8/8/2Q3PP/6K1 w - - 0 1"), {}, {});
    EXPECT_FALSE(scout.look(kPlenty));
}

TEST(MateScout, LooksOnlyAtTheMovesAllowed) {
    MateScout scout([] { return false; });
    const Position root = position(kSmothered);
    scout.start(root, {}, {*parse_uci_move(root, "g2g3"), *parse_uci_move(root, "e5f7")});
    const auto mate = scout.look(kPlenty);
    EXPECT_FALSE(mate) << to_uci(mate->move);
}

TEST(MateScout, KeepsToItsBudgetAndGoesOnLater) {
    MateScout scout([] { return false; });
    scout.start(position(kSmothered), {}, {});
    EXPECT_FALSE(scout.look(100)) << "too little to begin";
    EXPECT_TRUE(scout.look(kPlenty));
}

TEST(MateScout, StopsWhenTold) {
    MateScout scout([] { return true; });
    scout.start(position(kSmothered), {}, {});
    EXPECT_FALSE(scout.look(kPlenty));
}

// The proof knows nothing of repetitions, so it is not used where one could spoil the mate.
TEST(MateScout, HoldsBackWhereARepetitionIsNear) {
    MateScout scout([] { return false; });
    const Position root = position("r5k1/6pp/8/4N3/8/1P6/2Q3PP/6K1 w - - 9 30");
    scout.start(root, {root.key(), 1, 2, 3}, {});
    EXPECT_FALSE(scout.look(kPlenty));
    scout.start(root, {1, 2, 3, 4}, {});
    EXPECT_TRUE(scout.look(kPlenty)) << "a new search, without one";
}

}  // namespace
}  // namespace rokada::engine
