// SPDX-License-Identifier: GPL-3.0-or-later
// The computer players of this server: a few niced threads with an engine each. People at a board
// come first, then everybody else in turn, one after the other per asker. The queue is bounded, the
// cost of every search too.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

#include "server/app/move_picker.hpp"

namespace rokada::server {

struct EnginePoolOptions {
    unsigned threads = 1;
    int hash_mb = 16;  // per thread
    std::size_t urgent_limit = 4000;
    std::size_t other_limit = 256;
    std::size_t other_limit_per_asker = 8;
    std::uint64_t most_nodes = 20'000'000;
    Millis longest = 10'000;
    Millis longest_analysis = 60'000;
};

class EnginePool final : public MovePicker {
  public:
    explicit EnginePool(EnginePoolOptions options);
    ~EnginePool() override;  // gives running searches up

    std::unique_ptr<Ticket> pick(PickRequest request, Callback callback) override;
    std::unique_ptr<Ticket> run(const std::string& asked_by, LongWork work) override;
    std::size_t queued() const;

  private:
    struct Job;
    class JobTicket;
    class Worker;
    void serve();
    std::unique_ptr<Ticket> queue(std::shared_ptr<Job> job);
    std::shared_ptr<Job> next_job();
    void do_job(Worker& worker, const std::shared_ptr<Job>& job);
    bool go_on(Worker& worker, const Job& job);
    void make_way();

    EnginePoolOptions options_;
    mutable std::mutex mutex_;
    std::condition_variable wake_;
    std::deque<std::shared_ptr<Job>> urgent_;
    // One line per asker; the askers take turns.
    std::list<std::string> turns_;
    std::unordered_map<std::string, std::deque<std::shared_ptr<Job>>> others_;
    std::size_t other_count_ = 0;
    std::list<std::shared_ptr<Job>> running_;
    unsigned idle_ = 0;
    bool stopping_ = false;
    std::vector<std::thread> threads_;
};

}  // namespace rokada::server
