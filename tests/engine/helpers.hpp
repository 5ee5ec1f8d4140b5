// SPDX-License-Identifier: GPL-3.0-or-later
// Small things that several engine tests need.
#pragma once

#include <mutex>
#include <sstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "chess/movegen.hpp"
#include "chess/notation/fen.hpp"
#include "chess/notation/uci_move.hpp"
#include "engine/engine.hpp"

namespace rokada::engine {

inline Position position_of(std::string_view fen) {
    const auto position = parse_position(fen);
    EXPECT_TRUE(position) << fen;
    return position ? *position : Position();
}

// An engine that keeps everything it was told.
struct Recorder {
    std::vector<Info> infos;
    std::vector<BestMove> best_moves;
    std::vector<std::string> messages;
    mutable std::mutex mutex;
    Engine engine{Callbacks{[this](const Info& info) {
                                std::lock_guard lock(mutex);
                                infos.push_back(info);
                            },
                            [this](const BestMove& best) {
                                std::lock_guard lock(mutex);
                                best_moves.push_back(best);
                            },
                            [this](std::string_view text) {
                                std::lock_guard lock(mutex);
                                messages.emplace_back(text);
                            }}};

    BestMove think(std::string_view fen, const Limits& limits) {
        engine.set_position(position_of(fen));
        return engine.think(limits);
    }
    std::size_t finished() const {
        std::lock_guard lock(mutex);
        return best_moves.size();
    }
};

inline Limits nodes(std::uint64_t count) {
    Limits limits;
    limits.nodes = count;
    return limits;
}
inline Limits depth(int plies) {
    Limits limits;
    limits.depth = plies;
    return limits;
}
inline Limits move_time(int milliseconds) {
    Limits limits;
    limits.move_time = Milliseconds{milliseconds};
    return limits;
}

inline std::string text(const std::vector<Move>& line) {
    std::ostringstream out;
    for (const Move m : line) out << to_uci(m) << ' ';
    return out.str();
}

// Everything an info says that must not depend on the clock.
inline std::string text(const Info& info) {
    std::ostringstream out;
    out << info.depth << '/' << info.selective_depth << " #" << info.multipv;
    if (info.score.is_mate())
        out << " mate " << info.score.moves_to_mate();
    else
        out << " cp " << info.score.centipawns();
    out << " nodes " << info.nodes << " pv " << text(info.line);
    return out.str();
}

}  // namespace rokada::engine
