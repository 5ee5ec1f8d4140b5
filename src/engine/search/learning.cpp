// SPDX-License-Identifier: GPL-3.0-or-later
// What a finished node teaches: the move that refuted gains credit, those tried before it lose
// some.
#include <algorithm>

#include "engine/search/parameters.hpp"
#include "engine/search/worker.hpp"

namespace rokada::engine {

void Worker::update_continuations(Frame* frame, Piece piece, Square to, int bonus) {
    const std::size_t where = piece_to(piece, to);
    for (const int back : {1, 2, 4, 6}) {
        // A reply to a check says little about plans of several moves ago.
        if (frame->in_check && back > 2) break;
        PieceToHistory* const table = frame[-back].continuation;
        if (table != &histories_.nothing) (*table)[where].update(bonus);
    }
}

void Worker::update_quiet(Frame* frame, Move move, int bonus) {
    const Position& position = frame->position;
    const Piece piece = position.at(move.from());
    histories_.butterfly[position.turn()][from_to(move)].update(bonus);
    histories_.pawn_of(position)[piece_to(piece, move.to())].update(bonus);
    update_continuations(frame, piece, move.to(), bonus);
}

void Worker::learn_from_cutoff(Frame* frame, Move best, Depth depth, const Tried& quiets,
                               const Tried& noisy) {
    const Position& position = frame->position;
    const int bonus =
        std::min(kSearch.bonus_slope * depth - kSearch.bonus_offset, kSearch.bonus_max);
    const int malus =
        std::min(kSearch.malus_slope * depth - kSearch.malus_offset, kSearch.malus_max);
    if (is_noisy(position, best)) {
        histories_.capture_of(position, best).update(bonus);
    } else {
        update_quiet(frame, best, bonus);
        for (int i = 0; i < quiets.count; ++i) update_quiet(frame, quiets.moves[i], -malus);
    }
    for (int i = 0; i < noisy.count; ++i)
        histories_.capture_of(position, noisy.moves[i]).update(-malus);
}

}  // namespace rokada::engine
