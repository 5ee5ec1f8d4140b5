// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/threads.hpp"

namespace rokada::engine {

#if ROKADA_THREADS

Runner::Runner() : thread_([this] { loop(); }) {}

Runner::~Runner() {
    {
        Lock lock(mutex_);
        quit_ = true;
    }
    changed_.notify_all();
    thread_.join();
}

void Runner::post(Job job) {
    {
        Lock lock(mutex_);
        jobs_.push_back(std::move(job));
    }
    changed_.notify_all();
}

void Runner::wait() {
    if (std::this_thread::get_id() == thread_.get_id()) return;
    Lock lock(mutex_);
    changed_.wait(lock, [this] { return jobs_.empty() && !busy_; });
}

void Runner::loop() {
    Lock lock(mutex_);
    for (;;) {
        changed_.wait(lock, [this] { return quit_ || !jobs_.empty(); });
        if (jobs_.empty()) return;
        {
            const Job job = std::move(jobs_.front());
            jobs_.pop_front();
            busy_ = true;
            lock.unlock();
            job();
        }
        lock.lock();
        busy_ = false;
        changed_.notify_all();
    }
}

#else

void Turns::post(Job job) {
    jobs_.push_back(std::move(job));
    if (busy_) return;  // posted from within a job: the loop below comes to it
    busy_ = true;
    while (!jobs_.empty()) {
        const Job next = std::move(jobs_.front());
        jobs_.pop_front();
        next();
    }
    busy_ = false;
}

#endif

}  // namespace rokada::engine
