// SPDX-License-Identifier: GPL-3.0-or-later
// A legal chess position: a small value that can be copied freely. It knows the pieces, whose move
// it is, the rights, its keys, who gives check and who is pinned; it does not know the past.
// Playing a move changes the object in place; whoever wants to go back keeps a copy.
#pragma once

#include "chess/attacks.hpp"
#include "chess/bitboard.hpp"
#include "chess/castling.hpp"
#include "chess/move.hpp"
#include "chess/result.hpp"
#include "chess/setup.hpp"
#include "chess/zobrist.hpp"

namespace rokada {

class Position {
  public:
    Position();  // the usual start position
    static Result<Position, SetupErrors> from_setup(const Setup& setup);
    Setup to_setup() const;

    Color turn() const { return turn_; }
    Piece at(Square s) const { return board_[s]; }
    Bitboard occupied() const { return by_color_[Color::White] | by_color_[Color::Black]; }
    Bitboard pieces(Color c) const { return by_color_[c]; }
    Bitboard pieces(PieceType t) const { return by_type_[t]; }
    Bitboard pieces(PieceType a, PieceType b) const { return by_type_[a] | by_type_[b]; }
    Bitboard pieces(Color c, PieceType t) const { return by_color_[c] & by_type_[t]; }
    Bitboard pieces(Color c, PieceType a, PieceType b) const {
        return by_color_[c] & (by_type_[a] | by_type_[b]);
    }
    Square king(Color c) const { return pieces(c, PieceType::King).first(); }
    CastlingRights castling() const { return castling_; }
    // Set only when a legal en passant capture exists.
    Square en_passant() const { return en_passant_; }
    // The square jumped over by the last move's double step, whether or not it can be taken there.
    Square double_step() const { return double_step_; }
    int halfmove_clock() const { return halfmove_clock_; }
    int fullmove_number() const { return fullmove_number_; }

    // Names the position for repetition: board, turn, rights, en passant when possible.
    Key key() const { return key_; }
    Key pawn_key() const { return pawn_key_; }                    // pawns only
    Key non_pawn_key(Color c) const { return non_pawn_key_[c]; }  // one side's pieces and king
    Key minor_key() const { return minor_key_; }                  // knights, bishops and kings

    Bitboard checkers() const { return checkers_; }
    bool in_check() const { return checkers_.any(); }
    // Own pieces that stand alone between the own king and an enemy slider.
    Bitboard pinned() const { return pinned_; }
    // All pieces of both colours that attack the square, given what stands on the board.
    Bitboard attackers_to(Square s, Bitboard occupied) const;
    bool attacked_by(Color c, Square s, Bitboard occupied) const {
        return (((pawn_attacks(~c, s) & by_type_[PieceType::Pawn]) |
                 (knight_attacks(s) & by_type_[PieceType::Knight]) |
                 (king_attacks(s) & by_type_[PieceType::King]) |
                 (bishop_attacks(s, occupied) & pieces(PieceType::Bishop, PieceType::Queen)) |
                 (rook_attacks(s, occupied) & pieces(PieceType::Rook, PieceType::Queen))) &
                by_color_[c])
            .any();
    }

    // What the move takes; Piece::None if nothing. Castling takes nothing.
    Piece captured(Move m) const {
        if (m.is_castling()) return Piece::None;
        return m.is_en_passant() ? make_piece(~turn_, PieceType::Pawn) : board_[m.to()];
    }
    bool is_capture(Move m) const { return captured(m) != Piece::None; }
    // True for exactly the moves that the generator lists; any 16 bits may be asked.
    bool is_legal(Move m) const;
    // Whether the side to move may castle there now, and whether the pawn may take en passant.
    bool may_castle(CastlingSide side) const;
    bool may_take_en_passant(Square from) const {
        return en_passant_ != Square::None && en_passant_is_legal(from, en_passant_);
    }

    void play(Move m);  // m must be legal
    void pass();        // the null move; not while in check
    // The key after the move, up to rights and en passant: good enough to prefetch by.
    Key key_after(Move m) const {
        const Piece moving = board_[m.from()];
        return key_ ^ kZobrist.black_to_move ^ kZobrist.piece_square[moving][m.from()] ^
               kZobrist.piece_square[moving][m.to()] ^
               kZobrist.piece_square[board_[m.to()]][m.to()];
    }

    Key key_after_pass() const { return key_ ^ kZobrist.black_to_move; }

    // Recomputed from the board; equals key() always (checked by tests and debug builds).
    Key key_from_scratch() const;

    friend bool operator==(const Position& a, const Position& b);
    friend bool operator!=(const Position& a, const Position& b) { return !(a == b); }

  private:
    struct Empty {};
    explicit Position(Empty) {}

    void put(Piece p, Square s);
    void remove(Piece p, Square s);
    void shift(Piece p, Square from, Square to);
    void toggle_keys(Piece p, Key change);
    void set_castling(CastlingRights rights);
    void find_checks_and_pins();
    void keep_en_passant_if_legal(Square target);
    bool en_passant_is_legal(Square from, Square target) const;

    PerPieceType<Bitboard> by_type_;
    PerColor<Bitboard> by_color_;
    PerSquare<Piece> board_;
    Key key_ = 0, pawn_key_ = 0, minor_key_ = 0;
    PerColor<Key> non_pawn_key_;
    Bitboard checkers_, pinned_;
    CastlingRights castling_;
    Color turn_ = Color::White;
    Square en_passant_ = Square::None, double_step_ = Square::None;
    std::uint16_t halfmove_clock_ = 0;
    std::uint16_t fullmove_number_ = 1;
};

}  // namespace rokada
