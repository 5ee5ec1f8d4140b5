// SPDX-License-Identifier: GPL-3.0-or-later
#include "server/store/games_table.hpp"

#include <algorithm>
#include <type_traits>

#include "server/store/move_runs.hpp"
#include "server/store/postgres_array.hpp"

namespace rokada::server::games_table {
namespace {

template <class E>
std::int64_t number(E value) {
    return static_cast<std::int64_t>(value);
}

// Names are joined in when read: they belong to the account, not to the game.
#define GAME_SELECT                                                                               \
    "SELECT g.id, g.kind, g.status, g.result, g.reason, g.visibility, g.white_kind, g.white_id, " \
    "g.black_kind, g.black_id, g.level, g.elo, g.classical, g.chess960, g.auto_draw, g.clock, "   \
    "g.white_initial_ms, g.white_increment_ms, g.black_initial_ms, g.black_increment_ms, "        \
    "g.initial_fen, g.fen, g.last_move, g.ply, g.version, g.white_ms, g.black_ms, g.turn_at, "    \
    "g.draw_offer, g.takeback_offer, g.rematch_offer, g.rematch, g.rematch_of, g.created_at, "    \
    "g.updated_at, g.ended_at, wu.name, wu.bot, wg.number, bu.name, bu.bot, bg.number, "          \
    "g.invited, iu.name, iu.bot, g.muted, g.tags, g.white_label, g.black_label, g.assisted, "     \
    "g.owner, g.epoch "                                                                           \
    "FROM games g LEFT JOIN users wu ON wu.id=g.white_id AND wu.deleted_at IS NULL "              \
    "LEFT JOIN guests wg ON wg.id=g.white_id "                                                    \
    "LEFT JOIN users bu ON bu.id=g.black_id AND bu.deleted_at IS NULL "                           \
    "LEFT JOIN guests bg ON bg.id=g.black_id "                                                    \
    "LEFT JOIN users iu ON iu.id=g.invited AND iu.deleted_at IS NULL "

// Other names belong to accounts and are not stored twice.
std::string_view label(const SeatRecord& seat) {
    return seat.kind == SeatKind::Named ? std::string_view(seat.name) : std::string_view("");
}

SeatRecord read_seat(const Cursor& row, int kind_column, int name_column) {
    SeatRecord seat;
    seat.kind = static_cast<SeatKind>(row.integer(kind_column));
    seat.player_id = row.text(kind_column + 1);
    if (seat.kind == SeatKind::User && row.is_null(name_column)) {
        seat.kind = SeatKind::Deleted;
        seat.player_id.clear();
    } else if (seat.kind == SeatKind::User) {
        seat.name = row.text(name_column);
        seat.bot = row.integer(name_column + 1) != 0;
    } else if (seat.kind == SeatKind::Guest) {
        seat.name = row.is_null(name_column + 2)
                        ? "Guest"
                        : "Guest " + std::to_string(row.integer(name_column + 2));
    }
    return seat;
}

GameRecord read_game(const Cursor& row) {
    GameRecord game;
    int c = 0;
    game.id = row.text(c++);
    game.settings.kind = static_cast<GameKind>(row.integer(c++));
    game.status = static_cast<GameStatus>(row.integer(c++));
    game.result = static_cast<GameResult>(row.integer(c++));
    game.reason = row.text(c++);
    game.settings.visibility = static_cast<Visibility>(row.integer(c++));
    game.white = read_seat(row, c, 36);
    c += 2;
    game.black = read_seat(row, c, 39);
    c += 2;
    game.settings.level = row.text(c++);
    game.settings.elo = static_cast<int>(row.integer(c++));
    game.settings.classical = row.integer(c++) != 0;
    game.settings.chess960 = row.integer(c++) != 0;
    game.settings.auto_draw = row.integer(c++) != 0;
    game.settings.clock = static_cast<ClockMode>(row.integer(c++));
    game.settings.white_clock.initial_ms = row.integer(c++);
    game.settings.white_clock.increment_ms = row.integer(c++);
    game.settings.black_clock.initial_ms = row.integer(c++);
    game.settings.black_clock.increment_ms = row.integer(c++);
    game.settings.initial_fen = row.text(c++);
    game.fen = row.text(c++);
    game.last_move = row.text(c++);
    game.ply = static_cast<int>(row.integer(c++));
    game.version = row.integer(c++);
    game.white_ms = row.integer(c++);
    game.black_ms = row.integer(c++);
    game.turn_at = row.integer(c++);
    game.draw_offer = row.text(c++);
    game.takeback_offer = row.text(c++);
    game.rematch_offer = row.text(c++);
    game.rematch = row.text(c++);
    game.rematch_of = row.text(c++);
    game.created_at = row.integer(c++);
    game.updated_at = row.integer(c++);
    game.ended_at = row.integer(c++);
    game.invited = row.text(42);
    game.invited_name = row.text(43);
    game.invited_bot = row.integer(44) != 0;
    game.muted = row.text(45);
    game.tags = row.text(46);
    if (game.white.kind == SeatKind::Named) game.white.name = row.text(47);
    if (game.black.kind == SeatKind::Named) game.black.name = row.text(48);
    game.assisted = row.integer(49) != 0;
    game.owner = row.text(50);
    game.epoch = row.integer(51);
    return game;
}

void add_seat(Session& session, const GameRecord& game, const SeatRecord& seat) {
    if (seat.player_id.empty()) return;
    session.run(
        "INSERT INTO seats(player_id, created_at, game_id) VALUES($1,$2,$3) ON CONFLICT DO NOTHING",
        seat.player_id, game.created_at, game.id);
}

void insert_move(Session& session, const std::string& id, int ply, const MoveRecord& move) {
    session.run(
        "INSERT INTO moves(game_id, ply, uci, white_ms, black_ms, at) VALUES($1,$2,$3,$4,$5,$6)",
        id, ply, move.uci, move.white_ms, move.black_ms, move.at);
}

void insert_event(Session& session, const std::string& id, std::int64_t version, int ply, Millis at,
                  const std::string& message) {
    session.run(
        "INSERT INTO game_events(game_id, version, ply, at, message) VALUES($1,$2,$3,$4,$5)", id,
        version, ply, at, message);
}

// One column of many rows.
template <class Rows, class Column>
PostgresArray array_of(const Rows& rows, Column column) {
    using Value = std::decay_t<decltype(column(*rows[0]))>;
    constexpr bool kIntegers = std::is_arithmetic_v<Value>;
    PostgresArray array(kIntegers ? SqlArray::Of::Integers : SqlArray::Of::Texts, rows.size());
    for (const auto& row : rows) {
        if constexpr (kIntegers) {
            array.add(static_cast<std::int64_t>(column(*row)));
        } else {
            array.add(std::string_view(column(*row)));
        }
    }
    return array;
}

void insert_events(Session& session, const std::string& id,
                   const std::vector<EventRecord>& events) {
    for (const EventRecord& event : events)
        insert_event(session, id, event.version, event.ply, event.at, event.message);
}

// The row of a game after moves that followed each other. False when the game is gone.
bool update_row(Session& session, std::int64_t first_version, const TurnRecord& last) {
    // No column of an index is touched: this is the most frequent change of all.
    const auto changed = session.run(
        "UPDATE games SET fen=$3, last_move=$4, ply=$5, version=$6, white_ms=$7, black_ms=$8, "
        "turn_at=$9, draw_offer=$10, takeback_offer='', updated_at=$11 WHERE id=$1 AND version=$2 "
        "AND (epoch=$12 OR $12<0)",
        last.game_id, first_version - 1, last.fen, last.move.uci, last.ply, last.version,
        last.move.white_ms, last.move.black_ms, last.turn_at, last.draw_offer, last.move.at,
        last.epoch);
    if (changed == 1) return true;
    if (!version_of(session, last.game_id)) return false;
    throw StoreError(StoreFault::Conflict, "game " + last.game_id + " has moved on");
}

bool has_runs(const Session& session) { return session.dialect() == SqlDialect::Sqlite; }

Turns runs_after(Session& session, std::string_view id, std::int64_t version) {
    return has_runs(session) ? move_runs::after(session, id, version) : Turns();
}

void insert_turns(Session& session, std::span<const std::shared_ptr<const TurnRecord>> turns) {
    for (const auto& turn : turns) {
        insert_move(session, turn->game_id, turn->ply, turn->move);
        insert_event(session, turn->game_id, turn->version, turn->ply, turn->move.at,
                     turn->message);
    }
}

}  // namespace

void insert(Session& session, const GameRecord& game, const std::vector<EventRecord>& events) {
    const GameSettings& s = game.settings;
    session.run(
        "INSERT INTO games(id, kind, status, visibility, white_kind, white_id, black_kind, "
        "black_id, level, elo, classical, chess960, auto_draw, clock, white_initial_ms, "
        "white_increment_ms, black_initial_ms, black_increment_ms, initial_fen, fen, last_move, "
        "ply, version, white_ms, black_ms, turn_at, draw_offer, takeback_offer, rematch_offer, "
        "rematch, rematch_of, created_at, updated_at, ended_at, invited, tags, "
        "white_label, black_label, owner, epoch) VALUES($1,$2,$3,$4,$5,$6,$7,$8,"
        "$9,$10,$11,$12,$13,$14,$15,$16,$17,$18,$19,$20,'',0,$21,$22,$23,0,'','','','',$24,$25,"
        "$25,0,$26,$27,$28,$29,$30,$31)",
        game.id, number(s.kind), number(game.status), number(s.visibility), number(game.white.kind),
        game.white.player_id, number(game.black.kind), game.black.player_id, s.level, s.elo,
        s.classical, s.chess960, s.auto_draw, number(s.clock), s.white_clock.initial_ms,
        s.white_clock.increment_ms, s.black_clock.initial_ms, s.black_clock.increment_ms,
        s.initial_fen, game.fen, game.version, game.white_ms, game.black_ms, game.rematch_of,
        game.created_at, game.invited, game.tags, label(game.white), label(game.black), game.owner,
        game.epoch);
    add_seat(session, game, game.white);
    add_seat(session, game, game.black);
    insert_events(session, game.id, events);
}

void apply(Session& session, const GameChange& change) {
    const GameRecord& game = *change.game;
    const auto changed = session.run(
        "UPDATE games SET status=$3, result=$4, reason=$5, fen=$6, last_move=$7, ply=$8, "
        "version=$9, white_ms=$10, black_ms=$11, turn_at=$12, draw_offer=$13, takeback_offer=$14, "
        "rematch_offer=$15, rematch=$16, updated_at=$17, ended_at=$18, muted=$19, assisted=$20 "
        "WHERE id=$1 AND version=$2 AND epoch=$21",
        game.id, change.version_before, number(game.status), number(game.result), game.reason,
        game.fen, game.last_move, game.ply, game.version, game.white_ms, game.black_ms,
        game.turn_at, game.draw_offer, game.takeback_offer, game.rematch_offer, game.rematch,
        game.updated_at, game.ended_at, game.muted, game.assisted, game.epoch);
    if (changed != 1) throw StoreError(StoreFault::Conflict, "game " + game.id + " has moved on");
    if (change.keep_plies >= 0) {
        if (has_runs(session)) spread_runs(session, game.id);
        session.run("DELETE FROM moves WHERE game_id=$1 AND ply>$2", game.id, change.keep_plies);
    }
    for (const auto& [ply, move] : change.played) insert_move(session, game.id, ply, move);
    // Otherwise they are left alone: an account may have been deleted or have taken over a guest's games.
    if (change.seats_changed) {
        session.run(
            "UPDATE games SET white_kind=$2, white_id=$3, black_kind=$4, black_id=$5 WHERE id=$1",
            game.id, number(game.white.kind), game.white.player_id, number(game.black.kind),
            game.black.player_id);
        add_seat(session, game, game.white);
        add_seat(session, game, game.black);
    }
    insert_events(session, game.id, change.events);
}

void apply_turns(Session& session, std::span<const std::shared_ptr<const TurnRecord>> turns) {
    if (!turns.empty() && update_row(session, turns.front()->version, *turns.back()))
        insert_turns(session, turns);
}

void apply_run(Session& session, std::int64_t version, std::string_view text) {
    const auto last = last_turn(text);
    if (update_row(session, version, *last))
        move_runs::insert(session, last->game_id, last->version, text);
}

void spread_runs(Session& session, std::string_view id) {
    const Turns turns = move_runs::after(session, id, 0);
    if (turns.empty()) return;
    insert_turns(session, turns);
    move_runs::remove(session, id);
}

void apply_turns_at_once(Session& session,
                         std::span<const std::shared_ptr<const TurnRecord>> turns) {
    if (turns.empty()) return;
    using Turn = TurnRecord;
    // The division fails, and everything with it, if one of the games is not as it should be.
    session.run(
        "WITH turn AS (SELECT * FROM unnest($1::text[], $2::bigint[], $3::bigint[], $4::bigint[], "
        "$5::text[], $6::bigint[], $7::bigint[], $8::bigint[], $9::bigint[], $10::text[], "
        "$11::text[], $12::text[]) AS t(game_id, epoch, version, ply, uci, white_ms, black_ms, at, "
        "turn_at, draw_offer, fen, message)), changed AS (UPDATE games g SET fen=t.fen, "
        "last_move=t.uci, ply=t.ply, version=t.version, white_ms=t.white_ms, black_ms=t.black_ms, "
        "turn_at=t.turn_at, draw_offer=t.draw_offer, takeback_offer='', updated_at=t.at "
        "FROM turn t WHERE g.id=t.game_id AND g.version=t.version-1 AND "
        "(g.epoch=t.epoch OR t.epoch<0) RETURNING 1), "
        "moved AS (INSERT INTO moves(game_id, ply, uci, white_ms, black_ms, at) "
        "SELECT game_id, ply, uci, white_ms, black_ms, at FROM turn), "
        "told AS (INSERT INTO game_events(game_id, version, ply, at, message) "
        "SELECT game_id, version, ply, at, message FROM turn) "
        "SELECT 1/(count(*)=$13)::int FROM changed",
        array_of(turns, [](const Turn& t) -> const std::string& { return t.game_id; }).value(),
        array_of(turns, [](const Turn& t) { return t.epoch; }).value(),
        array_of(turns, [](const Turn& t) { return t.version; }).value(),
        array_of(turns, [](const Turn& t) { return t.ply; }).value(),
        array_of(turns, [](const Turn& t) -> const std::string& { return t.move.uci; }).value(),
        array_of(turns, [](const Turn& t) { return t.move.white_ms; }).value(),
        array_of(turns, [](const Turn& t) { return t.move.black_ms; }).value(),
        array_of(turns, [](const Turn& t) { return t.move.at; }).value(),
        array_of(turns, [](const Turn& t) { return t.turn_at; }).value(),
        array_of(turns, [](const Turn& t) -> const std::string& { return t.draw_offer; }).value(),
        array_of(turns, [](const Turn& t) -> const std::string& { return t.fen; }).value(),
        array_of(turns, [](const Turn& t) -> const std::string& { return t.message; }).value(),
        static_cast<std::int64_t>(turns.size()));
}

std::optional<std::int64_t> version_of(Session& session, std::string_view id) {
    const auto row = session.select("SELECT version FROM games WHERE id=$1", id);
    if (!row->next()) return std::nullopt;
    return row->integer(0);
}

std::optional<GameRecord> find(Session& session, std::string_view id) {
    std::optional<GameRecord> game;
    {
        const auto row = session.select(GAME_SELECT "WHERE g.id=$1", id);
        if (!row->next()) return std::nullopt;
        game = read_game(*row);
    }
    std::vector<std::pair<int, MoveRecord>> moves;
    {
        const auto rows = session.select(
            "SELECT ply, uci, white_ms, black_ms, at FROM moves WHERE game_id=$1 ORDER BY ply", id);
        while (rows->next())
            moves.emplace_back(
                static_cast<int>(rows->integer(0)),
                MoveRecord{rows->text(1), rows->integer(2), rows->integer(3), rows->integer(4)});
    }
    for (const auto& turn : runs_after(session, id, 0)) moves.emplace_back(turn->ply, turn->move);
    std::sort(moves.begin(), moves.end(),
              [](const auto& a, const auto& b) { return a.first < b.first; });
    // What was written after the row was read belongs to another moment.
    for (auto& [ply, move] : moves)
        if (ply <= game->ply) game->moves.push_back(std::move(move));
    return game;
}

std::vector<GameRecord> list(Session& session, const GameQuery& query) {
    // The state is two bounds on the status; the cursor is the row after which to go on.
    const bool any = query.state == GameQuery::State::Any;
    const int low = any || query.state == GameQuery::State::Playing ? 0 : 2;
    const int high = any || query.state == GameQuery::State::Finished ? 3 : 1;
    const Millis before = query.before == 0 ? INT64_MAX : query.before;
    const int visible = query.public_only ? 0 : 2;
    const auto rows =
        query.player_id.empty()
            ? session.select(GAME_SELECT
                             "WHERE g.visibility=0 AND g.status BETWEEN $1 AND $2 AND "
                             "(g.created_at<$3 OR (g.created_at=$3 AND g.id<$4)) "
                             "ORDER BY g.created_at DESC, g.id DESC LIMIT $5",
                             low, high, before, query.before_id, query.limit)
            : session.select(GAME_SELECT
                             "JOIN seats s ON s.game_id=g.id WHERE s.player_id=$6 AND "
                             "g.visibility<=$7 AND g.status BETWEEN $1 AND $2 AND "
                             "(s.created_at<$3 OR (s.created_at=$3 AND s.game_id<$4)) "
                             "ORDER BY s.created_at DESC, s.game_id DESC LIMIT $5",
                             low, high, before, query.before_id, query.limit, query.player_id,
                             visible);
    std::vector<GameRecord> games;
    while (rows->next()) games.push_back(read_game(*rows));
    return games;
}

std::vector<EventRecord> events_after(Session& session, std::string_view id, std::int64_t version,
                                      int limit) {
    std::vector<EventRecord> events;
    {
        const auto rows = session.select(
            "SELECT version, ply, at, message FROM game_events WHERE game_id=$1 AND version>$2 "
            "ORDER BY version LIMIT $3",
            id, version, limit);
        while (rows->next())
            events.push_back(EventRecord{rows->integer(0), static_cast<int>(rows->integer(1)),
                                         rows->integer(2), rows->text(3)});
    }
    for (const auto& turn : runs_after(session, id, version))
        events.push_back({turn->version, turn->ply, turn->move.at, turn->message});
    std::sort(events.begin(), events.end(),
              [](const EventRecord& a, const EventRecord& b) { return a.version < b.version; });
    if (events.size() > static_cast<std::size_t>(limit))
        events.resize(static_cast<std::size_t>(limit));
    return events;
}

std::vector<std::string> chat_of(Session& session, std::string_view id) {
    std::vector<std::string> lines;
    // What somebody wrote cannot look like this: its quotation marks are escaped.
    const auto rows = session.select(
        "SELECT message FROM game_events WHERE game_id=$1 AND message LIKE '%\"kind\":\"chat\"%' "
        "ORDER BY version",
        id);
    while (rows->next()) lines.push_back(rows->text(0));
    return lines;
}

std::vector<std::string> to_resume(Session& session) {
    std::vector<std::string> ids;
    const auto rows = session.select(
        "SELECT id FROM games WHERE status=1 AND (clock<>0 OR "
        "(kind=0 AND ((white_kind=2 AND fen LIKE '% w %') OR (black_kind=2 AND fen LIKE '% b "
        "%'))))");
    while (rows->next()) ids.push_back(rows->text(0));
    return ids;
}

PlayerStatistics statistics(Session& session, std::string_view player_id) {
    PlayerStatistics statistics;
    const auto rows = session.select(
        "SELECT g.kind, g.status, g.result, CASE WHEN g.white_id=$1 THEN 1 ELSE 0 END, count(*) "
        "FROM seats s JOIN games g ON g.id=s.game_id WHERE s.player_id=$1 AND g.kind NOT IN (2,4) "
        "GROUP BY 1,2,3,4",
        player_id);
    while (rows->next()) {
        const auto kind = static_cast<GameKind>(rows->integer(0));
        const auto status = static_cast<GameStatus>(rows->integer(1));
        const auto result = static_cast<GameResult>(rows->integer(2));
        const bool white = rows->integer(3) != 0;
        const std::int64_t count = rows->integer(4);
        if (status == GameStatus::Playing) statistics.playing += count;
        if (status != GameStatus::Finished) continue;
        statistics.finished += count;
        ScoreCount& score = kind == GameKind::Computer ? statistics.computer
                            : kind == GameKind::Page   ? statistics.page
                                                       : statistics.people;
        if (result == GameResult::Draw) {
            score.drawn += count;
        } else if ((result == GameResult::WhiteWins) == white) {
            score.won += count;
        } else {
            score.lost += count;
        }
    }
    return statistics;
}

std::vector<std::string> live_games_of(Session& session, std::string_view player_id) {
    std::vector<std::string> ids;
    const auto rows = session.select(
        "SELECT s.game_id FROM seats s JOIN games g ON g.id=s.game_id WHERE s.player_id=$1 AND "
        "g.status<2",
        player_id);
    while (rows->next()) ids.push_back(rows->text(0));
    return ids;
}

std::vector<GameRecord> challenges_of(Session& session, std::string_view player_id) {
    std::vector<GameRecord> games;
    {
        const auto rows = session.select(GAME_SELECT
                                         "WHERE g.invited=$1 AND g.invited<>'' AND g.status=0 "
                                         "ORDER BY g.created_at DESC, g.id LIMIT 100",
                                         player_id);
        while (rows->next()) games.push_back(read_game(*rows));
    }
    const auto rows =
        session.select(GAME_SELECT
                       "JOIN seats s ON s.game_id=g.id WHERE s.player_id=$1 AND g.status=0 AND "
                       "g.invited<>'' ORDER BY g.created_at DESC, g.id LIMIT 100",
                       player_id);
    while (rows->next()) games.push_back(read_game(*rows));
    return games;
}

std::vector<std::string> stale_challenges(Session& session, Millis made_before) {
    std::vector<std::string> ids;
    const auto rows = session.select(
        "SELECT id FROM games WHERE status=0 AND invited<>'' AND created_at<$1 LIMIT 100",
        made_before);
    while (rows->next()) ids.push_back(rows->text(0));
    return ids;
}

void insert_upload(Session& session, std::string_view player_id, std::string_view client_id,
                   std::string_view game_id) {
    session.run("INSERT INTO uploads(player_id, client_id, game_id) VALUES($1,$2,$3)", player_id,
                client_id, game_id);
}

std::optional<std::string> uploaded_game(Session& session, std::string_view player_id,
                                         std::string_view client_id) {
    const auto row = session.select(
        "SELECT game_id FROM uploads WHERE player_id=$1 AND client_id=$2", player_id, client_id);
    if (!row->next()) return std::nullopt;
    return row->text(0);
}

void save_review(Session& session, std::string_view game_id, std::string_view review, Millis now) {
    session.run(
        "INSERT INTO reviews(game_id, made_at, review) VALUES($1,$2,$3) ON CONFLICT(game_id) DO "
        "UPDATE SET made_at=excluded.made_at, review=excluded.review",
        game_id, now, review);
}

std::optional<std::string> review_of(Session& session, std::string_view game_id) {
    const auto row = session.select("SELECT review FROM reviews WHERE game_id=$1", game_id);
    if (!row->next()) return std::nullopt;
    return row->text(0);
}

void set_fact(Session& session, std::string_view name, std::string_view value) {
    session.run(
        "INSERT INTO facts(name, value) VALUES($1,$2) ON CONFLICT(name) DO UPDATE SET "
        "value=excluded.value",
        name, value);
}

std::optional<std::string> fact(Session& session, std::string_view name) {
    const auto row = session.select("SELECT value FROM facts WHERE name=$1", name);
    if (!row->next()) return std::nullopt;
    return row->text(0);
}

#undef GAME_SELECT

}  // namespace rokada::server::games_table
