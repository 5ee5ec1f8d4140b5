// SPDX-License-Identifier: GPL-3.0-or-later
#include "server/store/jobs_table.hpp"

#include "server/store/database_clock.hpp"

namespace rokada::server::jobs_table {
namespace {

constexpr Millis kSameWorkerPause = 10'000;

// Queries are put together from constants only.
constexpr std::string_view kColumns =
    "id, asker, number, kind, class, owner, payload, state, worker, tries, changes, progress, "
    "result, created_at";

JobRecord read(const Cursor& row) {
    JobRecord job;
    job.id = row.text(0);
    job.asker = row.text(1);
    job.number = row.integer(2);
    job.kind = row.text(3);
    job.job_class = static_cast<JobClass>(row.integer(4));
    job.owner = row.text(5);
    job.payload = row.text(6);
    job.state = static_cast<JobState>(row.integer(7));
    job.worker = row.text(8);
    job.tries = static_cast<int>(row.integer(9));
    job.changes = row.integer(10);
    job.progress = row.text(11);
    job.result = row.text(12);
    job.created_at = row.integer(13);
    return job;
}

// Of a job `j`: nobody works on it, and somebody waits for it.
constexpr std::string_view kFree =
    "((j.state=0 AND (j.worker<>$1 OR j.until<=NOW_MS)) OR (j.state=1 AND j.until<=NOW_MS)) "
    "AND j.tries<$3 AND EXISTS(SELECT 1 FROM job_askers a WHERE a.id=j.asker AND a.until>NOW_MS)";

std::optional<JobRecord> take_one(Session& session, const std::string& which, std::string_view name,
                                  std::string_view worker, Millis lease) {
    // Several may look at the same moment: each gets another row and none waits.
    const std::string lock =
        session.dialect() == SqlDialect::Postgres ? " FOR UPDATE OF j SKIP LOCKED" : "";
    const std::string sql =
        "UPDATE jobs SET state=1, worker=$1, until=NOW_MS+$2, tries=tries+1, changes=changes+1, "
        "progress='' WHERE id=(SELECT j.id FROM jobs j " +
        which + " LIMIT 1" + lock + ") RETURNING " + std::string(kColumns);
    const auto row = session.select(timed(session, sql), worker, lease, kMostTries, name);
    if (!row->next()) return std::nullopt;
    return read(*row);
}

constexpr std::string_view kMine = " WHERE id=$1 AND worker=$2 AND tries=$3 AND state=1";

template <class... T>
bool change(Session& session, const Attempt& attempt, std::string_view what, const T&... values) {
    const std::string sql =
        "UPDATE jobs SET changes=changes+1, " + std::string(what) + std::string(kMine);
    return session.run(timed(session, sql), attempt.job, attempt.worker, attempt.tries,
                       values...) == 1;
}

}  // namespace

void attend(Session& session, std::string_view asker, std::string_view name, Millis lease) {
    session.run(timed(session,
                      "INSERT INTO job_askers(id, name, until) VALUES($1,$2,NOW_MS+$3) "
                      "ON CONFLICT(id) DO UPDATE SET until=excluded.until"),
                asker, name, lease);
}

void depart(Session& session, std::string_view asker) {
    session.run("DELETE FROM job_askers WHERE id=$1", asker);
}

void forget_absent(Session& session, Millis longer_than) {
    session.run(timed(session, "DELETE FROM job_askers WHERE until<NOW_MS-$1"), longer_than);
    session.run(timed(session, "DELETE FROM workers WHERE until<NOW_MS-$1"), longer_than);
}

void insert(Session& session, const JobRecord& job) {
    session.run(timed(session,
                      "INSERT INTO jobs(id, asker, number, kind, class, owner, payload, created_at)"
                      " VALUES($1,$2,$3,$4,$5,$6,$7,NOW_MS)"),
                job.id, job.asker, job.number, job.kind, static_cast<std::int64_t>(job.job_class),
                job.owner, job.payload);
}

bool insert_if_fewer(Session& session, const JobRecord& job, std::int64_t most_open) {
    session.begin_write(Writes::Beside);
    try {
        // Those of one owner wait for each other, and each sees what the one before has written.
        if (session.dialect() == SqlDialect::Postgres)
            session.select("SELECT pg_advisory_xact_lock(hashtextextended($1, 5721))", job.owner)
                ->next();
        const bool fewer = open_of_owner(session, job.owner) < most_open;
        if (fewer) insert(session, job);
        session.commit();
        return fewer;
    } catch (...) {
        session.rollback();
        throw;
    }
}

void remove(Session& session, std::string_view id) {
    session.run("DELETE FROM jobs WHERE id=$1", id);
}

std::optional<JobRecord> find(Session& session, std::string_view id) {
    const auto row = session.select(
        "SELECT id, asker, number, kind, class, owner, payload, state, worker, tries, changes, "
        "progress, result, created_at FROM jobs WHERE id=$1",
        id);
    if (!row->next()) return std::nullopt;
    return read(*row);
}

std::int64_t open_of_owner(Session& session, std::string_view owner) {
    const auto row = session.select(
        timed(session,
              "SELECT count(*) FROM jobs j WHERE j.owner=$1 AND j.state<2 AND EXISTS(SELECT 1 FROM "
              "job_askers a WHERE a.id=j.asker AND a.until>NOW_MS)"),
        owner);
    return row->next() ? row->integer(0) : 0;
}

std::vector<Glance> of_asker(Session& session, std::string_view asker) {
    std::vector<Glance> found;
    const auto rows =
        session.select(timed(session,
                             "SELECT id, kind, state, changes, "
                             "CASE WHEN state=0 OR (state=1 AND until<=NOW_MS) THEN 1 ELSE 0 END "
                             "FROM jobs WHERE asker=$1 ORDER BY number, id"),
                       asker);
    while (rows->next())
        found.push_back({rows->text(0), rows->text(1), static_cast<JobState>(rows->integer(2)),
                         rows->integer(3), rows->integer(4) != 0});
    return found;
}

void enlist(Session& session, const WorkerRecord& worker, Millis lease) {
    session.run(timed(session,
                      "INSERT INTO workers(id, name, version, kinds, threads, started_at, until) "
                      "VALUES($1,$2,$3,$4,$5,NOW_MS,NOW_MS+$6) ON CONFLICT(id) DO UPDATE SET "
                      "until=excluded.until"),
                worker.id, worker.name, worker.version, worker.kinds, worker.threads, lease);
}

void discharge(Session& session, std::string_view worker) {
    session.run("DELETE FROM workers WHERE id=$1", worker);
}

std::vector<WorkerRecord> workers(Session& session) {
    std::vector<WorkerRecord> found;
    const auto rows = session.select(
        timed(session,
              "SELECT w.id, w.name, w.version, w.kinds, w.threads, w.started_at, w.until, "
              "w.until-NOW_MS, (SELECT count(*) FROM jobs j WHERE j.worker=w.id AND j.state=1) "
              "FROM workers w ORDER BY w.name, w.id"));
    while (rows->next()) {
        WorkerRecord worker;
        worker.id = rows->text(0);
        worker.name = rows->text(1);
        worker.version = rows->text(2);
        worker.kinds = rows->text(3);
        worker.threads = static_cast<int>(rows->integer(4));
        worker.started_at = rows->integer(5);
        worker.until = rows->integer(6);
        worker.alive = rows->integer(7) > 0;
        worker.jobs = rows->integer(8);
        found.push_back(std::move(worker));
    }
    return found;
}

std::optional<JobRecord> take(Session& session, std::string_view worker, std::string_view kinds,
                              Millis lease) {
    // Turns are taken among the oldest that wait: a long queue costs no more than a short one. What is
    // free is asked twice, because a row may have been taken between looking and locking.
    static const std::string kNext =
        "JOIN (SELECT j.id FROM jobs j WHERE j.state<2 AND $4 LIKE '%,'||j.kind||',%' AND " +
        std::string(kFree) +
        " ORDER BY j.class, j.created_at LIMIT 200) oldest ON oldest.id=j.id "
        "LEFT JOIN (SELECT owner, count(*) AS busy FROM jobs WHERE state=1 AND until>NOW_MS GROUP "
        "BY owner) b ON b.owner=j.owner WHERE " +
        std::string(kFree) + " ORDER BY j.class, coalesce(b.busy,0), j.created_at, j.number, j.id";
    return take_one(session, kNext, "," + std::string(kinds) + ",", worker, lease);
}

bool users_wait(Session& session, std::string_view kinds) {
    return session
        .select(timed(session,
                      "SELECT 1 FROM jobs j WHERE j.class=0 AND j.state=0 AND j.tries<$2 AND "
                      "$1 LIKE '%,'||j.kind||',%' AND EXISTS(SELECT 1 FROM job_askers a WHERE "
                      "a.id=j.asker AND a.until>NOW_MS) LIMIT 1"),
                "," + std::string(kinds) + ",", kMostTries)
        ->next();
}

std::optional<JobRecord> take_this(Session& session, std::string_view id, std::string_view worker,
                                   Millis lease) {
    static const std::string kThis = "WHERE j.id=$4 AND " + std::string(kFree);
    return take_one(session, kThis, id, worker, lease);
}

bool renew(Session& session, const Attempt& attempt, Millis lease,
           std::optional<std::string_view> progress) {
    const std::string sql =
        "UPDATE jobs SET until=NOW_MS+$4" +
        std::string(progress ? ", progress=$5, changes=changes+1" : "") + std::string(kMine) +
        " AND EXISTS(SELECT 1 FROM job_askers a WHERE a.id=jobs.asker AND a.until>NOW_MS)";
    const auto changed = progress ? session.run(timed(session, sql), attempt.job, attempt.worker,
                                                attempt.tries, lease, *progress)
                                  : session.run(timed(session, sql), attempt.job, attempt.worker,
                                                attempt.tries, lease);
    return changed == 1;
}

bool finish(Session& session, const Attempt& attempt, std::string_view result) {
    return change(session, attempt, "state=2, result=$4", result);
}

bool fail(Session& session, const Attempt& attempt, std::string_view reason) {
    return change(session, attempt,
                  "state=CASE WHEN tries>=$5 THEN 3 ELSE 0 END, until=NOW_MS+$6, result=$4", reason,
                  kMostTries, kSameWorkerPause);
}

bool hand_back(Session& session, const Attempt& attempt) {
    return change(session, attempt, "state=0, tries=tries-1, until=0, worker=''");
}

void expire(Session& session) {
    session.run(timed(session,
                      "UPDATE jobs SET state=3, changes=changes+1, result=$2 "
                      "WHERE state=1 AND until<=NOW_MS AND tries>=$1"),
                kMostTries, "begun three times, and each time the worker vanished");
}

Counts counts(Session& session) {
    const auto row = session.select(
        timed(session,
              "SELECT coalesce(sum(CASE WHEN state=0 OR until<=NOW_MS THEN 1 ELSE 0 END),0), "
              "coalesce(sum(CASE WHEN state=1 AND until>NOW_MS THEN 1 ELSE 0 END),0) "
              "FROM jobs j WHERE state<2 AND EXISTS(SELECT 1 FROM job_askers a WHERE a.id=j.asker "
              "AND a.until>NOW_MS)"));
    if (!row->next()) return {};
    return {row->integer(0), row->integer(1)};
}

std::vector<JobRecord> in_work(Session& session) {
    std::vector<JobRecord> found;
    const auto rows = session.select(
        timed(session,
              "SELECT id, kind, class, worker, tries, progress, created_at FROM jobs "
              "WHERE state=1 AND until>NOW_MS ORDER BY worker, class, created_at, id"));
    while (rows->next()) {
        JobRecord job;
        job.id = rows->text(0);
        job.kind = rows->text(1);
        job.job_class = static_cast<JobClass>(rows->integer(2));
        job.state = JobState::Running;
        job.worker = rows->text(3);
        job.tries = static_cast<int>(rows->integer(4));
        job.progress = rows->text(5);
        job.created_at = rows->integer(6);
        found.push_back(std::move(job));
    }
    return found;
}

}  // namespace rokada::server::jobs_table
