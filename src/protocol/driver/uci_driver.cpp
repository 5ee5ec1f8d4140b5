// SPDX-License-Identifier: GPL-3.0-or-later
#include "protocol/driver/uci_driver.hpp"

#include "chess/notation/fen.hpp"
#include "protocol/uci/answer.hpp"

namespace rokada::protocol {

namespace {

SteadyTime after(std::chrono::milliseconds patience) {
    return std::chrono::steady_clock::now() + patience;
}

void remember(const uci::InfoText& info, ThoughtSummary& thought) {
    if (info.multipv.value_or(1) != 1) return;
    if (info.nodes) thought.nodes = *info.nodes;
    if (info.time) thought.time = *info.time;
    // A bound says less than the exact score before it.
    if (!info.score || (info.bound != engine::Bound::Exact && thought.score)) return;
    thought.score = info.score;
    if (info.depth) thought.depth = *info.depth;
    if (info.selective_depth) thought.selective_depth = *info.selective_depth;
    thought.line.clear();
    for (const std::string& move : info.line)
        thought.line += (thought.line.empty() ? "" : " ") + move;
}

}  // namespace

std::string UciDriver::failure(std::string_view what) {
    std::string text(what);
    if (link_->closed()) text += ": the engine " + link_->last_words();
    return text;
}

std::optional<std::string> UciDriver::start() {
    link_->send("uci");
    const SteadyTime deadline = after(settings_.start_patience);
    while (true) {
        const auto line = group_.wait(*link_, deadline);
        if (!line) return failure("no 'uciok'");
        uci::Answer answer = uci::parse_answer(line->text);
        if (std::holds_alternative<uci::UciOk>(answer)) break;
        if (auto* option = std::get_if<engine::Option>(&answer))
            options_.push_back(std::move(*option));
        if (const auto* id = std::get_if<uci::Identity>(&answer); id != nullptr && !id->author)
            name_ = id->text;
        if (std::chrono::steady_clock::now() > deadline) return failure("no 'uciok'");
    }
    for (const auto& [name, value] : settings_.options) {
        const engine::Option* option = find_option(name);
        if (option == nullptr) return "the engine has no option '" + name + "'";
        uci::SetOption command{option->name, value};
        if (option->type == engine::OptionType::Button)
            command.value.reset();
        else if (auto problem = problem_with(*option, value))
            return problem;
        link_->send(uci::to_line(command));
    }
    for (const std::string& line : settings_.init_lines) link_->send(line);
    complaint_.clear();
    if (!wait_until_ready()) return failure("no 'readyok'");
    // A wrong file shows only now. Who played on would measure something else than was asked for.
    if (!settings_.options.empty() && !complaint_.empty())
        return "the engine refuses its options: " + complaint_;
    return std::nullopt;
}

bool UciDriver::wait_until_ready() {
    link_->send("isready");
    const SteadyTime deadline = after(settings_.ready_patience);
    while (const auto line = group_.wait(*link_, deadline)) {
        const uci::Answer answer = uci::parse_answer(line->text);
        if (std::holds_alternative<uci::ReadyOk>(answer)) return true;
        if (const auto* info = std::get_if<uci::InfoText>(&answer);
            info != nullptr && info->text && complaint_.empty() &&
            equal_ignoring_case(std::string_view(*info->text).substr(0, 5), "error"))
            complaint_ = *info->text;
        if (std::chrono::steady_clock::now() > deadline) return false;
    }
    return false;
}

std::optional<std::string> UciDriver::new_game(const GameStart& start) {
    terms_ = start.terms;
    position_ = start.position;
    castling_ = start.chess960 ? CastlingNotation::KingTakesRook : CastlingNotation::KingMove;
    record_ = {};
    if (start.position != Position())
        record_.fen =
            to_fen(start.position, start.chess960 ? CastlingStyle::Shredder : CastlingStyle::XFen);
    if (const engine::Option* option = find_option("UCI_Chess960"))
        link_->send(uci::to_line(uci::SetOption{option->name, start.chess960 ? "true" : "false"}));
    else if (start.chess960)
        return std::string("the engine does not play Chess960");
    if (find_option("UCI_Opponent") != nullptr && !start.opponent.empty())
        link_->send("setoption name UCI_Opponent value none none computer " + start.opponent);
    link_->send("ucinewgame");
    if (!wait_until_ready()) return failure("no 'readyok'");
    return std::nullopt;
}

void UciDriver::play(Move move) {
    record_.moves.push_back({to_uci(move, castling_), 0});
    position_.play(move);
}

uci::Go UciDriver::go_command(const TurnLimits& limits) const {
    uci::Go go;
    if (limits.clock) {
        for (const Color color : kColors) {
            go.time[color] = limits.clock->left[color];
            go.increment[color] = limits.clock->increment[color];
        }
        go.moves_to_go = limits.clock->moves_to_go;
    }
    go.limits.move_time = terms_.move_time;
    go.limits.depth = terms_.depth;
    go.limits.nodes = terms_.nodes;
    return go;
}

Reply UciDriver::think(const TurnLimits& limits) {
    while (link_->take()) {
    }  // what it said after its last move
    const std::string request = uci::to_line(record_) + '\n' + uci::to_line(go_command(limits));
    const SteadyTime asked = std::chrono::steady_clock::now();
    link_->send(request);
    Reply reply;
    while (const auto line = group_.wait(*link_, limits.deadline)) {
        const uci::Answer answer = uci::parse_answer(line->text);
        if (const auto* info = std::get_if<uci::InfoText>(&answer)) remember(*info, reply.thought);
        if (const auto* best = std::get_if<uci::BestMoveText>(&answer)) {
            reply.elapsed = line->received - asked;
            reply.text = best->move;
            const auto move = parse_uci_move(position_, best->move);
            if (!move) {
                reply.kind = ReplyKind::Illegal;
                return reply;
            }
            reply.move = *move;
            play(*move);
            return reply;
        }
        if (std::chrono::steady_clock::now() > limits.deadline) break;
    }
    Reply failed = lost(asked);
    failed.thought = std::move(reply.thought);
    return failed;
}

void UciDriver::game_over(const std::optional<Outcome>&) {
    if (!link_->closed()) link_->send("stop");
}

}  // namespace rokada::protocol
