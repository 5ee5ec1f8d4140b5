// SPDX-License-Identifier: GPL-3.0-or-later
// Games, their moves and their events on disk. A game changes only by GameChange, which is refused
// when the row is not at the version and the epoch the change was made for: two owners can never both
// win, and one that lost the game (cluster_table.hpp) can write nothing more.
// Runs inside the caller's session; throws StoreError.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "server/store/records.hpp"
#include "server/store/session.hpp"
#include "server/store/turn_text.hpp"

namespace rokada::server::games_table {

void insert(Session& session, const GameRecord& game, const std::vector<EventRecord>& events);
void apply(Session& session, const GameChange& change);
// Moves of one game in their order. A game that is gone is left alone.
void apply_turns(Session& session, std::span<const std::shared_ptr<const TurnRecord>> turns);
// The same for SQLite, as one row (move_runs.hpp): moves in the form of turn_text.hpp, from this version on.
void apply_run(Session& session, std::int64_t version, std::string_view text);
// Runs of moves become single moves and events, which can be taken back.
void spread_runs(Session& session, std::string_view id);
// For PostgreSQL: the next move of each of these games, in one statement that is a transaction by itself
// when there is none around it. Throws, and nothing is done, unless all could be.
void apply_turns_at_once(Session& session,
                         std::span<const std::shared_ptr<const TurnRecord>> turns);
std::optional<std::int64_t> version_of(Session& session, std::string_view id);

std::optional<GameRecord> find(Session& session, std::string_view id);   // with its moves
std::vector<GameRecord> list(Session& session, const GameQuery& query);  // newest first, no moves
std::vector<EventRecord> events_after(Session& session, std::string_view id, std::int64_t version,
                                      int limit = 5000);
std::vector<std::string> chat_of(Session& session, std::string_view id);  // its events, in order
// Games that must be looked after when the server starts: a clock runs or the computer is to move.
std::vector<std::string> to_resume(Session& session);
PlayerStatistics statistics(Session& session, std::string_view player_id);
// Games in progress in which the player has a seat.
std::vector<std::string> live_games_of(Session& session, std::string_view player_id);

// Waiting games whose open seat is for this player, then those the player made for somebody.
std::vector<GameRecord> challenges_of(Session& session, std::string_view player_id);
std::vector<std::string> stale_challenges(Session& session, Millis made_before);

// Games made elsewhere and sent under a name of the client's own.
void insert_upload(Session& session, std::string_view player_id, std::string_view client_id,
                   std::string_view game_id);  // Unique when it is known
std::optional<std::string> uploaded_game(Session& session, std::string_view player_id,
                                         std::string_view client_id);

// Finished reviews: minutes of work each.
void save_review(Session& session, std::string_view game_id, std::string_view review, Millis now);
std::optional<std::string> review_of(Session& session, std::string_view game_id);

// Small facts about this server (settings, heartbeat).
void set_fact(Session& session, std::string_view name, std::string_view value);
std::optional<std::string> fact(Session& session, std::string_view name);

}  // namespace rokada::server::games_table
