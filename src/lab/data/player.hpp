// SPDX-License-Identifier: GPL-3.0-or-later
// The engine as datagen uses it: for both sides, with as many nodes for every position. Same questions, same answers.
#pragma once

#include <string>
#include <vector>

#include "engine/engine.hpp"

namespace rokada::lab {

class Player {
  public:
    Player(bool network, int hash_megabytes) : engine_(callbacks()) {
        engine_.set_option("Hash", std::to_string(hash_megabytes));
        engine_.set_option("Evaluation", network ? "network" : "classical");
        engine_.wait();
    }
    void new_game() {
        engine_.new_game();
        engine_.wait();
    }
    // After these moves from the start position.
    Move think(const std::vector<Move>& moves, const engine::Limits& limits) {
        engine_.set_position(Position(), moves);
        last_ = {};
        const Move best = engine_.think(limits).move;
        nodes_ += last_.nodes;
        return best;
    }
    engine::Score score() const { return last_.score; }  // of the last position
    std::uint64_t nodes() const { return nodes_; }       // of all searches
    bool remembers(const Position& position) const { return engine_.remembers(position); }

  private:
    engine::Callbacks callbacks() {
        engine::Callbacks c;
        c.on_info = [this](const engine::Info& info) { last_ = info; };
        return c;
    }
    engine::Info last_;
    std::uint64_t nodes_ = 0;
    engine::Engine engine_;
};

inline engine::Limits limits_of(std::uint64_t nodes) {
    engine::Limits limits;
    limits.soft_nodes = nodes;
    // An iteration that explodes is cut.
    limits.nodes = 20 * nodes;
    return limits;
}

// A number from 0 up to 1.
template <class Random>
double uniform(Random& random) {
    return static_cast<double>(random() >> 11) * 0x1.0p-53;
}

}  // namespace rokada::lab
