// SPDX-License-Identifier: GPL-3.0-or-later
#include "server/store/writer.hpp"

#include <chrono>
#include <future>

namespace rokada::server {

Writer::Writer(std::unique_ptr<Session> session) : session_(std::move(session)) {
    thread_ = std::thread([this] { loop(); });
}

Writer::~Writer() {
    {
        const std::lock_guard lock(mutex_);
        stopping_ = true;
    }
    wake_.notify_all();
    thread_.join();
}

void Writer::submit(Work work, Done done) {
    WriteFailure refusal;
    {
        const std::lock_guard lock(mutex_);
        if (!stopping_ && !broken_ && queue_.size() < kQueueLimit) {
            queue_.push_back(Job{std::move(work), std::move(done), std::nullopt});
            if (queue_.size() == 1) wake_.notify_one();
            return;
        }
        refusal = stopping_ ? WriteFailure{StoreFault::Stopped, "the store is closing"}
                  : broken_
                      ? WriteFailure{StoreFault::InputOutput, "the disk failed; writes stopped"}
                      : WriteFailure{StoreFault::QueueFull, "too many writes wait"};
    }
    done(refusal);
}

WriteOutcome Writer::submit_and_wait(Work work) {
    std::promise<WriteOutcome> promise;
    auto future = promise.get_future();
    submit(std::move(work),
           [&promise](const WriteOutcome& outcome) { promise.set_value(outcome); });
    return future.get();
}

void Writer::loop() {
    for (;;) {
        std::deque<Job> batch;
        {
            std::unique_lock lock(mutex_);
            wake_.wait(lock, [this] { return stopping_ || !queue_.empty(); });
            if (queue_.empty()) return;
            while (!queue_.empty() && batch.size() < kBatchLimit) {
                batch.push_back(std::move(queue_.front()));
                queue_.pop_front();
            }
        }
        write_batch(batch);
        for (Job& job : batch) {
            if (job.outcome) ++counters_.failures;
            job.done(job.outcome);
        }
    }
}

void Writer::write_batch(std::deque<Job>& batch) {
    const auto begun = std::chrono::steady_clock::now();
    const auto fail_all = [&batch](const StoreError& error) {
        for (Job& job : batch) job.outcome = WriteFailure{error.fault(), error.what()};
    };
    if (broken_)
        return fail_all(StoreError(StoreFault::InputOutput, "the disk failed; writes stopped"));
    try {
        session_->begin_write();
        for (Job& job : batch) {
            session_->savepoint();
            try {
                job.work(*session_);
                session_->release_savepoint();
            } catch (const StoreError& error) {
                // These undo the whole transaction or make it worthless: nothing of the batch holds.
                if (error.fault() == StoreFault::DiskFull ||
                    error.fault() == StoreFault::InputOutput ||
                    error.fault() == StoreFault::ConnectionLost)
                    throw;
                session_->rollback_to_savepoint();
                job.outcome = WriteFailure{error.fault(), error.what()};
            } catch (const std::exception& error) {
                session_->rollback_to_savepoint();
                job.outcome = WriteFailure{StoreFault::Other, error.what()};
            }
        }
        session_->commit();
    } catch (const StoreError& error) {
        session_->rollback();
        // After a failed sync the system may have thrown the data away although a retry would
        // succeed, so the only honest answer is to stop.
        if (error.fault() == StoreFault::InputOutput) broken_ = true;
        fail_all(error);
    }
    ++counters_.commits;
    counters_.writes += batch.size();
    counters_.busy_us +=
        static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::microseconds>(
                                       std::chrono::steady_clock::now() - begun)
                                       .count());
}

}  // namespace rokada::server
