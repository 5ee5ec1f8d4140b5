// SPDX-License-Identifier: GPL-3.0-or-later
#include "protocol/cecp/session.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "chess/movegen.hpp"
#include "chess/notation/fen.hpp"
#include "chess/notation/san.hpp"
#include "chess/notation/uci_move.hpp"

namespace rokada::protocol::cecp {

namespace {

template <class... Functions>
struct Overloaded : Functions... {
    using Functions::operator()...;
};
template <class... Functions>
Overloaded(Functions...) -> Overloaded<Functions...>;

// Set by commands of the protocol instead.
bool has_own_command(std::string_view option) {
    static constexpr std::string_view kNames[] = {"Hash",         "Threads",        "Ponder",
                                                  "UCI_Chess960", "MultiPV",        "UCI_ShowWDL",
                                                  "SyzygyPath",   "UCI_AnalyseMode"};
    return std::any_of(std::begin(kNames), std::end(kNames), [option](std::string_view name) {
        return equal_ignoring_case(name, option);
    });
}

Result<Move, ParseError> parse_move(const Position& position, std::string_view text) {
    auto move = parse_uci_move(position, text);
    if (move) return move;
    auto san = parse_san(position, text);
    return san ? san : move;
}

}  // namespace

Session::Session(EventQueue& queue, Output& output, const ThinkerFactory& make_thinker, House house)
    : queue_(queue), output_(output), house_(std::move(house)) {
    engine::Callbacks callbacks;
    callbacks.on_info = [this](const engine::Info& info) {
        queue_.push(Thought{search_number_, info});
    };
    callbacks.on_best_move = [this](const engine::BestMove& best) {
        queue_.push(Decided{search_number_, best});
    };
    callbacks.on_message = [this](std::string_view text) {
        queue_.push(Remark{std::string(text)});
    };
    thinker_ = make_thinker(std::move(callbacks));
}

Session::~Session() {
    thinker_->stop();
    thinker_->wait();
}

void Session::handle(Event event) {
    std::visit(Overloaded{
                   [this](const InputLine& line) {
                       output_.log_input(line.text);
                       on_line(line.text);
                   },
                   [this](const OverlongLine&) { refuse("the line is too long", "..."); },
                   [this](const EndOfInput&) {
                       break_off();
                       finished_ = true;
                   },
                   [this](const Thought& thought) { on_thought(thought); },
                   [this](const Decided& decided) { on_decided(decided); },
                   [this](const Remark& remark) { output_.line("# " + remark.text); },
               },
               event);
    if (output_.broken()) {
        break_off();
        finished_ = true;
    }
}

void Session::on_line(std::string_view line) {
    if (editor_) {
        const BoardEditor::Step step = editor_->line(line);
        if (step == BoardEditor::Step::Bad) refuse("not a line of edit mode", trimmed(line));
        if (step == BoardEditor::Step::Done) finish_edit();
        return;
    }
    const auto command = parse_command(line);
    if (!command) return refuse(command.error().message, trimmed(line));
    if (must_wait(*command))
        deferred_.emplace_back(*command, std::string(trimmed(line)));
    else
        execute(*command, trimmed(line));
}

bool Session::must_wait(const Command& command) const {
    if (search_ != Search::Move) return false;
    // The answer to a ping says that everything before it is done, our move included.
    return std::holds_alternative<Ping>(command) || std::holds_alternative<Memory>(command) ||
           std::holds_alternative<Cores>(command) || std::holds_alternative<EgtPath>(command) ||
           std::holds_alternative<SetOption>(command);
}

void Session::execute(const Command& command, std::string_view line) {
    std::visit(Overloaded{
                   [this](Simple simple) { execute(simple); },
                   [this](const ProtocolVersion& protocol) {
                       if (protocol.version >= 2) announce_features();
                   },
                   [this](const Variant& variant) { set_variant(variant.name); },
                   [this](const Level& level) { clock_.set(level); },
                   [this](const MoveTime& time) { clock_.set(time); },
                   [this](const DepthLimit& depth) { clock_.set(depth); },
                   [](const NodeRate&) {},
                   [this](const ClockLeft& clock) { clock_.set(clock); },
                   [this](const UserMove& move) { user_move(move.text); },
                   [this](const Ping& ping) { output_.line("pong " + ping.number); },
                   [this](const GameResult&) {
                       break_off();
                       if (mode_ == Mode::Play) mode_ = Mode::Force;
                   },
                   [this](const SetBoard& board) { set_board(board.fen); },
                   [this, line](const Memory& memory) {
                       // What is not table is some twenty megabytes.
                       const auto hash = std::max<std::int64_t>(memory.megabytes - 20, 1);
                       set_engine_option("Hash", std::to_string(hash), line);
                   },
                   [this, line](const Cores& cores) {
                       set_engine_option("Threads", std::to_string(cores.count), line);
                   },
                   [this, line](const EgtPath& egt) {
                       if (egt.type == "syzygy") set_engine_option("SyzygyPath", egt.path, line);
                   },
                   [this](const SetOption& option) { set_option(option); },
                   [this](const Exclude& e) { exclude(e); },
                   [](const OpponentName&) {},
               },
               command);
}

void Session::execute(Simple command) {
    switch (command) {
        case Simple::Nothing:
        case Simple::Xboard:
        case Simple::Random:
        case Simple::Computer:
        case Simple::Ignored: break;
        case Simple::New: new_game(); break;
        case Simple::Quit:
            break_off();
            finished_ = true;
            break;
        case Simple::Force:
            break_off();
            mode_ = Mode::Force;
            break;
        case Simple::Go: play_color(record_.position().turn()); break;
        case Simple::PlayOther: play_color(~record_.position().turn()); break;
        case Simple::White: set_side_to_move(Color::White); break;
        case Simple::Black: set_side_to_move(Color::Black); break;
        case Simple::MoveNow:
            if (search_ == Search::Move) thinker_->stop();
            break;
        case Simple::Draw: answer_draw_offer(); break;
        case Simple::Edit:
            break_off();
            editor_.emplace(record_.position());
            break;
        case Simple::Hint: show_hint(); break;
        case Simple::Book: show_book(); break;
        case Simple::Undo: take_back(1); break;
        case Simple::Remove: take_back(2); break;
        case Simple::Hard: pondering_allowed_ = true; break;
        case Simple::Easy:
            pondering_allowed_ = false;
            if (search_ == Search::Ponder) break_off();
            break;
        case Simple::Post: post_ = true; break;
        case Simple::NoPost: post_ = false; break;
        case Simple::Analyze:
            break_off();
            mode_ = Mode::Analyze;
            analyze();
            break;
        case Simple::Exit:
            if (mode_ != Mode::Analyze) break;
            break_off();
            excluded_.clear();
            mode_ = Mode::Force;
            break;
        case Simple::Status: show_status(); break;
        case Simple::Pause: pause(); break;
        case Simple::Resume: resume(); break;
    }
}

void Session::announce_features() {
    output_.line("feature done=0");
    output_.line(
        "feature ping=1 setboard=1 playother=1 san=0 usermove=1 time=1 draw=1 sigint=0 sigterm=0 "
        "reuse=1 "
        "analyze=1 colors=0 ics=0 name=1 pause=1 nps=0 debug=1 memory=1 smp=1 exclude=1");
    output_.line(
        fmt::format("feature myname=\"{}\" variants=\"normal,fischerandom\" egt=\"syzygy\"",
                    house_.full_name()));
    output_.line("feature option=\"Resign -check 1\"");
    for (const engine::Option& option : thinker_->options())
        if (!has_own_command(option.name))
            output_.line("feature option=\"" + feature_value(option) + '"');
    output_.line("feature done=1");
}

void Session::new_game() {
    break_off();
    record_.reset();
    clock_.new_game();
    temper_.new_game();
    excluded_.clear();
    paused_ = false;
    expected_ = Move();
    if (chess960_) {
        chess960_ = false;
        thinker_->set_option("UCI_Chess960", "false");
    }
    thinker_->new_game();
    own_color_ = Color::Black;
    if (mode_ == Mode::Analyze) return analyze();
    mode_ = Mode::Play;
}

void Session::set_variant(const std::string& name) {
    if (name == "normal" || name.empty()) return;
    if (name != "fischerandom") return refuse("unknown variant", "variant " + name);
    break_off();
    chess960_ = true;
    thinker_->set_option("UCI_Chess960", "true");
    restart_if_needed();
}

void Session::set_board(const std::string& fen) {
    const auto position = parse_position(fen);
    if (!position) {
        output_.line("tellusererror Illegal position: " + position.error().to_string());
        return;
    }
    start_from(*position);
}

void Session::start_from(const Position& position) {
    break_off();
    record_.reset(position);
    temper_.new_game();
    excluded_.clear();
    restart_if_needed();
}

void Session::finish_edit() {
    const auto position = editor_->position();
    editor_.reset();
    if (position) return start_from(*position);
    output_.line("tellusererror Illegal position: " + position.error().message());
    restart_if_needed();
}

void Session::user_move(const std::string& text) {
    const auto move = parse_move(record_.position(), text);
    if (!move) {
        output_.line(to_line(Refused{true, move.error().message, text}));
        return;
    }
    if (search_ == Search::Ponder && *move == expected_) {
        record_.play(*move);
        search_ = Search::Move;
        search_begun_ = std::chrono::steady_clock::now();
        claim_if_over();
        thinker_->ponder_hit();
        return;
    }
    break_off();
    record_.play(*move);
    excluded_.clear();
    if (mode_ == Mode::Analyze) return analyze();
    if (mode_ != Mode::Play || paused_) return;
    if (record_.position().turn() != own_color_) return;
    think();
}

void Session::take_back(int plies) {
    break_off();
    for (int i = 0; i < plies; ++i)
        if (!record_.take_back()) break;
    excluded_.clear();
    if (mode_ == Mode::Analyze) return analyze();
    // After a single move it would be our turn; the user decides who goes on.
    if (plies == 1) mode_ = Mode::Force;
}

void Session::play_color(Color color) {
    break_off();
    mode_ = Mode::Play;
    own_color_ = color;
    if (record_.position().turn() == color)
        think();
    else
        ponder();
}

// Only GUIs of protocol 1 send this: the named colour is to move, the engine plays the other one.
void Session::set_side_to_move(Color color) {
    break_off();
    own_color_ = ~color;
    if (record_.position().turn() == color) return;
    Setup setup = record_.position().to_setup();
    setup.turn = color;
    setup.en_passant = Square::None;
    if (const auto position = Position::from_setup(setup)) record_.reset(*position);
}

void Session::answer_draw_offer() {
    if (mode_ == Mode::Play && temper_.accepts_draw()) output_.line("offer draw");
}

void Session::set_option(const SetOption& option) {
    if (equal_ignoring_case(option.name, "Resign")) {
        resigning_allowed_ = option.value.value_or("1") != "0";
        return;
    }
    std::string value = option.value.value_or("");
    const auto known = find_option(*thinker_, option.name);
    if (known && known->type == engine::OptionType::Check) value = value == "0" ? "false" : "true";
    set_engine_option(option.name, value, "option " + option.name);
}

void Session::set_engine_option(std::string_view name, std::string_view value,
                                std::string_view command) {
    const Search before = search_;
    break_off();
    if (const auto problem = thinker_->set_option(name, value)) refuse(*problem, command);
    if (before == Search::Analysis) analyze();
    if (before == Search::Ponder) ponder();
}

void Session::exclude(const Exclude& command) {
    const MoveList moves = legal_moves(record_.position());
    if (command.move == "all") {
        excluded_.clear();
        if (!command.include)
            for (const Move move : moves) excluded_.insert(move.bits());
    } else {
        const auto move = parse_move(record_.position(), command.move);
        if (!move) return refuse(move.error().message, command.move);
        if (command.include)
            excluded_.erase(move->bits());
        else
            excluded_.insert(move->bits());
    }
    if (mode_ == Mode::Analyze) {
        break_off();
        analyze();
    }
}

void Session::show_status() {
    if (search_ != Search::Analysis) return;
    const auto elapsed = std::chrono::duration_cast<engine::Milliseconds>(
        std::chrono::steady_clock::now() - search_begun_);
    const std::string move =
        last_.line.empty() ? "" : to_san(record_.position(), last_.line.front());
    output_.line(fmt::format("stat01: {} {} {} 0 {} {}", elapsed.count() / 10, last_.nodes,
                             last_.depth, legal_moves(record_.position()).size(), move));
}

void Session::show_hint() {
    const Position& position = record_.position();
    if (search_ == Search::Analysis && !last_.line.empty()) {
        output_.line("Hint: " + move_text(last_.line.front()));
    } else if (mode_ != Mode::Analyze && position.turn() != own_color_ &&
               position.is_legal(expected_)) {
        output_.line("Hint: " + move_text(expected_));
    } else if (search_ == Search::None && has_legal_move(position)) {
        engine::Limits limits;
        limits.move_time = engine::Milliseconds(500);
        go(Search::Hint, limits);
    }
}

// Every line begins with a blank, an empty one ends the answer.
void Session::show_book() {
    const Position& position = record_.position();
    const std::vector<BookMove> moves = thinker_->book_moves(position);
    unsigned sum = 0;
    for (const BookMove& entry : moves) sum += entry.weight;
    for (const BookMove& entry : moves)
        output_.line(fmt::format(" {:7} {:3} %  weight {}", to_san(position, entry.move),
                                 sum == 0 ? 0 : (entry.weight * 100u + sum / 2) / sum,
                                 entry.weight));
    if (moves.empty()) output_.line(" No book moves known here.");
    output_.line("");
}

void Session::pause() {
    paused_ = true;
    break_off();
}

void Session::resume() {
    if (!std::exchange(paused_, false)) return;
    restart_if_needed();
    if (mode_ == Mode::Play) {
        if (record_.position().turn() == own_color_)
            think();
        else
            ponder();
    }
}

void Session::refuse(std::string_view reason, std::string_view about) {
    output_.line(to_line(Refused{false, std::string(reason), quoted(about)}));
}

}  // namespace rokada::protocol::cecp
