// SPDX-License-Identifier: GPL-3.0-or-later
// A mistake planted in a move generator is found and named, down to the position and the move.
#include "lab/perft/perft_diff.hpp"

#include <gmock/gmock.h>

#include "chess/movegen.hpp"
#include "chess/notation/fen.hpp"
#include "chess/notation/uci_move.hpp"

namespace rokada::lab {
namespace {

constexpr std::chrono::seconds kPatience{30};

std::unique_ptr<PerftEngine> ours() {
    auto engine = PerftEngine::start({ROKADA_BINARY, "uci"}, false);
    EXPECT_TRUE(engine) << (engine ? "" : engine.error());
    return std::move(*engine);
}

std::unique_ptr<PerftEngine> wrong(const std::string& mistake) {
    const std::string folder = std::string(ROKADA_BINARY);
    const std::string path =
        folder.substr(0, folder.rfind('/')) + "/tests/lab/engine_with_wrong_rules";
    auto engine = PerftEngine::start({path, mistake}, false);
    EXPECT_TRUE(engine) << (engine ? "" : engine.error());
    return std::move(*engine);
}

PerftDifference difference(const std::string& mistake, const std::string& fen, int depth) {
    const auto first = ours(), second = wrong(mistake);
    const auto found = find_difference(*first, *second, fen, depth, kPatience);
    EXPECT_TRUE(found) << (found ? "" : found.error());
    if (!found || !*found) {
        ADD_FAILURE() << mistake << " was not found";
        return {};
    }
    return **found;
}

TEST(PerftDiff, EnginesThatAgreeHaveNoDifference) {
    const auto first = ours(), second = wrong("none");
    for (const Position& position : random_positions(12, 5, false)) {
        const auto found = find_difference(*first, *second, to_fen(position), 2, kPatience);
        ASSERT_TRUE(found) << found.error();
        EXPECT_FALSE(*found) << to_fen(position);
    }
}

// After e2-e4 the pawn on d4 may not take: both pawns leave the fourth rank and the rook gives check.
TEST(PerftDiff, EnPassantThatBaresTheKingIsFoundThreePliesDeep) {
    const PerftDifference found = difference("pin", "8/8/8/8/k2p3R/8/4P3/4K3 w - - 0 1", 3);
    EXPECT_FALSE(found.ours);
    EXPECT_EQ(found.move, "d4e3");
    const auto position = parse_position(found.position);
    ASSERT_TRUE(position) << found.position;
    EXPECT_FALSE(parse_uci_move(*position, found.move));
    ASSERT_FALSE(found.moves.empty());
    EXPECT_EQ(found.moves.back(), "e2e4");
}

TEST(PerftDiff, CastlingPastAnAttackedSquareBesideTheRookIsFound) {
    const PerftDifference found = difference("castling", "1r2k3/8/8/8/8/8/6P1/R3K3 w Q - 0 1", 3);
    EXPECT_TRUE(found.ours);
    EXPECT_EQ(found.move, "e1c1");
    EXPECT_TRUE(parse_uci_move(*parse_position(found.position), found.move));
}

TEST(PerftDiff, ACheckAnsweredByEnPassantIsFound) {
    const PerftDifference found = difference("evasion", "8/8/8/2k5/4p3/8/3P4/4K3 w - - 0 1", 4);
    EXPECT_TRUE(found.ours);
    EXPECT_TRUE(parse_uci_move(*parse_position(found.position), found.move)->is_en_passant());
}

TEST(PerftDiff, RandomPositionsAreTheSameForTheSameSeedAndCanBePlayed) {
    const auto a = random_positions(50, 9, true), b = random_positions(50, 9, true);
    ASSERT_EQ(a.size(), 50u);
    EXPECT_EQ(a, b);
    for (const Position& position : a) EXPECT_TRUE(has_legal_move(position));
}

TEST(PerftDiff, AnEngineWithoutPerftIsNamed) {
    EXPECT_FALSE(PerftEngine::start({"/nowhere/engine"}, false));
    const auto mute = PerftEngine::start({"/bin/true"}, false);
    ASSERT_FALSE(mute);
    EXPECT_THAT(mute.error(), testing::HasSubstr("/bin/true"));
}

}  // namespace
}  // namespace rokada::lab
