// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/evaluation/kpk.hpp"

#include <bitset>
#include <vector>

#include "chess/attacks.hpp"

namespace rokada::engine {

namespace {

// White has the pawn, on the files a to d.
struct Board {
    Square king, pawn, enemy;
    bool white_to_move;
};

constexpr std::size_t kCount = 2 * 64 * 64 * 24;

constexpr std::size_t place(const Board& b) {
    const auto pawn =
        static_cast<std::size_t>(index(file_of(b.pawn)) + 4 * (index(rank_of(b.pawn)) - 1));
    return ((pawn * 64 + static_cast<std::size_t>(index(b.enemy))) * 64 +
            static_cast<std::size_t>(index(b.king))) *
               2 +
           b.white_to_move;
}

constexpr Board board_at(std::size_t i) {
    const bool white = i % 2 != 0;
    const Square king = square_at(static_cast<int>(i / 2 % 64));
    const Square enemy = square_at(static_cast<int>(i / 128 % 64));
    const int pawn = static_cast<int>(i / 8192);
    return {king, make_square(static_cast<File>(pawn % 4), static_cast<Rank>(1 + pawn / 4)), enemy,
            white};
}

bool illegal(const Board& b) {
    return b.king == b.pawn || b.king == b.enemy || b.pawn == b.enemy ||
           king_attacks(b.king).contains(b.enemy) ||
           (b.white_to_move && pawn_attacks(Color::White, b.pawn).contains(b.enemy));
}

// The classification starts from certain wins and draws; what follows from them is added until
// nothing changes, and what is left over then is drawn.
struct Table {
    std::bitset<kCount> won;

    Table() {
        std::vector<std::uint8_t> open(kCount, 0);  // legal and not decided yet
        for (std::size_t i = 0; i < kCount; ++i) open[i] = !illegal(board_at(i));
        for (bool changed = true; changed;) {
            changed = false;
            for (std::size_t i = 0; i < kCount; ++i) {
                if (!open[i]) continue;
                const Board b = board_at(i);
                if (b.white_to_move ? !white_wins(b) : !black_loses(b)) continue;
                won.set(i);
                open[i] = 0;
                changed = true;
            }
        }
    }

    bool white_wins(const Board& b) const {
        for (const Square to : king_attacks(b.king).without(king_attacks(b.enemy))) {
            const Board next{to, b.pawn, b.enemy, false};
            if (to != b.pawn && to != b.enemy && won[place(next)]) return true;
        }
        const Square step = b.pawn + Direction::North;
        if (step == b.king || step == b.enemy) return false;
        if (rank_of(step) == Rank::R8)
            // Promotes safely, or the new queen is guarded.
            return !king_attacks(b.enemy).contains(step) || king_attacks(b.king).contains(step);
        if (won[place({b.king, step, b.enemy, false})]) return true;
        if (rank_of(b.pawn) != Rank::R2) return false;
        const Square leap = step + Direction::North;
        return leap != b.king && leap != b.enemy && won[place({b.king, leap, b.enemy, false})];
    }

    bool black_loses(const Board& b) const {
        const Bitboard forbidden = king_attacks(b.king) | pawn_attacks(Color::White, b.pawn);
        bool any = false;
        for (const Square to : king_attacks(b.enemy)) {
            if (forbidden.contains(to) || to == b.king) continue;
            if (to == b.pawn) return false;  // takes it; a guarded pawn is in `forbidden`
            any = true;
            if (!won[place({b.king, b.pawn, to, true})]) return false;
        }
        return any;  // no move at all is stalemate: a lone pawn and king cannot mate here
    }
};

const Table& table() {
    static const Table instance;
    return instance;
}

}  // namespace

void prepare_kpk() { table(); }

bool kpk_is_won(Color strong, Square strong_king, Square pawn, Square weak_king, Color turn) {
    const bool mirrored = index(file_of(pawn)) > 3;
    const auto seen = [&](Square s) {
        const Square r = relative(strong, s);
        return mirrored ? flip_file(r) : r;
    };
    return table().won[place({seen(strong_king), seen(pawn), seen(weak_king), turn == strong})];
}

}  // namespace rokada::engine
