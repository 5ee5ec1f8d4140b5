// SPDX-License-Identifier: GPL-3.0-or-later
#include "chess/counter.hpp"

#include "chess/attacks.hpp"
#include "chess/compass.hpp"

namespace rokada {

namespace {

// One side's pieces. A queen is both a straight and a diagonal slider, so five sets are enough.
struct Army {
    Bitboard pawns, knights, diagonal, straight, king, all;

    Army without(Bitboard taken) const {
        return {pawns.without(taken),
                knights.without(taken),
                diagonal.without(taken),
                straight.without(taken),
                king,
                all.without(taken)};
    }
    Army with_moved(Bitboard Army::* kind, Bitboard from_and_to) const {
        Army moved = *this;
        moved.*kind ^= from_and_to;
        moved.all ^= from_and_to;
        return moved;
    }
};

// The side to move comes first. `rights` are the rooks that may still castle; `en_passant` is the
// square just jumped over, kept only if a pawn stands ready to take there.
struct Board {
    Army us, them;
    Bitboard rights, en_passant;
};

// One castling: fixed as long as its right exists.
struct Castling {
    Bitboard rook, king_to, rook_to;
    Bitboard empty, safe;  // what nobody may stand on or attack

    // A rook pinned on its rank would uncover the king on its new square (Chess960 only).
    bool possible(Bitboard rights, Bitboard occupied, Bitboard danger, Bitboard pinned) const {
        return (rook & rights).any() &&
               ((empty & occupied) | (safe & danger) | (rook & pinned)).empty();
    }
};
using Castlings = PerColor<std::array<Castling, 2>>;

template <Color Us>
struct PawnLanes {
    static constexpr std::uint64_t kAll = ~std::uint64_t{0};
    static constexpr Compass::Half kNone{}, kSides{0, kAll, 0, kAll}, kAhead{0, 0, kAll, 0};
    static constexpr Compass kCaptures =
        Us == Color::White ? Compass{kSides, kNone} : Compass{kNone, kSides};
    static constexpr Compass kPush =
        Us == Color::White ? Compass{kAhead, kNone} : Compass{kNone, kAhead};
};

// Rare cases take the board by value, so that the common path need not keep it in memory.
template <Color Us>
[[gnu::noinline]] Bitboard en_passant_takers(Board board) {
    const Square target = board.en_passant.first(), king = board.us.king.first();
    const Bitboard taken{target - forward(Us)};
    const Army foes = board.them.without(taken);
    Bitboard takers = pawn_attacks(~Us, target) & board.us.pawns;
    for (const Square from : takers) {
        const Bitboard occupied = (board.us.all ^ Bitboard{from}) | foes.all | board.en_passant;
        const Bitboard attackers = (pawn_attacks(Us, king) & foes.pawns) |
                                   (knight_attacks(king) & foes.knights) |
                                   (rook_attacks(king, occupied) & foes.straight) |
                                   (bishop_attacks(king, occupied) & foes.diagonal);
        if (attackers.any()) takers ^= Bitboard{from};
    }
    return takers;
}

struct Evasion {
    Bitboard answers;  // where another piece takes the checker or steps in its way; none if two
                       // give check
    Bitboard shadow;   // squares the king hides from the sliders that check it
};

template <Color Us>
[[gnu::noinline]] Evasion evade(Board board) {
    const Army& them = board.them;
    const Bitboard occupied = board.us.all | them.all;
    const Square king = board.us.king.first();
    const Bitboard sliders = (rook_attacks(king, occupied) & them.straight) |
                             (bishop_attacks(king, occupied) & them.diagonal);
    const Bitboard checkers =
        sliders | (knight_attacks(king) & them.knights) | (pawn_attacks(Us, king) & them.pawns);
    Evasion evasion;
    for (const Square slider : sliders)
        evasion.shadow |= line_through(king, slider).without(Bitboard{slider});
    if (!checkers.several()) evasion.answers = checkers | between(king, checkers.first());
    return evasion;
}

// What the side to move has to respect.
template <Color Us>
struct View {
    Bitboard occupied;
    Square king;
    Rays rays;
    Compass pins{kNoSquares};  // own pieces pinned, by axis
    Bitboard danger;           // where the king must not go
    Bitboard answers = kAllSquares;
    bool check = false;

    [[gnu::always_inline]] explicit View(const Board& board)
        : occupied(board.us.all | board.them.all), king(board.us.king.first()), rays(occupied) {
        const Army &us = board.us, &them = board.them;
        const Compass seen = rays.from(Compass(them.straight, them.diagonal));
        // A piece of ours that the king sees and that a slider sees on its way to the king.
        const Bitboard shields = queen_attacks(king, occupied) & us.all;
        pins = (Compass{shields} & seen & Rays::towards(king)).both_ways();
        danger = (seen | Rays::jump(Compass{them.knights})).united() |
                 pawn_attacks<~Us>(them.pawns) | king_attacks(them.king.first());
        if ((danger & us.king).any()) [[unlikely]] {
            const Evasion evasion = evade<Us>(board);
            check = true;
            danger |= evasion.shadow;
            answers = evasion.answers;
        }
    }
};

class Counter {
  public:
    explicit Counter(const Position& position);
    template <Color Us>
    std::uint64_t walk(const Board& board, int depth) const;

  private:
    // The last ply: moves that come in sets are added up lane by lane, the others one by one.
    struct Tally {
        Compass lanes{kNoSquares};
        std::uint64_t others = 0;
        std::uint64_t sum() const { return lanes.sum() + others; }
    };
    template <Color Us>
    [[gnu::always_inline]] void count(const Board& board, Tally& tally) const;
    template <Color Us, bool BeforeLast>
    std::uint64_t descend(const Board& board, int depth) const;

    Castlings castlings_;
};

Counter::Counter(const Position& position) {
    for (const Color c : kColors) {
        for (const CastlingSide side : kCastlingSides) {
            const Square king = position.king(c), rook = position.castling().rook(c, side);
            if (rook == Square::None) continue;
            const Square king_to = castled_king(c, side), rook_to = castled_rook(c, side);
            Castling& castling = castlings_[c][static_cast<std::size_t>(side)];
            castling.rook = Bitboard{rook};
            castling.king_to = Bitboard{king_to};
            castling.rook_to = Bitboard{rook_to};
            castling.safe = between(king, king_to).with(king_to);
            castling.empty = (castling.safe | between(rook, rook_to).with(rook_to))
                                 .without(Bitboard{king} | castling.rook);
        }
    }
}

template <Color Us>
inline void Counter::count(const Board& board, Tally& tally) const {
    const Army &us = board.us, &them = board.them;
    const View<Us> view(board);

    std::uint64_t others =
        static_cast<std::uint64_t>(king_attacks(view.king).without(us.all | view.danger).count());
    const Bitboard rights = board.rights & Bitboard{relative(Us, Rank::R1)};
    if (!view.check && rights.any())
        for (const Castling& castling : castlings_[Us])
            others += castling.possible(rights, view.occupied, view.danger,
                                        view.pins.on(Axis::Horizontal));
    if (board.en_passant.any()) [[unlikely]]
        others += static_cast<std::uint64_t>(en_passant_takers<Us>(board).count());

    // A pinned piece keeps the lanes of its own axis; a pinned knight has none.
    const Compass pinned = view.pins.spread();
    const Compass mobile = view.pins | ~pinned;
    const Compass wanted{view.answers.without(us.all)};
    const Compass slides = view.rays.from(Compass(us.straight, us.diagonal) & mobile) & wanted;
    const Compass jumps = Rays::jump(Compass{us.knights} & ~pinned) & wanted;

    using Lanes = PawnLanes<Us>;
    const Compass empty{~view.occupied};
    const Compass steps = Rays::step(Compass{us.pawns} & mobile) &
                          ((Lanes::kCaptures & Compass{them.all}) | (Lanes::kPush & empty));
    const Compass jumpers = steps & Lanes::kPush & Compass{Bitboard{relative(Us, Rank::R3)}};
    const Compass pawn_moves = (steps | (Rays::step(jumpers) & empty)) & Compass{view.answers};
    if ((us.pawns & Bitboard{relative(Us, Rank::R7)}).any()) [[unlikely]] {
        const Compass promotions = pawn_moves & Compass{Bitboard{relative(Us, Rank::R8)}};
        others += 3 * promotions.counts().sum();
    }

    tally.lanes = tally.lanes + slides.counts() + jumps.counts() + pawn_moves.counts();
    tally.others += others;
}

template <Color Us>
std::uint64_t Counter::walk(const Board& board, int depth) const {
    if (depth > 2) return descend<Us, false>(board, depth);
    if (depth == 2) return descend<Us, true>(board, depth);
    Tally tally;
    count<Us>(board, tally);
    return tally.sum();
}

template <Color Us, bool BeforeLast>
std::uint64_t Counter::descend(const Board& board, int depth) const {
    const Army &us = board.us, &them = board.them;
    const View<Us> view(board);
    Tally tally;

    // Everything below is inlined into each loop: a board that goes through memory costs more than
    // the moves it saves.
    const auto go = [&](const Army& moved, Bitboard touched, Bitboard taken,
                        Bitboard en_passant = kNoSquares) __attribute__((always_inline)) {
        const Board next{them.without(taken), moved, board.rights.without(touched), en_passant};
        if constexpr (BeforeLast)
            count<~Us>(next, tally);
        else
            tally.others += walk<~Us>(next, depth - 1);
    };

    constexpr Bitboard kBackRank{relative(Us, Rank::R1)};
    for (const Square square : king_attacks(view.king).without(us.all | view.danger)) {
        const Bitboard to{square};
        go(us.with_moved(&Army::king, us.king | to), kBackRank | to, to);
    }
    if (view.answers.empty()) return tally.sum();

    const Bitboard rights = board.rights & kBackRank;
    if (!view.check && rights.any()) {
        for (const Castling& castling : castlings_[Us]) {
            if (!castling.possible(rights, view.occupied, view.danger,
                                   view.pins.on(Axis::Horizontal)))
                continue;
            Army moved = us.with_moved(&Army::king, us.king ^ castling.king_to);
            moved.straight ^= castling.rook ^ castling.rook_to;
            moved.all = (us.all ^ us.king ^ castling.rook) | castling.king_to | castling.rook_to;
            go(moved, kBackRank, kNoSquares);
        }
    }

    const Bitboard pinned = view.pins.united();
    const Bitboard wanted = view.answers.without(us.all);
    for (const Square from : us.knights.without(pinned)) {
        for (const Square square : knight_attacks(from) & wanted) {
            const Bitboard to{square}, change = to.with(from);
            go(us.with_moved(&Army::knights, change), to, to);
        }
    }
    for (const Square from : us.diagonal | us.straight) {
        const Bitboard diagonal = us.diagonal.contains(from) ? kAllSquares : kNoSquares;
        const Bitboard straight = us.straight.contains(from) ? kAllSquares : kNoSquares;
        Bitboard targets = wanted & ((bishop_attacks(from, view.occupied) & diagonal) |
                                     (rook_attacks(from, view.occupied) & straight));
        if (pinned.contains(from)) targets &= line_through(view.king, from);
        for (const Square square : targets) {
            const Bitboard to{square}, change = to.with(from);
            Army moved = us.with_moved(&Army::diagonal, change);
            moved.diagonal = us.diagonal ^ (change & diagonal);
            moved.straight ^= change & straight;
            go(moved, change, to);
        }
    }

    constexpr Direction kUp = forward(Us);
    constexpr Direction kUpEast = Us == Color::White ? Direction::NorthEast : Direction::SouthEast;
    constexpr Direction kUpWest = Us == Color::White ? Direction::NorthWest : Direction::SouthWest;
    constexpr Axis kEastAxis = Us == Color::White ? Axis::Diagonal : Axis::AntiDiagonal;
    constexpr Axis kWestAxis = Us == Color::White ? Axis::AntiDiagonal : Axis::Diagonal;
    constexpr Bitboard kLastRank{relative(Us, Rank::R8)};
    const auto advance = [&](Bitboard targets, Direction by) {
        for (const Square square : targets.without(kLastRank)) {
            const Bitboard to{square};
            go(us.with_moved(&Army::pawns, to.with(square - by)), to, to);
        }
        for (const Square square : targets& kLastRank) {
            const Bitboard to{square};
            for (const PieceType piece :
                 {PieceType::Queen, PieceType::Rook, PieceType::Bishop, PieceType::Knight}) {
                Army moved = us.with_moved(&Army::pawns, to.with(square - by));
                moved.pawns ^= to;
                if (piece == PieceType::Knight) moved.knights |= to;
                if (piece == PieceType::Queen || piece == PieceType::Bishop) moved.diagonal |= to;
                if (piece == PieceType::Queen || piece == PieceType::Rook) moved.straight |= to;
                go(moved, to, to);
            }
        }
    };
    const auto movable = [&](Axis axis) { return us.pawns & (~pinned | view.pins.on(axis)); };
    const Bitboard single = shift<kUp>(movable(Axis::Vertical)).without(view.occupied);
    const Bitboard twice =
        shift<kUp>(single & Bitboard{relative(Us, Rank::R3)}).without(view.occupied);
    advance(single & view.answers, kUp);
    for (const Square to : twice& view.answers) {
        const Square jumped = to - kUp;
        const bool takeable = (pawn_attacks(Us, jumped) & them.pawns).any();
        go(us.with_moved(&Army::pawns, Bitboard{to}.with(jumped - kUp)), kNoSquares, kNoSquares,
           takeable ? Bitboard{jumped} : kNoSquares);
    }
    const Bitboard prey = them.all & view.answers;
    advance(shift<kUpEast>(movable(kEastAxis)) & prey, kUpEast);
    advance(shift<kUpWest>(movable(kWestAxis)) & prey, kUpWest);
    if (board.en_passant.any())
        for (const Square from : en_passant_takers<Us>(board))
            go(us.with_moved(&Army::pawns, board.en_passant.with(from)), kNoSquares,
               shift<forward(~Us)>(board.en_passant));
    return tally.sum();
}

Army army(const Position& position, Color c) {
    return {position.pieces(c, PieceType::Pawn),
            position.pieces(c, PieceType::Knight),
            position.pieces(c, PieceType::Bishop, PieceType::Queen),
            position.pieces(c, PieceType::Rook, PieceType::Queen),
            position.pieces(c, PieceType::King),
            position.pieces(c)};
}

}  // namespace

std::uint64_t count_leaves(const Position& position, int depth) {
    if (depth <= 0) return 1;
    Board board{army(position, position.turn()), army(position, ~position.turn()), {}, {}};
    for (const Color c : kColors)
        for (const CastlingSide side : kCastlingSides)
            if (position.castling().has(c, side))
                board.rights |= Bitboard{position.castling().rook(c, side)};
    if (position.en_passant() != Square::None) board.en_passant = Bitboard{position.en_passant()};
    const Counter counter(position);
    return position.turn() == Color::White ? counter.walk<Color::White>(board, depth)
                                           : counter.walk<Color::Black>(board, depth);
}

}  // namespace rokada
