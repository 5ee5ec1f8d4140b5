// SPDX-License-Identifier: GPL-3.0-or-later
// The xboard protocol (CECP, version 2), from the GUI to the engine: commands as values, read by
// the engine side and written by the driver side. Reading is total; moves and positions stay text.
#pragma once

#include <optional>
#include <string>
#include <variant>

#include "chess/types.hpp"
#include "engine/limits.hpp"
#include "protocol/tokens.hpp"

namespace rokada::protocol::cecp {

using engine::Milliseconds;

// Commands that are one word.
enum class Simple {
    Nothing,
    Xboard,
    New,
    Quit,
    Random,
    Force,
    Go,
    PlayOther,
    White,
    Black,
    MoveNow,
    Draw,
    Edit,
    Hint,
    Book,
    Undo,
    Remove,
    Hard,
    Easy,
    Post,
    NoPost,
    Analyze,
    Exit,
    Status,
    Computer,
    Pause,
    Resume,
    Ignored,  // of the standard, but nothing for us to do: ics, name, rating, accepted, rejected, ...
};
struct ProtocolVersion {
    int version = 2;
};
struct Variant {
    std::string name;
};
struct Level {
    int moves = 0;  // per session; 0: the whole game
    Milliseconds base{0};
    Milliseconds increment{0};
};
struct MoveTime {
    Milliseconds time{0};
};
struct DepthLimit {
    int plies = 0;
};
struct NodeRate {
    std::int64_t nodes_per_second = 0;  // 0: by the clock again
};
struct ClockLeft {
    bool own = true;  // otherwise the opponent's
    Milliseconds left{0};
};
struct UserMove {
    std::string text;
};
struct Ping {
    std::string number;
};
struct GameResult {
    std::string result, comment;
};
struct SetBoard {
    std::string fen;
};
struct Memory {
    std::int64_t megabytes = 0;
};
struct Cores {
    int count = 1;
};
struct EgtPath {
    std::string type, path;
};
struct SetOption {
    std::string name;
    std::optional<std::string> value;
};
struct Exclude {
    bool include = false;
    std::string move;  // or "all"
};
struct OpponentName {
    std::string name;
};

using Command = std::variant<Simple, ProtocolVersion, Variant, Level, MoveTime, DepthLimit,
                             NodeRate, ClockLeft, UserMove, Ping, GameResult, SetBoard, Memory,
                             Cores, EgtPath, SetOption, Exclude, OpponentName>;

// A word that looks like a move is one, for GUIs without `usermove`.
Result<Command, ParseError> parse_command(std::string_view line);

std::string to_line(const Level& level);
std::string to_line(const MoveTime& time);
std::string to_line(const ClockLeft& clock);
std::string to_line(const SetOption& option);

// "5", "0:30", "1.5" minutes as `level` writes them.
std::optional<Milliseconds> parse_minutes(std::string_view text);

}  // namespace rokada::protocol::cecp
