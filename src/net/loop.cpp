// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/loop.hpp"

#include <algorithm>
#include <exception>

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/post.hpp>
#include <pthread.h>

#include "net/detail/loop.hpp"

namespace rokada::net {

namespace {

constexpr Milliseconds kLagProbe{250};

}  // namespace

Loop::Loop(ErrorHook on_error) : on_error_(std::move(on_error)), lag_timer_(context_) {}

template <typename Run>
std::size_t Loop::guarded(Run run) {
    for (;;) {
        try {
            return run();
        } catch (const std::exception& error) {
            report(std::string("exception in a task: ") + error.what());
        } catch (...) {
            report("unknown exception in a task");
        }
    }
}

void Loop::run() {
    const auto work = asio::make_work_guard(context_);
    guarded([this] { return context_.run(); });
}

std::size_t Loop::poll() {
    context_.restart();
    return guarded([this] { return context_.poll(); });
}

std::size_t Loop::poll_for(Clock::duration time) {
    context_.restart();
    return guarded([this, end = Clock::now() + time] { return context_.run_until(end); });
}

void Loop::post(Task task) {
    const std::lock_guard lock(mutex_);
    if (closed_) return;
    posted_.push_back(std::move(task));
    if (posted_.size() == 1) asio::post(asio_executor(), [this] { run_posted(); });
}

// What is posted meanwhile waits for the next time, so that sockets get their turn in between.
void Loop::run_posted() {
    std::vector<Task> tasks = std::exchange(room_, {});
    {
        const std::lock_guard lock(mutex_);
        tasks.swap(posted_);
    }
    std::size_t next = 0;
    guarded([this, &tasks, &next] {
        while (next < tasks.size() && !context_.stopped()) {
            const Task task = std::move(tasks[next++]);
            task();
        }
        return next;
    });
    constexpr std::size_t kKeptRoom = 1024;
    tasks.clear();
    if (tasks.capacity() <= kKeptRoom) room_ = std::move(tasks);
}

void Loop::dispatch(Task task) {
    if (asio_executor().running_in_this_thread())
        task();
    else
        post(std::move(task));
}

void Loop::drop_everything() {
    std::vector<Task> dropped;
    {
        const std::lock_guard lock(mutex_);
        closed_ = true;
        dropped.swap(posted_);
    }
    dropped.clear();
    context_.shutdown();
}

void Loop::start_measuring() { measure(Clock::now() + kLagProbe); }

void Loop::measure(Clock::time_point due) {
    lag_timer_.expires_at(due);
    lag_timer_.async_wait([this, due](const boost::system::error_code& error) {
        if (error) return;
        const Clock::time_point now = Clock::now();
        const Clock::rep lag = (now - due).count();
        Clock::rep worst = worst_lag_.load(std::memory_order_relaxed);
        while (lag > worst &&
               !worst_lag_.compare_exchange_weak(worst, lag, std::memory_order_relaxed)) {
        }
        measure(now + kLagProbe);
    });
}

Clock::duration Loop::take_worst_lag() {
    return Clock::duration(worst_lag_.exchange(0, std::memory_order_relaxed));
}

void Executor::post(Task task) const { loop_->post(std::move(task)); }

void Executor::dispatch(Task task) const { loop_->dispatch(std::move(task)); }

bool Executor::on_this_thread() const { return loop_->asio_executor().running_in_this_thread(); }

// Each start makes a new generation; a wait that ends for an older one does nothing. The Asio timer
// is touched on its loop only, so that start and cancel may come from any thread.
struct Timer::State {
    explicit State(Executor on) : executor(std::move(on)), timer(executor.loop().asio_executor()) {}

    Executor executor;
    Loop::AsioTimer timer;
    std::atomic<std::uint64_t> generation{0};
};

Timer::Timer(Executor executor) : state_(std::make_shared<State>(std::move(executor))) {}

Timer::~Timer() {
    if (state_) cancel();
}

Timer::Timer(Timer&&) noexcept = default;

Timer& Timer::operator=(Timer&& other) noexcept {
    if (this != &other) {
        if (state_) cancel();
        state_ = std::move(other.state_);
    }
    return *this;
}

void Timer::start_at(Clock::time_point when, Task task) {
    const std::uint64_t generation = ++state_->generation;
    state_->executor.dispatch([state = state_, generation, when, task = std::move(task)]() mutable {
        if (state->generation != generation) return;
        state->timer.expires_at(when);
        Loop::AsioTimer& timer = state->timer;
        timer.async_wait([state = std::move(state), generation,
                          task = std::move(task)](const boost::system::error_code& error) {
            if (!error && state->generation == generation) task();
        });
    });
}

void Timer::cancel() {
    ++state_->generation;
    state_->executor.dispatch([state = state_] { state->timer.cancel(); });
}

Loops::Loops(unsigned threads, ErrorHook on_error) {
    for (unsigned i = 0; i < std::max(threads, 1u); ++i) {
        loops_.push_back(std::make_shared<Loop>(on_error));
        if (threads > 0) loops_.back()->start_measuring();
    }
    for (unsigned i = 0; i < threads; ++i)
        threads_.emplace_back([loop = loops_[i], i] {
            pthread_setname_np(pthread_self(), ("net-" + std::to_string(i)).c_str());
            loop->run();
        });
}

Loops::~Loops() { stop(); }

std::size_t Loops::size() const { return loops_.size(); }

Executor Loops::executor(std::size_t index) const {
    return Executor(loops_[index % loops_.size()]);
}

Executor Loops::next() { return executor(next_.fetch_add(1, std::memory_order_relaxed)); }

Strand Loops::strand_for(std::uint64_t key) const {
    // Fibonacci hashing: consecutive keys spread out, whatever the number of loops.
    return executor(static_cast<std::size_t>(key * 0x9e3779b97f4a7c15u >> 32));
}

bool Loops::threaded() const { return !threads_.empty(); }

void Loops::stop() {
    if (std::exchange(stopped_, true)) return;
    for (const auto& loop : loops_) loop->stop();
    for (std::thread& thread : threads_) thread.join();
    for (const auto& loop : loops_) loop->drop_everything();
}

std::size_t Loops::poll() { return loops_[0]->poll(); }

std::size_t Loops::poll_for(Clock::duration time) { return loops_[0]->poll_for(time); }

Clock::duration Loops::take_worst_lag() {
    Clock::duration worst{};
    for (const auto& loop : loops_) worst = std::max(worst, loop->take_worst_lag());
    return worst;
}

}  // namespace rokada::net
