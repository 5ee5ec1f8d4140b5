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

#include "net/loop.hpp"
#include "server/api/analysis_work.hpp"
#include "server/app/job_desk.hpp"
#include "server/app/live_game.hpp"
#include "server/app/secrets.hpp"

namespace rokada::server {

struct AnalysisEvent {
    std::int64_t number = 0;  // from 1, without gaps
    std::string type;         // info, score, progress, done (the last one)
    std::string text;         // one JSON object
};

// Told about thoughts and progress; ends exactly once.
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
    void thought(int rank, const std::string& line);
    void scored(const std::string& score);
    void progressed(int done, int all);
    void ended(State state, const AnalysisEnd& end);
    void failed(const std::string& reason);
    // From a worker elsewhere: all there is to know; what is new is told.
    void heard(int tries, const AnalysisNews& news);

  private:
    using Lock = std::unique_lock<std::mutex>;
    void add(const Lock& held, std::string type, std::string text);
    void flush(const Lock& held, int rank);
    void end(const Lock& held, State state);
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
    std::pair<int, std::int64_t> heard_{0, -1};  // try and number of the newest news
    std::size_t scores_heard_ = 0;
    std::string best_, review_, reason_;
    std::vector<std::unique_ptr<MovePicker::Ticket>> tickets_;
    net::Timer absence_;
};

class AnalysisJobs {
  public:
    static constexpr std::uint64_t kMostNodes = 20'000'000;
    static constexpr std::uint64_t kMostReviewNodes = 1'000'000;  // for each position

    AnalysisJobs(MovePicker& picker, net::Loops& loops, const TimeSource& time,
                 RandomSource& random);
    ~AnalysisJobs();  // cancels what runs

    // Keeps a finished review of a game of this server. May block; called on the engine's threads
    // and on that of the desk.
    std::function<void(const std::string& game_id, const std::string& review)> keep_review;

    // With several machines: everything goes over this desk, and `do_here` is for its options. Both
    // before the first start; the desk stops before this ends.
    void use(JobDesk& desk) { desk_ = &desk; }
    bool do_here(const std::string& id);

    // May block if there is a desk.
    Result<std::shared_ptr<AnalysisJob>, Refusal> start(AnalysisRequest request);
    bool may_block() const { return desk_ != nullptr; }
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
    bool begin(const std::shared_ptr<AnalysisJob>& job);
    std::optional<Refusal> ask(const std::shared_ptr<AnalysisJob>& job);
    void hear(AnalysisJob& job, const JobRecord& record);
    void conclude(AnalysisJob& job, const AnalysisEnd& end);

    MovePicker& picker_;
    JobDesk* desk_ = nullptr;
    net::Loops& loops_;
    const TimeSource& time_;
    RandomSource& random_;
    mutable std::mutex mutex_;
    std::unordered_map<std::string, std::shared_ptr<AnalysisJob>> jobs_;
    std::unordered_map<std::string, Known> keys_;
};

}  // namespace rokada::server
