// SPDX-License-Identifier: GPL-3.0-or-later
// The xboard protocol from the engine to the GUI: answers as values, written by the engine side and
// read by the driver side. Reading is lenient: what is not understood becomes Unknown.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "engine/engine.hpp"
#include "protocol/tokens.hpp"

namespace rokada::protocol::cecp {

struct Features {
    std::vector<std::pair<std::string, std::string>> items;  // in their order; `option` comes often
};
struct MoveAnswer {
    std::string text;
};
struct Pong {
    std::string number;
};
struct Refused {
    bool move = false;   // Illegal move; otherwise Error
    std::string reason;  // may be empty
    std::string about;   // the move or command
};
struct ResultClaim {
    std::string result;  // 1-0, 0-1, 1/2-1/2, *
    std::string comment;
};
struct Resign {};
struct OfferDraw {};
struct HintAnswer {
    std::string move;
};
// One line of thinking. Mates are scores of 100,000 and the number of moves.
struct ThinkingText {
    int depth = 0;
    engine::Score score;
    engine::Milliseconds time{0};
    std::uint64_t nodes = 0;
    std::string line;
};
struct Unknown {};

using Answer = std::variant<Unknown, Features, MoveAnswer, Pong, Refused, ResultClaim, Resign,
                            OfferDraw, HintAnswer, ThinkingText>;

Answer parse_answer(std::string_view line);

std::string to_line(const ThinkingText& thinking);
std::string to_line(const Refused& refused);
// The value of a feature that declares an option: `Hash -spin 16 1 1024`.
std::string feature_value(const engine::Option& option);
std::optional<engine::Option> parse_feature_option(std::string_view value);

}  // namespace rokada::protocol::cecp
