// SPDX-License-Identifier: GPL-3.0-or-later
#include "chess/illegal.hpp"

namespace rokada {

namespace {

using Why = std::optional<IllegalMove>;

class Attempt {
  public:
    Attempt(const Position& position, Square from, Square to, PieceType promotion)
        : position_(position),
          us_(position.turn()),
          from_(from),
          to_(to),
          promotion_(promotion),
          type_(type_of(position.at(from))) {}

    Why explain() const {
        const Piece piece = position_.at(from_);
        if (piece == Piece::None) return because(IllegalReason::NoPiece, Bitboard{from_});
        if (color_of(piece) != us_) return because(IllegalReason::NotYourTurn, Bitboard{from_});
        if (from_ == to_) return because(IllegalReason::CannotMoveLikeThat, Bitboard{from_});
        if (type_ == PieceType::Pawn) return pawn();
        if (promotion_ != PieceType::None)
            return because(IllegalReason::PromotionNotPossible, Bitboard{to_});
        return type_ == PieceType::King ? king() : piece_move();
    }

  private:
    static Why because(IllegalReason reason, Bitboard at, Bitboard by = kNoSquares) {
        return IllegalMove{reason, at, by};
    }

    Why piece_move() const {
        if (!piece_attacks(type_, from_, kNoSquares).contains(to_))
            return because(IllegalReason::CannotMoveLikeThat, Bitboard{from_});
        if (const Bitboard way = between(from_, to_) & position_.occupied(); way.any())
            return because(IllegalReason::PathBlocked, way);
        if (position_.pieces(us_).contains(to_))
            return because(IllegalReason::OwnPieceOnTarget, Bitboard{to_});
        return king_safety(to_);
    }

    Why pawn() const {
        const int direction = static_cast<int>(forward(us_));
        const int step = index(to_) - index(from_);
        if (pawn_attacks(us_, from_).contains(to_)) return pawn_capture();
        const bool twice = step == 2 * direction && relative(us_, rank_of(from_)) == Rank::R2;
        if (step != direction && !twice)
            return because(IllegalReason::CannotMoveLikeThat, Bitboard{from_});
        const Bitboard way = (between(from_, to_) | Bitboard{to_}) & position_.occupied();
        if (way.any()) return because(IllegalReason::PathBlocked, way);
        if (const Why unsafe = king_safety(to_)) return unsafe;
        return promotion();
    }

    Why pawn_capture() const {
        if (position_.pieces(us_).contains(to_))
            return because(IllegalReason::OwnPieceOnTarget, Bitboard{to_});
        if (position_.at(to_) != Piece::None) {
            if (const Why unsafe = king_safety(to_)) return unsafe;
            return promotion();
        }
        const Square beside = to_ - forward(us_);
        if (position_.double_step() == to_) {
            if (const Why unsafe = king_safety(beside)) return unsafe;
            return promotion();
        }
        if (relative(us_, rank_of(to_)) == Rank::R6 &&
            position_.at(beside) == make_piece(~us_, PieceType::Pawn))
            return because(IllegalReason::EnPassantNotAvailable, Bitboard{beside});
        return because(IllegalReason::CannotMoveLikeThat, Bitboard{from_});
    }

    Why promotion() const {
        const bool promotes = relative(us_, rank_of(to_)) == Rank::R8;
        if (promotes && promotion_ == PieceType::None)
            return because(IllegalReason::PromotionPieceNeeded, Bitboard{to_});
        const bool possible =
            promotes && promotion_ != PieceType::Pawn && promotion_ != PieceType::King;
        if (promotion_ != PieceType::None && !possible)
            return because(IllegalReason::PromotionNotPossible, Bitboard{to_});
        return std::nullopt;
    }

    // Looks at the board after the move of a piece that is not the king: who attacks the king then?
    Why king_safety(Square taken) const {
        const Bitboard after =
            position_.occupied().without(Bitboard{from_} | Bitboard{taken}) | Bitboard{to_};
        const Square king = position_.king(us_);
        const Bitboard attackers =
            (position_.attackers_to(king, after) & position_.pieces(~us_)).without(Bitboard{taken});
        if (attackers.empty()) return std::nullopt;
        if (const Bitboard checkers = attackers & position_.checkers(); checkers.any())
            return because(IllegalReason::CheckNotAnswered, Bitboard{king}, checkers);
        return because(IllegalReason::Pinned, Bitboard{from_}, attackers);
    }

    Why king() const {
        if (const auto side = castling_tried()) return castling(*side);
        if (!king_attacks(from_).contains(to_))
            return because(IllegalReason::CannotMoveLikeThat, Bitboard{from_});
        if (position_.pieces(us_).contains(to_))
            return because(IllegalReason::OwnPieceOnTarget, Bitboard{to_});
        if (const Bitboard attackers = king_attackers(to_); attackers.any())
            return because(IllegalReason::KingWouldBeInCheck, Bitboard{to_}, attackers);
        return std::nullopt;
    }

    Bitboard king_attackers(Square s) const {
        return position_.attackers_to(s, position_.occupied() ^ Bitboard{from_}) &
               position_.pieces(~us_);
    }

    // A king's move that can only mean castling, allowed or not.
    std::optional<CastlingSide> castling_tried() const {
        const Rank home = relative(us_, Rank::R1);
        if (rank_of(from_) != home || rank_of(to_) != home) return std::nullopt;
        const bool steps = king_attacks(from_).contains(to_);
        for (const CastlingSide side : kCastlingSides) {
            const Square rook = position_.castling().rook(us_, side);
            if (rook == Square::None) continue;
            if (to_ == rook) return side;
            // In Chess960 the castled square may be one step away: then the step counts, if it is legal.
            if (to_ != castled_king(us_, side)) continue;
            const bool castles = position_.is_legal(Move::castling(from_, rook));
            if (!steps || (castles && !position_.is_legal(Move(from_, to_)))) return side;
        }
        if (steps) return std::nullopt;
        const CastlingSide side = to_ > from_ ? CastlingSide::King : CastlingSide::Queen;
        const bool onto_rook = position_.at(to_) == make_piece(us_, PieceType::Rook);
        if (onto_rook || (file_of(from_) == File::E && to_ == castled_king(us_, side))) return side;
        return std::nullopt;
    }

    Why castling(CastlingSide side) const {
        const Square rook = position_.castling().rook(us_, side);
        const Bitboard king{from_};
        if (rook == Square::None) return because(IllegalReason::CastlingRightGone, king);
        if (position_.in_check())
            return because(IllegalReason::CastlingInCheck, king, position_.checkers());
        const Square king_to = castled_king(us_, side), rook_to = castled_rook(us_, side);
        const Bitboard movers = king | Bitboard{rook};
        const Bitboard king_way = between(from_, king_to) | Bitboard{king_to};
        const Bitboard rook_way = between(rook, rook_to) | Bitboard{rook_to};
        const Bitboard others = position_.occupied().without(movers);
        if (const Bitboard blockers = others & (king_way | rook_way); blockers.any())
            return because(IllegalReason::CastlingBlocked, blockers);
        Bitboard attacked, attackers;
        for (const Square s : king_way) {
            const Bitboard now = position_.attackers_to(s, position_.occupied());
            // The king's new square must also be safe once the rook has left its place.
            const Bitboard then =
                s == king_to ? position_.attackers_to(s, others.with(rook_to)) : kNoSquares;
            const Bitboard enemies = (now | then) & position_.pieces(~us_);
            if (enemies.any()) attacked |= Bitboard{s};
            attackers |= enemies;
        }
        if (attacked.any())
            return because(IllegalReason::CastlingThroughAttack, attacked, attackers);
        return std::nullopt;
    }

    const Position& position_;
    const Color us_;
    const Square from_, to_;
    const PieceType promotion_, type_;
};

}  // namespace

std::optional<IllegalMove> explain_illegal(const Position& position, Square from, Square to,
                                           PieceType promotion) {
    return Attempt(position, from, to, promotion).explain();
}

std::string_view to_string(IllegalReason reason) {
    switch (reason) {
        case IllegalReason::NoPiece: return "no-piece";
        case IllegalReason::NotYourTurn: return "not-your-turn";
        case IllegalReason::OwnPieceOnTarget: return "own-piece-on-target";
        case IllegalReason::CannotMoveLikeThat: return "cannot-move-like-that";
        case IllegalReason::PathBlocked: return "path-blocked";
        case IllegalReason::Pinned: return "pinned";
        case IllegalReason::CheckNotAnswered: return "check-not-answered";
        case IllegalReason::KingWouldBeInCheck: return "king-would-be-in-check";
        case IllegalReason::CastlingRightGone: return "castling-right-gone";
        case IllegalReason::CastlingInCheck: return "castling-in-check";
        case IllegalReason::CastlingBlocked: return "castling-blocked";
        case IllegalReason::CastlingThroughAttack: return "castling-through-attack";
        case IllegalReason::EnPassantNotAvailable: return "en-passant-not-available";
        case IllegalReason::PromotionPieceNeeded: return "promotion-piece-needed";
        case IllegalReason::PromotionNotPossible: return "promotion-not-possible";
    }
    return "";
}

}  // namespace rokada
