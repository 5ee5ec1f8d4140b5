// SPDX-License-Identifier: GPL-3.0-or-later
#include "server/store/migrations.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <string>
#include <utility>

#include "server/store/database_clock.hpp"

namespace rokada::server {
namespace {

constexpr std::string_view kFirst = R"sql(
CREATE TABLE users(
  id TEXT PRIMARY KEY NOT NULL,
  name TEXT NOT NULL,
  folded TEXT NOT NULL UNIQUE,
  password TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  admin BIGINT NOT NULL DEFAULT 0,
  bot BIGINT NOT NULL DEFAULT 0,
  disabled BIGINT NOT NULL DEFAULT 0,
  deleted_at BIGINT,
  totp_secret TEXT,
  totp_last_step BIGINT NOT NULL DEFAULT 0
) STRICT;
CREATE TABLE guests(
  id TEXT PRIMARY KEY NOT NULL,
  number BIGINT NOT NULL,
  created_at BIGINT NOT NULL,
  last_used_at BIGINT NOT NULL
) STRICT;
CREATE INDEX guests_by_use ON guests(last_used_at);
CREATE TABLE sessions(
  token_hash TEXT PRIMARY KEY NOT NULL,
  id TEXT NOT NULL UNIQUE,
  player_id TEXT NOT NULL,
  is_user BIGINT NOT NULL,
  secure BIGINT NOT NULL,
  created_at BIGINT NOT NULL,
  last_used_at BIGINT NOT NULL,
  agent TEXT NOT NULL,
  address TEXT NOT NULL
) STRICT;
CREATE INDEX sessions_by_player ON sessions(player_id);
CREATE TABLE games(
  id TEXT PRIMARY KEY NOT NULL,
  kind BIGINT NOT NULL,
  status BIGINT NOT NULL,
  result BIGINT NOT NULL DEFAULT 0,
  reason TEXT NOT NULL DEFAULT '',
  visibility BIGINT NOT NULL,
  white_kind BIGINT NOT NULL,
  white_id TEXT NOT NULL,
  black_kind BIGINT NOT NULL,
  black_id TEXT NOT NULL,
  level TEXT NOT NULL,
  elo BIGINT NOT NULL,
  classical BIGINT NOT NULL,
  chess960 BIGINT NOT NULL,
  auto_draw BIGINT NOT NULL,
  clock BIGINT NOT NULL,
  white_initial_ms BIGINT NOT NULL,
  white_increment_ms BIGINT NOT NULL,
  black_initial_ms BIGINT NOT NULL,
  black_increment_ms BIGINT NOT NULL,
  initial_fen TEXT NOT NULL,
  fen TEXT NOT NULL,
  last_move TEXT NOT NULL,
  ply BIGINT NOT NULL,
  version BIGINT NOT NULL,
  white_ms BIGINT NOT NULL,
  black_ms BIGINT NOT NULL,
  turn_at BIGINT NOT NULL,
  draw_offer TEXT NOT NULL,
  takeback_offer TEXT NOT NULL,
  rematch_offer TEXT NOT NULL,
  rematch TEXT NOT NULL,
  rematch_of TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  ended_at BIGINT NOT NULL
) STRICT;
CREATE INDEX games_public ON games(created_at, id) WHERE visibility = 0;
CREATE INDEX games_live ON games(id) WHERE status = 1;
CREATE TABLE seats(
  player_id TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  game_id TEXT NOT NULL REFERENCES games(id) ON DELETE CASCADE,
  PRIMARY KEY(player_id, created_at, game_id)
) STRICT;
CREATE INDEX seats_by_game ON seats(game_id);
CREATE TABLE moves(
  game_id TEXT NOT NULL REFERENCES games(id) ON DELETE CASCADE,
  ply BIGINT NOT NULL,
  uci TEXT NOT NULL,
  white_ms BIGINT NOT NULL,
  black_ms BIGINT NOT NULL,
  at BIGINT NOT NULL,
  PRIMARY KEY(game_id, ply)
) STRICT;
CREATE TABLE game_events(
  game_id TEXT NOT NULL REFERENCES games(id) ON DELETE CASCADE,
  version BIGINT NOT NULL,
  ply BIGINT NOT NULL,
  at BIGINT NOT NULL,
  message TEXT NOT NULL,
  PRIMARY KEY(game_id, version)
) STRICT;
CREATE TABLE facts(
  name TEXT PRIMARY KEY NOT NULL,
  value TEXT NOT NULL
) STRICT;
)sql";

constexpr std::string_view kSecond = R"sql(
ALTER TABLE users ADD COLUMN totp_pending TEXT;
CREATE TABLE recovery_codes(
  user_id TEXT NOT NULL REFERENCES users(id),
  code_hash TEXT NOT NULL,
  PRIMARY KEY(user_id, code_hash)
) STRICT;
CREATE TABLE api_tokens(
  token_hash TEXT PRIMARY KEY NOT NULL,
  id TEXT NOT NULL UNIQUE,
  user_id TEXT NOT NULL REFERENCES users(id),
  name TEXT NOT NULL,
  scopes TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  last_used_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL
) STRICT;
CREATE INDEX api_tokens_by_user ON api_tokens(user_id);
CREATE INDEX games_by_white ON games(white_id) WHERE white_id <> '';
CREATE INDEX games_by_black ON games(black_id) WHERE black_id <> '';
CREATE TABLE uploads(
  player_id TEXT NOT NULL,
  client_id TEXT NOT NULL,
  game_id TEXT NOT NULL REFERENCES games(id) ON DELETE CASCADE,
  PRIMARY KEY(player_id, client_id)
) STRICT;
CREATE TABLE admin_log(
  at BIGINT NOT NULL,
  who TEXT NOT NULL,
  action TEXT NOT NULL,
  detail TEXT NOT NULL
) STRICT;
CREATE INDEX admin_log_by_time ON admin_log(at);
)sql";

constexpr std::string_view kThird = R"sql(
ALTER TABLE games ADD COLUMN invited TEXT NOT NULL DEFAULT '';
CREATE INDEX games_by_invited ON games(invited) WHERE invited <> '' AND status = 0;
)sql";

constexpr std::string_view kFourth = R"sql(
ALTER TABLE games ADD COLUMN muted TEXT NOT NULL DEFAULT '';
ALTER TABLE games ADD COLUMN tags TEXT NOT NULL DEFAULT '';
ALTER TABLE games ADD COLUMN white_label TEXT NOT NULL DEFAULT '';
ALTER TABLE games ADD COLUMN black_label TEXT NOT NULL DEFAULT '';
CREATE TABLE reviews(
  game_id TEXT PRIMARY KEY NOT NULL REFERENCES games(id) ON DELETE CASCADE,
  made_at BIGINT NOT NULL,
  review TEXT NOT NULL
) STRICT;
)sql";

constexpr std::string_view kFifth = R"sql(
ALTER TABLE games ADD COLUMN assisted BIGINT NOT NULL DEFAULT 0;
CREATE TABLE move_log(
  id BIGINT PRIMARY KEY NOT NULL,
  moves TEXT NOT NULL
) STRICT;
CREATE TABLE new_moves(
  game_id TEXT NOT NULL REFERENCES games(id) ON DELETE CASCADE,
  ply BIGINT NOT NULL,
  uci TEXT NOT NULL,
  white_ms BIGINT NOT NULL,
  black_ms BIGINT NOT NULL,
  at BIGINT NOT NULL,
  PRIMARY KEY(game_id, ply)
) STRICT, WITHOUT ROWID;
INSERT INTO new_moves SELECT game_id, ply, uci, white_ms, black_ms, at FROM moves;
DROP TABLE moves;
ALTER TABLE new_moves RENAME TO moves;
CREATE TABLE new_game_events(
  game_id TEXT NOT NULL REFERENCES games(id) ON DELETE CASCADE,
  version BIGINT NOT NULL,
  ply BIGINT NOT NULL,
  at BIGINT NOT NULL,
  message TEXT NOT NULL,
  PRIMARY KEY(game_id, version)
) STRICT, WITHOUT ROWID;
INSERT INTO new_game_events SELECT game_id, version, ply, at, message FROM game_events;
DROP TABLE game_events;
ALTER TABLE new_game_events RENAME TO game_events;
)sql";

constexpr std::string_view kSixth = R"sql(
CREATE TABLE nodes(
  id TEXT PRIMARY KEY NOT NULL,
  name TEXT NOT NULL,
  version TEXT NOT NULL,
  started_at BIGINT NOT NULL,
  until BIGINT NOT NULL
) STRICT;
ALTER TABLE games ADD COLUMN owner TEXT NOT NULL DEFAULT '';
ALTER TABLE games ADD COLUMN epoch BIGINT NOT NULL DEFAULT 0;
CREATE INDEX games_by_owner ON games(owner) WHERE status < 2;
)sql";

constexpr std::string_view kSeventh = R"sql(
CREATE TABLE workers(
  id TEXT PRIMARY KEY NOT NULL,
  name TEXT NOT NULL,
  version TEXT NOT NULL,
  kinds TEXT NOT NULL,
  threads BIGINT NOT NULL,
  started_at BIGINT NOT NULL,
  until BIGINT NOT NULL
) STRICT;
CREATE TABLE job_askers(
  id TEXT PRIMARY KEY NOT NULL,
  name TEXT NOT NULL,
  until BIGINT NOT NULL
) STRICT;
CREATE TABLE jobs(
  id TEXT PRIMARY KEY NOT NULL,
  asker TEXT NOT NULL REFERENCES job_askers(id) ON DELETE CASCADE,
  number BIGINT NOT NULL,
  kind TEXT NOT NULL,
  class BIGINT NOT NULL,
  owner TEXT NOT NULL,
  payload TEXT NOT NULL,
  state BIGINT NOT NULL DEFAULT 0,
  worker TEXT NOT NULL DEFAULT '',
  until BIGINT NOT NULL DEFAULT 0,
  tries BIGINT NOT NULL DEFAULT 0,
  changes BIGINT NOT NULL DEFAULT 0,
  progress TEXT NOT NULL DEFAULT '',
  result TEXT NOT NULL DEFAULT '',
  created_at BIGINT NOT NULL
) STRICT;
CREATE INDEX jobs_open ON jobs(class, created_at) WHERE state < 2;
CREATE INDEX jobs_by_owner ON jobs(owner) WHERE state < 2;
CREATE INDEX jobs_by_asker ON jobs(asker, number);
)sql";

// From here on the data say themselves whom they serve: programs before this one cannot ask, and refuse
// whatever they do not know. A row without a word about it serves nobody.
constexpr int kSaysWhomItServes = 8;
constexpr std::string_view kEighth = R"sql(
ALTER TABLE schema_migrations ADD COLUMN serves BIGINT NOT NULL DEFAULT 1000000;
ALTER TABLE nodes ADD COLUMN knows BIGINT NOT NULL DEFAULT 7;
ALTER TABLE nodes ADD COLUMN hears BIGINT NOT NULL DEFAULT -1;
)sql";

// Used by SQLite only, where no older program may look for moves in the tables alone.
constexpr std::string_view kNinth = R"sql(
CREATE TABLE move_runs(
  game_id TEXT NOT NULL REFERENCES games(id) ON DELETE CASCADE,
  version BIGINT NOT NULL,
  moves TEXT NOT NULL,
  PRIMARY KEY(game_id, version)
) STRICT, WITHOUT ROWID;
)sql";

constexpr std::array kMigrations{
    Migration{1, "accounts and games", kFirst, 1},
    Migration{2, "recovery, tokens, uploads, log of actions", kSecond, 2},
    Migration{3, "challenges", kThird, 3},
    Migration{4, "imports, reviews, muted chat", kFourth, 4},
    Migration{5, "games with help, log of moves", kFifth, 5},
    Migration{6, "several servers on one database", kSixth, 6},
    Migration{7, "jobs for workers", kSeventh, 7},
    Migration{8, "two versions beside each other, who hears whom", kEighth, 7},
    Migration{9, "runs of moves", kNinth, 7, 9},
};

void replace_all(std::string& text, std::string_view from, std::string_view to) {
    for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
        text.replace(at, from.size(), to);
}

std::string adapted(std::string_view sql, SqlDialect dialect) {
    std::string text(sql);
    if (dialect == SqlDialect::Sqlite) {
        replace_all(text, "BIGINT", "INTEGER");
    } else {
        replace_all(text, ") STRICT, WITHOUT ROWID;", ");");
        replace_all(text, ") STRICT;", ");");
    }
    return text;
}

// FNV-1a: notices a step that was edited after it was applied; nothing secret depends on it.
std::int64_t checksum(std::string_view text) {
    std::uint64_t hash = 0xcbf29ce484222325u;
    for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
    return static_cast<std::int64_t>(hash >> 1);
}

std::int64_t wall_now() {
    using namespace std::chrono;
    return duration_cast<milliseconds>(system_clock::now().time_since_epoch()).count();
}

void make_table(Session& session) {
    session.script(
        adapted("CREATE TABLE IF NOT EXISTS schema_migrations("
                "version BIGINT PRIMARY KEY NOT NULL, name TEXT NOT NULL, "
                "checksum BIGINT NOT NULL, applied_at BIGINT NOT NULL) STRICT;",
                session.dialect()));
}

void check_that_it_serves(Session& session, int current, int known) {
    if (current <= known) return;
    int oldest = current;
    if (known >= kSaysWhomItServes) {
        const auto row = session.select(
            "SELECT coalesce(max(serves),0) FROM schema_migrations WHERE version>$1", known);
        if (row->next()) oldest = static_cast<int>(row->integer(0));
    }
    if (oldest <= known) return;
    throw StoreError(StoreFault::SchemaTooNew, "the data was written by a newer Rokada (schema " +
                                                   std::to_string(current) +
                                                   ", this program knows " + std::to_string(known) +
                                                   "); nothing was changed");
}

// Servers that run would find what they use gone.
void check_that_nobody_suffers(Session& session, const Migration& step) {
    std::string names;
    const auto rows = session.select(
        timed(session,
              "SELECT name, version FROM nodes WHERE until>NOW_MS AND knows<$1 ORDER BY name"),
        step.serves);
    while (rows->next())
        names += (names.empty() ? "" : ", ") + rows->text(0) + " (" + rows->text(1) + ")";
    if (names.empty()) return;
    throw StoreError(StoreFault::Busy, "schema step " + std::to_string(step.version) +
                                           " cannot be done while older servers run: " + names);
}

void record(Session& session, const Migration& step) {
    session.run(
        "INSERT INTO schema_migrations(version, name, checksum, applied_at) VALUES($1,$2,$3,$4)",
        step.version, step.name, checksum(step.sql), wall_now());
    if (step.version >= kSaysWhomItServes)
        session.run("UPDATE schema_migrations SET serves=$2 WHERE version=$1", step.version,
                    session.dialect() == SqlDialect::Sqlite ? step.serves_sqlite : step.serves);
}

void do_step(Session& session, const Migration& step) {
    if (step.version == 1) make_table(session);
    session.script(adapted(step.sql, session.dialect()));
    record(session, step);
}

}  // namespace

std::span<const Migration> schema_steps() { return kMigrations; }
int newest_schema_version() { return kMigrations.back().version; }

bool schema_is_ready(Session& session) {
    const int current = schema_version(session);
    check_that_it_serves(session, current, newest_schema_version());
    return current >= newest_schema_version();
}

std::vector<std::string> table_names(Session& session) {
    const auto rows = session.select(
        session.dialect() == SqlDialect::Sqlite
            ? "SELECT name FROM sqlite_schema WHERE type='table' AND name NOT LIKE 'sqlite_%' "
              "ORDER BY 1"
            : "SELECT table_name FROM information_schema.tables WHERE table_type='BASE TABLE' AND "
              "table_schema=current_schema() ORDER BY 1");
    std::vector<std::string> names;
    while (rows->next()) names.push_back(rows->text(0));
    return names;
}

int schema_version(Session& session) {
    const auto tables = table_names(session);
    if (std::find(tables.begin(), tables.end(), "schema_migrations") == tables.end()) return 0;
    const auto found = session.select("SELECT max(version) FROM schema_migrations");
    return found->next() ? static_cast<int>(found->integer(0)) : 0;
}

void build_schema(Session& session, int from, int to) {
    for (const Migration& step : kMigrations) {
        if (step.version <= from || step.version > to) continue;
        do_step(session, step);
    }
}

void migrate(Session& session, int target, const std::function<void()>& before_first,
             std::span<const Migration> steps) {
    if (target == 0) target = steps.back().version;
    const int current = schema_version(session);
    check_that_it_serves(session, current, steps.back().version);
    for (const Migration& step : steps) {
        if (step.version > current) continue;
        const auto row =
            session.select("SELECT checksum FROM schema_migrations WHERE version=$1", step.version);
        if (!row->next() || row->integer(0) != checksum(step.sql))
            throw StoreError(StoreFault::Corrupt,
                             "schema step " + std::to_string(step.version) +
                                 " differs from the one this data was made by");
    }
    if (current >= target) return;
    if (current > 0 && before_first) before_first();
    // New data gets all of its tables at once; data that exists goes from step to step.
    const bool together = current == 0;
    bool begun = false;
    try {
        for (const Migration& step : steps) {
            if (step.version <= current || step.version > target) continue;
            if (!std::exchange(begun, true)) session.begin_write();
            // Another server that was started at the same moment may have been quicker.
            if (schema_version(session) >= step.version) continue;
            if (step.version > kSaysWhomItServes) check_that_nobody_suffers(session, step);
            do_step(session, step);
            if (!together && std::exchange(begun, false)) session.commit();
        }
        if (begun) session.commit();
    } catch (...) {
        session.rollback();
        throw;
    }
}

}  // namespace rokada::server
