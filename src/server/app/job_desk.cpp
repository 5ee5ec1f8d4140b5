// SPDX-License-Identifier: GPL-3.0-or-later
#include "server/app/job_desk.hpp"

#include <algorithm>
#include <set>

namespace rokada::server {
namespace {

constexpr Millis kForgotten = Millis{10} * 60 * 1000;  // desks and workers that never came back

constexpr std::uint64_t kBeatsOfMemory = 100;
constexpr Millis kIdleBeats = 10;

}  // namespace

JobDesk::JobDesk(JobDeskOptions options)
    : options_(std::move(options)), asking_(options_.connect()) {
    jobs_table::attend(*asking_, options_.id, options_.name, options_.lease);
    if (options_.bus != nullptr)
        news_ = options_.bus->subscribe("jobs." + options_.id, [this](const BusMessage& message) {
            if (message.gap || !message.text || message.text->empty()) return wake();
            JobRecord job;
            job.id = message.game;
            job.state = JobState::Running;
            job.tries = static_cast<int>(message.version);
            job.progress = *message.text;
            tell(job);
        });
    thread_ = std::thread([this] { run(); });
}

JobDesk::~JobDesk() { stop(); }

void JobDesk::stop() {
    {
        const std::lock_guard lock(mutex_);
        if (stopping_) return;
        stopping_ = true;
    }
    wake_.notify_all();
    thread_.join();
    news_.reset();
    const std::lock_guard asking(asking_mutex_);
    try {
        jobs_table::depart(*asking_, options_.id);
    } catch (const StoreError&) {
        // The lease runs out by itself.
    }
}

bool JobDesk::submit(JobRecord job, Listener listener,
                     std::optional<std::int64_t> most_open_of_owner) {
    job.asker = options_.id;
    {
        const std::lock_guard asking(asking_mutex_);
        {
            const std::lock_guard lock(mutex_);
            if (stopping_) throw StoreError(StoreFault::Stopped, "the server is stopping");
            entries_[job.id].listener = std::move(listener);
        }
        const auto forget = [&] {
            const std::lock_guard lock(mutex_);
            entries_.erase(job.id);
        };
        try {
            if (!most_open_of_owner) {
                jobs_table::insert(*asking_, job);
            } else if (!jobs_table::insert_if_fewer(*asking_, job, *most_open_of_owner)) {
                forget();
                return false;
            }
        } catch (...) {
            forget();
            throw;
        }
    }
    {
        const std::lock_guard lock(mutex_);
        if (const auto found = entries_.find(job.id); found != entries_.end())
            found->second.stored = true;
    }
    wake();
    if (options_.bus != nullptr) options_.bus->publish("jobs", {});
    return true;
}

void JobDesk::drop(const std::string& id) {
    {
        const std::lock_guard lock(mutex_);
        entries_.erase(id);
        dropped_.push_back(id);
    }
    wake();
}

std::size_t JobDesk::workers() const {
    const std::lock_guard lock(mutex_);
    return workers_.size();
}

void JobDesk::wake() {
    {
        const std::lock_guard lock(mutex_);
        woken_ = true;
    }
    wake_.notify_all();
}

void JobDesk::tell(const JobRecord& job) {
    Listener listener;
    {
        const std::lock_guard lock(mutex_);
        const auto found = entries_.find(job.id);
        if (found == entries_.end()) return;
        listener = found->second.listener;
        if (job.state == JobState::Done || job.state == JobState::Failed) entries_.erase(found);
    }
    listener(job);
}

void JobDesk::run() {
    std::unique_ptr<Session> session;
    std::unique_lock lock(mutex_);
    while (!stopping_) {
        woken_ = false;
        lock.unlock();
        std::optional<std::string> trouble;
        try {
            if (!session) session = options_.connect();
            beat(*session);
        } catch (const StoreError& error) {
            trouble = error.what();
            session.reset();
        }
        if (trouble.has_value() != troubled_) {
            troubled_ = trouble.has_value();
            if (options_.on_trouble) options_.on_trouble(trouble);
        }
        lock.lock();
        // While the database is away nobody wakes us to try again at once; with nothing to wait for
        // there is little to see.
        const bool idle = entries_.empty() && dropped_.empty() && here_.empty() && !trouble;
        wake_.wait_for(lock, std::chrono::milliseconds(options_.beat * (idle ? kIdleBeats : 1)),
                       [&] { return stopping_ || (woken_ && !trouble); });
    }
}

void JobDesk::beat(Session& session) {
    jobs_table::attend(session, options_.id, options_.name, options_.lease);
    if (beats_++ % kBeatsOfMemory == 0) jobs_table::forget_absent(session, kForgotten);
    std::vector<std::string> dropped;
    std::set<std::string> stored;
    {
        const std::lock_guard lock(mutex_);
        dropped = dropped_;
        for (const auto& [id, entry] : entries_)
            if (entry.stored) stored.insert(id);
    }
    for (const std::string& id : dropped) {
        jobs_table::remove(session, id);
        here_.erase(id);
        const std::lock_guard lock(mutex_);
        dropped_.erase(std::find(dropped_.begin(), dropped_.end(), id));
    }
    for (auto at = here_.begin(); at != here_.end();)
        at = jobs_table::renew(session, at->second, options_.job_lease) ? std::next(at)
                                                                        : here_.erase(at);
    jobs_table::expire(session);
    auto workers = jobs_table::workers(session);
    workers.erase(std::remove_if(workers.begin(), workers.end(),
                                 [](const WorkerRecord& worker) { return !worker.alive; }),
                  workers.end());
    {
        const std::lock_guard lock(mutex_);
        workers_ = std::move(workers);
    }
    for (const jobs_table::Glance& glance : jobs_table::of_asker(session, options_.id)) {
        stored.erase(glance.id);
        look_at(session, glance);
    }
    // We were away for so long that they were forgotten.
    for (const std::string& id : stored) {
        JobRecord lost;
        lost.id = id;
        lost.state = JobState::Failed;
        lost.result = "lost while the database could not be reached";
        tell(lost);
    }
}

void JobDesk::look_at(Session& session, const jobs_table::Glance& glance) {
    const bool over = glance.state == JobState::Done || glance.state == JobState::Failed;
    bool changed = false, waited = false;
    {
        const std::lock_guard lock(mutex_);
        const auto found = entries_.find(glance.id);
        if (found == entries_.end()) return;  // dropped, and removed with the next beat
        Entry& entry = found->second;
        changed = std::exchange(entry.seen, glance.changes) != glance.changes;
        const auto now = std::chrono::steady_clock::now();
        if (!glance.free) entry.free_since.reset();
        if (glance.free && !entry.free_since) entry.free_since = now;
        waited =
            glance.free && now - *entry.free_since >= std::chrono::milliseconds(options_.patience);
    }
    if (over || (changed && here_.count(glance.id) == 0))
        if (const auto job = jobs_table::find(session, glance.id)) tell(*job);
    if (over) {
        jobs_table::remove(session, glance.id);
        here_.erase(glance.id);
    } else if (glance.free) {
        offer_here(session, glance, waited);
    }
}

bool JobDesk::somebody_does(std::string_view kind) const {
    const std::string wanted = "," + std::string(kind) + ",";
    const std::lock_guard lock(mutex_);
    return std::any_of(workers_.begin(), workers_.end(), [&](const WorkerRecord& worker) {
        return ("," + worker.kinds + ",").find(wanted) != std::string::npos;
    });
}

void JobDesk::offer_here(Session& session, const jobs_table::Glance& glance, bool waited) {
    if (!options_.do_here) return;
    if (somebody_does(glance.kind) && (!waited || here_.size() >= options_.room)) return;
    const auto job = jobs_table::take_this(session, glance.id, options_.id, options_.job_lease);
    if (!job) return;
    const jobs_table::Attempt attempt = jobs_table::attempt_of(*job);
    here_[glance.id] = attempt;
    if (options_.do_here(*job)) return;
    here_.erase(glance.id);
    jobs_table::hand_back(session, attempt);
}

}  // namespace rokada::server
