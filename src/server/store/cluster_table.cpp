// SPDX-License-Identifier: GPL-3.0-or-later
#include "server/store/cluster_table.hpp"

#include <cstdlib>

#include "server/store/database_clock.hpp"
#include "server/store/games_table.hpp"
#include "server/store/migrations.hpp"

namespace rokada::server::cluster_table {
namespace {

constexpr const char* kGivenBack = "given_back_at";

// In any order: others look for them at the same time.
constexpr std::string_view kOrphans =
    "SELECT g.id FROM games g WHERE g.status=1 AND (g.clock<>0 OR "
    "(g.kind=0 AND ((g.white_kind=2 AND g.fen LIKE '% w %') OR "
    "(g.black_kind=2 AND g.fen LIKE '% b %')))) AND NOT EXISTS(SELECT 1 FROM nodes n "
    "WHERE n.id=g.owner AND n.until>NOW_MS) ORDER BY random() LIMIT $1";

std::vector<std::string> ids_of(Cursor& rows) {
    std::vector<std::string> ids;
    while (rows.next()) ids.push_back(rows.text(0));
    return ids;
}

std::string joined(const std::vector<std::string>& ids) {
    std::string text;
    for (const std::string& id : ids) text.append(text.empty() ? "" : ",").append(id);
    return text;
}

}  // namespace

Millis now(Session& session) {
    const auto row = session.select(timed(session, "SELECT NOW_MS"));
    return row->next() ? row->integer(0) : 0;
}

void join(Session& session, const NodeRecord& node, Millis lease) {
    session.run(timed(session,
                      "INSERT INTO nodes(id, name, version, started_at, until, knows) "
                      "VALUES($1,$2,$3,NOW_MS,NOW_MS+$4,$5) ON CONFLICT(id) DO UPDATE SET "
                      "name=excluded.name, version=excluded.version, until=excluded.until"),
                node.id, node.name, node.version, lease, newest_schema_version());
}

Renewal renew(Session& session, std::string_view node, Millis lease) {
    const bool in_time =
        session.run(timed(session, "UPDATE nodes SET until=NOW_MS+$2 WHERE id=$1 AND until>NOW_MS"),
                    node, lease) == 1;
    if (in_time) return Renewal::InTime;
    return session.run(timed(session, "UPDATE nodes SET until=NOW_MS+$2 WHERE id=$1"), node,
                       lease) == 1
               ? Renewal::Late
               : Renewal::Gone;
}

void give_back(Session& session, std::string_view node, Millis useless_for) {
    session.run("UPDATE games SET owner='', epoch=epoch+1 WHERE owner=$1 AND status<2", node);
    // One moment for all: they are taken again so soon that the last to give back is the one meant.
    session.run(timed(session,
                      "INSERT INTO facts(name, value) VALUES($1,CAST(NOW_MS-$2 AS TEXT)) "
                      "ON CONFLICT(name) DO UPDATE SET value=excluded.value"),
                kGivenBack, useless_for);
}

void leave(Session& session, std::string_view node) {
    give_back(session, node);
    session.run("DELETE FROM nodes WHERE id=$1", node);
}

void tell_hearing(Session& session, std::string_view node, std::int64_t hears) {
    session.run("UPDATE nodes SET hears=$2 WHERE id=$1", node, hears);
}

std::vector<Peer> living_peers(Session& session, std::string_view node) {
    std::vector<Peer> peers;
    const auto rows = session.select(
        timed(session, "SELECT id, hears, until-NOW_MS FROM nodes WHERE id<>$1 AND until>NOW_MS"),
        node);
    while (rows->next()) peers.push_back({rows->text(0), rows->integer(1), rows->integer(2)});
    return peers;
}

std::vector<NodeRecord> nodes(Session& session) {
    std::vector<NodeRecord> found;
    const auto rows = session.select(
        timed(session,
              "SELECT n.id, n.name, n.version, n.started_at, n.until, n.until-NOW_MS, "
              "(SELECT count(*) FROM games g WHERE g.owner=n.id AND g.status=1) "
              "FROM nodes n ORDER BY n.name, n.id"));
    while (rows->next()) {
        NodeRecord node;
        node.id = rows->text(0);
        node.name = rows->text(1);
        node.version = rows->text(2);
        node.started_at = rows->integer(3);
        node.until = rows->integer(4);
        node.alive = rows->integer(5) > 0;
        node.games = rows->integer(6);
        found.push_back(std::move(node));
    }
    return found;
}

void forget_dead(Session& session, Millis longer_than) {
    session.run(timed(session, "DELETE FROM nodes WHERE until<NOW_MS-$1"), longer_than);
}

bool lives(Session& session, std::string_view node) {
    const auto row =
        session.select(timed(session, "SELECT until-NOW_MS FROM nodes WHERE id=$1"), node);
    return row->next() && row->integer(0) > 0;
}

std::optional<Ownership> claim(Session& session, std::string_view game, std::string_view node,
                               Millis lease, Taking taking) {
    Ownership result;
    {
        // Most games that are asked for are somebody's who lives: nothing to wait for.
        const auto row =
            session.select(timed(session,
                                 "SELECT g.owner, g.epoch, coalesce(n.until-NOW_MS,0) FROM games g "
                                 "LEFT JOIN nodes n ON n.id=g.owner WHERE g.id=$1"),
                           game);
        if (!row->next()) return std::nullopt;
        result.owner = row->text(0);
        result.epoch = row->integer(1);
        if (result.owner == node || taking == Taking::Nothing || row->integer(2) > 0) return result;
    }
    {
        // The row stays ours up to the commit. Whether its owner lives is asked afterwards: a join
        // here would show that node as it was before we waited for the row.
        const auto row =
            session.dialect() == SqlDialect::Postgres
                ? session.select("SELECT owner, epoch FROM games WHERE id=$1 FOR UPDATE", game)
                : session.select("SELECT owner, epoch FROM games WHERE id=$1", game);
        if (!row->next()) return std::nullopt;
        result.owner = row->text(0);
        result.epoch = row->integer(1);
    }
    if (result.owner == node) return result;
    if (!result.owner.empty()) {
        if (taking == Taking::Unowned) return result;
        const auto row = session.select(
            timed(session, "SELECT until, until-NOW_MS FROM nodes WHERE id=$1"), result.owner);
        if (row->next()) {
            if (row->integer(1) > 0) return result;
            result.orphaned_at = row->integer(0) - lease;
        }
    } else if (const auto given_back = games_table::fact(session, kGivenBack)) {
        result.given_back_at = std::strtoll(given_back->c_str(), nullptr, 10);
    }
    session.run("UPDATE games SET owner=$2, epoch=epoch+1 WHERE id=$1", game, node);
    result.owner = node;
    ++result.epoch;
    result.fresh = true;
    return result;
}

std::vector<std::string> orphans(Session& session, int limit) {
    return ids_of(*session.select(timed(session, kOrphans), limit));
}

std::vector<Taken> take_orphans(Session& session, std::string_view node, Millis lease, int limit) {
    std::vector<Taken> taken;
    if (session.dialect() == SqlDialect::Sqlite) {  // where there are no others
        for (const std::string& id : orphans(session, limit))
            if (auto owned = claim(session, id, node, lease); owned && owned->fresh)
                taken.push_back({id, std::move(*owned)});
        return taken;
    }
    static const std::string kLocked = std::string(kOrphans) + " FOR UPDATE OF g SKIP LOCKED";
    const auto ids = ids_of(*session.select(timed(session, kLocked), limit));
    if (ids.empty()) return taken;
    const auto given_back = games_table::fact(session, kGivenBack);
    {
        // As in `claim`: a row that was changed while we looked shows its owner of before beside the new
        // owner. Now that it is ours up to the commit we look once more.
        const auto rows = session.select(
            timed(session,
                  "SELECT g.id, g.owner, g.epoch, n.until FROM games g LEFT JOIN nodes n ON "
                  "n.id=g.owner WHERE g.id=ANY(string_to_array($1,',')) AND g.status=1 AND "
                  "coalesce(n.until,0)<=NOW_MS"),
            joined(ids));
        while (rows->next()) {
            Ownership owned;
            owned.owner = node;
            owned.epoch = rows->integer(2) + 1;
            owned.fresh = true;
            if (!rows->is_null(3)) owned.orphaned_at = rows->integer(3) - lease;
            if (rows->text(1).empty() && given_back)
                owned.given_back_at = std::strtoll(given_back->c_str(), nullptr, 10);
            taken.push_back({rows->text(0), std::move(owned)});
        }
    }
    std::vector<std::string> ours;
    for (const Taken& one : taken) ours.push_back(one.game);
    session.run("UPDATE games SET owner=$2, epoch=epoch+1 WHERE id=ANY(string_to_array($1,','))",
                joined(ours), node);
    return taken;
}

std::vector<std::pair<std::string, std::int64_t>> owned_by(Session& session,
                                                           std::string_view node) {
    std::vector<std::pair<std::string, std::int64_t>> games;
    const auto rows =
        session.select("SELECT id, epoch FROM games WHERE owner=$1 AND status<2", node);
    while (rows->next()) games.emplace_back(rows->text(0), rows->integer(1));
    return games;
}

}  // namespace rokada::server::cluster_table
