// SPDX-License-Identifier: GPL-3.0-or-later
// What a weak player does not see. Each move is seen or not by a hash, with a chance that falls with depth, quietness and
// oddness of the move; what anybody sees has a chance of its own. Near the root the same thing stays overlooked for some moves, until something touches it.
#pragma once

#include "chess/position.hpp"
#include "engine/levels/profile.hpp"

namespace rokada::engine {

class Perception {
  public:
    // `seed` names the game.
    Perception(const Profile& profile, std::uint64_t seed) : profile_(profile), seed_(seed) {}

    // Everything is seen: for positions where a basic technique must not fail.
    void open_eyes() { all_ = true; }
    // The queen is attacked and the player knows it: where she could go is seen, and what would take her there.
    void mind_the_queen() { minds_queen_ = true; }

    // `last` is the move that led to the position, `own_last` the one before; none if unknown.
    bool sees(const Position& position, Move move, int ply, Move last, Move own_last) const;
    // A chance of 16 bits, decided once and for all for this position and purpose.
    bool lucky(const Position& position, int chance, std::uint64_t purpose) const {
        return static_cast<int>(mix_bits(position.key() ^ mix_bits(seed_ + purpose)) & 0xFFFF) <
               chance;
    }
    std::uint64_t draw(const Position& position, std::uint64_t purpose) const {
        return mix_bits(position.key() ^ mix_bits(seed_ ^ mix_bits(purpose)));
    }

  private:
    const Profile& profile_;
    std::uint64_t seed_;
    bool all_ = false, minds_queen_ = false;
};

}  // namespace rokada::engine
