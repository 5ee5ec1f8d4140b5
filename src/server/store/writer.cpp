// SPDX-License-Identifier: GPL-3.0-or-later
#include "server/store/writer.hpp"

#include <chrono>
#include <future>

#include "server/store/games_table.hpp"

namespace rokada::server {

namespace {

// These undo the whole transaction or make it worthless: nothing of the batch holds.
bool ends_transaction(StoreFault fault) {
    return fault == StoreFault::DiskFull || fault == StoreFault::InputOutput ||
           fault == StoreFault::ConnectionLost;
}

// Asked before anything is locked: waiting for one's turn with rows in hand could wait in a circle.
template <class Batch>
Writes standing_of(const Batch& batch) {
    for (const auto& job : batch)
        if (job.writes == Writes::Alone) return Writes::Alone;
    return Writes::Beside;
}

}  // namespace

Writer::Writer(std::unique_ptr<Session> session)
    : session_(std::move(session)), logs_moves_(session_->dialect() == SqlDialect::Sqlite) {
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

void Writer::submit(Work work, Done done, Writes writes) {
    enqueue(Job{std::move(work), nullptr, std::move(done), writes});
}

void Writer::submit_turn(std::shared_ptr<const TurnRecord> turn, Done done) {
    enqueue(Job{nullptr, std::move(turn), std::move(done), Writes::Beside});
}

WriteOutcome Writer::settle_all() {
    if (log_.empty()) return std::nullopt;
    return submit_and_wait([this](Session& session) { log_.settle_all(session); });
}

void Writer::settle_later() {
    if (!log_.empty() && !settling_.exchange(true)) settle_slice(log_.last_row());
}

void Writer::settle_slice(std::int64_t row) {
    submit([this, row](Session& session) { more_to_settle_ = log_.settle_some(session, row); },
           [this, row](const WriteOutcome& outcome) {
               if (!outcome && more_to_settle_) return settle_slice(row);
               settling_ = false;
           });
}

void Writer::probe() {
    if (probing_.exchange(true)) return;
    submit([](Session&) {}, [this](const WriteOutcome&) { probing_ = false; }, Writes::Beside);
}

void Writer::enqueue(Job job) {
    WriteFailure refusal;
    {
        const std::lock_guard lock(mutex_);
        if (!stopping_ && !broken_ && queue_.size() < kQueueLimit) {
            queue_.push_back(std::move(job));
            if (queue_.size() == 1 || queue_.size() == kBatchLimit) wake_.notify_one();
            return;
        }
        refusal = stopping_ ? WriteFailure{StoreFault::Stopped, "the store is closing"}
                  : broken_
                      ? WriteFailure{StoreFault::InputOutput, "the disk failed; writes stopped"}
                      : WriteFailure{StoreFault::QueueFull, "too many writes wait"};
    }
    job.done(refusal);
}

WriteOutcome Writer::submit_and_wait(Work work, Writes writes) {
    std::promise<WriteOutcome> promise;
    auto future = promise.get_future();
    submit(
        std::move(work), [&promise](const WriteOutcome& outcome) { promise.set_value(outcome); },
        writes);
    return future.get();
}

void Writer::loop() {
    std::chrono::steady_clock::time_point next_commit;
    for (;;) {
        std::deque<Job> batch;
        {
            std::unique_lock lock(mutex_);
            wake_.wait(lock, [this] { return stopping_ || !queue_.empty(); });
            if (queue_.empty()) return;
            wake_.wait_until(lock, next_commit,
                             [this] { return stopping_ || queue_.size() >= kBatchLimit; });
            if (queue_.size() <= kBatchLimit) batch.swap(queue_);
            while (!queue_.empty() && batch.size() < kBatchLimit) {
                batch.push_back(std::move(queue_.front()));
                queue_.pop_front();
            }
        }
        write_batch(batch);
        next_commit = std::chrono::steady_clock::now() + kCommitPause;
        for (Job& job : batch) {
            if (job.outcome) ++counters_.failures;
            // Whoever made the record is the last to hold it: memory goes back where it came from.
            job.turn.reset();
            job.done(job.outcome);
        }
    }
}

void Writer::run(const Job& job) {
    if (!job.turn) {
        job.work(*session_);
    } else if (logs_moves_) {
        log_.add(job.turn);
    } else {
        games_table::apply_turns(*session_, std::span(&job.turn, 1));
    }
}

// All or none, without a way back for a single one. False when one of them failed by itself.
bool Writer::write_together(std::deque<Job>& batch) {
    // Where there is no log, moves go into the tables with one statement for all. They are of different
    // games, because the next one of a game waits for the last, and nothing else of their games is here.
    Turns turns;
    if (!logs_moves_)
        for (const Job& job : batch)
            if (job.turn) turns.push_back(job.turn);
    const bool only_turns = turns.size() == batch.size();
    if (!only_turns) session_->begin_write(standing_of(batch));
    try {
        if (!turns.empty()) games_table::apply_turns_at_once(*session_, turns);
        for (const Job& job : batch)
            if (logs_moves_ || !job.turn) run(job);
    } catch (const StoreError& error) {
        if (ends_transaction(error.fault())) throw;
        return false;
    } catch (const std::exception&) {
        return false;
    }
    if (only_turns) return true;
    log_.write(*session_);
    session_->commit();
    return true;
}

void Writer::write_apart(std::deque<Job>& batch) {
    session_->begin_write(standing_of(batch));
    for (Job& job : batch) {
        session_->savepoint();
        const std::size_t mark = log_.mark();
        const auto undo = [this, mark] {
            session_->rollback_to_savepoint();
            log_.undo_to(mark);
        };
        try {
            run(job);
            session_->release_savepoint();
        } catch (const StoreError& error) {
            if (ends_transaction(error.fault())) throw;
            undo();
            job.outcome = WriteFailure{error.fault(), error.what()};
        } catch (const std::exception& error) {
            undo();
            job.outcome = WriteFailure{StoreFault::Other, error.what()};
        }
    }
    log_.write(*session_);
    session_->commit();
}

void Writer::write_batch(std::deque<Job>& batch) {
    const auto begun = std::chrono::steady_clock::now();
    const auto fail_all = [&batch](const StoreError& error) {
        for (Job& job : batch) job.outcome = WriteFailure{error.fault(), error.what()};
    };
    if (broken_)
        return fail_all(StoreError(StoreFault::InputOutput, "the disk failed; writes stopped"));
    try {
        // Nearly always everything succeeds. If not, the others must not suffer from it.
        if (!write_together(batch)) {
            session_->rollback();
            log_.rolled_back();
            write_apart(batch);
        }
        log_.committed();
        unreachable_ = false;
    } catch (const StoreError& error) {
        session_->rollback();
        log_.rolled_back();
        // After a failed sync the system may have thrown the data away although a retry would
        // succeed, so the only honest answer is to stop.
        if (error.fault() == StoreFault::InputOutput) broken_ = true;
        // A file is always there; one that another program locks for long is no reason to go away.
        unreachable_ = !logs_moves_ && (error.fault() == StoreFault::ConnectionLost ||
                                        error.fault() == StoreFault::Busy);
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
