// SPDX-License-Identifier: GPL-3.0-or-later
// Matches take openings from a Polyglot book, and end where the tablebases know the result.
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>

#include "chess/movegen.hpp"
#include "lab/book/book_builder.hpp"
#include "lab/match/tournament.hpp"
#include "lab/plot.hpp"

namespace rokada::lab {
namespace {

using testing::HasSubstr;

std::string shared_data() {
    const char* const given = std::getenv("ROKADA_SHARED");
    return (given != nullptr ? std::string(given) : std::string(ROKADA_SOURCE_DIR) + "/../shared") +
           "/data";
}

TEST(MatchOpenings, ComeFromAPolyglotBookTheSameEveryTime) {
    BookSettings settings;
    settings.least_games = 1;
    BookBuilder builder(settings);
    Position position;
    for (int ply = 0; ply < 12; ++ply) {
        const MoveList moves = legal_moves(position);
        for (std::size_t i = 0; i < 3; ++i) builder.add_move(position, moves[i], 1);
        position.play(moves[0]);
    }
    const std::string path = testing::TempDir() + "rokada_openings.bin";
    const auto bytes = builder.bytes();
    ASSERT_EQ(write_text(path, std::string(bytes.begin(), bytes.end())), "");
    OpeningSettings openings;
    openings.path = path;
    openings.plies = 5;
    const auto book = OpeningBook::open(openings);
    ASSERT_TRUE(book) << book.error();
    bool differ = false;
    for (std::uint64_t n = 0; n < 20; ++n) {
        const auto first = (*book)->opening(n), again = (*book)->opening(n);
        ASSERT_TRUE(first);
        EXPECT_LE(first->moves.size(), 5u);
        EXPECT_GE(first->moves.size(), 1u);
        EXPECT_EQ(first->moves, again->moves);
        differ = differ || first->moves != (*book)->opening(0)->moves;
    }
    EXPECT_TRUE(differ);

    ASSERT_EQ(write_text(path, "no book at all"), "");
    const auto wrong = OpeningBook::open(openings);
    ASSERT_FALSE(wrong);
    EXPECT_THAT(wrong.error(), HasSubstr(path));
}

TEST(MatchAdjudication, EndsWhereTheTablesKnowTheResult) {
    const std::string folder = shared_data() + "/syzygy";
    if (!std::filesystem::exists(folder + "/KQvK.rtbw")) GTEST_SKIP() << "no tables here";
    const auto tables = engine::Tablebases::open(folder);
    ASSERT_TRUE(tables) << tables.error();
    const std::string epd = testing::TempDir() + "rokada_adjudication.epd";
    // The queen takes the last pawn: king and queen against king remain.
    std::ofstream(epd) << "8/8/8/3k4/8/8/p7/QK6 w - - 0 1\n";
    TournamentSettings settings;
    for (const char* name : {"a", "b"})
        settings.engines.push_back(*parse_engine_spec("cmd='" + std::string(ROKADA_BINARY) +
                                                      " uci' nodes=2000 name=" + name));
    settings.schedule.engines = 2;
    settings.schedule.games = 2;
    settings.openings.path = epd;
    settings.play.tablebases = *tables;
    Tournament tournament(settings);
    const auto problem = tournament.prepare();
    ASSERT_FALSE(problem) << *problem;
    std::vector<std::string> reasons;
    const auto result = tournament.run([&](const Progress& progress) {
        if (progress.last != nullptr) reasons.push_back(progress.last->reason);
    });
    ASSERT_TRUE(result);
    ASSERT_EQ(reasons.size(), 2u);
    for (const std::string& reason : reasons) EXPECT_THAT(reason, HasSubstr("tablebase"));
}

}  // namespace
}  // namespace rokada::lab
