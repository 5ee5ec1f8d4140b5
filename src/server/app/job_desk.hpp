// SPDX-License-Identifier: GPL-3.0-or-later
// Where somebody who needs work done asks for it and hears how it goes: a server for its visitors, a
// program of the lab for a batch. Workers on any machine take the jobs out of the database
// (job_worker.hpp). A desk that does work itself gets what nobody else takes. Safe from any thread.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "server/app/event_bus.hpp"
#include "server/store/jobs_table.hpp"

namespace rokada::server {

struct JobDeskOptions {
    std::function<std::unique_ptr<Session>()> connect;  // connections of the desk's own
    std::string id;                                     // another one for every start
    std::string name;                                   // for people
    EventBus* bus = nullptr;  // news come at once instead of with the next look
    Millis lease = 60'000;    // the jobs of a desk that vanished are dropped after it
    Millis job_lease = 6000;  // of jobs done here
    Millis beat = 500;

    // On the desk's thread: does the job here, which ends with `drop`. False: not now. Without it
    // everything waits for a worker.
    std::function<bool(const JobRecord&)> do_here;
    // While there are workers they have this long, and at most `room` jobs are done here.
    Millis patience = 2000;
    std::size_t room = 1;
    // The database cannot be reached, or can again (nothing). Once for each change.
    std::function<void(const std::optional<std::string>& trouble)> on_trouble;
};

class JobDesk {
  public:
    // Whatever changed; the last call has the state Done or Failed. From other threads, not at the
    // same time as `submit` of the same job; must be quick.
    using Listener = std::function<void(const JobRecord&)>;

    explicit JobDesk(JobDeskOptions options);  // throws StoreError
    ~JobDesk();                                // stop
    JobDesk(const JobDesk&) = delete;
    JobDesk& operator=(const JobDesk&) = delete;

    // False: the owner has so many open already, here and elsewhere. May block; throws StoreError.
    bool submit(JobRecord job, Listener listener,
                std::optional<std::int64_t> most_open_of_owner = std::nullopt);
    // Not wanted any more, or done here: nothing is heard of it again.
    void drop(const std::string& id);
    // At the last look:
    std::size_t workers() const;  // that were alive
    bool somebody_does(std::string_view kind) const;
    void stop();  // drops everything that is open

  private:
    struct Entry {
        Listener listener;
        bool stored = false;
        std::int64_t seen = 0;
        std::optional<std::chrono::steady_clock::time_point> free_since = {};
    };
    void run();
    void beat(Session& session);
    void look_at(Session& session, const jobs_table::Glance& glance);
    void offer_here(Session& session, const jobs_table::Glance& glance, bool waited);
    void tell(const JobRecord& job);
    void wake();

    JobDeskOptions options_;
    std::unique_ptr<EventBus::Subscription> news_;
    std::mutex asking_mutex_;
    std::unique_ptr<Session> asking_;
    mutable std::mutex mutex_;
    std::condition_variable wake_;
    std::map<std::string, Entry> entries_;
    std::vector<std::string> dropped_;
    bool stopping_ = false, woken_ = false, troubled_ = false;
    std::vector<WorkerRecord> workers_;
    std::map<std::string, jobs_table::Attempt> here_;  // the desk's thread only
    std::uint64_t beats_ = 0;
    std::thread thread_;
};

}  // namespace rokada::server
