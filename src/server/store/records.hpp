// SPDX-License-Identifier: GPL-3.0-or-later
// What the store keeps, as plain values. Times are milliseconds since 1970; ids are random text.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace rokada::server {

using Millis = std::int64_t;

struct UserRecord {
    std::string id, name, folded, password;  // password: the argon2id string, never the password
    Millis created_at = 0;
    bool admin = false, bot = false, disabled = false;
    std::optional<std::string> totp_secret;
    Millis totp_last_step = 0;  // a code is good once
};

struct GuestRecord {
    std::string id;
    std::int64_t number = 0;  // shown as "Guest 1234"
    Millis created_at = 0, last_used_at = 0;
};

// A browser's login or guest session. Only the hash of its token is known.
struct SessionRecord {
    std::string token_hash, id, player_id;  // player_id: of the user or the guest
    bool is_user = false;
    bool secure = false;  // made over TLS; good over TLS only
    Millis created_at = 0, last_used_at = 0;
    std::string agent, address;
};

enum class SeatKind { User, Guest, Computer, Device, Open, Deleted, Named };

// Who sits on one side. On one device both sides carry the id of its owner, in an imported game (Named)
// that of whoever brought it.
struct SeatRecord {
    SeatKind kind = SeatKind::Open;
    std::string player_id;
    std::string name;  // as shown; filled when read
    bool bot = false;  // filled when read
};

enum class GameKind { Computer, Person, Device, Page, Import };
enum class GameStatus { Waiting, Playing, Finished, Aborted };
enum class ClockMode { None, Increment, Delay, Bronstein };
enum class Visibility { Public, Link, Private };
enum class GameResult { None, WhiteWins, BlackWins, Draw };

struct ClockSide {
    Millis initial_ms = 0, increment_ms = 0;
};

struct GameSettings {
    GameKind kind = GameKind::Computer;
    std::string level;  // Easy, Medium, Hard, Full; empty when elo is set or there is no computer
    int elo = 0;        // 0 when a level is set
    bool classical = false;
    bool chess960 = false;
    bool auto_draw = true;
    Visibility visibility = Visibility::Public;
    ClockMode clock = ClockMode::None;
    ClockSide white_clock, black_clock;
    std::string initial_fen;
};

struct MoveRecord {
    std::string uci;
    Millis white_ms = 0, black_ms = 0;  // left after the move
    Millis at = 0;
};

struct GameRecord {
    std::string id;
    GameSettings settings;
    SeatRecord white, black;
    GameStatus status = GameStatus::Waiting;
    GameResult result = GameResult::None;
    std::string reason;  // a word of chess/outcome.hpp; empty while it goes on
    std::string fen;
    std::string last_move;
    int ply = 0;
    std::int64_t version = 0;
    Millis white_ms = 0, black_ms = 0;  // left when the side to move began to think
    Millis turn_at = 0;                 // when it began; 0 when no clock runs
    std::string draw_offer, takeback_offer, rematch_offer;  // "", "white" or "black"
    std::string rematch, rematch_of;
    // A challenge: the open seat is for this user only.
    std::string invited, invited_name;  // the name is filled when read
    bool invited_bot = false;
    std::string muted;      // sides that do not want to read the chat: "", "white", "black", "both"
    std::string tags;       // of an imported game: "Name\tValue\n" each
    bool assisted = false;  // a hint or a takeback was used: says little about strength
    Millis created_at = 0, updated_at = 0, ended_at = 0;
    std::string owner;       // of several servers the one that speaks for the game
    std::int64_t epoch = 0;  // grows with every new owner; a change made under another is refused
    std::vector<MoveRecord> moves;  // filled when a whole game is read
};

// One of several servers on the same database.
struct NodeRecord {
    std::string id, name, version;
    Millis started_at = 0, until = 0;  // by the clock of the database
    bool alive = false;                // its lease still runs
    std::int64_t games = 0;            // in progress, that are its own
};

struct EventRecord {
    std::int64_t version = 0;
    int ply = 0;
    Millis at = 0;
    std::string message;  // as sent to everybody who watches
};

// What one step of a game changes on disk: all of it or nothing.
struct GameChange {
    const GameRecord* game = nullptr;                // the row after the change, without moves
    std::int64_t version_before = 0;                 // refused (Conflict) when the row has another,
                                                     // or another epoch than `game`
    std::vector<std::pair<int, MoveRecord>> played;  // ply and move
    int keep_plies = -1;                             // after a takeback: moves beyond are removed
    bool seats_changed = false;                      // somebody sat down or is gone
    std::vector<EventRecord> events;
};

// A move after which the game goes on: all that it changes on disk.
struct TurnRecord {
    std::string game_id;
    std::int64_t epoch = -1;   // the row must be at this one, as with GameChange; -1: at any
    std::int64_t version = 0;  // after it; the row must be at the one before
    int ply = 0;
    MoveRecord move;
    Millis turn_at = 0;
    std::string draw_offer, fen;
    std::string message;  // the event
};

struct GameQuery {
    std::string player_id;  // empty: public games of everybody
    bool public_only = false;
    enum class State { Any, Playing, Finished } state = State::Any;
    Millis before = 0;  // cursor: created_at and id of the last row seen; 0 for the first page
    std::string before_id;
    int limit = 20;
};

struct ScoreCount {
    std::int64_t won = 0, drawn = 0, lost = 0;
};
struct PlayerStatistics {
    std::int64_t finished = 0, playing = 0;
    ScoreCount computer, people, page;
};

}  // namespace rokada::server
