// SPDX-License-Identifier: GPL-3.0-or-later
#include "lab/levels/level_player.hpp"

#include <algorithm>
#include <string>

namespace rokada::lab {

LevelPlayer::LevelPlayer(int elo, Book book) {
    engine_.set_option("UCI_LimitStrength", "true");
    engine_.set_option("UCI_Elo", std::to_string(elo));
    engine_.set_option("Hash", "1");
    if (book == Book::None) engine_.set_option("BookFile", "<none>");
}

Move LevelPlayer::answer(std::uint64_t seed, const Position& start,
                         const std::vector<Move>& moves) {
    engine_.set_option("Seed", std::to_string(1 + seed % 2'000'000'000));
    engine_.set_position(start, moves);
    return engine_.think({}).move;
}

Judge::Judge(std::uint64_t nodes)
    : engine_([this] {
          engine::Callbacks callbacks;
          callbacks.on_info = [this](const engine::Info& info) { score_ = info.score; };
          return callbacks;
      }()) {
    limits_.nodes = nodes;
}

Judge::Verdict Judge::of(const Position& start, const std::vector<Move>& moves) {
    engine_.set_position(start, moves);
    const Move best = engine_.think(limits_).move;
    int worth = std::clamp(score_.centipawns(), -kDecided, kDecided);
    if (score_.is_mate()) worth = score_.moves_to_mate() > 0 ? kDecided : -kDecided;
    return {best, worth};
}

}  // namespace rokada::lab
