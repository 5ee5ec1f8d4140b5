// SPDX-License-Identifier: GPL-3.0-or-later
// Gives the moves of a node one after the other, the most promising first, and makes no more work
// than needed: the move remembered in the table comes without generating anything, quiet moves are
// only generated once no good capture is left.
#pragma once

#include <limits>

#include "chess/movegen.hpp"
#include "engine/search/checks.hpp"
#include "engine/search/history.hpp"
#include "engine/search/transposition_table.hpp"
#include "engine/search/value.hpp"

namespace rokada::engine {

class MovePicker {
  public:
    // The histories of the moves one, two, four and six plies ago (Histories::nothing where there
    // was none).
    struct Continuations {
        const PieceToHistory* one;
        const PieceToHistory* two;
        const PieceToHistory* four;
        const PieceToHistory* six;
    };

    // Every legal move, for the main search and for getting out of check.
    MovePicker(const Position& position, const Checks& checks, Histories& histories,
               const Continuations& continuations, const TranspositionTable& table,
               Move table_move);
    // Captures and queen promotions only; those that lose more than -threshold in exchange are left
    // out.
    MovePicker(const Position& position, Histories& histories, const TranspositionTable& table,
               Move table_move, Value threshold);

    // The next move, or none at the end.
    Move next();
    // No further quiet moves: the node has seen enough of them.
    void skip_quiets() { skip_quiets_ = true; }
    // Whether the move just given was a capture that loses material.
    bool in_bad_noisy() const { return stage_ == Stage::BadNoisy; }

  private:
    enum class Stage { Table, MakeNoisy, GoodNoisy, MakeQuiet, Quiet, BadNoisy, Done };

    // Score, move and place in the list in one number: the best is simply the greatest, and says where it stands.
    using Scored = std::int64_t;
    static constexpr Scored kPlaceMask = 0xFFFF;
    static Move move_of(Scored s) { return Move::from_bits(static_cast<std::uint16_t>(s >> 16)); }
    static int score_of(Scored s) { return static_cast<int>(s >> 32); }
    static Scored scored(Move m, int score, std::size_t place) {
        return Scored{score} * (Scored{1} << 32) + (Scored{m.bits()} << 16) +
               static_cast<Scored>(place);
    }

    void make_noisy();
    void make_quiet();
    void close_list(std::size_t end, Scored best);
    Scored take_best();
    // Whoever takes the move will soon look up where it leads.
    Move announce(Move m) const {
        table_.prefetch(position_.key_after(m));
        return m;
    }

    const Position& position_;
    const Checks* checks_ = nullptr;
    Histories& histories_;
    Continuations continuations_{};
    const TranspositionTable& table_;
    Move table_move_;
    Value threshold_ = 0;
    bool noisy_only_ = false;
    bool skip_quiets_ = false;
    Stage stage_ = Stage::Table;
    // Captures that lose material are put back at the front of the list, in places already used.
    std::size_t bad_end_ = 0;
    std::size_t at_ = 0;
    std::size_t end_ = 0;
    // The best of a new list is known from making it. Behind the last move stand some that are worse than any: the best is
    // looked for among eight at a time, for most lists are no longer, and how long they are cannot be guessed.
    static constexpr Scored kNothing = std::numeric_limits<Scored>::min();
    static constexpr std::size_t kBehind = 8;
    Scored best_ = kNothing;
    Scored list_[MoveList::kCapacity + kBehind];  // uninitialised on purpose
};

}  // namespace rokada::engine
