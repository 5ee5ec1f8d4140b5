// SPDX-License-Identifier: GPL-3.0-or-later
#include "protocol/terminal/play.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "chess/movegen.hpp"
#include "chess/notation/san.hpp"
#include "protocol/tokens.hpp"

namespace rokada::protocol {

namespace {

using engine::Milliseconds;
using SteadyClock = std::chrono::steady_clock;

template <class... Functions>
struct Overloaded : Functions... {
    using Functions::operator()...;
};
template <class... Functions>
Overloaded(Functions...) -> Overloaded<Functions...>;

std::string clock_text(Milliseconds time) {
    const auto tenths = std::max<std::int64_t>(time.count(), 0) / 100;
    return fmt::format("{}:{:02}.{}", tenths / 600, tenths / 10 % 60, tenths % 10);
}

std::string score_text(const engine::Score& score) {
    if (score.is_mate()) return fmt::format("mate in {}", score.moves_to_mate());
    return fmt::format("{:+.2f}", score.centipawns() / 100.0);
}

std::string line_text(Position position, const std::vector<Move>& moves, std::size_t most) {
    std::string text;
    for (std::size_t i = 0; i < moves.size() && i < most; ++i) {
        if (!position.is_legal(moves[i])) break;
        if (!text.empty()) text += ' ';
        append_san(text, position, moves[i]);
        position.play(moves[i]);
    }
    return text;
}

std::string_view color_name(Color color) { return color == Color::White ? "White" : "Black"; }

}  // namespace

PlaySession::PlaySession(EventQueue& queue, Output& output, const ThinkerFactory& make_thinker,
                         House house, PlaySettings settings)
    : queue_(queue),
      output_(output),
      house_(std::move(house)),
      settings_(settings),
      game_(settings_.start, DrawRule::Claim) {
    engine::Callbacks callbacks;
    callbacks.on_info = [this, &queue](const engine::Info& info) {
        queue.push(Thought{search_number_, info});
    };
    callbacks.on_best_move = [this, &queue](const engine::BestMove& best) {
        queue.push(Decided{search_number_, best});
    };
    callbacks.on_message = [&queue](std::string_view text) {
        queue.push(Remark{std::string(text)});
    };
    thinker_ = make_thinker(std::move(callbacks));
}

PlaySession::~PlaySession() {
    thinker_->stop();
    thinker_->wait();
}

void PlaySession::begin() {
    if (settings_.interactive) say("Type a move (e4, Nf3, e2e4) or `help`.");
    start_game(Game(settings_.start, DrawRule::Claim));
}

void PlaySession::handle(Event event) {
    std::visit(Overloaded{
                   [this](const InputLine& line) { on_line(line.text); },
                   [this](const OverlongLine&) { say("That line is too long."); },
                   [this](const EndOfInput&) {
                       closing_ = true;
                       if (settings_.interactive) quit("");
                   },
                   [this](const Thought& thought) {
                       if (thought.search == search_number_) on_thought(thought.info);
                   },
                   [this](const Decided& decided) {
                       if (decided.search == search_number_) on_decided(decided.best);
                   },
                   [this](const Remark& remark) { say(remark.text); },
               },
               event);
    while (task_ == Task::None && !waiting_.empty() && !finished_) {
        const std::string line = std::move(waiting_.front());
        waiting_.pop_front();
        execute(line);
    }
    if ((closing_ && task_ == Task::None && waiting_.empty()) || output_.broken()) finished_ = true;
}

void PlaySession::on_line(std::string_view line) {
    const std::string_view word = Tokens(line).peek().text;
    // A person can interrupt; a script's lines have their order.
    const bool urgent =
        settings_.interactive && (word == "now" || word == "quit" || word == "stop");
    if (task_ != Task::None && !urgent)
        waiting_.emplace_back(line);
    else
        execute(line);
}

void PlaySession::execute(std::string_view line) {
    Tokens tokens(line);
    if (tokens.done()) return prompt();
    const std::string_view word = tokens.next().text;
    if (word.front() == '#') return;
    // Moves first: `b4` is a move, and no command looks like one.
    const auto move = parse_san(game_.position(), trimmed(line));
    if (move && game_.over()) {
        say("The game is over. `new` starts another one, `undo` goes back.");
        return prompt();
    }
    if (move) return play_move(*move);
    for (const CommandEntry& entry : commands()) {
        if (entry.name != word) continue;
        (this->*entry.run)(tokens.rest().text);
        if (task_ == Task::None && !finished_) prompt();
        return;
    }
    const bool looks_like_move = word.size() <= 8 && word.find_first_of("12345678-") != word.npos;
    say(looks_like_move ? fmt::format("{}: {}", quoted(word), move.error().message)
                        : fmt::format("{} is no move and no command; try `help`.", quoted(word)));
    prompt();
}

void PlaySession::prompt() {
    if (!settings_.interactive || finished_) return;
    std::string text;
    if (settings_.clock)
        text += fmt::format("[{} {}] ", clock_text(time_left_[Color::White]),
                            clock_text(time_left_[Color::Black]));
    output_.text(text + std::string(color_name(game_.position().turn())) + " > ");
}

bool PlaySession::engine_to_play() const {
    return settings_.own && game_.position().turn() != *settings_.own && !game_.over();
}

void PlaySession::start_game(const Game& game) {
    stop_thinking();
    game_ = game;
    temper_.new_game();
    thinker_->new_game();
    if (settings_.clock)
        for (Milliseconds& time : time_left_) time = settings_.clock->base;
    times_before_.clear();
    turn_begun_ = SteadyClock::now();
    show_board("");
    next_turn();
}

void PlaySession::charge_clock(Color mover) {
    const auto now = SteadyClock::now();
    const auto elapsed = std::chrono::duration_cast<Milliseconds>(now - turn_begun_);
    turn_begun_ = now;
    if (!settings_.clock) return;
    time_left_[mover] -= elapsed;
    if (time_left_[mover] < Milliseconds(0))
        game_.flag_fell(mover);
    else
        time_left_[mover] += settings_.clock->increment;
}

void PlaySession::play_move(Move move) {
    const Color mover = game_.position().turn();
    const auto before = time_left_;
    charge_clock(mover);
    if (game_.over()) return announce_end();
    times_before_.push_back(before);
    const std::string san = to_san(game_.position(), move);
    const int number = game_.position().fullmove_number();
    const bool engines_move = settings_.own && mover != *settings_.own;
    game_.play(move, settings_.clock ? std::optional(time_left_[mover]) : std::nullopt);
    if (engines_move || !settings_.interactive)
        say(fmt::format("{}{} {}", number, mover == Color::White ? "." : "...", san));
    if (settings_.interactive) show_board("");
    next_turn();
}

void PlaySession::next_turn() {
    if (game_.over()) return announce_end();
    if (!engine_to_play()) return prompt();
    engine::Limits limits;
    if (settings_.clock) {
        engine::ClockTimes times;
        for (const Color color : kColors) {
            times.left[color] = time_left_[color];
            times.increment[color] = settings_.clock->increment;
        }
        limits.clock = times;
    } else {
        limits.move_time = settings_.think_time;
    }
    think(Task::Move, limits);
}

void PlaySession::announce_end() {
    const auto& outcome = game_.outcome();
    if (!outcome) return;
    std::string reason(to_string(outcome->reason));
    std::replace(reason.begin(), reason.end(), '-', ' ');
    say(fmt::format(
        "{}  {}{}", result_text(outcome),
        outcome->winner ? fmt::format("{} wins: ", color_name(*outcome->winner)) : "Draw: ",
        reason));
    prompt();
}

void PlaySession::think(Task task, engine::Limits limits) {
    std::vector<Move> moves;
    for (const Game::Ply& ply : game_.plies()) moves.push_back(ply.move);
    thinker_->set_position(game_.start(), moves);
    task_ = task;
    thinking_ = true;
    ++search_number_;
    last_ = {};
    if (settings_.interactive && task == Task::Move) output_.text("thinking...\r");
    thinker_->go(limits);
}

void PlaySession::stop_thinking() {
    if (task_ == Task::None) return;
    thinker_->stop();
    thinker_->wait();
    ++search_number_;
    task_ = Task::None;
    thinking_ = false;
}

void PlaySession::interrupt() {
    if (counting_)
        stop_counting_ = true;
    else if (thinking_)
        queue_.push(InputLine{"stop"});
}

void PlaySession::on_thought(const engine::Info& info) {
    if (info.line.empty()) return;
    if (info.multipv == 1) last_ = info;
    if (task_ == Task::Search && info.bound == engine::Bound::Exact)
        say(fmt::format("{:>3}  {:>9}  {:>11}  {}", info.depth, score_text(info.score), info.nodes,
                        line_text(game_.position(), info.line, 12)));
}

void PlaySession::on_decided(const engine::BestMove& best) {
    thinker_->wait();
    const Task task = std::exchange(task_, Task::None);
    thinking_ = false;
    if (!game_.position().is_legal(best.move)) return prompt();
    if (task == Task::Move) {
        temper_.note(last_.score, last_.depth, game_.position());
        return play_move(best.move);
    }
    say(fmt::format("{}: {}  {}", task == Task::Hint ? "Hint" : "Best",
                    to_san(game_.position(), best.move), score_text(last_.score)));
    prompt();
}

std::optional<SteadyClock::time_point> PlaySession::flag_time() const {
    if (!settings_.clock || game_.over() || engine_to_play()) return std::nullopt;
    return turn_begun_ + time_left_[game_.position().turn()];
}

void PlaySession::tick() {
    const auto flag = flag_time();
    if (!flag || SteadyClock::now() <= *flag) return;
    game_.flag_fell(game_.position().turn());
    say("");
    announce_end();
}

}  // namespace rokada::protocol
