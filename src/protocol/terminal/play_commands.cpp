// SPDX-License-Identifier: GPL-3.0-or-later
// The words a person can type while playing.
#include <algorithm>
#include <cmath>
#include <ctime>
#include <fstream>
#include <sstream>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "chess/movegen.hpp"
#include "chess/notation/fen.hpp"
#include "chess/notation/game_pgn.hpp"
#include "chess/notation/pgn_game_reader.hpp"
#include "chess/notation/pgn_writer.hpp"
#include "chess/notation/san.hpp"
#include "chess/notation/uci_move.hpp"
#include "protocol/evaluation_text.hpp"
#include "protocol/perft_until.hpp"
#include "protocol/terminal/play.hpp"
#include "protocol/tokens.hpp"

namespace rokada::protocol {

namespace {

using engine::Milliseconds;

std::optional<Milliseconds> seconds(std::string_view text, double least, double most) {
    const auto value = to_number(text);
    if (!value || *value < least || *value > most) return std::nullopt;
    return Milliseconds(std::llround(*value * 1000));
}

}  // namespace

const std::vector<PlaySession::CommandEntry>& PlaySession::commands() {
    using P = PlaySession;
    static const std::vector<CommandEntry> kCommands{
        {"help", "", "this list", &P::show_help},
        {"new", "[white|black|N]", "a new game; N from 0 to 959 is a Chess960 start", &P::new_game},
        {"board", "", "show the board", &P::show_board},
        {"moves", "[SQUARE]", "the legal moves, or those of one piece", &P::show_moves},
        {"record", "", "the moves so far", &P::show_record},
        {"undo", "[N]", "take back your last move and the answer, or N plies", &P::undo},
        {"hint", "", "what the engine would play", &P::hint},
        {"search", "[SECONDS]", "let the engine look, and show what it sees", &P::search},
        {"eval", "", "the evaluation, term by term", &P::show_eval},
        {"level", "[easy|medium|hard|full|ELO]", "how strong the engine plays", &P::set_level},
        {"clock", "MINUTES[+SECONDS]|off", "play with a clock, from now on", &P::set_clock},
        {"time", "SECONDS", "how long the engine thinks without a clock", &P::set_time},
        {"go", "", "the engine plays the side to move", &P::engine_to_move},
        {"hands", "", "the engine rests; move both sides", &P::both_sides},
        {"now", "", "the engine shall move at once", &P::move_now},
        {"stop", "", "the same", &P::move_now},
        {"draw", "", "offer or claim a draw", &P::draw},
        {"resign", "", "give up", &P::resign},
        {"flip", "", "turn the board", &P::flip},
        {"symbols", "unicode|ascii", "how pieces look", &P::set_symbols},
        {"fen", "[FEN]", "show the position, or start from this one", &P::show_fen},
        {"save", "FILE", "write the game as PGN", &P::save},
        {"load", "FILE", "read the first game of a PGN file", &P::load},
        {"options", "", "everything that `set` can change", &P::show_options},
        {"set", "NAME VALUE", "change an option of the engine", &P::set_option},
        {"perft", "N", "count the leaves of the move tree", &P::run_perft},
        {"quit", "", "leave", &P::quit},
    };
    return kCommands;
}

void PlaySession::show_help(std::string_view) {
    say("Moves: e4, Nf3, exd5, O-O, e8=Q, or e2e4, e7e8q.");
    for (const CommandEntry& entry : commands())
        say(fmt::format("  {:<36} {}", fmt::format("{} {}", entry.name, entry.arguments),
                        entry.help));
}

void PlaySession::show_board(std::string_view) {
    BoardStyle style = settings_.style;
    if (!game_.plies().empty()) style.last = game_.plies().back().move;
    output_.text('\n' + draw_board(game_.position(), style) + '\n');
    if (game_.position().in_check() && !game_.over()) say("Check.");
}

void PlaySession::show_moves(std::string_view square) {
    const Square from = square.size() == 2 ? parse_square(square[0], square[1]) : Square::None;
    if (!square.empty() && from == Square::None) return say(quoted(square) + " is no square.");
    std::string text;
    for (const Move move : legal_moves(game_.position()))
        if (square.empty() || move.from() == from) {
            if (!text.empty()) text += ' ';
            append_san(text, game_.position(), move);
        }
    say(text.empty() ? "No legal moves." : text);
}

void PlaySession::show_record(std::string_view) {
    std::string text;
    for (std::size_t i = 0; i < game_.plies().size(); ++i) {
        const Position& before = game_.position_after(i);
        if (!text.empty()) text += ' ';
        if (before.turn() == Color::White)
            text += fmt::format("{}. ", before.fullmove_number());
        else if (i == 0)
            text += fmt::format("{}... ", before.fullmove_number());
        append_san(text, before, game_.plies()[i].move);
    }
    say(text.empty() ? "No moves yet." : text);
}

void PlaySession::show_fen(std::string_view fen) {
    if (fen.empty()) return say(to_fen(game_.position()));
    const auto position = parse_position(fen);
    if (!position) return say("That is no legal position: " + position.error().to_string());
    start_game(Game(*position, DrawRule::Claim));
}

void PlaySession::show_eval(std::string_view) { output_.text(evaluation_text(game_.position())); }

void PlaySession::show_options(std::string_view) {
    for (const engine::Option& option : thinker_->options()) {
        if (option.type == engine::OptionType::Button) continue;
        say(fmt::format("  {:<24} {:<12} {}", option.name,
                        option.value.empty() ? "-" : option.value, option.help));
    }
}

void PlaySession::new_game(std::string_view color) {
    Position start;
    if (color == "white" || color == "black") {
        settings_.own = color == "white" ? Color::White : Color::Black;
        settings_.style.flipped = color == "black";
    } else if (!color.empty()) {
        const auto number = to_integer(color);
        if (!number || *number < 0 || *number > 959)
            return say("`new`, `new white`, `new black`, or `new N` with N from 0 to 959.");
        const auto position = Position::from_setup(Setup::chess960(static_cast<int>(*number)));
        if (position) start = *position;
        thinker_->set_option("UCI_Chess960", "true");
    }
    start_game(Game(start, DrawRule::Claim));
}

void PlaySession::undo(std::string_view count) {
    std::int64_t plies = 0;
    if (!count.empty()) {
        const auto number = to_integer(count);
        if (!number || *number < 1) return say("`undo N` needs a number of plies.");
        plies = *number;
    } else {
        // Back to the person's turn.
        plies = settings_.own && game_.position().turn() == *settings_.own ? 2 : 1;
    }
    bool any = false;
    while (plies-- > 0 && game_.take_back()) {
        any = true;
        // The time that a move took comes back with it.
        if (times_before_.empty()) continue;
        time_left_ = times_before_.back();
        times_before_.pop_back();
    }
    if (!any) return say("There is nothing to take back.");
    turn_begun_ = std::chrono::steady_clock::now();
    show_board("");
    if (engine_to_play()) {
        settings_.own = game_.position().turn();
        say("You have the move now; `go` lets the engine play this side.");
    }
}

void PlaySession::hint(std::string_view) {
    if (!has_legal_move(game_.position())) return say("No legal moves.");
    engine::Limits limits;
    limits.move_time = Milliseconds(500);
    think(Task::Hint, limits);
}

void PlaySession::search(std::string_view text) {
    if (!has_legal_move(game_.position())) return say("No legal moves.");
    const auto time = text.empty() ? Milliseconds(3000) : seconds(text, 0.001, 1e6);
    if (!time) return say("`search` needs seconds.");
    engine::Limits limits;
    limits.move_time = *time;
    think(Task::Search, limits);
}

void PlaySession::run_perft(std::string_view text) {
    const auto depth = to_integer(text);
    if (!depth || *depth < 0 || *depth > 12) return say("`perft` needs a depth from 0 to 12.");
    const auto begin = std::chrono::steady_clock::now();
    stop_counting_ = false;
    counting_ = true;
    const std::uint64_t nodes =
        perft_until(game_.position(), static_cast<int>(*depth), stop_counting_);
    counting_ = false;
    if (stop_counting_) return say("Stopped.");
    const std::chrono::duration<double> time = std::chrono::steady_clock::now() - begin;
    say(fmt::format("Nodes: {}  Time: {:.3f} s  Nodes/second: {:.0f}", nodes, time.count(),
                    static_cast<double>(nodes) / std::max(time.count(), 1e-9)));
}

void PlaySession::save(std::string_view path) {
    if (path.empty()) return say("`save` needs a file name.");
    PgnGame pgn = to_pgn_game(game_);
    pgn.set_tag("Event", "Game against Rokada");
    pgn.set_tag("Site", "?");
    pgn.set_tag("Date", fmt::format("{:%Y.%m.%d}", fmt::localtime(std::time(nullptr))));
    pgn.set_tag("Round", "-");
    for (const Color color : kColors) {
        const bool person = !settings_.own || *settings_.own == color;
        pgn.set_tag(color == Color::White ? "White" : "Black",
                    person ? "Player" : fmt::format("{} ({})", house_.full_name(), level_));
    }
    std::ofstream file{std::string(path)};
    file << to_pgn(pgn);
    file.close();
    say(file ? fmt::format("Saved to {}.", path) : fmt::format("Cannot write {}.", quoted(path)));
}

void PlaySession::load(std::string_view path) {
    if (path.empty()) return say("`load` needs a file name.");
    std::ifstream file{std::string(path)};
    if (!file) return say("Cannot read " + quoted(path) + ".");
    std::stringstream text;
    text << file.rdbuf();
    const std::string content = text.str();
    StringSource source(content);
    PgnGameReader reader(source);
    const auto pgn = reader.next();
    if (!pgn) return say("There is no game in that file.");
    if (reader.broken())
        return say("That game cannot be read: " + reader.problems().front().message);
    const auto game = to_game(*pgn);
    if (!game) return say("That game cannot be played: " + game.error());
    settings_.own = game->position().turn();
    start_game(*game);
}

std::optional<std::string> PlaySession::choose_level(std::string_view level) {
    std::optional<std::string> problem;
    if (const auto elo = to_integer(level)) {
        problem = thinker_->set_option("UCI_Elo", std::to_string(*elo));
        if (!problem) problem = thinker_->set_option("UCI_LimitStrength", "true");
    } else {
        problem = thinker_->set_option("Skill", level);
        if (!problem) thinker_->set_option("UCI_LimitStrength", "false");
    }
    if (!problem) level_ = std::string(level);
    return problem;
}

void PlaySession::set_level(std::string_view level) {
    if (!level.empty())
        if (const auto problem = choose_level(level)) return say(*problem);
    say("The engine plays at level " + level_ + ".");
}

std::optional<std::string> PlaySession::choose_clock(std::string_view text) {
    if (text == "off") {
        settings_.clock.reset();
        return std::nullopt;
    }
    const std::size_t plus = text.find('+');
    const auto minutes = to_number(text.substr(0, plus));
    const auto increment = plus == text.npos ? std::optional(Milliseconds(0))
                                             : seconds(text.substr(plus + 1), 0, 3600);
    if (!minutes || *minutes <= 0 || *minutes > 10'000 || !increment)
        return "`clock MINUTES+SECONDS`, for example `clock 5+3`, or `clock off`.";
    settings_.clock = PlayClock{Milliseconds(std::llround(*minutes * 60'000)), *increment};
    for (Milliseconds& time : time_left_) time = settings_.clock->base;
    times_before_.clear();
    turn_begun_ = std::chrono::steady_clock::now();
    return std::nullopt;
}

void PlaySession::set_clock(std::string_view text) {
    if (const auto problem = choose_clock(text)) return say(*problem);
    if (!settings_.clock) return say("No clock.");
    say(fmt::format("{} minutes and {} seconds per move for each side.",
                    static_cast<double>(settings_.clock->base.count()) / 60'000,
                    static_cast<double>(settings_.clock->increment.count()) / 1000));
}

void PlaySession::set_time(std::string_view text) {
    const auto time = seconds(text, 0.001, 1e6);
    if (!time) return say("`time` needs seconds.");
    settings_.think_time = *time;
    say(fmt::format("The engine thinks {} s for a move.", text));
}

// Names may hold blanks: the longest beginning that is an option is the name.
void PlaySession::set_option(std::string_view text) {
    for (std::size_t end = text.size(); end > 0; end = text.rfind(' ', end - 1)) {
        if (end == text.npos) break;
        const auto option = find_option(*thinker_, trimmed(text.substr(0, end)));
        if (!option) continue;
        const std::string_view value = trimmed(text.substr(end));
        if (const auto problem = thinker_->set_option(option->name, value)) return say(*problem);
        return say(fmt::format("{} is {}.", option->name, value.empty() ? "done" : value));
    }
    say("`set NAME VALUE`; `options` shows the names.");
}

void PlaySession::flip(std::string_view) {
    settings_.style.flipped = !settings_.style.flipped;
    show_board("");
}

void PlaySession::set_symbols(std::string_view kind) {
    if (kind != "unicode" && kind != "ascii") return say("`symbols unicode` or `symbols ascii`.");
    settings_.style.unicode = kind == "unicode";
    show_board("");
}

void PlaySession::resign(std::string_view) {
    if (!game_.resign(settings_.own.value_or(game_.position().turn())))
        return say("The game is over.");
    announce_end();
}

void PlaySession::draw(std::string_view) {
    if (game_.over()) return say("The game is over.");
    if (game_.claim_draw()) return announce_end();
    if (!settings_.own || temper_.accepts_draw()) {
        game_.agree_draw();
        return announce_end();
    }
    say("The engine declines.");
}

void PlaySession::engine_to_move(std::string_view) {
    if (game_.over()) return say("The game is over.");
    settings_.own = ~game_.position().turn();
    turn_begun_ = std::chrono::steady_clock::now();
    next_turn();
}

void PlaySession::both_sides(std::string_view) {
    settings_.own.reset();
    say("You move both sides; `go` brings the engine back.");
}

void PlaySession::move_now(std::string_view) {
    if (task_ != Task::None)
        thinker_->stop();
    else
        say("The engine is not thinking.");
}

void PlaySession::quit(std::string_view) {
    stop_thinking();
    finished_ = true;
}

}  // namespace rokada::protocol
