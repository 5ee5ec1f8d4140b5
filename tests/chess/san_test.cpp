// SPDX-License-Identifier: GPL-3.0-or-later
#include "chess/notation/san.hpp"

#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "chess/movegen.hpp"
#include "chess/notation/fen.hpp"
#include "chess/notation/uci_move.hpp"
#include "tests/chess/random_games.hpp"

namespace rokada {
namespace {

Position at(const char* fen) { return testing_support::position_of(fen); }

struct Written {
    const char* fen;
    const char* uci;
    const char* san;
};

class SanIsWritten : public testing::TestWithParam<Written> {};

TEST_P(SanIsWritten, ShortestAndComplete) {
    const Written& w = GetParam();
    const Position position = at(w.fen);
    const auto move = parse_uci_move(position, w.uci);
    ASSERT_TRUE(move) << move.error().to_string();
    EXPECT_EQ(to_san(position, *move), w.san);
    const auto back = parse_san(position, w.san);
    ASSERT_TRUE(back) << back.error().to_string();
    EXPECT_EQ(*back, *move);
}

constexpr const char* kStart = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
constexpr const char* kEnPassant = "rnbqkbnr/ppp1pppp/8/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 3";

INSTANTIATE_TEST_SUITE_P(
    Moves, SanIsWritten,
    testing::Values(Written{kStart, "e2e4", "e4"}, Written{kStart, "g1f3", "Nf3"},
                    Written{kEnPassant, "e5d6", "exd6"},
                    Written{"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1g1", "O-O"},
                    Written{"r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", "e8c8", "O-O-O"},
                    // Castling that checks, and mates.
                    Written{"5k2/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", "O-O+"},
                    Written{"4rkr1/4p1p1/8/8/8/8/8/4K2R w K - 0 1", "e1g1", "O-O#"},
                    // Promotions; discovered check by promotion's own capture.
                    Written{"8/4P2k/8/8/8/8/8/4K3 w - - 0 1", "e7e8q", "e8=Q"},
                    Written{"7k/4P3/8/8/8/8/8/4K3 w - - 0 1", "e7e8r", "e8=R+"},
                    Written{"3r3k/4P1pp/8/8/8/8/8/4K3 w - - 0 1", "e7d8q", "exd8=Q#"},
                    // File first, then rank, then both.
                    Written{"4k3/8/8/8/8/8/8/R3K2R w - - 0 1", "a1d1", "Rd1"},
                    Written{"4k3/8/8/8/8/4K3/8/R6R w - - 0 1", "a1d1", "Rad1"},
                    Written{"R7/8/4k3/8/8/8/4K3/R7 w - - 0 1", "a1a4", "R1a4"},
                    Written{"5k2/8/8/8/Q6Q/4K3/8/Q7 w - - 0 1", "a4d4", "Qa4d4"},
                    // A rival that is pinned is no rival.
                    Written{"4k3/8/8/8/4r3/8/4N3/1N2K3 w - - 0 1", "b1c3", "Nc3"},
                    // Two may answer a check on the same square.
                    Written{"4k3/8/8/8/1b6/5N2/8/1N2K3 w - - 0 1", "b1d2", "Nbd2"},
                    // Check discovered by a king, and by en passant.
                    Written{"4k3/8/8/8/8/8/4K3/4R3 w - - 0 1", "e2d3", "Kd3+"},
                    Written{"k6B/8/8/3pP3/8/8/8/B3K3 w - d6 0 1", "e5d6", "exd6"},
                    Written{"7k/8/8/3pP3/8/8/8/B3K3 w - d6 0 1", "e5d6", "exd6+"},
                    // Chess960: the king stands beside its castled square.
                    Written{"1k6/8/8/8/8/8/8/5KR1 w G - 0 1", "f1g1", "O-O"}));

TEST(SanReading, TakesEveryUsualSpelling) {
    const Position castle = at("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
    const Move short_castling = Move::castling(Square::E1, Square::H1);
    const Move long_castling = Move::castling(Square::E1, Square::A1);
    for (const char* text :
         {"O-O", "0-0", "o-o", "OO", "00", "O-O+", "0-0!?", "e1g1", "e1h1", "Ke1g1", "Ke1-g1"})
        EXPECT_EQ(parse_san(castle, text).value(), short_castling) << text;
    for (const char* text : {"O-O-O", "0-0-0", "o-o-o", "OOO", "000", "O-O-O#", "e1c1", "e1a1"})
        EXPECT_EQ(parse_san(castle, text).value(), long_castling) << text;

    const Position promotion = at("8/4P2k/8/8/8/8/8/4K3 w - - 0 1");
    for (const char* text : {"e8=Q", "e8Q", "e8q", "e8=q", "e8(Q)", "e8/Q", "e7e8q", "e7-e8=Q",
                             "e8=Q+", "e8=Q#", "e8Q!!", "Pe8=Q"})
        EXPECT_EQ(parse_san(promotion, text).value(),
                  Move::promotion(Square::E7, Square::E8, PieceType::Queen))
            << text;
    for (const char* text : {"e8b", "e8B", "e8=b", "e7e8b"})
        EXPECT_EQ(parse_san(promotion, text).value(),
                  Move::promotion(Square::E7, Square::E8, PieceType::Bishop))
            << text;

    const Position start;
    for (const char* text : {"Nf3", "Ngf3", "N1f3", "Ng1f3", "Ng1-f3", "g1f3", "Nf3+", "Nf3#",
                             "Nf3!", "Nf3??", "Nf3+!?", "Nf3!+", "N-f3", "Nxf3"})
        EXPECT_EQ(parse_san(start, text).value(), Move(Square::G1, Square::F3)) << text;
    for (const char* text : {"e4", "Pe4", "e2e4", "e2-e4", "ee4", "e4!"})
        EXPECT_EQ(parse_san(start, text).value(), Move(Square::E2, Square::E4)) << text;

    const Position en_passant = at(kEnPassant);
    for (const char* text :
         {"exd6", "ed6", "e5xd6", "e5d6", "exd6e.p.", "exd6ep", "exd6e.p.+", "e:d6", "exd6+e.p."})
        EXPECT_EQ(parse_san(en_passant, text).value(), Move::en_passant(Square::E5, Square::D6))
            << text;
}

struct Refused {
    const char* fen;
    const char* text;
    std::size_t offset;
    const char* message;
};

class SanIsRefused : public testing::TestWithParam<Refused> {};

TEST_P(SanIsRefused, WithTheReason) {
    const Refused& r = GetParam();
    const auto move = parse_san(at(r.fen), r.text);
    ASSERT_FALSE(move) << r.text << " was taken as " << to_uci(*move);
    EXPECT_EQ(move.error().message, r.message);
    EXPECT_EQ(move.error().offset, r.offset);
}

constexpr const char* kCastles = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";

INSTANTIATE_TEST_SUITE_P(
    Moves, SanIsRefused,
    testing::Values(
        Refused{kStart, "", 0, "a move is missing"},
        Refused{kStart, "N", 1, "'N' ends before the square to move to"},
        Refused{kStart, "Ng", 2, "'Ng' ends before the square to move to"},
        Refused{kStart, "Nf9", 2, "'9' does not belong in the move 'Nf9'"},
        Refused{kStart, "Zf3", 0, "'Z' does not belong in the move 'Zf3'"},
        Refused{kStart, "e4x", 3, "'e4x' ends before the square to move to"},
        Refused{kStart, "e4$", 2, "'$' does not belong in the move 'e4$'"},
        Refused{kStart, "O", 1, "'O' is no whole move"},
        Refused{kStart, "O-O-O-O", 5, "'-' does not belong in the move 'O-O-O-O'"},
        Refused{kStart, "\xff\xfe", 0, "'\\xff' does not belong in the move '\\xff\\xfe'"},
        Refused{kStart, "e5", 0, "'e5' is illegal: no pawn of White can reach e5"},
        Refused{kStart, "Nd2", 0, "'Nd2' is illegal: an own piece stands on d2"},
        Refused{kStart, "Ne4", 0, "'Ne4' is illegal: no knight of White can reach e4"},
        Refused{kStart, "Nhf3", 0, "'Nhf3' is illegal: no knight of White stands there"},
        Refused{kStart, "Qg1f3", 0, "'Qg1f3' is illegal: on g1 stands a knight, not a queen"},
        Refused{kStart, "e3e4", 0, "'e3e4' is illegal: there is no piece on e3"},
        Refused{kStart, "e7e5", 0, "'e7e5' is illegal: the pawn on e7 is not White's"},
        Refused{kStart, "a1a4", 0, "'a1a4' is illegal: the pawn on a2 is in the way"},
        Refused{
            kStart, "O-O", 0,
            "'O-O' is illegal: the bishop on f1 and the knight on g1 are in the way of castling"},
        Refused{"4k3/8/8/8/8/8/8/4K3 w - - 0 1", "Qd1", 0, "'Qd1' is illegal: White has no queen"},
        Refused{"4k3/8/8/8/8/8/8/4K2R w - - 0 1", "O-O", 0,
                "'O-O' is illegal: White has lost the right to castle on the king's side"},
        Refused{"4k3/8/8/8/8/8/3n4/R3K2R w KQ - 0 1", "O-O", 0,
                "'O-O' is illegal: the king would castle over f1, attacked by the knight on d2"},
        Refused{"4k3/8/8/8/8/5n2/8/R3K2R w KQ - 0 1", "O-O", 0,
                "'O-O' is illegal: no castling while in check by the knight on f3"},
        Refused{"4k3/8/8/8/4r3/8/4N3/4K3 w - - 0 1", "Nc3", 0,
                "'Nc3' is illegal: the knight on e2 is pinned by the rook on e4"},
        Refused{"4k3/8/8/8/4r3/8/8/4K1N1 w - - 0 1", "Nf3", 0,
                "'Nf3' is illegal: the check by the rook on e4 is not answered"},
        Refused{"4k3/8/8/8/3r4/8/8/4K3 w - - 0 1", "Kd1", 0,
                "'Kd1' is illegal: the king would be in check by the rook on d4"},
        Refused{kCastles, "Kg1", 0, "'Kg1' is illegal: no king of White can reach g1"},
        Refused{"8/8/8/8/8/3K4/8/1N3N1k w - - 0 1", "Nd2", 0,
                "'Nd2' is ambiguous: it could be Nbd2 or Nfd2"},
        Refused{"8/8/8/3pP3/8/8/8/4K2k w - - 0 1", "exd6", 0,
                "'exd6' is illegal: the pawn on d5 cannot be taken en passant now"},
        Refused{"8/8/8/8/k2Pp2Q/8/8/4K3 b - d3 0 1", "exd3", 0,
                "'exd3' is illegal: the pawn on e4 is pinned by the queen on h4"},
        Refused{"8/4P2k/8/8/8/8/8/4K3 w - - 0 1", "e8", 2, "the piece to promote to is missing"},
        Refused{"8/4P2k/8/8/8/8/8/4K3 w - - 0 1", "e8=", 3, "the piece to promote to is missing"},
        Refused{"8/4P2k/8/8/8/8/8/4K3 w - - 0 1", "e8=K", 3, "'K' is no piece to promote to"},
        Refused{kStart, "e4=Q", 0, "'e4=Q' is illegal: there is no promotion on e4"}));

TEST(SanWriting, UsesTheLettersGiven) {
    const Position start;
    const Move knight(Square::G1, Square::F3);
    EXPECT_EQ(to_san(start, knight, kFigurines), "\u2658f3");
    const auto german = parse_piece_letters("SLTDK");
    ASSERT_TRUE(german);
    EXPECT_EQ(to_san(start, knight, *german), "Sf3");
    const Position promotion = at("8/4P2k/8/8/8/8/8/4K3 w - - 0 1");
    EXPECT_EQ(to_san(promotion, Move::promotion(Square::E7, Square::E8, PieceType::Queen), *german),
              "e8=D");
    const auto russian = parse_piece_letters("КСЛФК");
    ASSERT_TRUE(russian);
    EXPECT_EQ(to_san(start, knight, *russian), "Кf3");
}

TEST(SanWriting, RefusesLettersThatCannotName) {
    EXPECT_EQ(parse_piece_letters("NBRQ").error().offset, 4u);
    EXPECT_EQ(parse_piece_letters("NBRQKP").error().offset, 5u);
    EXPECT_EQ(parse_piece_letters("NbRQK").error().offset, 1u);
    EXPECT_EQ(parse_piece_letters("NB\xff").error().offset, 2u);
    EXPECT_EQ(parse_piece_letters("NB\xe2\x99").error().offset, 2u);
}

// The definition itself, slow and plain: the shortest text that no other legal move of that kind shares.
std::string slow_san(const Position& position, Move move) {
    std::string text;
    const PieceType type = type_of(position.at(move.from()));
    if (move.is_castling()) {
        text = move.castling_side() == CastlingSide::King ? "O-O" : "O-O-O";
    } else {
        bool rivals = false, same_file = false, same_rank = false;
        for (const Move other : legal_moves(position)) {
            if (other.is_castling() || other.to() != move.to() || other.from() == move.from() ||
                type_of(position.at(other.from())) != type)
                continue;
            rivals = true;
            same_file |= file_of(other.from()) == file_of(move.from());
            same_rank |= rank_of(other.from()) == rank_of(move.from());
        }
        if (type == PieceType::Pawn) {
            if (position.is_capture(move)) text += to_char(file_of(move.from()));
        } else {
            text += to_char(type);
            if (rivals && !same_file)
                text += to_char(file_of(move.from()));
            else if (rivals && !same_rank)
                text += to_char(rank_of(move.from()));
            else if (rivals)
                text += to_string(move.from());
        }
        if (position.is_capture(move)) text += 'x';
        text += to_string(move.to());
        if (move.is_promotion()) text += std::string("=") + to_char(move.promoted());
    }
    Position after = position;
    after.play(move);
    if (after.in_check()) text += legal_moves(after).empty() ? '#' : '+';
    return text;
}

TEST(San, OfEveryLegalMoveIsUniqueAndReadBack) {
    testing_support::for_random_positions(300, [](const Position& position) {
        std::set<std::string> seen;
        for (const Move move : legal_moves(position)) {
            const std::string san = to_san(position, move);
            ASSERT_EQ(san, slow_san(position, move)) << to_fen(position);
            ASSERT_TRUE(seen.insert(san).second) << san << " twice in " << to_fen(position);
            const auto back = parse_san(position, san);
            ASSERT_TRUE(back) << to_fen(position) << ' ' << back.error().to_string();
            ASSERT_EQ(*back, move) << san << " in " << to_fen(position);
        }
    });
}

// Every short text over the alphabet of moves: whatever is accepted is legal.
TEST(SanReading, GivesOnlyLegalMoves) {
    constexpr std::string_view alphabet = "abcdefgh12345678NBRQKPOx=+#-0oqn";
    testing_support::Random random(7);
    std::size_t accepted = 0;
    testing_support::for_random_positions(20, [&](const Position& position) {
        for (int i = 0; i < 300; ++i) {
            std::string text;
            if (random.below(2) == 0) text += "NBRQK"[random.below(5)];
            if (random.below(3) == 0) text += alphabet[random.below(alphabet.size())];
            text += static_cast<char>('a' + random.below(8));
            text += static_cast<char>('1' + random.below(8));
            if (random.below(4) == 0) text += alphabet[random.below(alphabet.size())];
            const auto move = parse_san(position, text);
            if (!move) continue;
            ++accepted;
            ASSERT_TRUE(position.is_legal(*move)) << text << " in " << to_fen(position);
        }
    });
    EXPECT_GT(accepted, 1000u);
}

}  // namespace
}  // namespace rokada
