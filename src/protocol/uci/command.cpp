// SPDX-License-Identifier: GPL-3.0-or-later
#include "protocol/uci/command.hpp"

#include <limits>

namespace rokada::protocol::uci {

namespace {

using Parsed = Result<Command, ParseError>;
using engine::Milliseconds;

constexpr std::int64_t kMaxInt = std::numeric_limits<int>::max();
// Some 3 million years: more than any clock, and no sum of a few of them overflows.
constexpr std::int64_t kMaxTime = 100'000'000'000'000'000;

Error<ParseError> error_at(const Token& token, std::string message) {
    return Error{ParseError{token.offset, std::move(message)}};
}

Parsed parse_debug(Tokens& tokens) {
    const Token word = tokens.next();
    if (word.text == "on") return Command{Debug{true}};
    if (word.text == "off") return Command{Debug{false}};
    return error_at(word, "'debug' needs 'on' or 'off'");
}

// Names and values may hold blanks; the first word `value` ends the name.
Parsed parse_set_option(Tokens& tokens) {
    if (!tokens.skip("name")) return error_at(tokens.peek(), "'setoption' needs 'name' first");
    SetOption command;
    const Token begin = tokens.peek();
    while (!tokens.done() && tokens.peek().text != "value") {
        if (!command.name.empty()) command.name += ' ';
        command.name += tokens.next().text;
    }
    if (command.name.empty()) return error_at(begin, "'setoption' needs a name after 'name'");
    if (tokens.skip("value")) {
        command.value = std::string(tokens.rest().text);
        if (*command.value == "<empty>") command.value = "";
    }
    return Command{std::move(command)};
}

void collect_moves(Tokens& tokens, std::vector<MoveText>& moves) {
    while (!tokens.done()) {
        const Token token = tokens.next();
        moves.push_back({std::string(token.text), token.offset});
    }
}

Parsed parse_set_position(Tokens& tokens) {
    SetPosition command;
    const Token kind = tokens.next();
    if (kind.text == "fen") {
        command.fen_offset = tokens.peek().offset;
        std::string fen;
        while (!tokens.done() && tokens.peek().text != "moves") {
            if (!fen.empty()) fen += ' ';
            fen += tokens.next().text;
        }
        if (fen.empty()) return error_at(tokens.peek(), "'position fen' needs a FEN");
        command.fen = std::move(fen);
    } else if (kind.text != "startpos") {
        return error_at(kind, "'position' needs 'startpos' or 'fen'");
    }
    if (!tokens.done()) {
        const Token word = tokens.next();
        if (word.text != "moves")
            return error_at(word, "'moves' expected, not " + quoted(word.text));
        collect_moves(tokens, command.moves);
    }
    return Command{std::move(command)};
}

bool looks_like_move(std::string_view text) {
    return (text.size() == 4 || text.size() == 5) &&
           parse_square(text[0], text[1]) != Square::None &&
           parse_square(text[2], text[3]) != Square::None;
}

// The parameters of `go`, each at most once.
class GoParser {
  public:
    explicit GoParser(Tokens& tokens) : tokens_(tokens) {}

    Parsed parse() {
        while (!tokens_.done() && !error_) parse_parameter(tokens_.next());
        if (error_) return Error{std::move(*error_)};
        return Command{std::move(go_)};
    }

  private:
    void parse_parameter(const Token& word) {
        engine::Limits& limits = go_.limits;
        // GUIs whose clock has run out send times below zero.
        if (word.text == "wtime")
            time(word, go_.time[Color::White], -kMaxTime);
        else if (word.text == "btime")
            time(word, go_.time[Color::Black], -kMaxTime);
        else if (word.text == "winc")
            time(word, go_.increment[Color::White], 0);
        else if (word.text == "binc")
            time(word, go_.increment[Color::Black], 0);
        else if (word.text == "movetime")
            time(word, limits.move_time, 0);
        else if (word.text == "movestogo")
            number(word, go_.moves_to_go, 0, kMaxInt);
        else if (word.text == "depth")
            number(word, limits.depth, 1, kMaxInt);
        else if (word.text == "mate")
            number(word, limits.mate, 1, kMaxInt);
        else if (word.text == "nodes")
            nodes(word);
        else if (word.text == "perft")
            number(word, go_.perft, 0, 30);
        else if (word.text == "infinite")
            flag(word, limits.infinite);
        else if (word.text == "ponder")
            flag(word, limits.ponder);
        else if (word.text == "searchmoves")
            search_moves(word);
        else
            fail(word, "'go' knows no parameter " + quoted(word.text));
    }

    void fail(const Token& at, std::string message) {
        if (!error_) error_ = ParseError{at.offset, std::move(message)};
    }
    bool once(const Token& word, bool given) {
        if (given) fail(word, "'" + std::string(word.text) + "' given twice");
        return !given;
    }
    std::optional<std::int64_t> value(const Token& word, std::int64_t min, std::int64_t max) {
        const auto number = parse_integer(tokens_.next(), word.text, min, max);
        if (number) return *number;
        if (!error_) error_ = number.error();
        return std::nullopt;
    }
    void time(const Token& word, std::optional<Milliseconds>& target, std::int64_t min) {
        if (!once(word, target.has_value())) return;
        if (const auto number = value(word, min, kMaxTime)) target = Milliseconds(*number);
    }
    void number(const Token& word, std::optional<int>& target, std::int64_t min, std::int64_t max) {
        if (!once(word, target.has_value())) return;
        if (const auto number = value(word, min, max)) target = static_cast<int>(*number);
    }
    void nodes(const Token& word) {
        if (!once(word, go_.limits.nodes.has_value())) return;
        if (const auto number = value(word, 1, std::numeric_limits<std::int64_t>::max()))
            go_.limits.nodes = static_cast<std::uint64_t>(*number);
    }
    void flag(const Token& word, bool& target) {
        if (once(word, target)) target = true;
    }
    void search_moves(const Token& word) {
        if (!once(word, !go_.search_moves.empty())) return;
        while (!tokens_.done() && looks_like_move(tokens_.peek().text)) {
            const Token token = tokens_.next();
            go_.search_moves.push_back({std::string(token.text), token.offset});
        }
        if (go_.search_moves.empty()) fail(tokens_.peek(), "'searchmoves' needs at least one move");
    }

    Tokens& tokens_;
    Go go_;
    std::optional<ParseError> error_;
};

std::optional<Parsed> parse_standard(std::string_view word, Tokens& tokens) {
    if (word == "uci") return Command{Hello{}};
    if (word == "debug") return parse_debug(tokens);
    if (word == "isready") return Command{IsReady{}};
    if (word == "setoption") return parse_set_option(tokens);
    if (word == "register") return Command{Register{}};
    if (word == "ucinewgame") return Command{NewGame{}};
    if (word == "position") return parse_set_position(tokens);
    if (word == "go") return GoParser(tokens).parse();
    if (word == "stop") return Command{Stop{}};
    if (word == "ponderhit") return Command{PonderHit{}};
    if (word == "quit") return Command{Quit{}};
    return std::nullopt;
}

std::optional<Parsed> parse_own(std::string_view word, Tokens& tokens) {
    if (word == "d") return Command{Display{}};
    if (word == "eval") return Command{Evaluate{}};
    if (word == "bench") return Command{Bench{std::string(tokens.rest().text)}};
    if (word == "fen") return Command{ShowFen{}};
    if (word == "moves") return Command{ShowMoves{}};
    if (word == "flip") return Command{Flip{}};
    if (word == "wait") return Command{Wait{}};
    if (word == "help") return Command{Help{}};
    return std::nullopt;
}

void append_moves(std::string& line, std::string_view keyword, const std::vector<MoveText>& moves) {
    if (moves.empty()) return;
    line += ' ';
    line += keyword;
    for (const MoveText& move : moves) {
        line += ' ';
        line += move.text;
    }
}

template <class Number>
void append_number(std::string& line, std::string_view keyword,
                   const std::optional<Number>& number) {
    if (!number) return;
    line += ' ';
    line += keyword;
    line += ' ';
    if constexpr (std::is_same_v<Number, Milliseconds>)
        line += std::to_string(number->count());
    else
        line += std::to_string(*number);
}

}  // namespace

Parsed parse_command(std::string_view line) {
    Tokens tokens(line);
    if (tokens.done()) return Command{Nothing{}};
    const Token first = tokens.next();
    if (auto parsed = parse_own(first.text, tokens)) return std::move(*parsed);
    for (Token word = first;; word = tokens.next()) {
        if (auto parsed = parse_standard(word.text, tokens)) return std::move(*parsed);
        if (tokens.done()) break;
    }
    return error_at(first, "unknown command " + quoted(first.text));
}

std::string to_line(const SetOption& command) {
    std::string line = "setoption name " + command.name;
    if (command.value) line += " value " + (command.value->empty() ? "<empty>" : *command.value);
    return line;
}

std::string to_line(const SetPosition& command) {
    std::string line = command.fen ? "position fen " + *command.fen : "position startpos";
    append_moves(line, "moves", command.moves);
    return line;
}

std::string to_line(const Go& command) {
    std::string line = "go";
    if (command.limits.ponder) line += " ponder";
    append_number(line, "wtime", command.time[Color::White]);
    append_number(line, "btime", command.time[Color::Black]);
    append_number(line, "winc", command.increment[Color::White]);
    append_number(line, "binc", command.increment[Color::Black]);
    append_number(line, "movestogo", command.moves_to_go);
    append_number(line, "movetime", command.limits.move_time);
    append_number(line, "depth", command.limits.depth);
    append_number(line, "nodes", command.limits.nodes);
    append_number(line, "mate", command.limits.mate);
    append_number(line, "perft", command.perft);
    if (command.limits.infinite) line += " infinite";
    append_moves(line, "searchmoves", command.search_moves);
    return line;
}

}  // namespace rokada::protocol::uci
