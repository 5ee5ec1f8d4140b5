// SPDX-License-Identifier: GPL-3.0-or-later
#include "protocol/uci/session.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "chess/movegen.hpp"
#include "chess/notation/fen.hpp"
#include "chess/notation/uci_move.hpp"
#include "protocol/board_text.hpp"
#include "protocol/evaluation_text.hpp"
#include "protocol/perft_until.hpp"

namespace rokada::protocol::uci {

namespace {

template <class... Functions>
struct Overloaded : Functions... {
    using Functions::operator()...;
};
template <class... Functions>
Overloaded(Functions...) -> Overloaded<Functions...>;

constexpr std::string_view kHelp[] = {
    "Rokada speaks the Universal Chess Interface. Type `quit` to leave.",
    "  uci | isready | ucinewgame | setoption name N value V | debug on|off",
    "  stop | ponderhit | quit",
    "  position startpos|fen F [moves ...]",
    "  go [wtime N btime N winc N binc N movestogo N] [movetime N] [depth N] [nodes N] [mate N]",
    "     [infinite] [ponder] [searchmoves ...] [perft N]",
    "  d (board) | fen | moves | eval | flip | bench | wait (for the search to end)",
};

std::vector<engine::Option> protocol_options(const House& house) {
    using engine::OptionType;
    const auto option = [](std::string name, OptionType type, std::string value, std::string help) {
        engine::Option o;
        o.name = std::move(name);
        o.type = type;
        o.default_value = o.value = std::move(value);
        o.help = std::move(help);
        return o;
    };
    return {
        option("Ponder", OptionType::Check, "false",
               "The GUI may let the engine think on your time."),
        option("UCI_AnalyseMode", OptionType::Check, "false",
               "The GUI analyses, it does not play."),
        option("UCI_Opponent", OptionType::String, "", "Who plays on the other side."),
        option("UCI_EngineAbout", OptionType::String,
               house.full_name() + ", chess you own. Free software, GPL-3.0-or-later.",
               "Shown by GUIs; setting it changes nothing."),
        option("Debug Log File", OptionType::String, "", "Keeps a copy of the conversation there."),
    };
}

Position flipped(const Position& position) {
    const Setup from = position.to_setup();
    Setup to;
    to.turn = ~from.turn;
    to.halfmove_clock = from.halfmove_clock;
    to.fullmove_number = from.fullmove_number;
    for (int i = 0; i < 64; ++i) {
        const Piece piece = from.board[square_at(i)];
        if (piece == Piece::None) continue;
        to.board[flip_rank(square_at(i))] = make_piece(~color_of(piece), type_of(piece));
    }
    for (const Color color : kColors)
        for (const CastlingSide side : kCastlingSides)
            if (from.castling.has(color, side))
                to.castling.set(~color, side, flip_rank(from.castling.rook(color, side)));
    if (from.en_passant != Square::None) to.en_passant = flip_rank(from.en_passant);
    const auto result = Position::from_setup(to);
    return result ? *result : position;
}

}  // namespace

Session::Session(EventQueue& queue, Output& output, const ThinkerFactory& make_thinker, House house)
    : queue_(queue), output_(output), house_(std::move(house)) {
    engine::Callbacks callbacks;
    callbacks.on_info = [this](const engine::Info& info) { on_info(info); };
    callbacks.on_best_move = [this](const engine::BestMove& best) { on_best_move(best); };
    callbacks.on_message = [this](std::string_view text) {
        output_.line("info string " + std::string(text));
    };
    callbacks.on_current_move = [this](const engine::CurrentMove& current) {
        on_current_move(current);
    };
    thinker_ = make_thinker(std::move(callbacks));
    for (engine::Option& option : protocol_options(house_))
        if (!find_option(*thinker_, option.name)) own_options_.push_back(std::move(option));
    thinker_->set_position(start_, moves_);
}

Session::~Session() {
    background_.stop_and_join();
    thinker_->stop();
    thinker_->wait();
}

void Session::handle(Event event) {
    std::visit(Overloaded{
                   [this](const InputLine& line) {
                       output_.log_input(line.text);
                       on_line(line.text);
                   },
                   [this](const OverlongLine&) { complain("error: the line is too long"); },
                   [this](const EndOfInput&) { on_end_of_input(); },
                   [this](const Decided&) {
                       thinker_->wait();
                       searching_ = false;
                       execute_deferred();
                   },
                   [](const auto&) {},
               },
               event);
    if (closing_ && !searching_ && deferred_.empty()) finished_ = true;
}

void Session::on_line(std::string_view line) {
    const auto command = parse_command(line);
    if (!command) return complain("error: " + command.error().to_string());
    if (!must_wait(*command)) return execute(*command);
    if (debug_) complain("waiting for the search to end");
    deferred_.push_back(*command);
}

bool Session::must_wait(const Command& command) const {
    if (!searching_) return false;
    const auto is_one_of = [&command](auto... kinds) {
        return (std::holds_alternative<decltype(kinds)>(command) || ...);
    };
    // Who has asked to wait means it for `quit` too.
    if (is_one_of(Quit{}))
        return std::any_of(deferred_.begin(), deferred_.end(), [](const Command& waiting) {
            return std::holds_alternative<Wait>(waiting);
        });
    // These see to the running search or need no engine.
    if (is_one_of(Stop{}, PonderHit{}, IsReady{}, Nothing{}, Hello{}, Register{}, Help{}, Debug{}))
        return false;
    // Looking at the board needs no engine either, but keeps its place in the order.
    return !is_one_of(Display{}, ShowFen{}, ShowMoves{}) || !deferred_.empty();
}

void Session::execute_deferred() {
    while (!searching_ && !deferred_.empty() && !finished_) {
        const Command command = std::move(deferred_.front());
        deferred_.pop_front();
        execute(command);
    }
    // A `stop` that came after a waiting `go` belongs to that search.
    while (searching_ && !deferred_.empty() && std::holds_alternative<Stop>(deferred_.front())) {
        deferred_.pop_front();
        stop();
    }
}

void Session::on_end_of_input() {
    if (output_.broken()) return quit();
    closing_ = true;
    if (searching_ && endless_) stop();
}

void Session::execute(const Command& command) {
    std::visit(Overloaded{
                   [](const Nothing&) {},
                   [this](const Hello&) { hello(); },
                   [this](const Debug& debug) { debug_ = debug.on; },
                   [this](const IsReady&) { output_.line("readyok"); },
                   [this](const SetOption& option) { set_option(option); },
                   [](const Register&) {},  // there is nothing to register
                   [this](const NewGame&) { thinker_->new_game(); },
                   [this](const SetPosition& position) { set_position(position); },
                   [this](const Go& limits) { go(limits); },
                   [this](const Stop&) { stop_when_due(); },
                   [this](const PonderHit&) { ponder_hit(); },
                   [this](const Quit&) { quit(); },
                   [this](const Display&) { display(); },
                   [this](const Evaluate&) { show_evaluation(); },
                   [this](const Bench& b) { bench(b.arguments); },
                   [this](const ShowFen&) { output_.line(to_fen(position_)); },
                   [this](const ShowMoves&) { show_moves(); },
                   [this](const Flip&) { flip(); },
                   [](const Wait&) {},  // it has waited already
                   [this](const Help&) {
                       for (const std::string_view line : kHelp) output_.line(line);
                   },
               },
               command);
}

void Session::hello() {
    output_.line(to_line(Identity{false, house_.full_name()}));
    output_.line(to_line(Identity{true, house_.author}));
    for (const engine::Option& option : thinker_->options()) output_.line(to_line(option));
    for (const engine::Option& option : own_options_) output_.line(to_line(option));
    output_.line("uciok");
}

void Session::set_option(const SetOption& command) {
    for (engine::Option& option : own_options_) {
        if (!equal_ignoring_case(option.name, command.name)) continue;
        const std::string value = command.value.value_or("");
        if (option.type == engine::OptionType::Check && value != "true" && value != "false")
            return complain("error: option '" + option.name + "' is true or false, not " +
                            quoted(value));
        if (option.name == "Debug Log File" && !output_.log_to(value))
            return complain("error: cannot write the log file " + quoted(value));
        option.value = value;
        return;
    }
    if (const auto problem = thinker_->set_option(command.name, command.value.value_or("")))
        complain("error: " + *problem);
}

void Session::set_position(const SetPosition& command) {
    Position start;
    if (command.fen) {
        const auto parsed = parse_position(*command.fen);
        if (!parsed) return complain("error: bad FEN, " + parsed.error().to_string());
        start = *parsed;
    }
    Position position = start;
    std::vector<Move> moves;
    moves.reserve(command.moves.size());
    for (const MoveText& text : command.moves) {
        const auto move = parse_uci_move(position, text.text);
        if (!move)
            return complain(fmt::format("error: character {}: move {} {}: {}", text.offset + 1,
                                        moves.size() + 1, quoted(text.text), move.error().message));
        position.play(*move);
        moves.push_back(*move);
    }
    start_ = start;
    moves_ = std::move(moves);
    position_ = position;
    thinker_->set_position(start_, moves_);
}

void Session::flip() {
    start_ = position_ = flipped(position_);
    moves_.clear();
    thinker_->set_position(start_, moves_);
}

std::optional<ParseError> Session::fill_limits(const Go& command, engine::Limits& limits) const {
    limits = command.limits;
    const bool clock = command.time[Color::White] || command.time[Color::Black];
    if (clock) {
        if (!command.time[position_.turn()])
            return ParseError{0, "'go' gives no time to the side to move"};
        engine::ClockTimes times;
        for (const Color color : kColors) {
            times.left[color] = std::max(command.time[color].value_or(engine::Milliseconds(0)),
                                         engine::Milliseconds(0));
            times.increment[color] = command.increment[color].value_or(engine::Milliseconds(0));
        }
        if (command.moves_to_go && *command.moves_to_go > 0)
            times.moves_to_go = command.moves_to_go;
        limits.clock = times;
    }
    for (const MoveText& text : command.search_moves) {
        const auto move = parse_uci_move(position_, text.text);
        if (!move)
            return ParseError{text.offset,
                              "move " + quoted(text.text) + ": " + move.error().message};
        if (std::find(limits.search_moves.begin(), limits.search_moves.end(), *move) ==
            limits.search_moves.end())
            limits.search_moves.push_back(*move);
    }
    return std::nullopt;
}

void Session::go(const Go& command) {
    if (command.perft) return go_perft(*command.perft);
    engine::Limits limits;
    if (const auto problem = fill_limits(command, limits))
        return complain("error: " + problem->to_string());
    const bool limited =
        limits.clock || limits.move_time || limits.depth || limits.nodes || limits.mate;
    endless_ = limits.infinite || limits.ponder || !limited;
    castling_ = is_checked(*thinker_, "UCI_Chess960") ? CastlingNotation::KingTakesRook
                                                      : CastlingNotation::KingMove;
    show_chances_ = is_checked(*thinker_, "UCI_ShowWDL");
    {
        const std::lock_guard lock(hold_mutex_);
        hold_ = endless_;
        held_.reset();
    }
    searching_ = true;
    if (!has_legal_move(position_)) {
        engine::Info info;
        if (position_.in_check()) info.score = engine::Score::mated_in(0);
        info.chances = engine::win_chances(info.score, position_);
        on_info(info);
        on_best_move({});
    } else {
        thinker_->go(limits);
    }
    if (closing_ && endless_) stop();
}

void Session::go_perft(int depth) {
    searching_ = true;
    endless_ = false;
    const CastlingNotation castling = is_checked(*thinker_, "UCI_Chess960")
                                          ? CastlingNotation::KingTakesRook
                                          : CastlingNotation::KingMove;
    background_.start(
        [this, depth, castling, position = position_](const std::atomic<bool>& stopped) {
            std::uint64_t total = depth == 0 ? 1 : 0;
            if (depth > 0) {
                for (const Move move : legal_moves(position)) {
                    if (stopped || output_.broken()) break;
                    Position next = position;
                    next.play(move);
                    const std::uint64_t count = perft_until(next, depth - 1, stopped);
                    output_.line(fmt::format("{}: {}", to_uci(move, castling), count));
                    total += count;
                }
            }
            output_.line("");
            output_.line(stopped ? "info string perft stopped"
                                 : fmt::format("Nodes searched: {}", total));
            queue_.push(Decided{});
        });
}

void Session::bench(const std::string& arguments) {
    if (!house_.bench) return complain("error: no benchmark in this program");
    searching_ = true;
    endless_ = false;
    background_.start([this, arguments](const std::atomic<bool>& stopped) {
        house_.bench(arguments, [this](std::string_view line) { output_.line(line); }, stopped);
        queue_.push(Decided{});
    });
}

void Session::stop_when_due() {
    // With a `go` still waiting, the `stop` that came after it is for that search; the running one
    // ends by itself unless it is endless.
    const auto waiting_go = std::find_if(deferred_.begin(), deferred_.end(), [](const Command& c) {
        return std::holds_alternative<Go>(c);
    });
    if (waiting_go != deferred_.end()) deferred_.emplace_back(Stop{});
    if (waiting_go == deferred_.end() || endless_) stop();
}

void Session::stop() {
    if (!searching_) return;
    background_.stop();
    thinker_->stop();
    release_best_move();
}

void Session::ponder_hit() {
    if (!searching_) return;
    endless_ = false;
    thinker_->ponder_hit();
    release_best_move();
}

void Session::quit() {
    finished_ = true;
    deferred_.clear();
    background_.stop_and_join();
    thinker_->stop();
    release_best_move();
    thinker_->wait();
}

void Session::display() {
    output_.text(draw_board(position_) + '\n');
    output_.line("Fen: " + to_fen(position_));
    output_.line(fmt::format("Key: {:016X}", position_.key()));
    std::string checkers = "Checkers:";
    for (const Square square : position_.checkers()) checkers += ' ' + to_string(square);
    output_.line(checkers);
}

void Session::show_moves() {
    std::string line;
    for (const Move move : legal_moves(position_)) {
        if (!line.empty()) line += ' ';
        line += move_text(move);
    }
    output_.line(line);
}

void Session::show_evaluation() { output_.text(evaluation_text(position_)); }

std::string Session::move_text(Move move) const {
    return to_uci(move, is_checked(*thinker_, "UCI_Chess960") ? CastlingNotation::KingTakesRook
                                                              : CastlingNotation::KingMove);
}

void Session::on_info(const engine::Info& info) {
    InfoText text;
    text.depth = info.depth;
    text.score = info.score;
    text.bound = info.bound;
    if (show_chances_)
        text.wdl = WinDrawLoss{info.chances.win, info.chances.draw, info.chances.loss};
    if (info.depth > 0) {
        text.selective_depth = info.selective_depth;
        text.multipv = info.multipv;
        text.nodes = info.nodes;
        const auto milliseconds =
            static_cast<std::uint64_t>(std::max<std::int64_t>(info.time.count(), 1));
        text.nps = info.nodes * 1000 / milliseconds;
        text.hash_full = info.hash_full;
        text.tablebase_hits = info.tablebase_hits;
        text.time = info.time;
        text.line.reserve(info.line.size());
        for (const Move move : info.line) text.line.push_back(to_uci(move, castling_));
    }
    output_.line(to_line(text));
    if (output_.broken()) queue_.push(EndOfInput{});
}

void Session::on_current_move(const engine::CurrentMove& current) {
    InfoText text;
    text.depth = current.depth;
    text.current_move = to_uci(current.move, castling_);
    text.current_move_number = current.number;
    output_.line(to_line(text));
}

void Session::on_best_move(const engine::BestMove& best) {
    {
        const std::lock_guard lock(hold_mutex_);
        if (hold_) {
            held_ = best;
            return;
        }
    }
    print_best_move(best);
    queue_.push(Decided{0, best});
}

void Session::release_best_move() {
    std::optional<engine::BestMove> best;
    {
        const std::lock_guard lock(hold_mutex_);
        hold_ = false;
        best = std::exchange(held_, std::nullopt);
    }
    if (!best) return;
    print_best_move(*best);
    queue_.push(Decided{0, *best});
}

void Session::print_best_move(const engine::BestMove& best) {
    BestMoveText text;
    if (best.move) text.move = to_uci(best.move, castling_);
    if (best.ponder) text.ponder = to_uci(best.ponder, castling_);
    output_.line(to_line(text));
}

}  // namespace rokada::protocol::uci
