// SPDX-License-Identifier: GPL-3.0-or-later
#include "chess/polyglot.hpp"

#include <map>

#include <gtest/gtest.h>

#include "chess/notation/uci_move.hpp"
#include "tests/chess/random_games.hpp"
#include "tests/chess/shared_data.hpp"

namespace rokada {
namespace {

using testing_support::position_of;
using testing_support::Random;

struct Entry {
    Key key;
    std::uint16_t move, weight;
};

std::vector<std::uint8_t> book_bytes(const std::vector<Entry>& entries) {
    std::vector<std::uint8_t> bytes;
    const auto put = [&bytes](std::uint64_t value, int size) {
        for (int i = size - 1; i >= 0; --i)
            bytes.push_back(static_cast<std::uint8_t>(value >> (8 * i)));
    };
    for (const Entry& entry : entries) {
        put(entry.key, 8);
        put(entry.move, 2);
        put(entry.weight, 2);
        put(0, 4);
    }
    return bytes;
}

// From and to as in the format: file and row of the target, then of the origin.
std::uint16_t code(Square from, Square to, int promotion = 0) {
    return static_cast<std::uint16_t>(index(to) | index(from) << 6 | promotion << 12);
}

TEST(PolyglotKeys, AreThoseTheFormatPublishes) {
    const struct {
        const char* fen;
        Key key;
    } published[] = {
        {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 0x463b96181691fc9c},
        {"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1", 0x823c9b50fd114196},
        {"rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 2", 0x0756b94461c50fb0},
        {"rnbqkbnr/ppp1pppp/8/3pP3/8/8/PPPP1PPP/RNBQKBNR b KQkq - 0 2", 0x662fafb965db29d4},
        {"rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3", 0x22a48b5a8e47ff78},
        {"rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPPKPPP/RNBQ1BNR b kq - 0 3", 0x652a607ca3f242c1},
        {"rnbq1bnr/ppp1pkpp/8/3pPp2/8/8/PPPPKPPP/RNBQ1BNR w - - 0 4", 0x00fdd303c946bdd9},
        {"rnbqkbnr/p1pppppp/8/8/PpP4P/8/1P1PPPP1/RNBQKBNR b KQkq c3 0 3", 0x3c8123ea7b067637},
        {"rnbqkbnr/p1pppppp/8/8/P6P/R1p5/1P1PPPP1/1NBQKBNR b Kkq - 0 4", 0x5c3f9b829b279560},
    };
    for (const auto& p : published) EXPECT_EQ(polyglot_key(position_of(p.fen)), p.key) << p.fen;
}

TEST(PolyglotKeys, AgreeWithTheSharedGames) {
    const auto path = testing_support::shared_data("polyglot/zobrist-keys.csv");
    if (path.empty()) GTEST_SKIP() << "no shared data";
    std::size_t games = 0;
    for (const std::string& line : testing_support::read_lines(path)) {
        if (line.rfind("chess,", 0) != 0) continue;
        const std::size_t end = line.find(',', 6);
        Position position;
        for (std::size_t at = 6; at < end;) {
            const std::size_t stop = std::min(line.find(' ', at), end);
            const auto move = parse_uci_move(position, line.substr(at, stop - at));
            ASSERT_TRUE(move) << line;
            position.play(*move);
            at = stop + 1;
        }
        const std::string low = line.substr(line.size() - 16);  // of 128 bits
        EXPECT_EQ(polyglot_key(position), std::stoull(low, nullptr, 16)) << line;
        ++games;
    }
    EXPECT_EQ(games, 50u);
}

TEST(PolyglotBooks, GiveMovesByWeight) {
    const Position start;
    const Key key = polyglot_key(start);
    const auto bytes = book_bytes({{key - 1, code(Square::A2, Square::A3), 1},
                                   {key, code(Square::E2, Square::E4), 10},
                                   {key, code(Square::D2, Square::D4), 30},
                                   {key, code(Square::G1, Square::F3), 0},
                                   {key, code(Square::E2, Square::E5), 900},  // illegal
                                   {key, code(Square::D2, Square::D4), 7},    // again
                                   {key + 1, code(Square::H2, Square::H3), 1}});
    const auto book = PolyglotBook::view(bytes);
    ASSERT_TRUE(book) << book.error();
    EXPECT_EQ(book->entries(), 7u);
    const auto moves = book->moves(start);
    ASSERT_EQ(moves.size(), 3u);
    EXPECT_EQ(moves[0].move, Move(Square::D2, Square::D4));
    EXPECT_EQ(moves[0].weight, 30);
    EXPECT_EQ(moves[1].move, Move(Square::E2, Square::E4));
    EXPECT_EQ(moves[2].weight, 0);
    EXPECT_EQ(book->best(start), Move(Square::D2, Square::D4));
    std::map<std::uint16_t, int> chosen;
    for (std::uint64_t i = 0; i < 4000; ++i) ++chosen[book->random(start, mix_bits(i))->bits()];
    EXPECT_EQ(chosen.size(), 2u);
    EXPECT_NEAR(chosen[Move(Square::D2, Square::D4).bits()], 3000, 120);
    Position other;
    other.play(Move(Square::E2, Square::E4));
    EXPECT_TRUE(book->moves(other).empty());
    EXPECT_EQ(book->best(other), std::nullopt);
    EXPECT_EQ(book->random(other, 1), std::nullopt);
}

TEST(PolyglotBooks, ReadCastlingPromotionAndEnPassant) {
    const auto only_move = [](const char* fen, std::uint16_t bits) {
        const Position position = position_of(fen);
        const auto bytes = book_bytes({{polyglot_key(position), bits, 1}});
        const auto moves = PolyglotBook::view(bytes)->moves(position);
        return moves.empty() ? Move() : moves[0].move;
    };
    const char* castle = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    const Move short_castling = Move::castling(Square::E1, Square::H1);
    EXPECT_EQ(only_move(castle, code(Square::E1, Square::H1)), short_castling);
    EXPECT_EQ(only_move(castle, code(Square::E1, Square::G1)), short_castling);
    EXPECT_EQ(only_move(castle, code(Square::E1, Square::A1)),
              Move::castling(Square::E1, Square::A1));
    EXPECT_EQ(only_move("4k3/8/8/8/8/8/8/R3K2R w - - 0 1", code(Square::E1, Square::H1)), Move());
    // In Chess960 a king that can simply go there does.
    EXPECT_EQ(only_move("4k3/8/8/8/8/8/8/5K1R w K - 0 1", code(Square::F1, Square::G1)),
              Move(Square::F1, Square::G1));
    const char* promotion = "8/4P2k/8/8/8/8/8/4K3 w - - 0 1";
    EXPECT_EQ(only_move(promotion, code(Square::E7, Square::E8, 4)),
              Move::promotion(Square::E7, Square::E8, PieceType::Queen));
    EXPECT_EQ(only_move(promotion, code(Square::E7, Square::E8, 1)),
              Move::promotion(Square::E7, Square::E8, PieceType::Knight));
    EXPECT_EQ(only_move(promotion, code(Square::E7, Square::E8, 5)), Move());
    EXPECT_EQ(only_move(promotion, code(Square::E7, Square::E8)), Move());
    EXPECT_EQ(only_move("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", code(Square::E5, Square::D6)),
              Move::en_passant(Square::E5, Square::D6));
}

TEST(PolyglotBooks, RefuseBytesThatAreNone) {
    std::vector<std::uint8_t> bytes(33);
    auto book = PolyglotBook::view(bytes);
    ASSERT_FALSE(book);
    EXPECT_EQ(book.error(), "no Polyglot book: 33 bytes, not a multiple of 16");
    book = PolyglotBook::view(bytes = book_bytes({{1, 0, 0}, {5, 0, 0}, {4, 0, 0}}));
    ASSERT_FALSE(book);
    EXPECT_EQ(book.error(), "no Polyglot book: entry 3 is out of order");
    book = PolyglotBook::read("/nonexistent/book.bin");
    ASSERT_FALSE(book);
    EXPECT_EQ(book.error(), "cannot open /nonexistent/book.bin");
    EXPECT_EQ(PolyglotBook::view({})->entries(), 0u);
    EXPECT_TRUE(PolyglotBook().moves(Position()).empty());
}

TEST(PolyglotBooks, GiveOnlyLegalMovesWhateverTheBytesSay) {
    Random random(3);
    testing_support::for_random_positions(10, [&](const Position& position) {
        std::vector<Entry> entries;
        for (int i = 0; i < 20; ++i)
            entries.push_back({polyglot_key(position), static_cast<std::uint16_t>(random.next()),
                               static_cast<std::uint16_t>(random.next())});
        const auto bytes = book_bytes(entries);
        for (const BookMove& move : PolyglotBook::view(bytes)->moves(position))
            ASSERT_TRUE(position.is_legal(move.move));
    });
}

TEST(PolyglotBooks, OpenTheSharedOnes) {
    const auto folder = testing_support::shared_data("polyglot");
    if (folder.empty()) GTEST_SKIP() << "no shared data";
    const auto book = PolyglotBook::read((folder / "book_small.bin").string());
    ASSERT_TRUE(book) << book.error();
    EXPECT_EQ(book->entries(), 31467u);
    // The book knows the usual start and follows itself for some moves.
    Position position;
    int plies = 0;
    for (; const auto move = book->best(position); ++plies) position.play(*move);
    EXPECT_GT(plies, 4);
    const auto trap = PolyglotBook::read((folder / "lasker-trap.bin").string());
    ASSERT_TRUE(trap) << trap.error();
    EXPECT_EQ(trap->entries(), 7u);
}

}  // namespace
}  // namespace rokada
