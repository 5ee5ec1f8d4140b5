// SPDX-License-Identifier: GPL-3.0-or-later
// The hidden layer along a line of play. A move only notes which men changed; the sums are brought up to date when an
// evaluation is wanted, from the nearest position where they are known. One stack per searching thread.
#pragma once

#include <memory>
#include <vector>

#include "chess/position.hpp"
#include "engine/network/network.hpp"

namespace rokada::engine {

class AccumulatorStack {
  public:
    explicit AccumulatorStack(std::shared_ptr<const Network> network);

    // Forgets the line and starts from this position.
    void reset(const Position& position);
    void push(const Position& before, Move move);
    void push_null();
    void pop() { --top_; }

    // Centipawns for the side to move; `position` must be the one the pushes lead to.
    int evaluate(const Position& position);

    // For tests: both views computed from nothing.
    static int evaluate_from_scratch(const Network& network, const Position& position);

  private:
    struct Man {
        Piece piece;
        Square square;
    };
    struct Entry {
        PerColor<HiddenLayer> sums;
        Man added[2], removed[2];
        std::uint8_t additions = 0, removals = 0;
        PerColor<bool> known;
        PerColor<bool> turned;  // this move mirrored the view, so older sums are of no use
    };
    // The last sums seen for each way of looking at the board: a refresh has only the difference to do.
    struct Remembered {
        HiddenLayer sums;
        PerPieceType<Bitboard> types;
        PerColor<Bitboard> colors;
    };

    void bring_up_to_date(const Position& position, Color side);
    void refresh(const Position& position, Color side);
    void apply(const Entry& from, Entry& to, Color side, View view) const;

    std::shared_ptr<const Network> network_;
    std::vector<Entry> entries_;
    std::size_t top_ = 0;
    PerColor<std::array<Remembered, 2>> remembered_;
};

}  // namespace rokada::engine
