// SPDX-License-Identifier: GPL-3.0-or-later
// The opening book: small, sound, used below full strength, and varied.
#include "engine/book/book.hpp"

#include <deque>
#include <filesystem>
#include <fstream>
#include <map>
#include <random>
#include <set>

#include "tests/engine/helpers.hpp"

namespace rokada::engine {
namespace {

PolyglotBook built_in() {
    const auto book = open_book(kBuiltInBook);
    EXPECT_TRUE(book);
    return book ? *book : PolyglotBook();
}

TEST(Book, BuiltInOneIsSmallAndAllOfItCanBeReached) {
    const PolyglotBook book = built_in();
    EXPECT_GT(book.entries(), 1000u);
    EXPECT_LE(book.entries() * 16, 60u * 1024);
    EXPECT_GE(book.moves(Position()).size(), 4u);
    std::deque<Position> queue{Position()};
    std::set<Key> seen{Position().key()};
    std::size_t moves = 0;
    while (!queue.empty()) {
        const Position position = queue.front();
        queue.pop_front();
        for (const BookMove& known : book.moves(position)) {
            EXPECT_GT(known.weight, 0);
            ++moves;
            Position next = position;
            next.play(known.move);
            if (seen.insert(next.key()).second) queue.push_back(next);
        }
    }
    EXPECT_GT(moves * 10, book.entries() * 9);
}

// A line that came back to an earlier position would waste moves.
TEST(Book, EveryMoveOfTheBuiltInOneLeadsOn) {
    const PolyglotBook book = built_in();
    std::deque<Position> queue{Position()};
    std::map<Key, int> plies{{Position().key(), 0}};
    while (!queue.empty()) {
        const Position position = queue.front();
        queue.pop_front();
        const int deeper = plies[position.key()] + 1;
        for (const BookMove& known : book.moves(position)) {
            Position next = position;
            next.play(known.move);
            const auto [found, unseen] = plies.emplace(next.key(), deeper);
            EXPECT_EQ(found->second, deeper) << to_fen(position) << ' ' << to_uci(known.move);
            if (unseen) queue.push_back(next);
        }
    }
    EXPECT_GT(plies.size(), 1000u);
}

std::string first_plies(const std::string& elo, const std::string& seed, int plies) {
    Engine engine;
    engine.set_option("UCI_LimitStrength", "true");
    engine.set_option("UCI_Elo", elo);
    engine.set_option("Seed", seed);
    std::vector<Move> moves;
    for (int ply = 0; ply < plies; ++ply) {
        engine.set_position(Position(), moves);
        moves.push_back(engine.think(nodes(2000)).move);
    }
    return text(moves);
}

TEST(Book, TwentyGamesOfALevelShowManyOpenings) {
    for (const char* elo : {"600", "1500", "2300"}) {
        std::set<std::string> openings;
        for (int seed = 1; seed <= 20; ++seed)
            openings.insert(first_plies(elo, std::to_string(seed), 6));
        EXPECT_GE(openings.size(), 8u) << elo;
    }
}

TEST(Book, SameSeedGivesTheSameOpening) {
    EXPECT_EQ(first_plies("1800", "7", 8), first_plies("1800", "7", 8));
}

// A book of one move: 1. Na3.
std::string knight_book() {
    const Key key = polyglot_key(Position());
    std::string bytes;
    for (int i = 7; i >= 0; --i) bytes += static_cast<char>(key >> (8 * i) & 0xFF);
    const unsigned move = static_cast<unsigned>(index(Square::B1) << 6 | index(Square::A3));
    for (const unsigned byte : {move >> 8, move & 255, 0u, 1u, 0u, 0u, 0u, 0u})
        bytes += static_cast<char>(byte);
    const auto path = std::filesystem::temp_directory_path() /
                      ("rokada-book-" + std::to_string(std::random_device{}()));
    std::ofstream(path, std::ios::binary) << bytes;
    return path.string();
}

TEST(Book, FullStrengthUsesItOnlyWhenAsked) {
    const std::string path = knight_book();
    const Move knight(Square::B1, Square::A3);
    Recorder recorder;
    EXPECT_FALSE(recorder.engine.set_option("BookFile", path));
    EXPECT_NE(recorder.think(kStartFen, depth(3)).move, knight);
    recorder.engine.set_option("OwnBook", "true");
    EXPECT_EQ(recorder.think(kStartFen, depth(3)).move, knight);
    EXPECT_EQ(recorder.infos.back().line, std::vector<Move>{knight});
    // Not for those who analyse.
    Limits limits = depth(3);
    limits.search_moves = {Move(Square::E2, Square::E4)};
    EXPECT_EQ(recorder.think(kStartFen, limits).move, limits.search_moves[0]);
    // Out of book it thinks.
    EXPECT_TRUE(recorder.think("4k3/8/8/8/8/8/8/K6R w - - 0 1", depth(3)).move);
    EXPECT_FALSE(recorder.engine.set_option("BookFile", kNoBook));
    EXPECT_NE(recorder.think(kStartFen, depth(3)).move, knight);
    std::filesystem::remove(path);
}

TEST(Book, LevelsFollowTheUsersBook) {
    const std::string path = knight_book();
    Recorder recorder;
    recorder.engine.set_option("Skill", "Easy");
    EXPECT_FALSE(recorder.engine.set_option("BookFile", path));
    EXPECT_EQ(recorder.think(kStartFen, depth(3)).move, Move(Square::B1, Square::A3));
    std::filesystem::remove(path);
}

TEST(Book, WrongFilesAreRefusedWithTheReason) {
    Engine engine;
    EXPECT_THAT(engine.set_option("BookFile", "/no such book").value_or(""),
                testing::HasSubstr("/no such book"));
    for (const Option& option : engine.options())
        if (option.name == "BookFile") {
            EXPECT_EQ(option.value, kBuiltInBook);
        }
}

TEST(AnalyseMode, IsFullStrengthWithoutBookOrContempt) {
    const std::string fen = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3";
    Recorder plain, analysing;
    plain.think(fen, nodes(5000));
    for (const auto& [name, value] :
         {std::pair("OwnBook", "true"), std::pair("Contempt", "150"), std::pair("Skill", "Easy"),
          std::pair("UCI_AnalyseMode", "true")})
        EXPECT_EQ(analysing.engine.set_option(name, value), std::nullopt);
    analysing.think(fen, nodes(5000));
    EXPECT_GT(plain.infos.back().nodes, 4000u);
    EXPECT_EQ(text(plain.infos.back()), text(analysing.infos.back()));
}

}  // namespace
}  // namespace rokada::engine
