// SPDX-License-Identifier: GPL-3.0-or-later
#include "protocol/uci/answer.hpp"

#include <algorithm>
#include <limits>

namespace rokada::protocol::uci {

namespace {

std::optional<int> next_int(Tokens& tokens) {
    const auto value = to_integer(tokens.peek().text);
    if (!value) return std::nullopt;
    tokens.next();
    constexpr std::int64_t limit = std::numeric_limits<int>::max();
    return static_cast<int>(std::clamp(*value, -limit, limit));
}

std::optional<std::uint64_t> next_count(Tokens& tokens) {
    const auto value = to_integer(tokens.peek().text);
    if (!value) return std::nullopt;
    tokens.next();
    return static_cast<std::uint64_t>(std::max<std::int64_t>(*value, 0));
}

// `cp 34`, `mate -3`, with a bound before or after in some engines.
void parse_score(Tokens& tokens, InfoText& info) {
    if (tokens.skip("cp")) {
        if (const auto value = next_int(tokens)) info.score = engine::Score::centipawns(*value);
    } else if (tokens.skip("mate")) {
        if (const auto value = next_int(tokens))
            info.score =
                *value > 0 ? engine::Score::mate_in(*value) : engine::Score::mated_in(-*value);
    }
}

bool is_info_keyword(std::string_view word) {
    static constexpr std::string_view kWords[] = {
        "depth",    "seldepth",       "time",     "nodes", "pv",         "multipv",   "score",
        "currmove", "currmovenumber", "hashfull", "nps",   "tbhits",     "sbhits",    "cpuload",
        "string",   "refutation",     "currline", "wdl",   "lowerbound", "upperbound"};
    return std::find(std::begin(kWords), std::end(kWords), word) != std::end(kWords);
}

InfoText parse_info(Tokens& tokens) {
    InfoText info;
    while (!tokens.done()) {
        const std::string_view word = tokens.next().text;
        if (word == "string") {
            info.text = std::string(tokens.rest().text);
            return info;
        }
        if (word == "depth")
            info.depth = next_int(tokens);
        else if (word == "seldepth")
            info.selective_depth = next_int(tokens);
        else if (word == "multipv")
            info.multipv = next_int(tokens);
        else if (word == "hashfull")
            info.hash_full = next_int(tokens);
        else if (word == "currmovenumber")
            info.current_move_number = next_int(tokens);
        else if (word == "nodes")
            info.nodes = next_count(tokens);
        else if (word == "nps")
            info.nps = next_count(tokens);
        else if (word == "tbhits")
            info.tablebase_hits = next_count(tokens);
        else if (word == "score")
            parse_score(tokens, info);
        else if (word == "lowerbound")
            info.bound = engine::Bound::Lower;
        else if (word == "upperbound")
            info.bound = engine::Bound::Upper;
        else if (word == "currmove")
            info.current_move = std::string(tokens.next().text);
        else if (word == "time") {
            if (const auto value = next_count(tokens))
                info.time = engine::Milliseconds(static_cast<std::int64_t>(*value));
        } else if (word == "wdl") {
            const auto win = next_int(tokens), draw = next_int(tokens), loss = next_int(tokens);
            if (win && draw && loss) info.wdl = WinDrawLoss{*win, *draw, *loss};
        } else if (word == "pv") {
            while (!tokens.done() && !is_info_keyword(tokens.peek().text))
                info.line.emplace_back(tokens.next().text);
        }
    }
    return info;
}

std::string words_until(Tokens& tokens, std::initializer_list<std::string_view> stops) {
    std::string words;
    while (!tokens.done() &&
           std::find(stops.begin(), stops.end(), tokens.peek().text) == stops.end()) {
        if (!words.empty()) words += ' ';
        words += tokens.next().text;
    }
    return words;
}

Answer parse_option(Tokens& tokens) {
    if (!tokens.skip("name")) return Unknown{};
    engine::Option option;
    option.name = words_until(tokens, {"type"});
    if (option.name.empty() || !tokens.skip("type")) return Unknown{};
    const std::string_view type = tokens.next().text;
    if (type == "check")
        option.type = engine::OptionType::Check;
    else if (type == "spin")
        option.type = engine::OptionType::Spin;
    else if (type == "combo")
        option.type = engine::OptionType::Combo;
    else if (type == "button")
        option.type = engine::OptionType::Button;
    else if (type == "string")
        option.type = engine::OptionType::String;
    else
        return Unknown{};
    while (!tokens.done()) {
        const std::string_view word = tokens.next().text;
        if (word == "default") {
            option.default_value = words_until(tokens, {"min", "max", "var"});
            if (option.default_value == "<empty>") option.default_value.clear();
        } else if (word == "min") {
            option.min = next_int(tokens).value_or(0);
        } else if (word == "max") {
            option.max = next_int(tokens).value_or(0);
        } else if (word == "var") {
            option.choices.push_back(words_until(tokens, {"min", "max", "var", "default"}));
        }
    }
    option.value = option.default_value;
    return option;
}

template <class Number>
void append(std::string& line, std::string_view keyword, const std::optional<Number>& number) {
    if (!number) return;
    line += ' ';
    line += keyword;
    line += ' ';
    line += std::to_string(*number);
}

void append_score(std::string& line, const InfoText& info) {
    if (!info.score) return;
    line += info.score->is_mate() ? " score mate " + std::to_string(info.score->moves_to_mate())
                                  : " score cp " + std::to_string(info.score->centipawns());
    if (info.bound == engine::Bound::Lower) line += " lowerbound";
    if (info.bound == engine::Bound::Upper) line += " upperbound";
}

std::string_view type_name(engine::OptionType type) {
    switch (type) {
        case engine::OptionType::Check: return "check";
        case engine::OptionType::Spin: return "spin";
        case engine::OptionType::Combo: return "combo";
        case engine::OptionType::Button: return "button";
        case engine::OptionType::String: break;
    }
    return "string";
}

}  // namespace

Answer parse_answer(std::string_view line) {
    Tokens tokens(line);
    const std::string_view word = tokens.next().text;
    if (word == "info") return parse_info(tokens);
    if (word == "readyok") return ReadyOk{};
    if (word == "uciok") return UciOk{};
    if (word == "option") return parse_option(tokens);
    if (word == "bestmove") {
        BestMoveText best{std::string(tokens.next().text), ""};
        if (tokens.skip("ponder")) best.ponder = std::string(tokens.next().text);
        return best;
    }
    if (word == "id") {
        const std::string_view kind = tokens.next().text;
        if (kind == "name" || kind == "author")
            return Identity{kind == "author", std::string(tokens.rest().text)};
    }
    return Unknown{};
}

std::string to_line(const Identity& identity) {
    return (identity.author ? "id author " : "id name ") + identity.text;
}

std::string to_line(const BestMoveText& best) {
    return "bestmove " + (best.move.empty() ? "(none)" : best.move) +
           (best.ponder.empty() ? "" : " ponder " + best.ponder);
}

std::string to_line(const InfoText& info) {
    std::string line = "info";
    append(line, "depth", info.depth);
    append(line, "seldepth", info.selective_depth);
    append(line, "multipv", info.multipv);
    append_score(line, info);
    if (info.wdl)
        line += " wdl " + std::to_string(info.wdl->win) + ' ' + std::to_string(info.wdl->draw) +
                ' ' + std::to_string(info.wdl->loss);
    append(line, "nodes", info.nodes);
    append(line, "nps", info.nps);
    append(line, "hashfull", info.hash_full);
    append(line, "tbhits", info.tablebase_hits);
    if (info.time) line += " time " + std::to_string(info.time->count());
    if (!info.current_move.empty()) line += " currmove " + info.current_move;
    append(line, "currmovenumber", info.current_move_number);
    if (!info.line.empty()) {
        line += " pv";
        for (const std::string& move : info.line) line += ' ' + move;
    }
    if (info.text) line += " string " + *info.text;
    return line;
}

std::string to_line(const engine::Option& option) {
    std::string line =
        "option name " + option.name + " type " + std::string(type_name(option.type));
    if (option.type != engine::OptionType::Button)
        line += " default " + (option.default_value.empty() ? "<empty>" : option.default_value);
    if (option.type == engine::OptionType::Spin)
        line += " min " + std::to_string(option.min) + " max " + std::to_string(option.max);
    for (const std::string& choice : option.choices) line += " var " + choice;
    return line;
}

}  // namespace rokada::protocol::uci
