// SPDX-License-Identifier: GPL-3.0-or-later
#include "protocol/driver/cecp_driver.hpp"

#include "chess/notation/fen.hpp"
#include "chess/notation/san.hpp"
#include "chess/notation/uci_move.hpp"
#include "protocol/cecp/answer.hpp"
#include "protocol/cecp/command.hpp"

namespace rokada::protocol {

namespace {

// The protocol gives an engine two seconds to announce its features.
constexpr std::chrono::milliseconds kFeaturePatience{2000};

// The old `edit` mode knows no en passant, and takes castling for possible where king and rook
// stand at home.
bool can_be_edited(const Position& position) {
    if (position.en_passant() != Square::None) return false;
    for (const Color color : kColors) {
        const bool king =
            position.at(relative(color, Square::E1)) == make_piece(color, PieceType::King);
        for (const CastlingSide side : kCastlingSides) {
            const Square home =
                relative(color, side == CastlingSide::King ? Square::H1 : Square::A1);
            const bool ready = king && position.at(home) == make_piece(color, PieceType::Rook);
            const Square rook = position.castling().rook(color, side);
            if (ready ? rook != home : rook != Square::None) return false;
        }
    }
    return true;
}

SteadyTime after(std::chrono::milliseconds patience) {
    return std::chrono::steady_clock::now() + patience;
}

}  // namespace

std::string CecpDriver::failure(std::string_view what) {
    std::string text(what);
    if (link_->closed()) text += ": the engine " + link_->last_words();
    return text;
}

std::optional<std::string> CecpDriver::start() {
    link_->send("xboard\nprotover 2");
    SteadyTime deadline = after(kFeaturePatience);
    while (!features_done_) {
        const auto line = group_.wait(*link_, deadline);
        if (link_->closed() && !line) return failure("no features");
        if (!line) {
            if (features_pending_) return failure("its features never came to an end");
            break;  // an engine of protocol 1
        }
        const cecp::Answer answer = cecp::parse_answer(line->text);
        if (const auto* features = std::get_if<cecp::Features>(&answer)) {
            take_features(features->items);
            if (features_pending_) deadline = after(settings_.start_patience);
        }
    }
    if (auto problem = set_options()) return problem;
    return synchronise();
}

void CecpDriver::take_features(const std::vector<std::pair<std::string, std::string>>& items) {
    for (const auto& [name, value] : items) {
        const bool on = value == "1";
        bool known = true;
        if (name == "done") {
            features_done_ = on;
            features_pending_ = !on;
        } else if (name == "ping")
            ping_ = on;
        else if (name == "setboard")
            setboard_ = on;
        else if (name == "usermove")
            usermove_ = on;
        else if (name == "san")
            san_ = on;
        else if (name == "reuse")
            reuse_ = on;
        else if (name == "time")
            time_ = on;
        else if (name == "colors")
            colors_ = on;
        else if (name == "memory")
            memory_ = on;
        else if (name == "smp")
            smp_ = on;
        else if (name == "myname")
            name_ = value;
        else if (name == "variants")
            variants_ = value;
        else if (name == "option") {
            if (auto option = cecp::parse_feature_option(value))
                options_.push_back(std::move(*option));
        } else {
            known = name == "playother" || name == "draw" || name == "sigint" ||
                    name == "sigterm" || name == "analyze" || name == "ics" || name == "name" ||
                    name == "debug";
        }
        link_->send((known ? "accepted " : "rejected ") + name);
    }
}

std::optional<std::string> CecpDriver::set_options() {
    for (const auto& [name, value] : settings_.options) {
        if (const engine::Option* option = find_option(name)) {
            if (auto problem = problem_with(*option, value)) return problem;
            std::string text = value;
            if (option->type == engine::OptionType::Check)
                text = equal_ignoring_case(value, "true") || value == "1" ? "1" : "0";
            cecp::SetOption command{option->name, text};
            if (option->type == engine::OptionType::Button) command.value.reset();
            link_->send(cecp::to_line(command));
        } else if (memory_ && equal_ignoring_case(name, "Hash")) {
            link_->send("memory " + value);
        } else if (smp_ && equal_ignoring_case(name, "Threads")) {
            link_->send("cores " + value);
        } else {
            return "the engine has no option '" + name + "'";
        }
    }
    return std::nullopt;
}

std::optional<std::string> CecpDriver::synchronise() {
    if (!ping_) return std::nullopt;
    const std::string number = std::to_string(++pings_);
    link_->send("ping " + number);
    const SteadyTime deadline = after(settings_.ready_patience);
    while (const auto line = group_.wait(*link_, deadline)) {
        const cecp::Answer answer = cecp::parse_answer(line->text);
        const auto* pong = std::get_if<cecp::Pong>(&answer);
        if (pong != nullptr && pong->number == number) return std::nullopt;
        if (std::chrono::steady_clock::now() > deadline) break;
    }
    return failure("no 'pong'");
}

std::optional<std::string> CecpDriver::new_game(const GameStart& start) {
    const bool standard = start.position == Position();
    if (start.chess960 && variants_.find("fischerandom") == std::string::npos)
        return std::string("the engine does not play Chess960");
    if (!standard && !setboard_ && !can_be_edited(start.position))
        return std::string("the engine cannot start from such a position");
    if (start.terms.nodes) return std::string("the xboard protocol knows no node limit");
    chess960_ = start.chess960;
    position_ = start.position;
    thinking_mode_ = false;
    unsent_.reset();
    link_->send("new");
    if (chess960_) link_->send("variant fischerandom");
    link_->send("force");
    link_->send("easy");
    link_->send("post");
    if (!start.opponent.empty()) link_->send("name " + start.opponent);
    link_->send("computer");
    send_terms(start.terms);
    // `new` has taken back what an earlier game had set.
    for (const std::string& line : settings_.init_lines) link_->send(line);
    if (!standard && setboard_)
        link_->send("setboard " + to_fen(start.position));
    else if (!standard)
        send_edits(start.position);
    return synchronise();
}

void CecpDriver::send_edits(const Position& position) {
    // The old mode keeps the side to move; a pawn move that is edited away passes it to Black.
    if (position.turn() == Color::Black)
        link_->send((usermove_ ? "usermove " : "") + std::string("a2a3"));
    link_->send("edit");
    link_->send("#");
    for (const Color color : kColors) {
        if (color == Color::Black) link_->send("c");
        for (const Square square : position.pieces(color))
            link_->send(to_char(type_of(position.at(square))) + to_string(square));
    }
    link_->send(".");
}

void CecpDriver::send_terms(const GameTerms& terms) {
    if (terms.base)
        link_->send(cecp::to_line(cecp::Level{terms.moves_per_session, *terms.base,
                                              terms.increment.value_or(engine::Milliseconds(0))}));
    if (terms.move_time) link_->send(cecp::to_line(cecp::MoveTime{*terms.move_time}));
    if (terms.depth) link_->send("sd " + std::to_string(*terms.depth));
}

std::string CecpDriver::move_text(Move move) const {
    if (san_) return to_san(position_, move);
    if (chess960_ && move.is_castling())
        return move.castling_side() == CastlingSide::King ? "O-O" : "O-O-O";
    return to_uci(move);
}

void CecpDriver::send_move(Move move) {
    link_->send((usermove_ ? "usermove " : "") + move_text(move));
    position_.play(move);
}

void CecpDriver::play(Move move) {
    // Once it plays, our move starts its clock, so it waits for think().
    if (thinking_mode_)
        unsent_ = move;
    else
        send_move(move);
}

// A claim counts against the one who makes it unless it gives the game away or the referee can see
// it.
void CecpDriver::judge_claim(const std::string& result, Color us, Reply& reply) {
    reply.text = result;
    if (result == "1/2-1/2")
        reply.kind = ReplyKind::DrawClaim;
    else if (result == (us == Color::White ? "0-1" : "1-0"))
        reply.kind = ReplyKind::Resign;
    else
        reply.kind = ReplyKind::FalseClaim;
}

Reply CecpDriver::think(const TurnLimits& limits) {
    Reply reply;
    const Color us = unsent_ ? ~position_.turn() : position_.turn();
    // Of what it said after its last move a draw offer still counts, and that it took the game for ended: it went on.
    // Before its first move such a claim is about the game before.
    while (const auto line = link_->take()) {
        const cecp::Answer answer = cecp::parse_answer(line->text);
        if (std::holds_alternative<cecp::OfferDraw>(answer)) reply.offers_draw = true;
        const auto* claim = std::get_if<cecp::ResultClaim>(&answer);
        if (!claim || claim->result == "*" || !thinking_mode_) continue;
        judge_claim(claim->result, us, reply);
        return reply;
    }
    if (limits.clock && time_) {
        link_->send(cecp::to_line(cecp::ClockLeft{true, limits.clock->left[us]}));
        link_->send(cecp::to_line(cecp::ClockLeft{false, limits.clock->left[~us]}));
    }
    const SteadyTime asked = std::chrono::steady_clock::now();
    if (unsent_) {
        send_move(*unsent_);
        unsent_.reset();
    } else {
        // `go` after the colour is what engines of protocol 1 expect.
        if (colors_) link_->send(us == Color::White ? "white" : "black");
        link_->send("go");
        thinking_mode_ = true;
    }
    if (limits.draw_offered) link_->send("draw");
    while (const auto line = group_.wait(*link_, limits.deadline)) {
        const cecp::Answer answer = cecp::parse_answer(line->text);
        if (const auto* thinking = std::get_if<cecp::ThinkingText>(&answer)) {
            reply.thought = {thinking->score, thinking->depth, 0,
                             thinking->nodes, thinking->time,  thinking->line};
        } else if (std::holds_alternative<cecp::OfferDraw>(answer)) {
            reply.offers_draw = true;
        } else if (std::holds_alternative<cecp::Resign>(answer)) {
            reply.kind = ReplyKind::Resign;
            reply.elapsed = line->received - asked;
            return reply;
        } else if (const auto* claim = std::get_if<cecp::ResultClaim>(&answer)) {
            if (claim->result == "*") continue;
            judge_claim(claim->result, us, reply);
            reply.elapsed = line->received - asked;
            return reply;
        } else if (const auto* refused = std::get_if<cecp::Refused>(&answer)) {
            if (!refused->move) continue;
            reply.kind = ReplyKind::Garbage;
            reply.text = "refuses a legal move: " + line->text;
            return reply;
        } else if (const auto* move = std::get_if<cecp::MoveAnswer>(&answer)) {
            reply.elapsed = line->received - asked;
            reply.text = move->text;
            auto parsed = parse_uci_move(position_, move->text);
            if (!parsed) parsed = parse_san(position_, move->text);
            if (!parsed) {
                reply.kind = ReplyKind::Illegal;
                return reply;
            }
            reply.move = *parsed;
            position_.play(*parsed);
            return reply;
        }
        if (std::chrono::steady_clock::now() > limits.deadline) break;
    }
    Reply failed = lost(asked);
    failed.thought = std::move(reply.thought);
    return failed;
}

void CecpDriver::game_over(const std::optional<Outcome>& outcome) {
    if (link_->closed()) return;
    link_->send("force");
    const std::string_view reason = outcome ? to_string(outcome->reason) : "unfinished";
    link_->send("result " + std::string(result_text(outcome)) + " {" + std::string(reason) + "}");
}

}  // namespace rokada::protocol
