// SPDX-License-Identifier: GPL-3.0-or-later
#include "chess/setup.hpp"

#include "chess/attacks.hpp"

namespace rokada {

Bitboard Setup::pieces(Color c) const {
    Bitboard found;
    for (int i = 0; i < 64; ++i)
        if (const Piece p = board[square_at(i)]; p != Piece::None && color_of(p) == c)
            found |= Bitboard{square_at(i)};
    return found;
}

Bitboard Setup::pieces(Color c, PieceType t) const {
    Bitboard found;
    for (int i = 0; i < 64; ++i)
        if (board[square_at(i)] == make_piece(c, t)) found |= Bitboard{square_at(i)};
    return found;
}

namespace {

constexpr int kStandardNumber = 518;

// The back rank of a numbered Chess960 start: bishops, queen and knights are read off the number,
// the rooks and the king between them fill what is left.
std::array<PieceType, 8> back_rank(int number) {
    std::array<PieceType, 8> rank;
    rank.fill(PieceType::None);
    const auto place_on_free = [&rank](int nth, PieceType type) {
        for (PieceType& slot : rank)
            if (slot == PieceType::None && nth-- == 0) {
                slot = type;
                return;
            }
    };
    rank[static_cast<std::size_t>(number % 4) * 2 + 1] = PieceType::Bishop;
    number /= 4;
    rank[static_cast<std::size_t>(number % 4) * 2] = PieceType::Bishop;
    number /= 4;
    place_on_free(number % 6, PieceType::Queen);
    number /= 6;
    // The ten ways to put two knights on five free squares, in order.
    constexpr int kKnights[10][2] = {{0, 1}, {0, 2}, {0, 3}, {0, 4}, {1, 2},
                                     {1, 3}, {1, 4}, {2, 3}, {2, 4}, {3, 4}};
    place_on_free(kKnights[number][1], PieceType::Knight);
    place_on_free(kKnights[number][0], PieceType::Knight);
    place_on_free(0, PieceType::Rook);
    place_on_free(0, PieceType::King);
    place_on_free(0, PieceType::Rook);
    return rank;
}

// All sets of pieces from one pass over the board; checking a setup asks for them again and again.
class Pieces {
  public:
    explicit Pieces(const Setup& setup) {
        for (int i = 0; i < 64; ++i) {
            const Piece piece = setup.board[square_at(i)];
            if (piece == Piece::None) continue;
            by_piece_[piece] |= Bitboard{square_at(i)};
            by_color_[color_of(piece)] |= Bitboard{square_at(i)};
        }
    }
    Bitboard of(Color c) const { return by_color_[c]; }
    Bitboard of(Color c, PieceType t) const { return by_piece_[make_piece(c, t)]; }
    Bitboard all() const { return of(Color::White) | of(Color::Black); }

  private:
    PerPiece<Bitboard> by_piece_;
    PerColor<Bitboard> by_color_;
};

// Pieces of one colour that attack a square, on a board with some squares taken as empty or full.
Bitboard attackers(const Pieces& pieces, Color by, Square s, Bitboard occupied) {
    const auto of = [&](PieceType t) { return pieces.of(by, t); };
    return (pawn_attacks(~by, s) & of(PieceType::Pawn)) |
           (knight_attacks(s) & of(PieceType::Knight)) | (king_attacks(s) & of(PieceType::King)) |
           (bishop_attacks(s, occupied) & (of(PieceType::Bishop) | of(PieceType::Queen))) |
           (rook_attacks(s, occupied) & (of(PieceType::Rook) | of(PieceType::Queen)));
}

bool castling_right_holds(const Setup& setup, Bitboard kings, Color c, CastlingSide side) {
    const Square rook = setup.castling.rook(c, side);
    if (rook == Square::None) return true;
    if (!kings.single() || rank_of(kings.first()) != relative(c, Rank::R1)) return false;
    const bool on_side = side == CastlingSide::King ? rook > kings.first() : rook < kings.first();
    return on_side && rank_of(rook) == relative(c, Rank::R1) &&
           setup.board[rook] == make_piece(c, PieceType::Rook);
}

void check_en_passant(const Setup& setup, const Pieces& pieces, SetupErrors& errors) {
    const Square target = setup.en_passant;
    if (target == Square::None) return;
    const Color us = setup.turn, them = ~us;
    if (relative(us, rank_of(target)) != Rank::R6) return errors.add(SetupError::EnPassantSquare);
    const Square pawn = target - forward(us), start = target + forward(us);
    if (setup.board[pawn] != make_piece(them, PieceType::Pawn) ||
        setup.board[target] != Piece::None || setup.board[start] != Piece::None)
        return errors.add(SetupError::EnPassantSquare);
    const Bitboard kings = pieces.of(us, PieceType::King);
    if (!kings.single()) return;
    // Whoever gives check now and is not the pawn itself must have been uncovered by its step, for
    // the king cannot have been in check before it.
    const Bitboard before = (pieces.all() ^ Bitboard{pawn}).with(start);
    const Bitboard remaining =
        attackers(pieces, them, kings.first(), pieces.all()) &
        attackers(pieces, them, kings.first(), before).without(Bitboard{pawn});
    if (remaining.any()) errors.add(SetupError::EnPassantCheck);
}

}  // namespace

Setup Setup::chess960(int number) {
    Setup setup;
    const auto rank = back_rank(number);
    for (const File file : kFiles) {
        const PieceType type = rank[static_cast<std::size_t>(file)];
        for (const Color c : kColors) {
            setup.board[make_square(file, relative(c, Rank::R1))] = make_piece(c, type);
            setup.board[make_square(file, relative(c, Rank::R2))] = make_piece(c, PieceType::Pawn);
            if (type != PieceType::Rook) continue;
            const bool first = !setup.castling.has(c, CastlingSide::Queen);
            setup.castling.set(c, first ? CastlingSide::Queen : CastlingSide::King,
                               make_square(file, relative(c, Rank::R1)));
        }
    }
    return setup;
}

Setup Setup::standard() { return chess960(kStandardNumber); }

SetupErrors check(const Setup& setup) {
    SetupErrors errors;
    const Pieces pieces(setup);
    bool kings_right = true;
    for (const Color c : kColors) {
        const Bitboard pawns = pieces.of(c, PieceType::Pawn), kings = pieces.of(c, PieceType::King);
        if (!kings.single()) kings_right = false;
        if ((pawns & (Bitboard{Rank::R1} | Bitboard{Rank::R8})).any())
            errors.add(SetupError::PawnOnBackRank);
        if (pawns.count() > 8) errors.add(SetupError::TooManyPawns);
        if (pieces.of(c).count() > 16) errors.add(SetupError::TooManyPieces);
        for (const CastlingSide side : kCastlingSides)
            if (!castling_right_holds(setup, kings, c, side)) errors.add(SetupError::CastlingRight);
    }
    if (!kings_right) errors.add(SetupError::KingCount);
    if (kings_right) {
        const Color us = setup.turn, them = ~us;
        const Square our_king = pieces.of(us, PieceType::King).first();
        const Square their_king = pieces.of(them, PieceType::King).first();
        if (attackers(pieces, us, their_king, pieces.all()).any())
            errors.add(SetupError::OpponentInCheck);
        if (attackers(pieces, them, our_king, pieces.all()).count() > 2)
            errors.add(SetupError::TooManyCheckers);
    }
    check_en_passant(setup, pieces, errors);
    return errors;
}

namespace {

struct ErrorText {
    SetupError error;
    const char* code;
    const char* message;
};
constexpr ErrorText kErrorTexts[] = {
    {SetupError::KingCount, "king-count", "each side needs exactly one king"},
    {SetupError::PawnOnBackRank, "pawn-on-back-rank", "a pawn stands on the first or last rank"},
    {SetupError::TooManyPawns, "too-many-pawns", "a side has more than 8 pawns"},
    {SetupError::TooManyPieces, "too-many-pieces", "a side has more than 16 pieces"},
    {SetupError::OpponentInCheck, "opponent-in-check", "the side that just moved is in check"},
    {SetupError::TooManyCheckers, "too-many-checkers",
     "the king is attacked by more than two pieces"},
    {SetupError::CastlingRight, "castling-right", "a castling right without its king and rook"},
    {SetupError::EnPassantSquare, "en-passant-square",
     "the en passant square has no pawn that just jumped over it"},
    {SetupError::EnPassantCheck, "en-passant-check", "the double step cannot explain the check"},
};

}  // namespace

std::vector<std::string> SetupErrors::codes() const {
    std::vector<std::string> all;
    for (const ErrorText& text : kErrorTexts)
        if (has(text.error)) all.emplace_back(text.code);
    return all;
}

std::vector<std::string> SetupErrors::messages() const {
    std::vector<std::string> all;
    for (const ErrorText& text : kErrorTexts)
        if (has(text.error)) all.emplace_back(text.message);
    return all;
}

std::string SetupErrors::message() const {
    std::string text;
    for (const std::string& part : messages()) text += (text.empty() ? "" : "; ") + part;
    return text;
}

}  // namespace rokada
