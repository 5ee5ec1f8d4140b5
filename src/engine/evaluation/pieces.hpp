// SPDX-License-Identifier: GPL-3.0-or-later
// Material, placement, mobility and the special merits of single pieces. Collects on the way what
// each side attacks.
#pragma once

#include "engine/evaluation/context.hpp"

namespace rokada::engine {

// Material and placement of a knight, bishop, rook or queen in one look-up.
using PlacementTable = PerColor<PerPieceType<PerSquare<Tapered>>>;
constexpr PlacementTable make_placement() {
    PlacementTable table{};
    const auto fill = [&](PieceType type, const WeightArray<32>& squares) {
        for (const Color us : kColors)
            for (int i = 0; i < 64; ++i)
                table[us][type][square_at(i)] =
                    kWeights.material[type_index(type)] + squares[half_board(us, square_at(i))];
    };
    fill(PieceType::Knight, kWeights.knight_square);
    fill(PieceType::Bishop, kWeights.bishop_square);
    fill(PieceType::Rook, kWeights.rook_square);
    fill(PieceType::Queen, kWeights.queen_square);
    return table;
}
inline constexpr PlacementTable kPlacement = make_placement();

template <Color us, class Tracer>
void prepare_attacks(Context<Tracer>& c) {
    const Position& p = c.position;
    constexpr Color them = ~us;
    const Square king = p.king(us);
    const Bitboard pawns = p.pieces(us, PieceType::Pawn);
    const Bitboard from_king = king_attacks(king);
    const Bitboard from_pawns = pawn_attacks<us>(pawns);
    c.attacks[us][PieceType::King] = from_king;
    c.attacks[us][PieceType::Pawn] = from_pawns;
    c.attacked[us] = from_king | from_pawns;
    c.attacked_twice[us] = from_king & from_pawns;
    // Not counted as mobility: own king and queen, pawns that cannot or should not move yet,
    // squares enemy pawns hit.
    const Bitboard low = Bitboard{relative(us, Rank::R2)} | Bitboard{relative(us, Rank::R3)};
    const Bitboard blocked = push(them, p.occupied());
    c.mobility_area[us] =
        ~((pawns & (blocked | low)) | p.pieces(us, PieceType::King, PieceType::Queen) |
          pawn_attacks<them>(p.pieces(them, PieceType::Pawn)));
    // The zone around the king, kept inside the board.
    const int file = index(file_of(king)), rank = index(rank_of(king));
    const Square centre = make_square(static_cast<File>(file < 1   ? 1
                                                        : file > 6 ? 6
                                                                   : file),
                                      static_cast<Rank>(rank < 1   ? 1
                                                        : rank > 6 ? 6
                                                                   : rank));
    c.king_zone[us] = king_attacks(centre) | Bitboard{centre};
}

template <Color us, class Tracer>
Tapered evaluate_minor(Context<Tracer>& c, PieceType type, Square s, Bitboard reach) {
    const Position& p = c.position;
    constexpr Color them = ~us;
    const bool knight = type == PieceType::Knight;
    Tapered score = c.add(us, kWeights.minor_far_from_king, distance(s, p.king(us)));
    const Bitboard ranks = Bitboard{relative(us, Rank::R4)} | Bitboard{relative(us, Rank::R5)} |
                           Bitboard{relative(us, Rank::R6)};
    const Bitboard outposts = ranks & c.attacks[us][PieceType::Pawn] & ~c.entry->attack_span[them];
    if (outposts.contains(s))
        score += c.add(us, knight ? kWeights.knight_outpost : kWeights.bishop_outpost);
    else if (knight && (reach & outposts & ~p.pieces(us)).any())
        score += c.add(us, kWeights.outpost_in_reach);
    if (push(us, Bitboard{s}).any() && (push(us, Bitboard{s}) & p.pieces(PieceType::Pawn)).any())
        score += c.add(us, kWeights.minor_behind_pawn);
    if (knight)
        return score +
               c.add(us, kWeights.knight_per_pawn, p.pieces(us, PieceType::Pawn).count() - 5);

    const Bitboard colour = kLightSquares.contains(s) ? kLightSquares : kDarkSquares;
    const Bitboard own_pawns = p.pieces(us, PieceType::Pawn);
    score += c.add(us, kWeights.bishop_own_colour_pawn, (own_pawns & colour).count());
    constexpr Bitboard centre_files =
        Bitboard{File::C} | Bitboard{File::D} | Bitboard{File::E} | Bitboard{File::F};
    const Bitboard stuck = own_pawns & push(them, p.occupied()) & centre_files;
    score += c.add(us, kWeights.bishop_blocked_centre, stuck.count());
    const Bitboard centre =
        Bitboard{Square::D4} | Bitboard{Square::E4} | Bitboard{Square::D5} | Bitboard{Square::E5};
    if ((bishop_attacks(s, p.pieces(PieceType::Pawn)) & centre).several())
        score += c.add(us, kWeights.bishop_long_diagonal);
    return score;
}

template <Color us, class Tracer>
Tapered evaluate_rook(Context<Tracer>& c, Square s, int mobility, Bitboard reach) {
    const Position& p = c.position;
    constexpr Color them = ~us;
    const Bitboard file{file_of(s)};
    Tapered score = c.add(us, kWeights.rook_per_pawn, p.pieces(us, PieceType::Pawn).count() - 5);
    if ((file & p.pieces(us, PieceType::Pawn)).empty()) {
        const bool open = (file & p.pieces(them, PieceType::Pawn)).empty();
        score += c.add(us, open ? kWeights.rook_open_file : kWeights.rook_half_open_file);
        if ((reach & file & p.pieces(us, PieceType::Rook)).any())
            score += c.add(us, kWeights.rook_doubled);
    } else if (mobility <= 3) {
        // Shut in between the own king and the edge.
        const Square king = p.king(us);
        const bool king_side = index(file_of(king)) >= 4;
        if (king_side == (file_of(s) > file_of(king)) && relative(us, rank_of(king)) <= Rank::R2 &&
            relative(us, rank_of(s)) <= Rank::R2 && file_of(s) != file_of(king))
            score += c.add(us, kWeights.rook_trapped_by_king, p.castling().any(us) ? 1 : 2);
    }
    const Bitboard seventh{relative(us, Rank::R7)};
    if (seventh.contains(s) && ((seventh & p.pieces(them, PieceType::Pawn)).any() ||
                                relative(us, rank_of(p.king(them))) == Rank::R8))
        score += c.add(us, kWeights.rook_on_seventh);
    return score;
}

template <Color us, class Tracer>
Tapered evaluate_queen(Context<Tracer>& c, Square s) {
    const Position& p = c.position;
    constexpr Color them = ~us;
    const Bitboard sliders = (rook_rays(s) & p.pieces(them, PieceType::Rook)) |
                             (bishop_rays(s) & p.pieces(them, PieceType::Bishop));
    for (const Square slider : sliders)
        if ((between(s, slider) & p.occupied()).single())
            return c.add(us, kWeights.queen_exposed_to_slider);
    return {};
}

template <Color us, class Tracer>
Tapered evaluate_pieces(Context<Tracer>& c) {
    const Position& p = c.position;
    constexpr Color them = ~us;
    const Bitboard all = p.occupied();
    Tapered score;

    const Square king = p.king(us);
    score += c.add(us, kWeights.king_square[half_board(us, king)]);

    const auto pieces = [&](PieceType type, [[maybe_unused]] const auto& square_weights,
                            const auto& mobility_weights, const int& attacker_units) {
        for (const Square s : p.pieces(us, type)) {
            if constexpr (Tracer::kActive || kAdjustable)
                score += c.add(us, kWeights.material[type_index(type)]) +
                         c.add(us, square_weights[half_board(us, s)]);
            else
                score += kPlacement[us][type][s];
            // Sliders look through the own queen and other sliders of their kind.
            Bitboard reach =
                type == PieceType::Bishop ? bishop_attacks(s, all ^ p.pieces(PieceType::Queen))
                : type == PieceType::Rook ? rook_attacks(s, all ^ p.pieces(PieceType::Queen) ^
                                                                p.pieces(us, PieceType::Rook))
                                          : piece_attacks(type, s, all);
            if (p.turn() == us && p.pinned().contains(s)) reach &= line_through(king, s);
            c.attacked_twice[us] |= c.attacked[us] & reach;
            c.attacked[us] |= reach;
            c.attacks[us][type] |= reach;
            if (const Bitboard zone = reach & c.king_zone[them]; zone.any()) {
                ++c.attackers[us];
                c.attack_units[us] += attacker_units;
                c.tracer.note_units(attacker_units, them, 2);  // times all attackers, at the end
                c.zone_attacks[us] += (reach & c.attacks[them][PieceType::King]).count();
            }
            const int mobility = (reach & c.mobility_area[us]).count();
            score += c.add(us, mobility_weights[static_cast<std::size_t>(mobility)]);
            if (type == PieceType::Knight || type == PieceType::Bishop)
                score += evaluate_minor<us>(c, type, s, reach);
            else if (type == PieceType::Rook)
                score += evaluate_rook<us>(c, s, mobility, reach);
            else
                score += evaluate_queen<us>(c, s);
        }
    };
    pieces(PieceType::Knight, kWeights.knight_square, kWeights.knight_mobility,
           kDanger.knight_attacker);
    pieces(PieceType::Bishop, kWeights.bishop_square, kWeights.bishop_mobility,
           kDanger.bishop_attacker);
    pieces(PieceType::Rook, kWeights.rook_square, kWeights.rook_mobility, kDanger.rook_attacker);
    pieces(PieceType::Queen, kWeights.queen_square, kWeights.queen_mobility,
           kDanger.queen_attacker);

    const Bitboard bishops = p.pieces(us, PieceType::Bishop);
    if ((bishops & kLightSquares).any() && (bishops & kDarkSquares).any())
        score += c.add(us, kWeights.bishop_pair);
    return score;
}

}  // namespace rokada::engine
