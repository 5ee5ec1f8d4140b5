// SPDX-License-Identifier: GPL-3.0-or-later
#include "chess/notation/move_text.hpp"

namespace rokada {

namespace {

// Reads from the front; every step either takes characters or leaves them alone.
class Reader {
  public:
    explicit Reader(std::string_view text) : text_(text) {}

    MoveText run() {
        if (text_.empty()) return fail(MoveText::Fault::Empty);
        if (is_castling_letter(peek())) {
            if (!castling()) return fail(MoveText::Fault::Unexpected);
        } else {
            move_.type = parse_piece_type(peek());
            if (move_.type != PieceType::None) ++at_;
            if (!squares()) return move_;
            if (!promotion()) return move_;
        }
        return marks() ? move_ : fail(MoveText::Fault::Unexpected);
    }

  private:
    static bool is_castling_letter(char c) { return c == 'O' || c == '0' || c == 'o'; }
    static bool is_separator(char c) { return c == 'x' || c == ':' || c == '-'; }
    static bool is_file(char c) { return c >= 'a' && c <= 'h'; }
    static bool is_rank(char c) { return c >= '1' && c <= '8'; }

    char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
    bool take(char c) {
        if (peek() != c || at_ == text_.size()) return false;
        ++at_;
        return true;
    }
    bool take(std::string_view word) {
        if (text_.substr(at_, word.size()) != word) return false;
        at_ += word.size();
        return true;
    }

    MoveText fail(MoveText::Fault fault) {
        move_.fault = fault;
        move_.fault_at = static_cast<std::uint32_t>(at_);
        return move_;
    }

    bool castling() {
        int letters = 0;
        while (letters < 3 && is_castling_letter(peek())) {
            ++letters;
            ++at_;
            if (letters < 3 && peek() == '-' && at_ + 1 < text_.size() &&
                is_castling_letter(text_[at_ + 1]))
                ++at_;
        }
        move_.castling =
            letters == 2 ? MoveText::Castling::KingSide : MoveText::Castling::QueenSide;
        return letters >= 2;
    }

    // "e4", "bd2", "1f3", "exd5", "g1-f3": the last file and rank are the target, what comes before
    // them narrows the origin.
    bool squares() {
        char file = 0, rank = 0;
        if (is_file(peek())) file = text_[at_++];
        if (is_rank(peek())) rank = text_[at_++];
        bool separated = false;
        if (is_separator(peek())) {
            move_.captures = peek() != '-';
            separated = true;
            ++at_;
        }
        if (!is_file(peek())) {
            if (separated || file == 0 || rank == 0) {
                fail(at_ == text_.size() ? MoveText::Fault::NoTarget : MoveText::Fault::Unexpected);
                return false;
            }
            move_.to = parse_square(file, rank);
            return true;
        }
        if (at_ + 1 == text_.size() || !is_rank(text_[at_ + 1])) {
            // "e8b": a promotion to a bishop in lower case, not the beginning of a second square.
            if (!separated && file != 0 && rank != 0) {
                move_.to = parse_square(file, rank);
                return true;
            }
            ++at_;
            fail(at_ == text_.size() ? MoveText::Fault::NoTarget : MoveText::Fault::Unexpected);
            return false;
        }
        move_.to = parse_square(text_[at_], text_[at_ + 1]);
        at_ += 2;
        if (file != 0) move_.origin &= Bitboard{static_cast<File>(file - 'a')};
        if (rank != 0) move_.origin &= Bitboard{static_cast<Rank>(rank - '1')};
        move_.names_square = file != 0 && rank != 0;
        return true;
    }

    // "=Q", "Q", "q", "(Q)", "/Q".
    bool promotion() {
        const bool announced = peek() == '=' || peek() == '/' || peek() == '(';
        const bool bracket = peek() == '(';
        if (announced) ++at_;
        const Piece piece = parse_piece(peek());
        if (piece == Piece::None) {
            if (announced) fail(MoveText::Fault::BadPromotion);
            return !announced;
        }
        move_.promotion = type_of(piece);
        if (move_.promotion == PieceType::Pawn || move_.promotion == PieceType::King) {
            fail(MoveText::Fault::BadPromotion);
            return false;
        }
        ++at_;
        if (bracket && !take(')')) {
            fail(MoveText::Fault::Unexpected);
            return false;
        }
        return true;
    }

    bool marks() {
        while (at_ < text_.size()) {
            const char c = text_[at_];
            if (c == '+' || c == '#' || c == '!' || c == '?')
                ++at_;
            else if (!take("e.p.") && !take("ep"))
                return false;
        }
        return true;
    }

    std::string_view text_;
    std::size_t at_ = 0;
    MoveText move_;
};

// Without a piece letter a pawn is meant, unless the text names the square: then whatever stands there.
PieceType meant_type(const Position& position, const MoveText& text) {
    if (text.type != PieceType::None) return text.type;
    if (!text.names_square) return PieceType::Pawn;
    const Piece piece = position.at(text.origin.first());
    return piece == Piece::None ? PieceType::Pawn : type_of(piece);
}

// What a move must hold to be legal besides moving as its piece does: answer a check, and not leave the
// line of a pin. Not for the king and not for en passant.
Bitboard safe_origins(const Position& position, Bitboard origins, Square to) {
    const Square king = position.king(position.turn());
    const Bitboard checkers = position.checkers();
    if (checkers.any()) {
        if (checkers.several()) return kNoSquares;
        if (!(between(king, checkers.first()) | checkers).contains(to)) return kNoSquares;
    }
    return origins & (~position.pinned() | line_through(king, to));
}

FittingMoves find_castling(const Position& position, CastlingSide side) {
    FittingMoves found;
    const Square rook = position.castling().rook(position.turn(), side);
    if (rook == Square::None) return found;
    const Move move = Move::castling(position.king(position.turn()), rook);
    if (!position.is_legal(move)) return found;
    found.move = move;
    found.origins = Bitboard{move.from()};
    return found;
}

// Castling written as a move of the king by both squares: e1g1, or onto its rook as in Chess960.
FittingMoves find_castling_by_squares(const Position& position, Square to) {
    for (const CastlingSide side : kCastlingSides) {
        const Square rook = position.castling().rook(position.turn(), side);
        if (rook != Square::None && (to == rook || to == castled_king(position.turn(), side)))
            if (FittingMoves found = find_castling(position, side); found.move) return found;
    }
    return {};
}

FittingMoves find_pawn_moves(const Position& position, const MoveText& text) {
    FittingMoves found;
    const Color us = position.turn();
    const Square to = text.to;
    const Bitboard pawns = position.pieces(us, PieceType::Pawn) & text.origin;
    const Bitboard occupied = position.occupied();
    const bool straight = !text.captures && (text.origin & Bitboard{file_of(to)}).any();
    // Every pawn move ends on the third rank of its side or beyond.
    if (relative(us, rank_of(to)) < Rank::R3) return found;

    if (straight) {
        if (occupied.contains(to)) return found;
        const Square behind = to - forward(us);
        if (pawns.contains(behind))
            found.origins = Bitboard{behind};
        else if (relative(us, rank_of(to)) == Rank::R4 && !occupied.contains(behind))
            found.origins = pawns & Bitboard{behind - forward(us)};
    } else {
        found.origins = pawn_attacks(~us, to) & pawns;
        if (to == position.en_passant()) {
            for (const Square from : found.origins)
                if (!position.is_legal(Move::en_passant(from, to))) found.origins ^= Bitboard{from};
            if (found.origins.any()) found.move = Move::en_passant(found.origins.first(), to);
            if (text.promotion != PieceType::None) found.origins = kNoSquares;
            return found;
        }
        if (!position.pieces(~us).contains(to)) found.origins = kNoSquares;
    }
    found.origins = safe_origins(position, found.origins, to);
    if (found.origins.empty()) return found;
    const Square from = found.origins.first();
    const bool promotes = relative(us, rank_of(to)) == Rank::R8;
    found.move = promotes && text.promotion != PieceType::None
                     ? Move::promotion(from, to, text.promotion)
                     : Move(from, to);
    found.needs_promotion = promotes && text.promotion == PieceType::None;
    if (!promotes && text.promotion != PieceType::None) found.origins = kNoSquares;
    return found;
}

}  // namespace

MoveText read_move_text(std::string_view text) { return Reader(text).run(); }

Bitboard legal_origins(const Position& position, PieceType type, Square to) {
    const Color us = position.turn();
    if (position.pieces(us).contains(to)) return kNoSquares;
    const Bitboard occupied = position.occupied();
    // A piece reaches the square from wherever the same piece on that square would reach.
    const Bitboard origins = piece_attacks(type, to, occupied) & position.pieces(us, type);
    if (origins.empty()) return origins;
    if (type == PieceType::King)
        return position.attacked_by(~us, to, occupied ^ origins) ? kNoSquares : origins;
    return safe_origins(position, origins, to);
}

FittingMoves find_moves(const Position& position, const MoveText& text) {
    if (text.castling != MoveText::Castling::No)
        return find_castling(position, text.castling == MoveText::Castling::KingSide
                                           ? CastlingSide::King
                                           : CastlingSide::Queen);
    const PieceType type = meant_type(position, text);
    if (type == PieceType::Pawn) return find_pawn_moves(position, text);
    FittingMoves found;
    if (text.promotion != PieceType::None) return found;
    found.origins = legal_origins(position, type, text.to) & text.origin;
    if (found.origins.any())
        found.move = Move(found.origins.first(), text.to);
    else if (type == PieceType::King && text.names_square &&
             text.origin.contains(position.king(position.turn())))
        return find_castling_by_squares(position, text.to);
    return found;
}

}  // namespace rokada
