// SPDX-License-Identifier: GPL-3.0-or-later
// Analyses that run for a while: started once, watched by any number of streams, resumable from any of
// their numbered events. Kept in memory, bounded per owner and in all. Safe from any thread.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "chess/game.hpp"
#include "net/loop.hpp"
#include "server/app/live_game.hpp"
#include "server/app/move_picker.hpp"
#include "server/app/secrets.hpp"

namespace rokada::server {

struct AnalysisEvent {
    std::int64_t number = 0;  // from 1, without gaps
    std::string type;         // info, score, progress, done (the last one)
    std::string text;         // one JSON object
};

// What there is to do. The job is told about thoughts and progress and ends exactly once.
struct AnalysisRequest {
    std::string owner;  // player id or address
    bool live = true;   // nobody watches: nobody needs it
    Game game;          // its last position, or for a review all of it
    bool review = false;
    std::string game_id;  // of a review, if the game is one of this server
    int lines = 1;
    std::optional<std::uint64_t> nodes;
    std::optional<Millis> move_time;
    std::optional<int> depth;
};

class AnalysisJob : public std::enable_shared_from_this<AnalysisJob> {
  public:
    using Listener = std::function<void(const AnalysisEvent&)>;
    enum class State { Queued, Running, Done, Cancelled, Failed };

    AnalysisJob(std::string id, AnalysisRequest request, const TimeSource& time,
                net::Executor executor);

    const std::string& id() const { return id_; }
    const AnalysisRequest& request() const { return request_; }
    std::string json() const;  // schema Analysis
    bool over() const;
    Millis ended_at() const;

    // All events after that number, now and as they come; the listener is not called after leave.
    int watch(std::int64_t after, Listener listener);
    void leave(int watcher);
    void cancel();

    void hold(std::unique_ptr<MovePicker::Ticket> ticket);
    void began();
    void thought(const Thought& thought);
    void scored(std::size_t plies, std::optional<int> centipawns, std::optional<int> mate);
    void progressed(int done, int all);
    void ended(State state, const PickedMove* best, const std::string& review);

  private:
    using Lock = std::unique_lock<std::mutex>;
    void add(const Lock& held, std::string type, std::string text);
    void flush(const Lock& held, int rank);
    void watch_for_absence();

    const std::string id_;
    const AnalysisRequest request_;
    const TimeSource& time_;
    const Millis created_at_;
    mutable std::mutex mutex_;
    State state_ = State::Queued;
    Millis ended_at_ = 0;
    std::deque<AnalysisEvent> events_;
    std::int64_t next_number_ = 1;
    int next_watcher_ = 1;
    std::map<int, Listener> listeners_;
    struct Line {
        std::string text, waiting;  // the newest one sent, and one too soon after it
        net::Clock::time_point sent{};
    };
    std::map<int, Line> lines_;
    int done_ = 0, all_ = 0;
    std::string best_, review_;
    std::unique_ptr<MovePicker::Ticket> ticket_;
    net::Timer absence_;
};

class AnalysisJobs {
  public:
    static constexpr std::uint64_t kMostNodes = 20'000'000;
    static constexpr std::uint64_t kMostReviewNodes = 1'000'000;  // for each position

    AnalysisJobs(MovePicker& picker, net::Loops& loops, const TimeSource& time,
                 RandomSource& random);
    ~AnalysisJobs();  // cancels what runs

    // Keeps a finished review of a game of this server. May block; called on the engine's threads.
    std::function<void(const std::string& game_id, const std::string& review)> keep_review;

    Result<std::shared_ptr<AnalysisJob>, Refusal> start(AnalysisRequest request);
    std::shared_ptr<AnalysisJob> find(const std::string& id);
    void sweep();  // now and then: forgets what ended a while ago
    std::size_t running() const;

    // The job an owner started before under this key, by the digest of the body it was started with.
    struct Known {
        std::string digest;
        std::shared_ptr<AnalysisJob> job;
    };
    std::optional<Known> known(const std::string& key) const;
    void remember(const std::string& key, const std::string& digest,
                  const std::shared_ptr<AnalysisJob>& job);

  private:
    bool begin_search(const std::shared_ptr<AnalysisJob>& job);
    bool begin_review(const std::shared_ptr<AnalysisJob>& job);

    MovePicker& picker_;
    net::Loops& loops_;
    const TimeSource& time_;
    RandomSource& random_;
    mutable std::mutex mutex_;
    std::unordered_map<std::string, std::shared_ptr<AnalysisJob>> jobs_;
    std::unordered_map<std::string, Known> keys_;
};

}  // namespace rokada::server
