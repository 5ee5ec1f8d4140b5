// SPDX-License-Identifier: GPL-3.0-or-later
#include "chess/movegen.hpp"

namespace rokada {

template <Color Us>
struct MoveGenerator {
    static constexpr Color kThem = ~Us;
    static constexpr Direction kUp = forward(Us);
    static constexpr Direction kUpEast =
        Us == Color::White ? Direction::NorthEast : Direction::SouthEast;
    static constexpr Direction kUpWest =
        Us == Color::White ? Direction::NorthWest : Direction::SouthWest;
    static constexpr Bitboard kLastRank{relative(Us, Rank::R8)};
    static constexpr Bitboard kThirdRank{relative(Us, Rank::R3)};

    const Position& position;
    MoveList& list;
    const Square king;
    const Bitboard occupied, enemies;

    MoveGenerator(const Position& p, MoveList& l)
        : position(p),
          list(l),
          king(p.king(Us)),
          occupied(p.occupied()),
          enemies(p.pieces(kThem)) {}

    template <MoveSet Set>
    void run() {
        const Bitboard wanted = Set == MoveSet::All     ? ~position.pieces(Us)
                                : Set == MoveSet::Noisy ? enemies
                                                        : ~occupied;
        king_moves(wanted);
        if (position.checkers().several()) return;
        // Squares that answer a check: the checker itself or a place in its way.
        const Bitboard answers =
            position.in_check()
                ? between(king, position.checkers().first()) | position.checkers()
                : kAllSquares;
        pawn_moves<Set>(answers);
        piece_moves(wanted & answers);
        if (Set != MoveSet::Noisy && !position.in_check()) castlings();
    }

    void add(Square from, Bitboard targets) {
        for (const Square to : targets) list.push(Move(from, to));
    }

    void king_moves(Bitboard wanted) {
        // The king must not hide behind itself from a slider.
        const Bitboard without_king = occupied ^ Bitboard{king};
        for (const Square to : king_attacks(king) & wanted)
            if (!position.attacked_by(kThem, to, without_king)) list.push(Move(king, to));
    }

    void castlings() {
        for (const CastlingSide side : kCastlingSides) {
            const Square rook = position.castling().rook(Us, side);
            if (rook == Square::None) continue;
            const Move move = Move::castling(king, rook);
            if (position.castling_is_legal(move)) list.push(move);
        }
    }

    // A pinned piece can never answer a check and otherwise stays on the line of its pin.
    void piece_moves(Bitboard targets) {
        const Bitboard pinned = position.pinned();
        const Bitboard free = position.pieces(Us).without(pinned);
        for (const Square from : free & position.pieces(PieceType::Knight))
            add(from, knight_attacks(from) & targets);
        for (const Square from : free & position.pieces(PieceType::Bishop))
            add(from, bishop_attacks(from, occupied) & targets);
        for (const Square from : free & position.pieces(PieceType::Rook))
            add(from, rook_attacks(from, occupied) & targets);
        for (const Square from : free & position.pieces(PieceType::Queen))
            add(from, queen_attacks(from, occupied) & targets);
        if (position.in_check()) return;
        for (const Square from : pinned.without(position.pieces(PieceType::Pawn, PieceType::Knight)))
            add(from, piece_attacks(type_of(position.at(from)), from, occupied) & targets &
                          line_through(king, from));
    }

    template <Direction D, MoveSet Set>
    void add_pawns(Bitboard targets) {
        for (const Square to : targets.without(kLastRank)) list.push(Move(to - D, to));
        for (const Square to : targets & kLastRank) add_promotions<Set>(to - D, to);
    }

    template <MoveSet Set>
    void add_promotions(Square from, Square to) {
        if (Set != MoveSet::Quiet) list.push(Move::promotion(from, to, PieceType::Queen));
        if (Set == MoveSet::Noisy) return;
        list.push(Move::promotion(from, to, PieceType::Knight));
        list.push(Move::promotion(from, to, PieceType::Rook));
        list.push(Move::promotion(from, to, PieceType::Bishop));
    }

    template <MoveSet Set>
    void pawn_moves(Bitboard answers) {
        const Bitboard pawns = position.pieces(Us, PieceType::Pawn);
        pushes_and_captures<Set>(pawns.without(position.pinned()), answers);
        if (!position.in_check())
            for (const Square from : pawns & position.pinned())
                pushes_and_captures<Set>(Bitboard{from}, line_through(king, from));
        if (Set == MoveSet::Quiet || position.en_passant() == Square::None) return;
        const Square target = position.en_passant();
        for (const Square from : pawn_attacks(kThem, target) & pawns)
            if (position.en_passant_is_legal(from, target))
                list.push(Move::en_passant(from, target));
    }

    template <MoveSet Set>
    void pushes_and_captures(Bitboard pawns, Bitboard allowed) {
        const Bitboard single = shift<kUp>(pawns).without(occupied);
        if (Set != MoveSet::Noisy) {
            const Bitboard twice = shift<kUp>(single & kThirdRank).without(occupied) & allowed;
            for (const Square to : twice) list.push(Move(to - kUp - kUp, to));
            add_pawns<kUp, Set>(single & allowed);
        } else {
            add_pawns<kUp, Set>(single & allowed & kLastRank);
        }
        // A capture that promotes to less than a queen counts as quiet.
        const Bitboard prey = Set == MoveSet::Quiet ? enemies & kLastRank : enemies;
        add_pawns<kUpEast, Set>(shift<kUpEast>(pawns) & prey & allowed);
        add_pawns<kUpWest, Set>(shift<kUpWest>(pawns) & prey & allowed);
    }
};

namespace {

template <MoveSet Set>
void generate_for_turn(const Position& position, MoveList& list) {
    if (position.turn() == Color::White)
        MoveGenerator<Color::White>(position, list).template run<Set>();
    else
        MoveGenerator<Color::Black>(position, list).template run<Set>();
}

}  // namespace

void generate(const Position& position, MoveSet set, MoveList& list) {
    switch (set) {
        case MoveSet::All: return generate_for_turn<MoveSet::All>(position, list);
        case MoveSet::Noisy: return generate_for_turn<MoveSet::Noisy>(position, list);
        case MoveSet::Quiet: return generate_for_turn<MoveSet::Quiet>(position, list);
    }
}

bool has_legal_move(const Position& position) { return !legal_moves(position).empty(); }

}  // namespace rokada
