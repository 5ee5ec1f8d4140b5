// SPDX-License-Identifier: GPL-3.0-or-later
// Material, placement, mobility and the special merits of single pieces. Collects on the way what
// each side attacks.
#pragma once

#include <algorithm>

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

// The zone around a king, kept inside the board.
inline constexpr auto kKingZones = [] {
    PerSquare<Bitboard> zones{};
    for (int i = 0; i < 64; ++i) {
        const int file = std::clamp(i & 7, 1, 6), rank = std::clamp(i >> 3, 1, 6);
        zones[square_at(i)] = Bitboard{std::uint64_t{0x070707} << (8 * (rank - 1) + file - 1)};
    }
    return zones;
}();

template <Color us, class Tracer>
void prepare_pawn_attacks(Context<Tracer>& c) {
    c.attacks[us][PieceType::Pawn] = pawn_attacks<us>(c.position.pieces(us, PieceType::Pawn));
}

// The pawns of both sides must have been prepared.
template <Color us, class Tracer>
void prepare_attacks(Context<Tracer>& c) {
    const Position& p = c.position;
    constexpr Color them = ~us;
    const Square king = p.king(us);
    const Bitboard from_king = king_attacks(king), from_pawns = c.attacks[us][PieceType::Pawn];
    c.attacks[us][PieceType::King] = from_king;
    c.attacked[us] = from_king | from_pawns;
    c.attacked_twice[us] = from_king & from_pawns;
    // Not counted as mobility: own king and queen, pawns that cannot or should not move yet,
    // squares enemy pawns hit.
    const Bitboard low = Bitboard{relative(us, Rank::R2)} | Bitboard{relative(us, Rank::R3)};
    const Bitboard blocked = push(them, p.occupied());
    c.mobility_area[us] =
        ~((p.pieces(us, PieceType::Pawn) & (blocked | low)) |
          p.pieces(us, PieceType::King, PieceType::Queen) | c.attacks[them][PieceType::Pawn]);
    c.king_zone[us] = kKingZones[king];
}

// Bishops on these squares, the centre left out, see two squares of the centre along one diagonal.
inline constexpr Bitboard kLongDiagonals{0x8142240000244281ull};

// What is the same for all pieces of one side. Held apart from the context, so that the compiler may keep it in
// registers while attacks are collected.
template <Color us>
struct SideView {
    static constexpr Color them = ~us;

    template <class Tracer>
    explicit SideView(const Context<Tracer>& c)
        : all(c.position.occupied()),
          own(c.position.pieces(us)),
          pawns(c.position.pieces(PieceType::Pawn)),
          own_pawns(own & pawns),
          own_files(files_of(own_pawns)),
          queens(c.position.pieces(PieceType::Queen)),
          pinned(c.position.turn() == us ? c.position.pinned() : kNoSquares),
          area(c.mobility_area[us]),
          zone(c.king_zone[them]),
          ring(c.attacks[them][PieceType::King]),
          outposts((Bitboard{relative(us, Rank::R4)} | Bitboard{relative(us, Rank::R5)} |
                    Bitboard{relative(us, Rank::R6)}) &
                   c.attacks[us][PieceType::Pawn] & ~c.entry->attack_span[them]),
          king(c.position.king(us)),
          attacked(c.attacked[us]),
          attacked_twice(c.attacked_twice[us]) {}

    const Bitboard all, own, pawns, own_pawns, own_files, queens, pinned;
    const Bitboard area;        // that counts as mobility
    const Bitboard zone, ring;  // around the enemy king, the ring being one step away
    const Bitboard outposts;
    const Square king;
    // Collected:
    Bitboard attacked, attacked_twice;
    int attackers = 0, attack_units = 0, zone_attacks = 0;
    Tapered score;
};

// What only asks how many pieces stand where is counted for all of them at once: no branch to guess for each piece.
template <Color us, PieceType type, class Tracer>
Tapered evaluate_minors(Context<Tracer>& c, const SideView<us>& side, Bitboard pieces) {
    constexpr Color them = ~us;
    constexpr bool knight = type == PieceType::Knight;
    Tapered score = c.add(us, knight ? kWeights.knight_outpost : kWeights.bishop_outpost,
                          (pieces & side.outposts).count());
    score += c.add(us, kWeights.minor_behind_pawn, (pieces & push(them, side.pawns)).count());
    if (knight)
        return score +
               c.add(us, kWeights.knight_per_pawn, pieces.count() * (side.own_pawns.count() - 5));

    const Bitboard light = pieces & kLightSquares, light_pawns = side.own_pawns & kLightSquares;
    score += c.add(us, kWeights.bishop_own_colour_pawn,
                   light.count() * light_pawns.count() +
                       (pieces ^ light).count() * (side.own_pawns ^ light_pawns).count());
    constexpr Bitboard centre_files =
        Bitboard{File::C} | Bitboard{File::D} | Bitboard{File::E} | Bitboard{File::F};
    const Bitboard stuck = side.own_pawns & push(them, side.all) & centre_files;
    score += c.add(us, kWeights.bishop_blocked_centre, pieces.count() * stuck.count());
    constexpr Bitboard centre =
        Bitboard{Square::D4} | Bitboard{Square::E4} | Bitboard{Square::D5} | Bitboard{Square::E5};
    for (const Square s : pieces& kLongDiagonals)
        if ((bishop_attacks(s, side.pawns) & centre).several())
            score += c.add(us, kWeights.bishop_long_diagonal);
    return score;
}

template <Color us, class Tracer>
Tapered evaluate_rooks(Context<Tracer>& c, const SideView<us>& side, Bitboard rooks) {
    const Position& p = c.position;
    constexpr Color them = ~us;
    Tapered score = c.add(us, kWeights.rook_per_pawn, rooks.count() * (side.own_pawns.count() - 5));
    score += c.add(us, kWeights.rook_open_file, rooks.without(files_of(side.pawns)).count());
    score += c.add(us, kWeights.rook_half_open_file,
                   (rooks & files_of(side.pawns)).without(side.own_files).count());
    constexpr Bitboard seventh{relative(us, Rank::R7)};
    if ((rooks & seventh).any() && ((seventh & p.pieces(them, PieceType::Pawn)).any() ||
                                    relative(us, rank_of(p.king(them))) == Rank::R8))
        score += c.add(us, kWeights.rook_on_seventh, (rooks & seventh).count());
    return score;
}

// What depends on how far a single rook sees.
template <Color us, class Tracer>
Tapered evaluate_rook(Context<Tracer>& c, const SideView<us>& side, Square s, int mobility,
                      Bitboard reach, Bitboard rooks) {
    const Square king = side.king;
    if (!side.own_files.contains(s))
        return (reach & Bitboard{file_of(s)} & rooks).any() ? c.add(us, kWeights.rook_doubled)
                                                            : Tapered{};
    // Shut in between the own king and the edge.
    const bool king_side = index(file_of(king)) >= 4;
    if (mobility <= 3 && king_side == (file_of(s) > file_of(king)) &&
        relative(us, rank_of(king)) <= Rank::R2 && relative(us, rank_of(s)) <= Rank::R2 &&
        file_of(s) != file_of(king))
        return c.add(us, kWeights.rook_trapped_by_king, c.position.castling().any(us) ? 1 : 2);
    return {};
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

// All pieces of one kind.
template <Color us, PieceType type, class Tracer>
void evaluate_kind(Context<Tracer>& c, SideView<us>& side,
                   [[maybe_unused]] const WeightArray<32>& square_weights,
                   const auto& mobility_weights, const int& attacker_units) {
    const Position& p = c.position;
    const Bitboard pieces = p.pieces(us, type);
    // Sliders look through the own queen and other sliders of their kind.
    const Bitboard blockers = type == PieceType::Bishop ? side.all ^ side.queens
                              : type == PieceType::Rook ? side.all ^ side.queens ^ pieces
                                                        : side.all;
    constexpr bool minor = type == PieceType::Knight || type == PieceType::Bishop;
    Bitboard attacks;
    [[maybe_unused]] int attackers = 0, distances = 0, reaching = 0;
    for (const Square s : pieces) {
        if constexpr (Tracer::kActive || kAdjustable)
            side.score += c.add(us, kWeights.material[type_index(type)]) +
                          c.add(us, square_weights[half_board(us, s)]);
        else
            side.score += kPlacement[us][type][s];
        Bitboard reach = piece_attacks(type, s, blockers);
        if (side.pinned.contains(s)) reach &= line_through(side.king, s);
        side.attacked_twice |= side.attacked & reach;
        side.attacked |= reach;
        attacks |= reach;
        attackers += (reach & side.zone).any();
        side.zone_attacks += (reach & side.ring).count();
        const int mobility = (reach & side.area).count();
        side.score += c.add(us, mobility_weights[static_cast<std::size_t>(mobility)]);
        if constexpr (minor) distances += distance(side.king, s);
        if constexpr (type == PieceType::Knight)
            reaching += !side.outposts.contains(s) && (reach & side.outposts & ~side.own).any();
        if constexpr (type == PieceType::Rook)
            side.score += evaluate_rook(c, side, s, mobility, reach, pieces);
        if constexpr (type == PieceType::Queen) side.score += evaluate_queen<us>(c, s);
    }
    side.attackers += attackers;
    side.attack_units += attackers * attacker_units;
    c.tracer.note_units(attacker_units, ~us, 2 * attackers);  // times all attackers, at the end
    if constexpr (minor) {
        side.score += c.add(us, kWeights.minor_far_from_king, distances) +
                      evaluate_minors<us, type>(c, side, pieces);
        if (type == PieceType::Knight) side.score += c.add(us, kWeights.outpost_in_reach, reaching);
    }
    if constexpr (type == PieceType::Rook) side.score += evaluate_rooks(c, side, pieces);
    c.attacks[us][type] = attacks;
}

template <Color us, class Tracer>
Tapered evaluate_pieces(Context<Tracer>& c) {
    SideView<us> side(c);
    side.score = c.add(us, kWeights.king_square[half_board(us, side.king)]);
    evaluate_kind<us, PieceType::Knight>(c, side, kWeights.knight_square, kWeights.knight_mobility,
                                         kDanger.knight_attacker);
    evaluate_kind<us, PieceType::Bishop>(c, side, kWeights.bishop_square, kWeights.bishop_mobility,
                                         kDanger.bishop_attacker);
    evaluate_kind<us, PieceType::Rook>(c, side, kWeights.rook_square, kWeights.rook_mobility,
                                       kDanger.rook_attacker);
    evaluate_kind<us, PieceType::Queen>(c, side, kWeights.queen_square, kWeights.queen_mobility,
                                        kDanger.queen_attacker);
    c.attacked[us] = side.attacked;
    c.attacked_twice[us] = side.attacked_twice;
    c.attackers[us] = side.attackers;
    c.attack_units[us] = side.attack_units;
    c.zone_attacks[us] = side.zone_attacks;

    const Bitboard bishops = c.position.pieces(us, PieceType::Bishop);
    if ((bishops & kLightSquares).any() && (bishops & kDarkSquares).any())
        side.score += c.add(us, kWeights.bishop_pair);
    return side.score;
}

}  // namespace rokada::engine
