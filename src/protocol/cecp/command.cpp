// SPDX-License-Identifier: GPL-3.0-or-later
#include "protocol/cecp/command.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <fmt/format.h>

namespace rokada::protocol::cecp {

namespace {

using Parsed = Result<Command, ParseError>;

constexpr std::int64_t kMaxInt = std::numeric_limits<int>::max();
constexpr double kMaxSeconds = 1e12;

struct SimpleWord {
    std::string_view word;
    Simple command;
};
constexpr std::array kSimpleWords{
    SimpleWord{"xboard", Simple::Xboard},
    SimpleWord{"winboard", Simple::Ignored},
    SimpleWord{"new", Simple::New},
    SimpleWord{"quit", Simple::Quit},
    SimpleWord{"random", Simple::Random},
    SimpleWord{"force", Simple::Force},
    SimpleWord{"go", Simple::Go},
    SimpleWord{"playother", Simple::PlayOther},
    SimpleWord{"white", Simple::White},
    SimpleWord{"black", Simple::Black},
    SimpleWord{"?", Simple::MoveNow},
    SimpleWord{"draw", Simple::Draw},
    SimpleWord{"edit", Simple::Edit},
    SimpleWord{"hint", Simple::Hint},
    SimpleWord{"bk", Simple::Book},
    SimpleWord{"undo", Simple::Undo},
    SimpleWord{"remove", Simple::Remove},
    SimpleWord{"hard", Simple::Hard},
    SimpleWord{"easy", Simple::Easy},
    SimpleWord{"post", Simple::Post},
    SimpleWord{"nopost", Simple::NoPost},
    SimpleWord{"analyze", Simple::Analyze},
    SimpleWord{"exit", Simple::Exit},
    SimpleWord{".", Simple::Status},
    SimpleWord{"computer", Simple::Computer},
    SimpleWord{"pause", Simple::Pause},
    SimpleWord{"resume", Simple::Resume},
    SimpleWord{"accepted", Simple::Ignored},
    SimpleWord{"rejected", Simple::Ignored},
    SimpleWord{"rating", Simple::Ignored},
    SimpleWord{"ics", Simple::Ignored},
    SimpleWord{"partner", Simple::Ignored},
    SimpleWord{"ptell", Simple::Ignored},
    SimpleWord{"otherptell", Simple::Ignored},
    SimpleWord{"hover", Simple::Ignored},
    SimpleWord{"lift", Simple::Ignored},
    SimpleWord{"put", Simple::Ignored},
    SimpleWord{"bell", Simple::Ignored},
    SimpleWord{"beep", Simple::Ignored},
    SimpleWord{"setscore", Simple::Ignored},
};

Error<ParseError> error_at(const Token& token, std::string message) {
    return Error{ParseError{token.offset, std::move(message)}};
}

std::optional<Milliseconds> seconds_to_milliseconds(std::optional<double> seconds) {
    if (!seconds || *seconds < 0 || *seconds > kMaxSeconds) return std::nullopt;
    return Milliseconds(std::llround(*seconds * 1000));
}

Parsed parse_level(Tokens& tokens) {
    const auto moves = parse_integer(tokens.next(), "level", 0, kMaxInt);
    if (!moves) return Error{moves.error()};
    const Token base = tokens.next();
    const auto minutes = parse_minutes(base.text);
    if (!minutes) return error_at(base, "'level' needs minutes or minutes:seconds second");
    const Token increment = tokens.next();
    const auto seconds = seconds_to_milliseconds(to_number(increment.text));
    if (!seconds) return error_at(increment, "'level' needs the increment in seconds third");
    return Command{Level{static_cast<int>(*moves), *minutes, *seconds}};
}

// `st 5`, `st 0.25`, and `st 1:30` of some GUIs.
Parsed parse_move_time(Tokens& tokens) {
    const Token token = tokens.next();
    std::optional<Milliseconds> time = token.text.find(':') != std::string_view::npos
                                           ? parse_minutes(token.text)
                                           : seconds_to_milliseconds(to_number(token.text));
    if (!time || time->count() == 0) return error_at(token, "'st' needs seconds");
    return Command{MoveTime{*time}};
}

Parsed parse_clock(Tokens& tokens, bool own) {
    // A flag that has fallen may come as a time below zero.
    const auto centiseconds =
        parse_integer(tokens.next(), own ? "time" : "otim", -kMaxInt, 1'000'000'000'000);
    if (!centiseconds) return Error{centiseconds.error()};
    return Command{ClockLeft{own, Milliseconds(std::max<std::int64_t>(*centiseconds, 0) * 10)}};
}

Parsed parse_option(Tokens& tokens) {
    const Token rest = tokens.rest();
    const std::size_t equals = rest.text.find('=');
    SetOption option;
    option.name = std::string(trimmed(rest.text.substr(0, equals)));
    if (option.name.empty()) return error_at(rest, "'option' needs a name");
    if (equals != std::string_view::npos)
        option.value = std::string(trimmed(rest.text.substr(equals + 1)));
    return Command{std::move(option)};
}

Parsed parse_egt_path(Tokens& tokens) {
    EgtPath command;
    command.type = std::string(tokens.next().text);
    if (command.type.empty()) return error_at(tokens.peek(), "'egtpath' needs a type and a path");
    command.path = std::string(tokens.rest().text);
    return Command{std::move(command)};
}

bool looks_like_move(std::string_view text) {
    if (text.size() >= 4 && text.size() <= 5 && parse_square(text[0], text[1]) != Square::None &&
        parse_square(text[2], text[3]) != Square::None)
        return true;
    return text.substr(0, 3) == "O-O" || text == "0-0" || text == "0-0-0";
}

// A command with one number.
template <class Make>
Parsed parse_number(Tokens& tokens, std::string_view word, std::int64_t min, std::int64_t max,
                    Make make) {
    const auto number = parse_integer(tokens.next(), word, min, max);
    if (!number) return Error{number.error()};
    return Command{make(*number)};
}

}  // namespace

std::optional<Milliseconds> parse_minutes(std::string_view text) {
    const std::size_t colon = text.find(':');
    const auto minutes = to_number(text.substr(0, colon));
    if (!minutes || *minutes < 0) return std::nullopt;
    double seconds = *minutes * 60;
    if (colon != std::string_view::npos) {
        const auto rest = to_number(text.substr(colon + 1));
        if (!rest || *rest < 0) return std::nullopt;
        seconds += *rest;
    }
    return seconds_to_milliseconds(seconds);
}

Parsed parse_command(std::string_view line) {
    Tokens tokens(line);
    if (tokens.done()) return Command{Simple::Nothing};
    const Token first = tokens.next();
    const std::string_view word = first.text;
    for (const SimpleWord& simple : kSimpleWords)
        if (simple.word == word) return Command{simple.command};
    if (word == "usermove") {
        if (tokens.done()) return error_at(tokens.peek(), "'usermove' needs a move");
        return Command{UserMove{std::string(tokens.rest().text)}};
    }
    if (word == "time") return parse_clock(tokens, true);
    if (word == "otim") return parse_clock(tokens, false);
    if (word == "ping") return Command{Ping{std::string(tokens.rest().text)}};
    if (word == "level") return parse_level(tokens);
    if (word == "st") return parse_move_time(tokens);
    if (word == "option") return parse_option(tokens);
    if (word == "egtpath") return parse_egt_path(tokens);
    if (word == "name") return Command{OpponentName{std::string(tokens.rest().text)}};
    if (word == "variant") return Command{Variant{std::string(tokens.next().text)}};
    if (word == "setboard") return Command{SetBoard{std::string(tokens.rest().text)}};
    if (word == "include" || word == "exclude") {
        if (tokens.done())
            return error_at(tokens.peek(), "'" + std::string(word) + "' needs a move");
        return Command{Exclude{word == "include", std::string(tokens.rest().text)}};
    }
    if (word == "result") {
        GameResult result;
        result.result = std::string(tokens.next().text);
        result.comment = std::string(tokens.rest().text);
        return Command{std::move(result)};
    }
    if (word == "protover")
        return parse_number(tokens, word, 1, kMaxInt,
                            [](auto n) { return ProtocolVersion{static_cast<int>(n)}; });
    if (word == "sd")
        return parse_number(tokens, word, 0, kMaxInt,
                            [](auto n) { return DepthLimit{static_cast<int>(n)}; });
    if (word == "nps")
        return parse_number(tokens, word, -1, 1'000'000'000'000,
                            [](auto n) { return NodeRate{std::max<std::int64_t>(n, 0)}; });
    if (word == "memory")
        return parse_number(tokens, word, 0, kMaxInt, [](auto n) { return Memory{n}; });
    if (word == "cores")
        return parse_number(tokens, word, 1, kMaxInt,
                            [](auto n) { return Cores{static_cast<int>(n)}; });
    if (looks_like_move(word)) return Command{UserMove{std::string(word)}};
    return error_at(first, "unknown command");
}

std::string to_line(const Level& level) {
    const auto seconds = level.base.count() / 1000;
    std::string base = std::to_string(seconds / 60);
    if (seconds % 60 != 0) base += fmt::format(":{:02}", seconds % 60);
    // Many engines read whole seconds only, so a fraction is written only where there is one.
    const double increment = static_cast<double>(level.increment.count()) / 1000;
    return fmt::format("level {} {} {}", level.moves, base, increment);
}

std::string to_line(const MoveTime& time) {
    return fmt::format("st {}", static_cast<double>(time.time.count()) / 1000);
}

std::string to_line(const ClockLeft& clock) {
    return fmt::format("{} {}", clock.own ? "time" : "otim", clock.left.count() / 10);
}

std::string to_line(const SetOption& option) {
    return "option " + option.name + (option.value ? '=' + *option.value : "");
}

}  // namespace rokada::protocol::cecp
