// SPDX-License-Identifier: GPL-3.0-or-later
// Does jobs out of the database that servers and programs of the lab have asked for (job_desk.hpp), on
// as many threads as wanted. May vanish at any time: somebody else begins what it had when its
// lease has run out. Used by `rokada worker`, which brings the handlers.
#pragma once

#include <atomic>
#include <condition_variable>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "chess/result.hpp"
#include "server/app/event_bus.hpp"
#include "server/store/jobs_table.hpp"

namespace rokada::server {

// One job while it is being done, as its handler sees it.
class JobTask {
  public:
    virtual ~JobTask() = default;
    virtual const JobRecord& job() const = 0;
    virtual bool go_on() const = 0;  // false: give up soon, whatever comes out does not count
    // How far it is: all there is to know, not what is new. As often as you like, from any thread.
    virtual void tell(std::string progress) = 0;
};
// The result, or why it cannot be done here.
using JobHandler = std::function<Result<std::string, std::string>(JobTask&)>;

struct JobWorkerOptions {
    std::function<std::unique_ptr<Session>()> connect;
    std::string id;  // another one for every start
    std::string name, version;
    unsigned threads = 1;
    std::map<std::string, JobHandler> handlers;  // by kind
    EventBus* bus = nullptr;                     // new jobs and progress are heard of at once
    Millis lease = 6000, beat = 500;
    std::function<void(const std::string& event, const std::string& detail)> log;
};

class JobWorker {
  public:
    explicit JobWorker(JobWorkerOptions options);  // throws StoreError; works from now on
    ~JobWorker();                                  // stop
    JobWorker(const JobWorker&) = delete;
    JobWorker& operator=(const JobWorker&) = delete;

    void stop();  // hands back what it has
    std::uint64_t done() const { return done_; }

  private:
    class Task;
    void serve();
    void do_next(Session& session);
    void settle(Session& session, Task& task, const Result<std::string, std::string>& outcome);
    void keep_leases();
    void beat(Session& session);
    void make_way();  // with the mutex held
    void wait(std::chrono::milliseconds time);
    void log(const std::string& event, const std::string& detail) const {
        if (options_.log) options_.log(event, detail);
    }

    JobWorkerOptions options_;
    std::string kinds_;
    std::unique_ptr<EventBus::Subscription> calls_;
    std::mutex mutex_;
    std::condition_variable wake_;
    std::atomic<bool> stopping_{false};
    std::uint64_t calls_heard_ = 0;
    bool closing_ = false;  // the leases are not needed any more
    std::list<Task*> running_;
    std::atomic<std::uint64_t> done_{0};
    std::vector<std::thread> threads_;
    std::thread keeper_;
};

}  // namespace rokada::server
