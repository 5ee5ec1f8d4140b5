// SPDX-License-Identifier: GPL-3.0-or-later
// UCI, from the engine to the GUI: the answers as values, written by the engine side and read by
// the driver side. Reading is lenient, as drivers must be: what is not understood becomes Unknown
// and harms nobody.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "engine/engine.hpp"
#include "protocol/tokens.hpp"

namespace rokada::protocol::uci {

struct Identity {
    bool author = false;  // otherwise the name
    std::string text;
};
struct UciOk {};
struct ReadyOk {};
struct BestMoveText {
    std::string move;    // "(none)" or "0000" when there is none
    std::string ponder;  // empty when there is none
};
struct WinDrawLoss {
    int win = 0, draw = 0, loss = 0;  // per mille
};
struct InfoText {
    std::optional<int> depth, selective_depth, multipv, hash_full, current_move_number;
    std::optional<engine::Score> score;
    engine::Bound bound = engine::Bound::Exact;
    std::optional<WinDrawLoss> wdl;
    std::optional<std::uint64_t> nodes, nps, tablebase_hits;
    std::optional<engine::Milliseconds> time;
    std::string current_move;
    std::vector<std::string> line;
    std::optional<std::string> text;  // info string
};
struct Unknown {};

using Answer =
    std::variant<Unknown, Identity, UciOk, ReadyOk, BestMoveText, InfoText, engine::Option>;

Answer parse_answer(std::string_view line);

std::string to_line(const Identity& identity);
std::string to_line(const BestMoveText& best);
std::string to_line(const InfoText& info);
std::string to_line(const engine::Option& option);

}  // namespace rokada::protocol::uci
