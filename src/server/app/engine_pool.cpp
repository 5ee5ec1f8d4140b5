// SPDX-License-Identifier: GPL-3.0-or-later
#include "server/app/engine_pool.hpp"

#include <algorithm>
#include <atomic>

#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "engine/engine.hpp"

namespace rokada::server {
namespace {

constexpr int kNiceness = 10;
// Without a clock the computer answers about as quickly as a person expects it to.
constexpr Millis kThinkingTime = 1000;

void make_nice() {
    // On Linux the priority belongs to the thread.
    setpriority(PRIO_PROCESS, static_cast<id_t>(::syscall(SYS_gettid)), kNiceness);
}

engine::Milliseconds to_engine(Millis time) { return engine::Milliseconds(time); }

}  // namespace

struct EnginePool::Job {
    PickRequest request;
    Callback callback;
    LongWork work;  // set: long work, and no request
    std::atomic<bool> cancelled{false};
    std::atomic<bool> put_back{false};  // interrupted for somebody at a board
    int times_put_back = 0;
    std::mutex mutex;
    engine::Engine* running = nullptr;

    void cancel() {
        cancelled = true;
        interrupt();
    }
    void interrupt() {
        const std::lock_guard lock(mutex);
        if (running != nullptr) running->stop();
    }
};

class EnginePool::JobTicket final : public MovePicker::Ticket {
  public:
    explicit JobTicket(std::shared_ptr<Job> job) : job_(std::move(job)) {}
    ~JobTicket() override { job_->cancel(); }

  private:
    std::shared_ptr<Job> job_;
};

class EnginePool::Worker {
  public:
    explicit Worker(const EnginePoolOptions& options) : options_(options) {
        engine_.set_option("Threads", "1");
        engine_.set_option("Hash", std::to_string(options.hash_mb));
    }

    void work(const std::shared_ptr<Job>& job) {
        const PickRequest& request = job->request;
        if (job->cancelled) return give_up(*job);
        prepare(request);
        {
            const std::lock_guard lock(job->mutex);
            job->running = &engine_;
        }
        last_ = {};
        on_thought_ = request.on_thought;
        const engine::BestMove best =
            job->cancelled || job->put_back ? engine::BestMove{} : engine_.think(limits(request));
        on_thought_ = {};
        {
            const std::lock_guard lock(job->mutex);
            job->running = nullptr;
        }
        if (job->cancelled) return give_up(*job);
        if (job->put_back) return;
        PickedMove picked;
        picked.move = best.move;
        picked.ponder = best.ponder;
        picked.depth = last_.depth;
        picked.nodes = last_.nodes;
        picked.time = last_.time.count();
        picked.line = last_.line;
        set_score(picked, last_.score);
        answer(*job, picked);
    }

    static void give_up(Job& job) {
        if (!job.callback) return;
        PickedMove picked;
        picked.cancelled = true;
        answer(job, picked);
    }

  private:
    template <class T>
    static void set_score(T& to, const engine::Score& score) {
        if (score.is_mate()) {
            to.mate = score.moves_to_mate();
        } else {
            to.centipawns = score.centipawns();
        }
    }

    void hear(const engine::Info& info) {
        if (info.multipv == 1) last_ = info;
        if (!on_thought_ || info.bound != engine::Bound::Exact || info.line.empty()) return;
        Thought thought;
        thought.rank = info.multipv;
        thought.depth = info.depth;
        thought.selective_depth = info.selective_depth;
        thought.nodes = info.nodes;
        thought.time = info.time.count();
        thought.line = info.line;
        set_score(thought, info.score);
        on_thought_(thought);
    }

    // The callback may hold the ticket, which holds the job: it ends with the call.
    static void answer(Job& job, const PickedMove& picked) {
        const Callback callback = std::move(job.callback);
        callback(picked);
    }

    void prepare(const PickRequest& request) {
        if (request.asked_by != last_asker_) engine_.new_game();
        last_asker_ = request.asked_by;
        engine_.set_option("Evaluation", request.classical ? "classical" : "network");
        engine_.set_option("MultiPV", std::to_string(std::max(1, request.lines)));
        engine_.set_option("Skill", request.level.empty() ? "Full" : request.level);
        engine_.set_option("UCI_LimitStrength", request.elo > 0 ? "true" : "false");
        if (request.elo > 0) engine_.set_option("UCI_Elo", std::to_string(request.elo));
        engine_.set_position(request.start, request.moves);
    }

    engine::Limits limits(const PickRequest& request) const {
        engine::Limits limits;
        limits.depth = request.depth;
        limits.nodes = std::min(request.nodes.value_or(options_.most_nodes), options_.most_nodes);
        if (request.clock) {
            engine::ClockTimes clock;
            clock.left[Color::White] = to_engine(request.clock->white_ms);
            clock.left[Color::Black] = to_engine(request.clock->black_ms);
            clock.increment[Color::White] = to_engine(request.clock->white_increment_ms);
            clock.increment[Color::Black] = to_engine(request.clock->black_increment_ms);
            limits.clock = clock;
        }
        const bool bounded = request.nodes || request.depth;
        const Millis longest = request.on_thought ? options_.longest_analysis : options_.longest;
        const Millis usual = bounded ? longest : kThinkingTime;
        limits.move_time = to_engine(std::min(request.move_time.value_or(usual), longest));
        return limits;
    }

    EnginePoolOptions options_;
    std::string last_asker_;
    engine::Info last_;
    std::function<void(const Thought&)> on_thought_;
    engine::Engine engine_{
        engine::Callbacks{[this](const engine::Info& info) { hear(info); }, {}, {}}};
};

EnginePool::EnginePool(EnginePoolOptions options) : options_(options) {
    for (unsigned i = 0; i < std::max(1u, options_.threads); ++i)
        threads_.emplace_back([this] { serve(); });
}

EnginePool::~EnginePool() {
    std::vector<std::shared_ptr<Job>> dropped;
    {
        const std::lock_guard lock(mutex_);
        stopping_ = true;
        dropped.assign(urgent_.begin(), urgent_.end());
        for (auto& [asker, jobs] : others_) dropped.insert(dropped.end(), jobs.begin(), jobs.end());
        urgent_.clear();
        others_.clear();
        turns_.clear();
        for (const auto& job : running_) job->cancel();
    }
    wake_.notify_all();
    for (std::thread& thread : threads_) thread.join();
    for (const auto& job : dropped) Worker::give_up(*job);
}

std::size_t EnginePool::queued() const {
    const std::lock_guard lock(mutex_);
    return urgent_.size() + other_count_;
}

std::unique_ptr<MovePicker::Ticket> EnginePool::pick(PickRequest request, Callback callback) {
    auto job = std::make_shared<Job>();
    job->request = std::move(request);
    job->callback = std::move(callback);
    return queue(std::move(job));
}

std::unique_ptr<MovePicker::Ticket> EnginePool::run(const std::string& asked_by, LongWork work) {
    auto job = std::make_shared<Job>();
    job->request.asked_by = asked_by;
    job->work = std::move(work);
    return queue(std::move(job));
}

std::unique_ptr<MovePicker::Ticket> EnginePool::queue(std::shared_ptr<Job> job) {
    {
        const std::lock_guard lock(mutex_);
        if (stopping_) return nullptr;
        if (job->request.urgent) {
            if (urgent_.size() >= options_.urgent_limit) return nullptr;
            urgent_.push_back(job);
            if (idle_ == 0) make_way();
        } else {
            const std::string& asker = job->request.asked_by;
            const auto found = others_.find(asker);
            const std::size_t own = found == others_.end() ? 0 : found->second.size();
            if (other_count_ >= options_.other_limit || own >= options_.other_limit_per_asker)
                return nullptr;
            if (own == 0) turns_.push_back(asker);
            others_[asker].push_back(job);
            ++other_count_;
        }
    }
    wake_.notify_one();
    return std::make_unique<JobTicket>(std::move(job));
}

// Everybody is busy and somebody waits at a board: a search nobody waits for begins again later.
void EnginePool::make_way() {
    constexpr int kPatience = 8;
    for (const auto& job : running_) {
        if (job->request.urgent || job->work || job->put_back || job->times_put_back >= kPatience)
            continue;
        job->put_back = true;
        job->interrupt();
        return;
    }
}

std::shared_ptr<EnginePool::Job> EnginePool::next_job() {
    if (!urgent_.empty()) {
        auto job = std::move(urgent_.front());
        urgent_.pop_front();
        return job;
    }
    if (turns_.empty()) return nullptr;
    const std::string asker = std::move(turns_.front());
    turns_.pop_front();
    auto& jobs = others_[asker];
    auto job = std::move(jobs.front());
    jobs.pop_front();
    --other_count_;
    if (jobs.empty()) {
        others_.erase(asker);
    } else {
        turns_.push_back(asker);
    }
    return job;
}

bool EnginePool::go_on(Worker& worker, const Job& job) {
    for (;;) {
        std::shared_ptr<Job> urgent;
        {
            const std::lock_guard lock(mutex_);
            if (stopping_ || job.cancelled) return false;
            if (urgent_.empty()) return true;
            urgent = next_job();
        }
        worker.work(urgent);
    }
}

void EnginePool::do_job(Worker& worker, const std::shared_ptr<Job>& job) {
    if (job->work) {
        if (!job->cancelled) job->work([this, &worker, &job] { return go_on(worker, *job); });
        job->work = {};
        return;
    }
    worker.work(job);
}

void EnginePool::serve() {
    make_nice();
    Worker worker(options_);
    std::unique_lock lock(mutex_);
    for (;;) {
        std::shared_ptr<Job> job;
        ++idle_;
        wake_.wait(lock, [this, &job] { return stopping_ || (job = next_job()) != nullptr; });
        --idle_;
        if (!job) return;
        const auto place = running_.insert(running_.end(), job);
        lock.unlock();
        do_job(worker, job);
        lock.lock();
        running_.erase(place);
        if (!job->put_back || job->cancelled) continue;
        job->put_back = false;
        ++job->times_put_back;
        const std::string& asker = job->request.asked_by;
        auto& line = others_[asker];
        if (line.empty()) turns_.push_front(asker);
        line.push_front(std::move(job));
        ++other_count_;
    }
}

}  // namespace rokada::server
