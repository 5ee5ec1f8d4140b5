// SPDX-License-Identifier: GPL-3.0-or-later
#include "chess/openings.hpp"

#include <sstream>

#include <gtest/gtest.h>

#include "chess/notation/san.hpp"
#include "tests/chess/random_games.hpp"
#include "tests/chess/shared_data.hpp"

namespace rokada {
namespace {

Game game_of(const std::string& moves) {
    Game game;
    std::istringstream words(moves);
    for (std::string word; words >> word;) {
        if (word.back() == '.') continue;
        const auto move = parse_san(game.position(), word);
        EXPECT_TRUE(move) << moves << ": " << word;
        if (!move) break;
        EXPECT_TRUE(game.play(*move));
    }
    return game;
}

TEST(Openings, AreNamedByTheirPosition) {
    const struct {
        const char* moves;
        Opening opening;
    } cases[] = {
        {"1. e4", {"B00", "King's Pawn Game"}},
        {"1. e4 c5", {"B20", "Sicilian Defense"}},
        {"1. e4 e5 2. Nf3 Nc6 3. Bb5", {"C60", "Ruy Lopez"}},
        {"1. d4 d5 2. c4", {"D06", "Queen's Gambit"}},
        {"1. e4 c5 2. Nf3 d6 3. d4 cxd4 4. Nxd4 Nf6 5. Nc3 a6",
         {"B90", "Sicilian Defense: Najdorf Variation"}},
        {"1. d4 Nf6 2. c4 g6 3. Nc3 Bg7 4. e4 d6",
         {"E70", "King's Indian Defense: Normal Variation"}},
        {"1. d4 Nf6 2. c4 g6 3. Nc3 d5", {"D80", "Grünfeld Defense"}},
    };
    for (const auto& c : cases) {
        const Game game = game_of(c.moves);
        const auto found = find_opening(game.position());
        ASSERT_TRUE(found) << c.moves;
        EXPECT_EQ(found->code, c.opening.code) << c.moves;
        EXPECT_EQ(found->name, c.opening.name) << c.moves;
        EXPECT_EQ(find_opening(game), found);
    }
}

TEST(Openings, AreFoundThroughTranspositions) {
    const Game usual = game_of("1. e4 e6 2. d4 d5");
    const Game other = game_of("1. d4 e6 2. e4 d5");
    ASSERT_TRUE(find_opening(usual));
    EXPECT_EQ(find_opening(usual), find_opening(other));
}

TEST(Openings, StayWithAGameThatLeavesTheKnownPositions) {
    const Game game =
        game_of("1. e4 c5 2. Nf3 d6 3. d4 cxd4 4. Nxd4 Nf6 5. Nc3 a6 6. Rg1 h6 7. h4 h5");
    EXPECT_EQ(find_opening(game.position()), std::nullopt);
    ASSERT_TRUE(find_opening(game));
    EXPECT_EQ(find_opening(game)->code, "B90");
    EXPECT_EQ(find_opening(Game()), std::nullopt);
    EXPECT_EQ(find_opening(Game(testing_support::position_of("4k3/8/8/8/8/8/P7/4K3 w - - 0 1"))),
              std::nullopt);
}

TEST(Openings, AgreeWithTheSharedLines) {
    const auto folder = testing_support::shared_data("openings");
    if (folder.empty()) GTEST_SKIP() << "no shared data";
    std::size_t lines = 0, named = 0, same = 0;
    for (const char* volume : {"a.tsv", "b.tsv", "c.tsv", "d.tsv", "e.tsv"}) {
        for (const std::string& line : testing_support::read_lines(folder / volume)) {
            const std::size_t first = line.find('\t'), second = line.find('\t', first + 1);
            if (line.substr(0, first) == "eco") continue;
            ++lines;
            const Game game = game_of(line.substr(second + 1));
            const auto found = find_opening(game.position());
            named += found ? 1 : 0;
            same += found && found->name == line.substr(first + 1, second - first - 1) ? 1 : 0;
        }
    }
    EXPECT_GT(lines, 3700u);
    EXPECT_GT(named, lines * 9 / 10);  // their list grows faster than the package
    EXPECT_GT(same, lines * 8 / 10);
}

TEST(Openings, AreMany) { EXPECT_EQ(named_positions(), 3608u); }

}  // namespace
}  // namespace rokada
