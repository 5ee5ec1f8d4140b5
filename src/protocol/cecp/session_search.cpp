// SPDX-License-Identifier: GPL-3.0-or-later
// The half of the xboard session that thinks.
#include <algorithm>

#include "chess/movegen.hpp"
#include "chess/notation/san.hpp"
#include "chess/notation/uci_move.hpp"
#include "protocol/cecp/session.hpp"

namespace rokada::protocol::cecp {

namespace {

// The line in words of chess; a move that does not fit ends it.
std::string line_text(Position position, const std::vector<Move>& moves) {
    std::string text;
    for (const Move move : moves) {
        if (!position.is_legal(move)) break;
        if (!text.empty()) text += ' ';
        append_san(text, position, move);
        position.play(move);
    }
    return text;
}

}  // namespace

void Session::think() {
    if (paused_) return;
    if (record_.outcome()) {
        claim_if_over();
        if (!has_legal_move(record_.position())) return;
    }
    go(Search::Move, clock_.limits(own_color_, own_moves()));
}

void Session::ponder() {
    if (!pondering_allowed_ || paused_ || mode_ != Mode::Play) return;
    const Position& position = record_.position();
    if (position.turn() == own_color_ || !position.is_legal(expected_)) return;
    Position after = position;
    after.play(expected_);
    if (!has_legal_move(after)) return;
    engine::Limits limits = clock_.limits(own_color_, own_moves());
    limits.ponder = true;
    go(Search::Ponder, limits, true);
}

void Session::analyze() {
    if (paused_ || !has_legal_move(record_.position())) return;
    engine::Limits limits;
    limits.infinite = true;
    if (!excluded_.empty()) {
        for (const Move move : legal_moves(record_.position()))
            if (excluded_.count(move.bits()) == 0) limits.search_moves.push_back(move);
        if (limits.search_moves.empty()) return;
    }
    go(Search::Analysis, limits);
}

void Session::go(Search kind, const engine::Limits& limits, bool with_expected_move) {
    std::vector<Move> moves = record_.moves();
    if (with_expected_move) moves.push_back(expected_);
    thinker_->set_position(record_.start(), moves);
    search_ = kind;
    ++search_number_;
    search_begun_ = std::chrono::steady_clock::now();
    last_ = {};
    thinker_->go(limits);
}

void Session::break_off() {
    if (search_ == Search::None) return;
    search_ = Search::None;
    thinker_->stop();
    thinker_->wait();
    ++search_number_;  // whatever it still said is of no interest
    auto waiting = std::move(deferred_);
    deferred_.clear();
    for (const auto& [command, line] : waiting) execute(command, line);
}

void Session::restart_if_needed() {
    if (mode_ == Mode::Analyze && search_ == Search::None) analyze();
}

void Session::on_thought(const Thought& thought) {
    if (thought.search != search_number_ || search_ == Search::None) return;
    const engine::Info& info = thought.info;
    if (info.multipv == 1 && !info.line.empty()) last_ = info;
    if (!post_ || search_ == Search::Hint || info.line.empty()) return;
    Position position = record_.position();
    std::string line;
    if (search_ == Search::Ponder) {
        line = '(' + to_san(position, expected_) + ") ";
        position.play(expected_);
    }
    line += line_text(position, info.line);
    if (info.bound == engine::Bound::Lower) line += " !";
    if (info.bound == engine::Bound::Upper) line += " ?";
    output_.line(to_line(ThinkingText{info.depth, info.score, info.time, info.nodes, line}));
}

void Session::on_decided(const Decided& decided) {
    if (decided.search != search_number_) return;
    thinker_->wait();
    const Search kind = std::exchange(search_, Search::None);
    if (kind == Search::Hint && decided.best.move)
        output_.line("Hint: " + move_text(decided.best.move));
    // A ponder search that ended early waits for the opponent's move; one that was hit is a Move by
    // now.
    if (kind == Search::Move) make_move(decided.best);
    auto waiting = std::move(deferred_);
    deferred_.clear();
    for (const auto& [command, line] : waiting) execute(command, line);
}

void Session::make_move(const engine::BestMove& best) {
    const Position& position = record_.position();
    if (!position.is_legal(best.move)) return;
    temper_.note(last_.score, last_.depth, position);
    // A weak player does not know that his game is lost.
    if (resigning_allowed_ && temper_.wants_to_resign() && plays_at_full_strength(*thinker_)) {
        output_.line("resign");
        mode_ = Mode::Force;
        return;
    }
    const std::string text = move_text(best.move);
    record_.play(best.move);
    clock_.spend(
        std::chrono::duration_cast<Milliseconds>(std::chrono::steady_clock::now() - search_begun_),
        own_moves());
    output_.line("move " + text);
    if (temper_.offers_draw()) output_.line("offer draw");
    expected_ = best.ponder;
    if (record_.outcome()) return claim_if_over();
    ponder();
}

void Session::claim_if_over() {
    if (const auto outcome = record_.outcome()) output_.line(claim_text(*outcome));
}

int Session::own_moves() const {
    // The side that moved first has moved on every even ply.
    const bool first = record_.start().turn() == own_color_;
    const auto plies = static_cast<int>(record_.moves().size());
    return first ? (plies + 1) / 2 : plies / 2;
}

std::string Session::move_text(Move move) const {
    if (chess960_ && move.is_castling())
        return move.castling_side() == CastlingSide::King ? "O-O" : "O-O-O";
    return to_uci(move);
}

}  // namespace rokada::protocol::cecp
