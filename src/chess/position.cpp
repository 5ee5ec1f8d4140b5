// SPDX-License-Identifier: GPL-3.0-or-later
#include "chess/position.hpp"

namespace rokada {

Position::Position() { *this = from_setup(Setup::standard()).value(); }

Result<Position, SetupErrors> Position::from_setup(const Setup& setup) {
    if (const SetupErrors errors = check(setup); errors.any()) return Error{errors};
    Position p{Empty{}};
    for (Piece& piece : p.board_) piece = Piece::None;
    for (int i = 0; i < 64; ++i)
        if (const Square s = square_at(i); setup.board[s] != Piece::None) p.put(setup.board[s], s);
    p.turn_ = setup.turn;
    if (p.turn_ == Color::Black) p.key_ ^= kZobrist.black_to_move;
    p.set_castling(setup.castling);
    p.halfmove_clock_ = static_cast<std::uint16_t>(setup.halfmove_clock);
    p.fullmove_number_ = static_cast<std::uint16_t>(setup.fullmove_number);
    p.find_checks_and_pins();
    p.double_step_ = setup.en_passant;
    if (setup.en_passant != Square::None) p.keep_en_passant_if_legal(setup.en_passant);
    return p;
}

Setup Position::to_setup() const {
    Setup setup;
    setup.board = board_;
    setup.turn = turn_;
    setup.castling = castling_;
    setup.en_passant = en_passant_;
    setup.halfmove_clock = halfmove_clock_;
    setup.fullmove_number = fullmove_number_;
    return setup;
}

inline void Position::toggle_keys(Piece p, Key change) {
    // Chosen by masks: what kind of piece moves next cannot be guessed.
    const PieceType type = type_of(p);
    const bool is_pawn = type == PieceType::Pawn;
    const bool is_minor = !is_pawn && type != PieceType::Rook && type != PieceType::Queen;
    const Key pawn_change = change & -Key{is_pawn};
    key_ ^= change;
    pawn_key_ ^= pawn_change;
    non_pawn_key_[color_of(p)] ^= change ^ pawn_change;
    minor_key_ ^= change & -Key{is_minor};
}

inline void Position::put(Piece p, Square s) {
    by_type_[type_of(p)] |= Bitboard{s};
    by_color_[color_of(p)] |= Bitboard{s};
    board_[s] = p;
    toggle_keys(p, kZobrist.piece_square[p][s]);
}

inline void Position::remove(Piece p, Square s) {
    by_type_[type_of(p)] ^= Bitboard{s};
    by_color_[color_of(p)] ^= Bitboard{s};
    board_[s] = Piece::None;
    toggle_keys(p, kZobrist.piece_square[p][s]);
}

inline void Position::shift(Piece p, Square from, Square to) {
    const Bitboard change = Bitboard{from} | Bitboard{to};
    by_type_[type_of(p)] ^= change;
    by_color_[color_of(p)] ^= change;
    board_[from] = Piece::None;
    board_[to] = p;
    toggle_keys(p, kZobrist.piece_square[p][from] ^ kZobrist.piece_square[p][to]);
}

inline void Position::set_castling(CastlingRights rights) {
    key_ ^= kZobrist.castling[castling_.set()] ^ kZobrist.castling[rights.set()];
    castling_ = rights;
}

Bitboard Position::attackers_to(Square s, Bitboard occupied) const {
    return (pawn_attacks(Color::Black, s) & pieces(Color::White, PieceType::Pawn)) |
           (pawn_attacks(Color::White, s) & pieces(Color::Black, PieceType::Pawn)) |
           (knight_attacks(s) & pieces(PieceType::Knight)) |
           (king_attacks(s) & pieces(PieceType::King)) |
           (bishop_attacks(s, occupied) & pieces(PieceType::Bishop, PieceType::Queen)) |
           (rook_attacks(s, occupied) & pieces(PieceType::Rook, PieceType::Queen));
}

void Position::find_checks_and_pins() {
    const Color us = turn_, them = ~turn_;
    const Square k = king(us);
    const Bitboard all = occupied();
    checkers_ = (pawn_attacks(us, k) & pieces(them, PieceType::Pawn)) |
                (knight_attacks(k) & pieces(them, PieceType::Knight));
    pinned_ = kNoSquares;
    const Bitboard snipers = (rook_rays(k) & pieces(them, PieceType::Rook, PieceType::Queen)) |
                             (bishop_rays(k) & pieces(them, PieceType::Bishop, PieceType::Queen));
    for (const Square sniper : snipers) {
        const Bitboard shield = between(k, sniper) & all;
        if (shield.empty())
            checkers_ |= Bitboard{sniper};
        else if (!shield.several())
            pinned_ |= shield & by_color_[us];
    }
}

bool Position::en_passant_is_legal(Square from, Square target) const {
    const Square taken = target - forward(turn_);
    const Bitboard after = (occupied() ^ Bitboard{from} ^ Bitboard{taken}) | Bitboard{target};
    const Bitboard attackers = attackers_to(king(turn_), after) & by_color_[~turn_];
    return attackers.without(Bitboard{taken}).empty();
}

void Position::keep_en_passant_if_legal(Square target) {
    for (const Square from : pawn_attacks(~turn_, target) & pieces(turn_, PieceType::Pawn)) {
        if (en_passant_is_legal(from, target)) {
            en_passant_ = target;
            key_ ^= kZobrist.en_passant_file[static_cast<std::size_t>(file_of(target))];
            return;
        }
    }
}

bool Position::may_castle(CastlingSide side) const {
    const Color us = turn_, them = ~turn_;
    const Square rook_from = castling_.rook(us, side);
    if (rook_from == Square::None || in_check()) return false;
    const Square king_from = king(us);
    const Square king_to = castled_king(us, side), rook_to = castled_rook(us, side);
    const Bitboard movers = Bitboard{king_from} | Bitboard{rook_from};
    const Bitboard king_path = between(king_from, king_to).with(king_to);
    const Bitboard rook_path = between(rook_from, rook_to).with(rook_to);
    if ((occupied().without(movers) & (king_path | rook_path)).any()) return false;
    for (const Square s : king_path)
        if (attacked_by(them, s, occupied())) return false;
    // In Chess960 the rook may have been the shield of the king's new square; it was pinned then.
    return !pinned_.contains(rook_from);
}

bool Position::is_legal(Move m) const {
    const Square from = m.from(), to = m.to();
    const Piece moving = board_[from];
    const Color us = turn_, them = ~turn_;
    if (m.none() || moving == Piece::None || color_of(moving) != us) return false;
    if (!m.is_promotion() && m.promoted() != PieceType::Knight) return false;  // stray bits
    const PieceType type = type_of(moving);

    if (m.is_castling())
        return type == PieceType::King && castling_.rook(us, m.castling_side()) == to &&
               may_castle(m.castling_side());
    if (m.is_en_passant())
        return type == PieceType::Pawn && to == en_passant_ &&
               pawn_attacks(us, from).contains(to) && en_passant_is_legal(from, to);

    if (by_color_[us].contains(to)) return false;
    const Bitboard all = occupied();
    if (type == PieceType::Pawn) {
        if (m.is_promotion() != (relative(us, rank_of(to)) == Rank::R8)) return false;
        const bool captures = pawn_attacks(us, from).contains(to) && by_color_[them].contains(to);
        const bool pushes = to == from + forward(us) && !all.contains(to);
        const bool jumps = relative(us, rank_of(from)) == Rank::R2 &&
                           to == from + forward(us) + forward(us) && !all.contains(to) &&
                           !all.contains(from + forward(us));
        if (!captures && !pushes && !jumps) return false;
    } else if (m.is_promotion() || !piece_attacks(type, from, all).contains(to)) {
        return false;
    }
    if (type == PieceType::King) return !attacked_by(them, to, all ^ Bitboard{from});
    if (checkers_.several()) return false;
    if (checkers_.any() && !(between(king(us), checkers_.first()) | checkers_).contains(to))
        return false;
    return !pinned_.contains(from) || line_through(king(us), from).contains(to);
}

void Position::play(Move m) {
    const Color us = turn_, them = ~turn_;
    const Square from = m.from(), to = m.to();
    const Piece moving = board_[from];

    double_step_ = Square::None;
    if (en_passant_ != Square::None) {
        key_ ^= kZobrist.en_passant_file[static_cast<std::size_t>(file_of(en_passant_))];
        en_passant_ = Square::None;
    }
    ++halfmove_clock_;
    if (us == Color::Black) ++fullmove_number_;

    if (m.is_castling()) {
        const Piece rook = board_[to];
        remove(moving, from);
        remove(rook, to);
        put(moving, castled_king(us, m.castling_side()));
        put(rook, castled_rook(us, m.castling_side()));
    } else {
        const Square target = m.is_en_passant() ? to - forward(us) : to;
        if (const Piece taken = board_[target]; taken != Piece::None) {
            remove(taken, target);
            halfmove_clock_ = 0;
        }
        if (m.is_promotion()) {
            remove(moving, from);
            put(make_piece(us, m.promoted()), to);
        } else {
            shift(moving, from, to);
        }
        if (type_of(moving) == PieceType::Pawn) {
            halfmove_clock_ = 0;
            if ((index(from) ^ index(to)) == 16) double_step_ = from + forward(us);
        }
    }

    if (castling_.any() && (type_of(moving) == PieceType::King || castling_.concerns(from) ||
                            castling_.concerns(to))) {
        CastlingRights rights = castling_;
        if (type_of(moving) == PieceType::King) rights.remove(us);
        rights.remove_rook(from);
        rights.remove_rook(to);
        set_castling(rights);
    }
    turn_ = them;
    key_ ^= kZobrist.black_to_move;
    find_checks_and_pins();
    if (double_step_ != Square::None) keep_en_passant_if_legal(double_step_);
}

void Position::pass() {
    double_step_ = Square::None;
    if (en_passant_ != Square::None) {
        key_ ^= kZobrist.en_passant_file[static_cast<std::size_t>(file_of(en_passant_))];
        en_passant_ = Square::None;
    }
    ++halfmove_clock_;
    if (turn_ == Color::Black) ++fullmove_number_;
    turn_ = ~turn_;
    key_ ^= kZobrist.black_to_move;
    find_checks_and_pins();
}

Key Position::key_from_scratch() const {
    Key key = 0;
    for (const Square s : occupied()) key ^= kZobrist.piece_square[board_[s]][s];
    key ^= kZobrist.castling[castling_.set()];
    if (en_passant_ != Square::None)
        key ^= kZobrist.en_passant_file[static_cast<std::size_t>(file_of(en_passant_))];
    if (turn_ == Color::Black) key ^= kZobrist.black_to_move;
    return key;
}

bool operator==(const Position& a, const Position& b) {
    return a.board_ == b.board_ && a.turn_ == b.turn_ && a.castling_ == b.castling_ &&
           a.en_passant_ == b.en_passant_ && a.halfmove_clock_ == b.halfmove_clock_ &&
           a.fullmove_number_ == b.fullmove_number_;
}

}  // namespace rokada
