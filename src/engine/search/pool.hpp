// SPDX-License-Identifier: GPL-3.0-or-later
// The workers of one engine and what they share. Searches one request at a time; the caller's
// thread does the first worker's part, the others help from threads of their own.
#pragma once

#include <atomic>
#include <memory>
#include <vector>

#include "engine/search/worker.hpp"
#include "engine/threads.hpp"

namespace rokada::engine {

class SearchPool {
  public:
    explicit SearchPool(int threads = 1);

    // None of these may run while search() does.
    bool resize_table(int megabytes) {
        return shared_.table.resize(static_cast<std::size_t>(megabytes));
    }
    void clear_table() { shared_.table.clear(); }
    TranspositionTable& table() { return shared_.table; }
    int set_threads(int count);  // how many there are now: fewer if the system has no more
    void clear();                // forgets everything learnt
    BestMove search(SearchRequest request, const std::function<void(const Info&)>& report);
    // Who wants to know which move a long search is busy with.
    void set_move_report(std::function<void(const CurrentMove&)> report) {
        shared_.report_move = std::move(report);
    }

    // Looks for the shortest mate within limits.mate moves and proves it, or that there is none. Without one a short
    // search gives the move.
    BestMove prove_mate(SearchRequest request, const std::function<void(const Info&)>& report,
                        const std::function<void(std::string_view)>& message);

    // Waits as long as the request is not to be answered yet: for a move found without search().
    void hold_answer(const Limits& limits) {
        shared_.request.limits = limits;
        hold_answer();
    }

    // Sleeps until then, or until stopped.
    void pause(TimeManager::Clock::time_point until);

    // These may come from any thread at any time.
    void stop();
    void ponder_hit();
    // Must be called before each search(), by whoever decides whether it may still run.
    void prepare(bool already_stopped, bool pondering);

  private:
    struct Helper {
        std::unique_ptr<Worker> worker;
        std::unique_ptr<Runner> runner;  // none for the first
    };
    bool add_helper();  // false, or an exception: there is no memory or no thread for it
    Worker& vote();
    void hold_answer();
    void collect_workers(std::size_t count);
    std::vector<RootMove> root_moves();
    void start_from_scratch();

    SharedSearch shared_;
    std::vector<Helper> helpers_;
    std::atomic<bool> told_to_stop_{false};  // shared_.stop also ends a search that is complete
    Signal released_;                        // stop or ponder hit
};

}  // namespace rokada::engine
