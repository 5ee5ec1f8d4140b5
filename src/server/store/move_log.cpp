// SPDX-License-Identifier: GPL-3.0-or-later
#include "server/store/move_log.hpp"

#include <algorithm>

#include "server/store/games_table.hpp"

namespace rokada::server {
void add_turns(GameRecord& game, const Turns& turns) {
    for (const auto& turn : turns) {
        if (turn->version <= game.version) continue;
        game.version = turn->version;
        game.ply = turn->ply;
        game.fen = turn->fen;
        game.last_move = turn->move.uci;
        game.white_ms = turn->move.white_ms;
        game.black_ms = turn->move.black_ms;
        game.turn_at = turn->turn_at;
        game.draw_offer = turn->draw_offer;
        game.takeback_offer.clear();
        game.updated_at = turn->move.at;
        game.moves.push_back(turn->move);
    }
}

void add_turns(std::vector<EventRecord>& events, std::int64_t after, const Turns& turns) {
    for (const auto& turn : turns) {
        const std::int64_t last = events.empty() ? after : events.back().version;
        if (turn->version > last)
            events.push_back({turn->version, turn->ply, turn->move.at, turn->message});
    }
}

Turns MoveLog::waiting(const std::string& game_id) const {
    std::string text;
    {
        const std::lock_guard lock(mutex_);
        if (const auto found = waiting_.find(game_id); found != waiting_.end())
            text = found->second.text;
    }
    return read_turns(text);
}

void MoveLog::add(std::shared_ptr<const TurnRecord> turn) { fresh_.push_back({std::move(turn)}); }

void MoveLog::settle(Session& session, const std::string& game_id, Waiting& waiting) {
    if (waiting.settled) return;
    games_table::apply_run(session, waiting.version, waiting.text);
    waiting.settled = true;
    settled_.push_back(game_id);
}

void MoveLog::settle(Session& session, const std::string& game_id) {
    const auto found = waiting_.find(game_id);
    if (found != waiting_.end()) settle(session, game_id, found->second);
}

void MoveLog::settle_all(Session& session) {
    if (waiting_.empty()) return;
    for (auto& [game, waiting] : waiting_) settle(session, game, waiting);
    forget_rows(session);
}

bool MoveLog::settle_some(Session& session, std::int64_t row) {
    constexpr int kSlice = 64;  // players who move meanwhile wait for so many
    int left = kSlice;
    for (auto& [game, waiting] : waiting_) {
        if (waiting.since > row || waiting.settled) continue;
        if (left-- == 0) return true;
        settle(session, game, waiting);
    }
    forget_rows(session);
    return false;
}

// Rows that hold nothing but what is in the tables.
void MoveLog::forget_rows(Session& session) {
    std::int64_t first = last_row_ + 1;
    for (const auto& [game, waiting] : waiting_)
        if (!waiting.settled) first = std::min(first, waiting.since);
    session.run("DELETE FROM move_log WHERE id<$1", first);
}

void MoveLog::write(Session& session) {
    if (fresh_.empty()) return;
    text_.clear();
    for (Fresh& fresh : fresh_) {
        fresh.begin = text_.size();
        append_turn(text_, *fresh.turn);
        fresh.size = text_.size() - fresh.begin;
    }
    session.run("INSERT INTO move_log(id, moves) VALUES($1,$2)", last_row_.load() + 1, text_);
}

void MoveLog::undo_to(std::size_t mark) {
    for (; settled_.size() > mark; settled_.pop_back()) waiting_[settled_.back()].settled = false;
}

void MoveLog::committed() {
    const std::lock_guard lock(mutex_);
    for (const std::string& game : settled_) waiting_.erase(game);
    settled_.clear();
    if (!fresh_.empty()) ++last_row_;
    for (const Fresh& fresh : fresh_) {
        Waiting& waiting = waiting_[fresh.turn->game_id];
        if (waiting.text.empty()) {
            waiting.since = last_row_;
            waiting.version = fresh.turn->version;
        }
        waiting.text.append(text_, fresh.begin, fresh.size);
    }
    fresh_.clear();
    count_ = waiting_.size();
}

void MoveLog::rolled_back() {
    undo_to(0);
    fresh_.clear();
}

void MoveLog::recover(Session& session) {
    std::unordered_map<std::string, Turns> left;
    {
        const auto rows = session.select("SELECT moves FROM move_log ORDER BY id");
        while (rows->next())
            for (auto& turn : read_turns(rows->text(0)))
                left[turn->game_id].push_back(std::move(turn));
    }
    if (left.empty()) return;
    session.begin_write();
    try {
        for (auto& [game, turns] : left) {
            // The first ones may have been entered already.
            const auto version = games_table::version_of(session, game);
            if (!version) continue;
            std::erase_if(turns, [&](const auto& turn) { return turn->version <= *version; });
            games_table::apply_turns(session, turns);
        }
        session.run("DELETE FROM move_log");
        session.commit();
    } catch (...) {
        session.rollback();
        throw;
    }
}

}  // namespace rokada::server
