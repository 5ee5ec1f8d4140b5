// SPDX-License-Identifier: GPL-3.0-or-later
#include "server/app/job_worker.hpp"

#include <exception>

namespace rokada::server {
namespace {

using namespace std::chrono_literals;
using SteadyClock = std::chrono::steady_clock;

constexpr auto kIdle = 500ms;          // between looks for work when nobody calls
constexpr auto kPublishing = 100ms;    // progress on the bus at most so often
constexpr auto kTrouble = 1s;          // before the database is tried again
constexpr auto kResultPatience = 60s;  // for a database that is away

}  // namespace

class JobWorker::Task final : public JobTask {
  public:
    Task(const JobWorker& worker, JobRecord job) : worker_(worker), job_(std::move(job)) {}

    const JobRecord& job() const override { return job_; }
    bool go_on() const override { return !lost && !gives_way && !worker_.stopping_; }
    void tell(std::string progress) override {
        const std::lock_guard lock(mutex_);
        progress_ = std::move(progress);
        unwritten_ = unsaid_ = true;
        if (SteadyClock::now() - said_at_ >= kPublishing) say();
    }
    jobs_table::Attempt attempt() const { return jobs_table::attempt_of(job_); }
    // For the database, if there is something new; what was too soon for the bus goes there now.
    std::optional<std::string> take_progress() {
        const std::lock_guard lock(mutex_);
        if (unsaid_) say();
        if (!unwritten_) return std::nullopt;
        unwritten_ = false;
        return progress_;
    }
    void call_asker() const { publish(nullptr); }

    std::atomic<bool> lost{false};
    std::atomic<bool> gives_way{false};  // to somebody who waits for an answer

  private:
    void say() {
        unsaid_ = false;
        said_at_ = SteadyClock::now();
        publish(std::make_shared<const std::string>(progress_));
    }
    void publish(std::shared_ptr<const std::string> text) const {
        if (worker_.options_.bus == nullptr) return;
        BusMessage message;
        message.version = job_.tries;
        message.text = std::move(text);
        message.game = job_.id;
        worker_.options_.bus->publish("jobs." + job_.asker, message);
    }

    const JobWorker& worker_;
    const JobRecord job_;
    std::mutex mutex_;
    std::string progress_;
    bool unwritten_ = false, unsaid_ = false;
    SteadyClock::time_point said_at_{};
};

JobWorker::JobWorker(JobWorkerOptions options) : options_(std::move(options)) {
    for (const auto& [kind, handler] : options_.handlers)
        kinds_ += (kinds_.empty() ? "" : ",") + kind;
    {
        const auto session = options_.connect();
        beat(*session);
    }
    if (options_.bus != nullptr)
        calls_ = options_.bus->subscribe("jobs", [this](const BusMessage&) {
            {
                const std::lock_guard lock(mutex_);
                ++calls_heard_;
            }
            wake_.notify_all();
        });
    keeper_ = std::thread([this] { keep_leases(); });
    for (unsigned i = 0; i < std::max(1u, options_.threads); ++i)
        threads_.emplace_back([this] { serve(); });
}

JobWorker::~JobWorker() { stop(); }

void JobWorker::stop() {
    if (stopping_.exchange(true)) return;
    wake_.notify_all();
    for (std::thread& thread : threads_) thread.join();
    {
        const std::lock_guard lock(mutex_);
        closing_ = true;
    }
    wake_.notify_all();
    keeper_.join();
    calls_.reset();
    try {
        jobs_table::discharge(*options_.connect(), options_.id);
    } catch (const StoreError&) {
        // The lease runs out by itself.
    }
}

void JobWorker::wait(std::chrono::milliseconds time) {
    std::unique_lock lock(mutex_);
    const std::uint64_t heard = calls_heard_;
    wake_.wait_for(lock, time, [&] { return stopping_ || calls_heard_ != heard; });
}

void JobWorker::serve() {
    std::unique_ptr<Session> session;
    while (!stopping_) {
        try {
            if (!session) session = options_.connect();
            do_next(*session);
        } catch (const StoreError&) {
            session.reset();  // the keeper of the leases tells of it
            wait(kTrouble);
        }
    }
}

void JobWorker::do_next(Session& session) {
    auto job = jobs_table::take(session, options_.id, kinds_, options_.lease);
    if (!job) return wait(kIdle);
    Task task(*this, std::move(*job));
    std::list<Task*>::iterator place;
    {
        const std::lock_guard lock(mutex_);
        place = running_.insert(running_.end(), &task);
    }
    Result<std::string, std::string> outcome = Error{std::string("it did not end well")};
    try {
        outcome = options_.handlers.at(task.job().kind)(task);
    } catch (const std::exception& error) {
        outcome = Error{std::string(error.what())};
    }
    // The lease is kept up to the result, which may have to wait for the database.
    try {
        settle(session, task, outcome);
    } catch (const StoreError& error) {
        log("result_lost", task.job().kind + " " + task.job().id + ": " + error.what());
    }
    const std::lock_guard lock(mutex_);
    running_.erase(place);
}

void JobWorker::settle(Session& session, Task& task,
                       const Result<std::string, std::string>& outcome) {
    const jobs_table::Attempt attempt = task.attempt();
    const auto give_up_at = SteadyClock::now() + kResultPatience;
    const bool given_up = !task.go_on();
    for (;;) {
        try {
            if (task.lost) return;
            if (given_up) {
                jobs_table::hand_back(session, attempt);
            } else if (!outcome) {
                log("job_failed", task.job().kind + " " + task.job().id + ": " + outcome.error());
                jobs_table::fail(session, attempt, outcome.error());
            } else if (jobs_table::finish(session, attempt, *outcome)) {
                ++done_;
            }
            return task.call_asker();
        } catch (const StoreError&) {
            if (stopping_ || SteadyClock::now() > give_up_at) throw;
            std::this_thread::sleep_for(kTrouble);
        }
    }
}

void JobWorker::keep_leases() {
    std::unique_ptr<Session> session;
    bool troubled = false;
    std::unique_lock lock(mutex_);
    while (!closing_) {
        lock.unlock();
        try {
            if (!session) session = options_.connect();
            beat(*session);
            if (std::exchange(troubled, false)) log("database_back", "");
        } catch (const StoreError& error) {
            session.reset();
            if (!std::exchange(troubled, true)) log("database_lost", error.what());
        }
        lock.lock();
        wake_.wait_for(lock, std::chrono::milliseconds(options_.beat), [this] { return closing_; });
    }
}

// Batches are long. With every thread at one, the one begun last is handed back: the least is lost.
void JobWorker::make_way() {
    if (running_.size() < threads_.size()) return;
    for (const Task* task : running_)
        if (task->gives_way) return;
    for (auto task = running_.rbegin(); task != running_.rend(); ++task)
        if ((*task)->job().job_class == JobClass::Batch) {
            (*task)->gives_way = true;
            return;
        }
}

void JobWorker::beat(Session& session) {
    WorkerRecord self;
    self.id = options_.id;
    self.name = options_.name;
    self.version = options_.version;
    self.kinds = kinds_;
    self.threads = static_cast<int>(options_.threads);
    jobs_table::enlist(session, self, options_.lease);
    jobs_table::expire(session);
    const bool users_wait = jobs_table::users_wait(session, kinds_);
    const std::lock_guard lock(mutex_);
    if (users_wait) make_way();
    for (Task* task : running_) {
        const auto progress = task->take_progress();
        // Statements take a millisecond each, and nobody waits for the lock longer than for a job.
        if (!jobs_table::renew(session, task->attempt(), options_.lease, progress))
            task->lost = true;
    }
}

}  // namespace rokada::server
