// SPDX-License-Identifier: GPL-3.0-or-later
#include "chess/perft.hpp"

#include <thread>

#include <gtest/gtest.h>

#include "chess/counter.hpp"
#include "chess/notation/epd.hpp"
#include "chess/notation/fen.hpp"
#include "tests/chess/random_games.hpp"
#include "tests/chess/shared_data.hpp"

namespace rokada {
namespace {

using testing_support::position_of;

constexpr const char* kStart = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
constexpr const char* kKiwipete =
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

struct Known {
    const char* fen;
    int depth;
    std::uint64_t leaves;
};

void PrintTo(const Known& known, std::ostream* out) { *out << known.fen; }

class KnownPerft : public testing::TestWithParam<Known> {};

TEST_P(KnownPerft, IsReachedByLists) {
    const Known& known = GetParam();
    EXPECT_EQ(perft(position_of(known.fen), known.depth), known.leaves);
}
TEST_P(KnownPerft, IsReachedByCounting) {
    const Known& known = GetParam();
    EXPECT_EQ(count_leaves(position_of(known.fen), known.depth), known.leaves);
}

INSTANTIATE_TEST_SUITE_P(
    Positions, KnownPerft,
    testing::Values(
        Known{kStart, 5, 4865609}, Known{kKiwipete, 4, 4085603},
        Known{"8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 5, 674624},
        Known{"r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", 4, 422333},
        Known{"rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", 4, 2103487},
        Known{"r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10", 4,
              3894594},
        // One trap each: en passant and pins, castling through and out of checks, promotions, mates.
        Known{"3k4/3p4/8/K1P4r/8/8/8/8 b - - 0 1", 6, 1134888},
        Known{"8/8/4k3/8/2p5/8/B2P1K2/8 w - - 0 1", 6, 1038514},
        Known{"8/8/1k6/2b5/2pP4/8/5K2/8 b - d3 0 1", 6, 1440467},
        Known{"5k2/8/8/8/8/8/8/4K2R w K - 0 1", 6, 661072},
        Known{"3k4/8/8/8/8/8/8/R3K3 w Q - 0 1", 6, 803711},
        Known{"r3k2r/1b4bq/8/8/8/8/7B/R3K2R w KQkq - 0 1", 4, 1274206},
        Known{"r3k2r/8/3Q4/8/8/5q2/8/R3K2R b KQkq - 0 1", 4, 1720476},
        Known{"2K2r2/4P3/8/8/8/8/8/3k4 w - - 0 1", 6, 3821001},
        Known{"8/8/1P2K3/8/2n5/1q6/8/5k2 b - - 0 1", 5, 1004658},
        Known{"4k3/1P6/8/8/8/8/K7/8 w - - 0 1", 6, 217342},
        Known{"8/P1k5/K7/8/8/8/8/8 w - - 0 1", 6, 92683},
        Known{"K1k5/8/P7/8/8/8/8/8 w - - 0 1", 6, 2217},
        Known{"8/k1P5/8/1K6/8/8/8/8 w - - 0 1", 7, 567584},
        Known{"8/8/2k5/5q2/5n2/8/5K2/8 b - - 0 1", 4, 23527},
        // Chess960, with castling of every kind.
        Known{"bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w HFhf - 0 1", 5, 4975808},
        Known{"rkrnnqbb/pppppppp/8/8/8/8/PPPPPPPP/RKRNNQBB w CAca - 0 1", 5, 4973573},
        Known{"1rkr4/8/8/8/8/8/8/1RKR4 w DBdb - 0 1", 5, 3087356},
        Known{"rk5r/p2p4/8/8/8/8/4P2P/RK5R w HAha - 0 1", 4, 178227},
        Known{"5rkr/8/2q5/8/8/5Q2/8/RKR5 b CAhf - 0 1", 4, 1718765},
        Known{"qr2k1r1/1p1p4/8/4B3/3b4/8/2P2PP1/1R2K1RQ w GBgb - 0 1", 4, 1653451}));

TEST(PerftChoices, AllGiveTheSameNumbers) {
    for (const char* fen : {kStart, kKiwipete, "1rkr4/8/8/8/8/8/8/1RKR4 b BDbd - 0 1"}) {
        const Position position = position_of(fen);
        for (int depth = 0; depth <= 4; ++depth) {
            const std::uint64_t expected = perft(position, depth);
            for (const auto generator : {Perft::Generator::Count, Perft::Generator::List}) {
                for (const unsigned threads : {1u, 3u}) {
                    for (const std::size_t megabytes : {std::size_t{0}, std::size_t{1}}) {
                        Perft counter({generator, threads, megabytes});
                        ASSERT_EQ(counter.count(position, depth), expected) << fen << depth;
                        // Again, out of the table this time.
                        ASSERT_EQ(counter.count(position, depth), expected) << fen << depth;
                        std::uint64_t sum = 0;
                        for (const auto& [move, count] : counter.divide(position, depth)) {
                            ASSERT_TRUE(position.is_legal(move));
                            sum += count;
                        }
                        ASSERT_EQ(sum, depth == 0 ? 0 : expected);
                    }
                }
            }
        }
    }
    EXPECT_EQ(Perft().count(position_of("R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1"), 3), 0u);
}

// Sanitizers make counting thirty times slower; smaller counts show them as much.
constexpr std::uint64_t kLargestCount = testing_support::kSanitized ? 200'000 : ~std::uint64_t{0};

// Every count of a file up to a depth that takes seconds; tests/long/perft goes on to the full one.
void check_suite(const char* name, int depth, Perft::Generator generator) {
    const auto path = testing_support::shared_data(std::string("perft/") + name);
    if (path.empty()) GTEST_SKIP() << "no shared data";
    Perft counter({generator, std::max(std::thread::hardware_concurrency(), 1u), 0});
    std::size_t compared = 0;
    for (const std::string& line : testing_support::read_lines(path)) {
        const auto epd = parse_epd(line);
        ASSERT_TRUE(epd) << line << ": " << epd.error().to_string();
        for (const EpdOperation& operation : epd->operations) {
            if (operation.opcode.size() != 2 || operation.opcode[0] != 'D') continue;
            const int plies = operation.opcode[1] - '0';
            const std::uint64_t expected = std::stoull(operation.text());
            if (plies > depth || expected > kLargestCount) continue;
            ++compared;
            ASSERT_EQ(counter.count(epd->position, plies), expected)
                << line << " at depth " << plies;
        }
    }
    EXPECT_GT(compared, 0u);
}

TEST(PerftSuites, StandardCountsAgree) { check_suite("standard.epd", 6, Perft::Generator::Count); }
TEST(PerftSuites, StandardListsAgree) { check_suite("standard.epd", 4, Perft::Generator::List); }
TEST(PerftSuites, Chess960CountsAgree) { check_suite("fischer.epd", 4, Perft::Generator::Count); }
TEST(PerftSuites, Chess960ListsAgree) { check_suite("fischer.epd", 3, Perft::Generator::List); }
TEST(PerftSuites, DoubleCheckCountsAgree) {
    check_suite("ferdy_perft_double_checks.epd", 4, Perft::Generator::Count);
}
TEST(PerftSuites, DoubleCheckListsAgree) {
    check_suite("ferdy_perft_double_checks.epd", 4, Perft::Generator::List);
}
TEST(PerftSuites, EnPassantCountsAgree) {
    check_suite("ferdy_perft_enpassant_1.epd", 4, Perft::Generator::Count);
}
TEST(PerftSuites, FirstSingleCheckCountsAgree) {
    check_suite("ferdy_perft_single_check_1.epd", 4, Perft::Generator::Count);
}
TEST(PerftSuites, SecondSingleCheckListsAgree) {
    check_suite("ferdy_perft_single_check_2.epd", 4, Perft::Generator::List);
}

}  // namespace
}  // namespace rokada
