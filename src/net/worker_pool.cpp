// SPDX-License-Identifier: GPL-3.0-or-later
#include <exception>

#include <pthread.h>

#include "net/loop.hpp"

namespace rokada::net {

WorkerPool::WorkerPool(std::string name, unsigned threads, std::size_t max_queued,
                       ErrorHook on_error)
    : name_(std::move(name)), max_queued_(max_queued), on_error_(std::move(on_error)) {
    for (unsigned i = 0; i < std::max(threads, 1u); ++i) threads_.emplace_back([this] { run(); });
}

WorkerPool::~WorkerPool() { stop(); }

bool WorkerPool::try_post(Task task) {
    {
        const std::lock_guard lock(mutex_);
        if (stopping_ || tasks_.size() >= max_queued_) return false;
        tasks_.push_back(std::move(task));
    }
    wake_.notify_one();
    return true;
}

std::size_t WorkerPool::queued() const {
    const std::lock_guard lock(mutex_);
    return tasks_.size();
}

void WorkerPool::stop() {
    {
        const std::lock_guard lock(mutex_);
        stopping_ = true;
    }
    wake_.notify_all();
    for (std::thread& thread : threads_)
        if (thread.joinable()) thread.join();
}

void WorkerPool::run() {
    pthread_setname_np(pthread_self(), name_.substr(0, 15).c_str());
    std::unique_lock lock(mutex_);
    for (;;) {
        wake_.wait(lock, [this] { return stopping_ || !tasks_.empty(); });
        if (tasks_.empty()) return;
        Task task = std::move(tasks_.front());
        tasks_.pop_front();
        lock.unlock();
        try {
            task();
        } catch (const std::exception& error) {
            if (on_error_) on_error_(name_ + ": " + error.what());
        } catch (...) {
            if (on_error_) on_error_(name_ + ": unknown exception");
        }
        task = nullptr;  // what it captured is released before the lock is taken
        lock.lock();
    }
}

}  // namespace rokada::net
