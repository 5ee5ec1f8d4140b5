// SPDX-License-Identifier: GPL-3.0-or-later
// What the network sees: 768 inputs per view, one for each kind of piece on each square, as seen by one side.
// The board is turned so that the viewer plays up, and mirrored so that the viewer's king stands on files a to d.
// Engine and trainer share this file, so that they can never disagree.
#pragma once

#include "chess/types.hpp"

namespace rokada::engine {

inline constexpr int kNetworkInputs = 768;
inline constexpr int kOutputBuckets = 8;

// How one side looks at the board; changes only when its king crosses the d/e line.
class View {
  public:
    constexpr View(Color side, Square own_king)
        : side_(side),
          flip_((side == Color::White ? 0 : 56) ^ (file_of(own_king) >= File::E ? 7 : 0)) {}

    constexpr int feature(Piece piece, Square square) const {
        const int other = color_of(piece) == side_ ? 0 : kNetworkInputs / 2;
        return other + index(type_of(piece)) * 64 + (index(square) ^ flip_);
    }
    constexpr bool mirrored() const { return (flip_ & 7) != 0; }
    friend constexpr bool operator==(View a, View b) {
        return a.side_ == b.side_ && a.flip_ == b.flip_;
    }

  private:
    Color side_;
    int flip_;
};

// One set of output weights for each stage of the game, by the number of men on the board (2 to 32).
constexpr int output_bucket(int men) { return (men - 2) / (32 / kOutputBuckets); }

}  // namespace rokada::engine
