// SPDX-License-Identifier: GPL-3.0-or-later
// How wrong the static evaluation has turned out to be in positions that share something with this
// one: the pawns, the minor pieces, one side's pieces, or the last two moves. The search adds the
// average error to the evaluation.
#pragma once

#include <cstring>

#include "engine/search/frame.hpp"

namespace rokada::engine {

class Corrections {
  public:
    // In centipawns, from the side to move.
    Value correction(const Frame* frame) const;
    // The search of `depth` plies has found the evaluation to be `error` centipawns too low.
    void learn(const Frame* frame, Value error, Depth depth);
    // Asks memory for what correction() will read at this frame.
    void prefetch(const Frame* frame) const;
    void clear() { std::memset(static_cast<void*>(this), 0, sizeof *this); }

  private:
    static constexpr int kLimit = 1024;
    static constexpr std::size_t kSize = 16384;
    using Entry = Gravity<kLimit>;
    using Table = PerColor<std::array<Entry, kSize>>;
    static std::size_t slot(Key key) { return key & (kSize - 1); }

    Table pawn_{}, minor_{}, white_{}, black_{};
    std::array<std::array<Entry, kPieceTo>, kPieceTo> continuation_{};
};

}  // namespace rokada::engine
