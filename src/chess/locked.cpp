// SPDX-License-Identifier: GPL-3.0-or-later
#include "chess/locked.hpp"

namespace rokada {

namespace {

// For every piece the squares it might ever stand on. A square opens up when the piece on it may leave or be
// taken; what opens up lets others move. Repeated until nothing changes, this includes every square any legal
// game reaches, so what it leaves out is really out of reach.
class Reach {
  public:
    explicit Reach(const Position& position) : position_(position) {
        for (const Square s : position.occupied()) squares_[s] = Bitboard{s};
    }

    // False if a pawn might promote; then nothing is known any more.
    bool spread() {
        for (bool changed = true; changed;) {
            changed = false;
            for (const Square origin : position_.occupied()) {
                const Bitboard before = squares_[origin], fixed = fixed_;
                if (!spread(origin)) return false;
                changed |= squares_[origin] != before || fixed_ != fixed;
            }
        }
        return true;
    }

    bool may_check(Color side) const {
        const Bitboard king = squares_[position_.king(~side)];
        for (const Square origin : position_.pieces(side)) {
            const PieceType type = type_of(position_.at(origin));
            if (type == PieceType::King) continue;
            for (const Square s : squares_[origin]) {
                const Bitboard attacked = type == PieceType::Pawn ? pawn_attacks(side, s)
                                                                  : piece_attacks(type, s, fixed_);
                if ((attacked & king).any()) return true;
            }
        }
        return false;
    }

  private:
    bool spread(Square origin) {
        const Piece piece = position_.at(origin);
        const Color us = color_of(piece), them = ~us;
        const Bitboard foes = squares_of(them);
        Bitboard& reached = squares_[origin];
        for (const Square s : reached) {
            Bitboard steps;
            if (type_of(piece) == PieceType::Pawn) {
                const Square ahead = s + forward(us);
                steps = Bitboard{ahead}.without(fixed_) | (pawn_attacks(us, s) & foes);
                if ((steps & Bitboard{relative(us, Rank::R8)}).any()) return false;
            } else {
                // Long moves are short ones repeated.
                steps = piece_attacks(type_of(piece), s, kAllSquares)
                            .without(fixed_ & position_.pieces(us));
                if (type_of(piece) == PieceType::King) steps = steps.without(guarded_by(them));
                // A king is never taken; its square opens only when it can leave.
                const Square their_king = position_.king(them);
                if (fixed_.contains(their_king)) steps = steps.without(Bitboard{their_king});
            }
            take(steps, them);
            reached |= steps;
        }
        if (reached.several()) fixed_ = fixed_.without(Bitboard{origin});
        return true;
    }

    // Pieces of that colour that might be met on these squares may be taken, the king apart.
    void take(Bitboard steps, Color victims) {
        for (const Square origin : position_.pieces(victims) & fixed_)
            if (steps.contains(origin) && origin != position_.king(victims))
                fixed_ = fixed_.without(Bitboard{origin});
    }

    // Where pieces of a colour other than the king might stand.
    Bitboard squares_of(Color c) const {
        Bitboard squares;
        for (const Square origin : position_.pieces(c))
            if (origin != position_.king(c)) squares |= squares_[origin];
        return squares;
    }

    // What pawns that never leave their squares attack for ever: no king steps there.
    Bitboard guarded_by(Color c) const {
        return pawn_attacks(c, position_.pieces(c, PieceType::Pawn) & fixed_);
    }

    const Position& position_;
    PerSquare<Bitboard> squares_;  // by where the piece stands now
    Bitboard fixed_ =
        position_.occupied();  // pieces that, as far as known, never move and are never taken
};

}  // namespace

bool may_ever_check(const Position& position, Color side) {
    if (position.castling().any() || position.en_passant() != Square::None) return true;
    Reach reach(position);
    return !reach.spread() || reach.may_check(side);
}

}  // namespace rokada
