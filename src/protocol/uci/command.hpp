// SPDX-License-Identifier: GPL-3.0-or-later
// UCI, from the GUI to the engine: the commands as values, read from a line and written to one. The
// engine side reads them, the driver side writes them. Reading is total; moves and positions stay
// text, only a game can judge them.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "engine/limits.hpp"
#include "protocol/tokens.hpp"

namespace rokada::protocol::uci {

struct Hello {};  // uci
struct Debug {
    bool on = false;
};
struct IsReady {};
struct SetOption {
    std::string name;
    std::optional<std::string> value;
};
struct Register {};
struct NewGame {};
struct MoveText {
    std::string text;
    std::size_t offset = 0;
};
struct SetPosition {
    std::optional<std::string> fen;  // none: the usual start position
    std::size_t fen_offset = 0;
    std::vector<MoveText> moves;
};
struct Go {
    PerColor<std::optional<engine::Milliseconds>> time;
    PerColor<std::optional<engine::Milliseconds>> increment;
    engine::Limits limits;  // all but the clock and the moves to search
    std::optional<int> moves_to_go;
    std::vector<MoveText> search_moves;
    std::optional<int> perft;
};
struct Stop {};
struct PonderHit {};
struct Quit {};
// Not of the standard, for people at a terminal.
struct Display {};
struct Evaluate {};
struct Bench {
    std::string arguments;
};
struct ShowFen {};
struct ShowMoves {};
struct Flip {};
struct Wait {};
struct Help {};

struct Nothing {};  // an empty line

using Command = std::variant<Nothing, Hello, Debug, IsReady, SetOption, Register, NewGame,
                             SetPosition, Go, Stop, PonderHit, Quit, Display, Evaluate, Bench,
                             ShowFen, ShowMoves, Flip, Wait, Help>;

// Words before the first command of the standard are passed over, as it asks ("joho debug on"). Our own commands have to
// be the first word: "positon startpos moves e2e4" is a mistake and no wish to see the moves.
Result<Command, ParseError> parse_command(std::string_view line);

std::string to_line(const SetOption& command);
std::string to_line(const SetPosition& command);
std::string to_line(const Go& command);

}  // namespace rokada::protocol::uci
