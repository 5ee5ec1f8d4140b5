// SPDX-License-Identifier: GPL-3.0-or-later
#include "chess/position.hpp"

#include <set>

#include <gtest/gtest.h>

#include "chess/movegen.hpp"
#include "chess/notation/fen.hpp"
#include "chess/notation/uci_move.hpp"
#include "tests/chess/random_games.hpp"

namespace rokada {
namespace {

using testing_support::for_random_positions;
using testing_support::position_of;
using testing_support::Random;

TEST(Keys, EqualTheKeysFromScratchInRandomGames) {
    for_random_positions(60, [](const Position& position) {
        ASSERT_EQ(position.key(), position.key_from_scratch()) << to_fen(position);
        Key pawns = 0, minors = 0;
        PerColor<Key> others;
        for (const Square s : position.occupied()) {
            const Piece piece = position.at(s);
            const Key key = kZobrist.piece_square[piece][s];
            const PieceType type = type_of(piece);
            if (type == PieceType::Pawn)
                pawns ^= key;
            else
                others[color_of(piece)] ^= key;
            if (type == PieceType::Knight || type == PieceType::Bishop || type == PieceType::King)
                minors ^= key;
        }
        ASSERT_EQ(position.pawn_key(), pawns) << to_fen(position);
        ASSERT_EQ(position.minor_key(), minors) << to_fen(position);
        for (const Color c : kColors) ASSERT_EQ(position.non_pawn_key(c), others[c]);
    });
}

TEST(Keys, TellApartWhatTheRepetitionRuleTellsApart) {
    const char* different[] = {
        "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1",
        "r3k2r/8/8/8/8/8/8/R3K2R w Kkq - 0 1",  "r3k2r/8/8/8/8/8/8/R3K2R w Qkq - 0 1",
        "r3k2r/8/8/8/8/8/8/R3K2R w KQk - 0 1",  "r3k2r/8/8/8/8/8/8/R3K2R w KQq - 0 1",
        "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1",    "4k3/8/8/3pP3/8/8/8/4K3 w - - 0 1"};
    std::set<Key> keys;
    for (const char* fen : different) keys.insert(position_of(fen).key());
    EXPECT_EQ(keys.size(), std::size(different));
    // An en passant right that nobody can use does not make a new position; counters never do.
    EXPECT_EQ(position_of("4k3/8/8/3p4/8/8/8/4K3 w - d6 0 1").key(),
              position_of("4k3/8/8/3p4/8/8/8/4K3 w - - 7 9").key());
    EXPECT_EQ(position_of("4k3/8/8/K2pP2r/8/8/8/8 w - d6 0 1").key(),
              position_of("4k3/8/8/K2pP2r/8/8/8/8 w - - 0 1").key());
}

TEST(Positions, ComeBackFromTheirFenInEveryStyle) {
    for_random_positions(60, [](const Position& position) {
        for (const CastlingStyle castling : {CastlingStyle::XFen, CastlingStyle::Shredder}) {
            const std::string fen = to_fen(position, castling);
            const auto back = parse_position(fen);
            ASSERT_TRUE(back) << fen << ": " << back.error().to_string();
            ASSERT_EQ(*back, position) << fen;
            ASSERT_EQ(back->key(), position.key()) << fen;
            ASSERT_EQ(back->checkers(), position.checkers()) << fen;
            ASSERT_EQ(back->pinned(), position.pinned()) << fen;
            ASSERT_EQ(to_fen(*back, castling), fen);
        }
        const std::string always = to_fen(position, CastlingStyle::XFen, EnPassantStyle::Always);
        const auto back = parse_position(always);
        ASSERT_TRUE(back) << always;
        ASSERT_EQ(*back, position) << always;
        ASSERT_EQ(back->double_step(), position.double_step()) << always;
    });
}

TEST(UciMoves, ComeBackInBothWaysOfCastling) {
    for_random_positions(60, [](const Position& position) {
        for (const Move move : legal_moves(position)) {
            const std::string text = to_uci(move, CastlingNotation::KingTakesRook);
            const auto back = parse_uci_move(position, text);
            ASSERT_TRUE(back) << to_fen(position) << ' ' << text;
            // A king beside its rook castles onto it: in Chess960 that text means castling alone.
            ASSERT_EQ(*back, move) << to_fen(position) << ' ' << text;
            if (castling_notation_for(position) == CastlingNotation::KingTakesRook) continue;
            const auto usual = parse_uci_move(position, to_uci(move));
            ASSERT_TRUE(usual && *usual == move) << to_fen(position) << ' ' << to_uci(move);
        }
    });
}

TEST(UciMoves, ThatAreWrongSayWhatAndWhere) {
    const Position start;
    const struct {
        const char* text;
        std::size_t offset;
        const char* message;
    } cases[] = {{"", 0, "'' is no move like e2e4 or e7e8q"},
                 {"e2e", 0, "'e2e' is no move like e2e4 or e7e8q"},
                 {"e2e4e5", 0, "'e2e4e5' is no move like e2e4 or e7e8q"},
                 {"i2e4", 0, "'i2' is no square"},
                 {"e2e9", 2, "'e9' is no square"},
                 {"e2e4k", 4, "'k' is no piece to promote to"}};
    for (const auto& c : cases) {
        const auto move = parse_uci_move(start, c.text);
        ASSERT_FALSE(move) << c.text;
        EXPECT_EQ(move.error().offset, c.offset) << c.text;
        EXPECT_EQ(move.error().message, c.message);
    }
    for (const char* text : {"e2e5", "e7e5", "e1g1", "e2e4q", "a1a1"})
        EXPECT_FALSE(parse_uci_move(start, text)) << text;
    EXPECT_EQ(to_uci(Move()), "0000");
}

TEST(CopiedPositions, AreUntouchedByMovesOfTheOriginal) {
    for_random_positions(10, [](const Position& position) {
        const std::string fen = to_fen(position);
        for (const Move move : legal_moves(position)) {
            Position other = position;
            other.play(move);
            ASSERT_NE(other, position);
        }
        ASSERT_EQ(to_fen(position), fen);
        ASSERT_EQ(position.key(), position.key_from_scratch());
    });
}

TEST(NullMove, ChangesTheTurnAndNothingElseOnTheBoard) {
    for_random_positions(20, [](const Position& position) {
        if (position.in_check()) return;
        Position passed = position;
        passed.pass();
        ASSERT_EQ(passed.turn(), ~position.turn());
        ASSERT_EQ(passed.key(), passed.key_from_scratch());
        ASSERT_EQ(passed.en_passant(), Square::None);
        ASSERT_EQ(passed.double_step(), Square::None);
        ASSERT_EQ(passed.occupied(), position.occupied());
        const auto fresh = Position::from_setup(passed.to_setup());
        ASSERT_TRUE(fresh);
        ASSERT_EQ(fresh->checkers(), passed.checkers());
        ASSERT_EQ(fresh->pinned(), passed.pinned());
    });
}

TEST(KeyAfter, IsRightForQuietMovesAndCaptures) {
    for_random_positions(20, [](const Position& position) {
        for (const Move move : legal_moves(position)) {
            Position after = position;
            after.play(move);
            const bool plain =
                move.kind() == MoveKind::Normal && after.castling() == position.castling() &&
                position.en_passant() == Square::None && after.en_passant() == Square::None;
            if (!plain) continue;
            ASSERT_EQ(position.key_after(move), after.key()) << to_fen(position);
        }
    });
}

TEST(CastlingRights, KnowTheirRooksAndForgetThem) {
    Random random(7);
    for (int round = 0; round < 2000; ++round) {
        CastlingRights rights;
        EXPECT_FALSE(rights.any());
        std::array<Square, 4> rooks;
        unsigned expected = 0;
        for (unsigned i = 0; i < 4; ++i) {
            const bool given = random.below(2) == 1;
            rooks[i] = given ? square_at(static_cast<int>(random.below(64))) : Square::None;
            rights.set(static_cast<Color>(i / 2), static_cast<CastlingSide>(i % 2), rooks[i]);
            if (given) expected |= 1u << i;
        }
        ASSERT_EQ(rights.set(), expected);
        ASSERT_EQ(rights.any(), expected != 0);
        const Square asked = square_at(static_cast<int>(random.below(64)));
        bool stands = false;
        for (unsigned i = 0; i < 4; ++i) {
            ASSERT_EQ(rights.rook(static_cast<Color>(i / 2), static_cast<CastlingSide>(i % 2)),
                      rooks[i]);
            stands |= rooks[i] == asked;
        }
        ASSERT_EQ(rights.concerns(asked), stands);
        rights.remove_rook(asked);
        ASSERT_FALSE(rights.concerns(asked));
        rights.remove(Color::White);
        rights.remove(Color::Black);
        ASSERT_EQ(rights, CastlingRights());
    }
}

TEST(CastlingNotations, FollowWhereKingsAndRooksStand) {
    EXPECT_EQ(castling_notation_for(Position()), CastlingNotation::KingMove);
    EXPECT_EQ(castling_notation_for(position_of("4k3/8/8/8/8/8/8/3RKR2 w - - 0 1")),
              CastlingNotation::KingMove);
    EXPECT_EQ(castling_notation_for(position_of("4k3/8/8/8/8/8/8/3RKR2 w F - 0 1")),
              CastlingNotation::KingTakesRook);
    EXPECT_EQ(castling_notation_for(position_of("r2k4/8/8/8/8/8/8/4K3 b q - 0 1")),
              CastlingNotation::KingTakesRook);
}

}  // namespace
}  // namespace rokada
