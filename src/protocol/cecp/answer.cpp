// SPDX-License-Identifier: GPL-3.0-or-later
#include "protocol/cecp/answer.hpp"

#include <algorithm>
#include <cstdlib>

#include <fmt/format.h>

namespace rokada::protocol::cecp {

namespace {

constexpr int kMateScore = 100000;

// name=value pairs; values with blanks stand in quotes.
Features parse_features(std::string_view text) {
    Features features;
    std::size_t i = 0;
    while (i < text.size()) {
        while (i < text.size() && text[i] == ' ') ++i;
        const std::size_t equals = text.find('=', i);
        if (equals == std::string_view::npos) break;
        std::string name(trimmed(text.substr(i, equals - i)));
        std::size_t end = 0;
        std::string value;
        if (equals + 1 < text.size() && text[equals + 1] == '"') {
            end = text.find('"', equals + 2);
            value = std::string(
                text.substr(equals + 2, end == std::string_view::npos ? end : end - equals - 2));
            i = end == std::string_view::npos ? text.size() : end + 1;
        } else {
            end = std::min(text.find(' ', equals), text.size());
            value = std::string(text.substr(equals + 1, end - equals - 1));
            i = end;
        }
        features.items.emplace_back(std::move(name), std::move(value));
    }
    return features;
}

bool is_result(std::string_view word) {
    return word == "1-0" || word == "0-1" || word == "1/2-1/2" || word == "*";
}

// `1-0 {White mates}`
ResultClaim parse_result(Tokens& tokens) {
    ResultClaim claim;
    claim.result = std::string(tokens.next().text);
    std::string_view comment = tokens.rest().text;
    if (!comment.empty() && comment.front() == '{') comment.remove_prefix(1);
    if (!comment.empty() && comment.back() == '}') comment.remove_suffix(1);
    claim.comment = std::string(comment);
    return claim;
}

// `Illegal move (reason): e2e5`, `Error (reason): command`
Refused parse_refused(std::string_view text, bool move) {
    Refused refused;
    refused.move = move;
    const std::size_t open = text.find('('), colon = text.rfind(':');
    if (open != std::string_view::npos) {
        const std::size_t close = std::min(text.find(')', open), text.size());
        refused.reason = std::string(text.substr(open + 1, close - open - 1));
    }
    if (colon != std::string_view::npos)
        refused.about = std::string(trimmed(text.substr(colon + 1)));
    return refused;
}

engine::Score score_of(std::int64_t number) {
    const auto value = static_cast<int>(std::clamp<std::int64_t>(number, -1'000'000, 1'000'000));
    const int moves = std::abs(value) - kMateScore;
    if (moves < 0) return engine::Score::centipawns(value);
    return value > 0 ? engine::Score::mate_in(moves) : engine::Score::mated_in(moves);
}

std::optional<ThinkingText> parse_thinking(std::string_view line) {
    Tokens tokens(line);
    std::string_view ply = tokens.next().text;
    // Some engines put a mark behind the depth.
    while (!ply.empty() && (ply.back() < '0' || ply.back() > '9')) ply.remove_suffix(1);
    const auto depth = to_integer(ply), score = to_integer(tokens.next().text);
    const auto time = to_number(tokens.next().text);
    const auto nodes = to_integer(tokens.next().text);
    if (!depth || !score || !time || !nodes) return std::nullopt;
    ThinkingText thinking;
    thinking.depth = static_cast<int>(std::clamp<std::int64_t>(*depth, 0, 1000));
    thinking.score = score_of(*score);
    thinking.time =
        engine::Milliseconds(static_cast<std::int64_t>(std::clamp(*time, 0.0, 1e12)) * 10);
    thinking.nodes = static_cast<std::uint64_t>(std::max<std::int64_t>(*nodes, 0));
    thinking.line = std::string(tokens.rest().text);
    return thinking;
}

std::string_view type_word(engine::OptionType type) {
    switch (type) {
        case engine::OptionType::Check: return "-check";
        case engine::OptionType::Spin: return "-spin";
        case engine::OptionType::Combo: return "-combo";
        case engine::OptionType::Button: return "-button";
        case engine::OptionType::String: break;
    }
    return "-string";
}

// The choices of a combo stand between ` /// `; a star marks the current one.
void parse_choices(std::string_view text, engine::Option& option) {
    constexpr std::string_view kBetween = "///";
    while (!text.empty()) {
        const std::size_t end = std::min(text.find(kBetween), text.size());
        std::string_view choice = trimmed(text.substr(0, end));
        text.remove_prefix(std::min(end + kBetween.size(), text.size()));
        const bool current = !choice.empty() && choice.front() == '*';
        if (current) choice.remove_prefix(1);
        option.choices.emplace_back(choice);
        if (current || option.default_value.empty()) option.default_value = std::string(choice);
    }
}

}  // namespace

Answer parse_answer(std::string_view line) {
    Tokens tokens(line);
    const std::string_view word = tokens.peek().text;
    if (word.empty() || word.front() == '#') return Unknown{};
    if (word == "move") {
        tokens.next();
        return MoveAnswer{std::string(tokens.next().text)};
    }
    if (word == "feature") {
        tokens.next();
        return parse_features(tokens.rest().text);
    }
    if (word == "pong") {
        tokens.next();
        return Pong{std::string(tokens.rest().text)};
    }
    if (is_result(word)) return parse_result(tokens);
    if (word == "resign") return Resign{};
    const std::string_view all = trimmed(line);
    if (all == "tellics resign") return Resign{};
    if (all == "offer draw") return OfferDraw{};
    if (word == "Hint:") {
        tokens.next();
        return HintAnswer{std::string(tokens.next().text)};
    }
    if (all.substr(0, 12) == "Illegal move") return parse_refused(all, true);
    if (word == "Error") return parse_refused(all, false);
    if (auto thinking = parse_thinking(line)) return std::move(*thinking);
    // Protocol 1: `12. ... e7e5`
    if (word.back() == '.') {
        tokens.next();
        if (tokens.skip("...")) return MoveAnswer{std::string(tokens.next().text)};
    }
    return Unknown{};
}

std::string to_line(const ThinkingText& thinking) {
    int score = thinking.score.centipawns();
    if (thinking.score.is_mate()) {
        const int moves = thinking.score.moves_to_mate();
        score = moves > 0 ? kMateScore + moves : -kMateScore + moves;
    }
    return fmt::format("{} {} {} {} {}", thinking.depth, score, thinking.time.count() / 10,
                       thinking.nodes, thinking.line);
}

std::string to_line(const Refused& refused) {
    return fmt::format("{} ({}): {}", refused.move ? "Illegal move" : "Error", refused.reason,
                       refused.about);
}

std::string feature_value(const engine::Option& option) {
    std::string value = option.name + ' ' + std::string(type_word(option.type));
    switch (option.type) {
        case engine::OptionType::Check: return value + (option.value == "true" ? " 1" : " 0");
        case engine::OptionType::Spin:
            return fmt::format("{} {} {} {}", value, option.value, option.min, option.max);
        case engine::OptionType::String: return value + ' ' + option.value;
        case engine::OptionType::Button: return value;
        case engine::OptionType::Combo: break;
    }
    for (std::size_t i = 0; i < option.choices.size(); ++i)
        value += (i == 0 ? " " : " /// ") +
                 std::string(option.choices[i] == option.value ? "*" : "") + option.choices[i];
    return value;
}

std::optional<engine::Option> parse_feature_option(std::string_view value) {
    Tokens tokens(value);
    engine::Option option;
    while (!tokens.done() && tokens.peek().text.front() != '-') {
        if (!option.name.empty()) option.name += ' ';
        option.name += tokens.next().text;
    }
    const std::string_view type = tokens.next().text;
    if (option.name.empty() || type.empty()) return std::nullopt;
    if (type == "-check") {
        option.type = engine::OptionType::Check;
        option.default_value = tokens.next().text == "1" ? "true" : "false";
    } else if (type == "-spin" || type == "-slider") {
        option.type = engine::OptionType::Spin;
        option.default_value = std::string(tokens.next().text);
        option.min = static_cast<int>(to_integer(tokens.next().text).value_or(0));
        option.max = static_cast<int>(to_integer(tokens.next().text).value_or(0));
    } else if (type == "-combo") {
        option.type = engine::OptionType::Combo;
        parse_choices(tokens.rest().text, option);
    } else if (type == "-button" || type == "-save" || type == "-reset") {
        option.type = engine::OptionType::Button;
    } else {
        option.type = engine::OptionType::String;
        option.default_value = std::string(tokens.rest().text);
    }
    option.value = option.default_value;
    return option;
}

}  // namespace rokada::protocol::cecp
