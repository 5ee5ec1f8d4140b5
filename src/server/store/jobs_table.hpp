// SPDX-License-Identifier: GPL-3.0-or-later
// The queue of work for workers on any machine. Whoever asks keeps a lease (a job nobody waits for is
// not begun and is forgotten); whoever works keeps one on each job. An attempt is named by worker and
// number of the try: what comes from an attempt that was given away changes nothing, so a job has one
// result. Each function is, but for one, a single statement that needs no transaction around it. Throws
// StoreError.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "server/store/records.hpp"
#include "server/store/session.hpp"

namespace rokada::server {

// Work that any worker may do. It belongs to whoever asked for it and waits for the result.
enum class JobClass { User, Batch };  // users before batches
enum class JobState { Waiting, Running, Done, Failed };
struct JobRecord {
    std::string id;
    std::string asker;        // a server, or a program of the lab
    std::int64_t number = 0;  // the asker's own order
    std::string kind;         // analysis, review, ...: small letters
    JobClass job_class = JobClass::User;
    std::string owner;  // whose turn it is: a player, an address, a batch
    std::string payload;
    JobState state = JobState::Waiting;
    std::string worker;        // that has it, or had it last
    int tries = 0;             // how often it was begun; with the worker it names one attempt
    std::int64_t changes = 0;  // grows with everything that happens to it
    std::string progress;
    std::string result;  // or why it failed
    Millis created_at = 0;
};
struct WorkerRecord {
    std::string id, name, version;
    std::string kinds;  // between commas
    int threads = 1;
    Millis started_at = 0, until = 0;  // by the clock of the database
    bool alive = false;
    std::int64_t jobs = 0;  // that it has now
};

}  // namespace rokada::server

namespace rokada::server::jobs_table {

inline constexpr int kMostTries = 3;  // the first worker and two others

// Those who ask.
void attend(Session& session, std::string_view asker, std::string_view name, Millis lease);
void depart(Session& session, std::string_view asker);  // nobody waits for its jobs any more
// Forgets those, and their jobs, who were last heard of so long ago, and workers as well.
void forget_absent(Session& session, Millis longer_than);
void insert(Session& session, const JobRecord& job);
// False, and not inserted, if its owner has so many open already; holds however many ask at once. A
// transaction of its own.
bool insert_if_fewer(Session& session, const JobRecord& job, std::int64_t most_open);
void remove(Session& session, std::string_view id);  // collected, or not wanted any more
std::optional<JobRecord> find(Session& session, std::string_view id);
std::int64_t open_of_owner(Session& session, std::string_view owner);
struct Glance {
    std::string id, kind;
    JobState state = JobState::Waiting;
    std::int64_t changes = 0;
    bool free = false;  // nobody works on it: waiting, or its worker's lease ran out
};
std::vector<Glance> of_asker(Session& session, std::string_view asker);  // in its order

// Those who work.
void enlist(Session& session, const WorkerRecord& worker, Millis lease);  // also to stay
void discharge(Session& session, std::string_view worker);
std::vector<WorkerRecord> workers(Session& session);  // by name

// The attempt that a worker makes.
struct Attempt {
    std::string job, worker;
    int tries = 0;
};
inline Attempt attempt_of(const JobRecord& job) { return {job.id, job.worker, job.tries}; }

// The next job of one of these kinds (between commas): users before batches, among the oldest two
// hundred that wait those of owners with less in work first, then by age.
std::optional<JobRecord> take(Session& session, std::string_view worker, std::string_view kinds,
                              Millis lease);
// Whether a user waits for a job of one of these kinds.
bool users_wait(Session& session, std::string_view kinds);
// This one, if nobody works on it.
std::optional<JobRecord> take_this(Session& session, std::string_view id, std::string_view worker,
                                   Millis lease);
// And tells how far it is. False: somebody else has it by now, or nobody wants it any more: stop.
bool renew(Session& session, const Attempt& attempt, Millis lease,
           std::optional<std::string_view> progress = std::nullopt);
bool finish(Session& session, const Attempt& attempt, std::string_view result);
// Somebody else may try, this worker not for a while; after the last try it has failed.
bool fail(Session& session, const Attempt& attempt, std::string_view reason);
bool hand_back(Session& session, const Attempt& attempt);  // as if it had not been begun
// Jobs whose last try ended without a word have failed.
void expire(Session& session);

struct Counts {
    std::int64_t waiting = 0, running = 0;
};
Counts counts(Session& session);
// Those that workers have now, by worker, without what they are about.
std::vector<JobRecord> in_work(Session& session);

}  // namespace rokada::server::jobs_table
