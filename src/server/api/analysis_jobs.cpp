// SPDX-License-Identifier: GPL-3.0-or-later
#include "server/api/analysis_jobs.hpp"

#include <algorithm>

#include "chess/notation/fen.hpp"
#include "server/api/json_text.hpp"

namespace rokada::server {
namespace {

constexpr std::size_t kMostEvents = 400;
constexpr std::size_t kMostJobs = 2000;
constexpr std::size_t kMostOpenPerOwner = 3;
constexpr std::size_t kMostKeys = 10'000;
constexpr Millis kKeptAfterEnd = 10 * 60 * 1000;
constexpr auto kInfoInterval = std::chrono::milliseconds(100);
// A watcher whose connection broke has this long to come back.
constexpr auto kAbsence = std::chrono::seconds(4);
constexpr auto kFirstAbsence = std::chrono::seconds(20);

std::string_view word(AnalysisJob::State state) {
    switch (state) {
        case AnalysisJob::State::Queued: return "queued";
        case AnalysisJob::State::Running: return "running";
        case AnalysisJob::State::Done: return "done";
        case AnalysisJob::State::Cancelled: return "cancelled";
        case AnalysisJob::State::Failed: return "failed";
    }
    return "failed";
}

// Held by a job that others may do; dropping it tells them that nobody wants it any more.
class DeskTicket final : public MovePicker::Ticket {
  public:
    DeskTicket(JobDesk& desk, std::string id) : desk_(desk), id_(std::move(id)) {}
    ~DeskTicket() override { desk_.drop(id_); }

  private:
    JobDesk& desk_;
    std::string id_;
};

}  // namespace

AnalysisJob::AnalysisJob(std::string id, AnalysisRequest request, const TimeSource& time,
                         net::Executor executor)
    : id_(std::move(id)),
      request_(std::move(request)),
      time_(time),
      created_at_(time.now().wall),
      absence_(std::move(executor)) {}

bool AnalysisJob::over() const {
    const Lock lock(mutex_);
    return state_ != State::Queued && state_ != State::Running;
}

Millis AnalysisJob::ended_at() const {
    const Lock lock(mutex_);
    return ended_at_;
}

std::string AnalysisJob::json() const {
    const Lock lock(mutex_);
    JsonText json;
    json.open_object().field("id", id_).field("kind", request_.review ? "review" : "position");
    json.field("state", word(state_)).field("live", request_.live);
    json.field("fen", to_fen(request_.game.position()));
    json.optional_field("game", request_.game_id);
    json.field("created_at", time_text(created_at_));
    if (ended_at_ != 0) json.field("ended_at", time_text(ended_at_));
    if (all_ > 0)
        json.name("progress").open_object().field("done", done_).field("all", all_).close_object();
    json.name("lines").open_array();
    for (const auto& [rank, line] : lines_)
        json.raw(line.waiting.empty() ? line.text : line.waiting);
    json.close_array();
    json.optional_field("bestmove", best_).optional_field("reason", reason_);
    if (!review_.empty()) json.name("review").raw(review_);
    return json.close_object().take();
}

void AnalysisJob::add(const Lock&, std::string type, std::string text) {
    events_.push_back({next_number_++, std::move(type), std::move(text)});
    if (events_.size() > kMostEvents) events_.pop_front();
    // Listeners only write to a stream, which never calls back.
    for (const auto& [number, listener] : listeners_) listener(events_.back());
}

int AnalysisJob::watch(std::int64_t after, Listener listener) {
    const Lock lock(mutex_);
    absence_.cancel();
    for (const AnalysisEvent& event : events_)
        if (event.number > after) listener(event);
    const int number = next_watcher_++;
    listeners_[number] = std::move(listener);
    return number;
}

void AnalysisJob::leave(int watcher) {
    bool alone = false;
    {
        const Lock lock(mutex_);
        listeners_.erase(watcher);
        alone = listeners_.empty();
    }
    if (alone && request_.live && !over()) watch_for_absence();
}

void AnalysisJob::watch_for_absence() {
    absence_.start(next_watcher_ == 1 ? kFirstAbsence : kAbsence, [weak = weak_from_this()] {
        const auto self = weak.lock();
        if (!self) return;
        {
            const Lock lock(self->mutex_);
            if (!self->listeners_.empty()) return;
        }
        self->cancel();
    });
}

void AnalysisJob::cancel() { ended(State::Cancelled, {}); }

void AnalysisJob::hold(std::unique_ptr<MovePicker::Ticket> ticket) {
    {
        const Lock lock(mutex_);
        if (state_ == State::Queued || state_ == State::Running)
            tickets_.push_back(std::move(ticket));
    }
    // One that came too late is dropped here, without the lock.
    ticket.reset();
    if (request_.live) watch_for_absence();
}

void AnalysisJob::began() {
    const Lock lock(mutex_);
    if (state_ == State::Queued) state_ = State::Running;
}

void AnalysisJob::flush(const Lock& held, int rank) {
    Line& line = lines_[rank];
    if (line.waiting.empty()) return;
    line.text = std::exchange(line.waiting, {});
    line.sent = net::Clock::now();
    add(held, "info", line.text);
}

void AnalysisJob::thought(int rank, const std::string& line) {
    const Lock lock(mutex_);
    if (state_ == State::Queued) state_ = State::Running;
    if (state_ != State::Running) return;
    lines_[rank].waiting = line;
    const auto now = net::Clock::now();
    for (auto& [number, known] : lines_)
        if (now - known.sent >= kInfoInterval) flush(lock, number);
}

void AnalysisJob::scored(const std::string& score) {
    const Lock lock(mutex_);
    if (state_ != State::Running) return;
    ++scores_heard_;
    add(lock, "score", score);
}

void AnalysisJob::progressed(int done, int all) {
    const Lock lock(mutex_);
    if (state_ == State::Queued) state_ = State::Running;
    if (state_ != State::Running) return;
    done_ = done;
    all_ = all;
    JsonText json;
    json.open_object().field("done", done).field("all", all).close_object();
    add(lock, "progress", json.take());
}

void AnalysisJob::heard(int tries, const AnalysisNews& news) {
    {
        const Lock lock(mutex_);
        if (state_ != State::Queued && state_ != State::Running) return;
        // The bus and the database tell the same, in any order.
        if (std::pair(tries, news.number) <= heard_) return;
        heard_ = {tries, news.number};
        state_ = State::Running;
        for (const auto& [rank, line] : news.lines) {
            if (lines_[rank].text == line) continue;
            lines_[rank].waiting = line;
            flush(lock, rank);
        }
        // Somebody who begins anew finds the same.
        for (; scores_heard_ < news.scores.size(); ++scores_heard_)
            add(lock, "score", news.scores[scores_heard_]);
        if (news.all == 0 || (news.done == done_ && news.all == all_)) return;
    }
    progressed(news.done, news.all);
}

void AnalysisJob::end(const Lock& held, State state) {
    state_ = state;
    ended_at_ = time_.now().wall;
    for (auto& [rank, line] : lines_) flush(held, rank);
    JsonText json;
    json.open_object().field("state", word(state)).optional_field("bestmove", best_);
    json.optional_field("reason", reason_);
    if (!review_.empty()) json.name("review").raw(review_);
    add(held, "done", json.close_object().take());
}

void AnalysisJob::ended(State state, const AnalysisEnd& end_of_it) {
    // Dropped when the lock is free again: that gives up whatever still runs.
    std::vector<std::unique_ptr<MovePicker::Ticket>> tickets;
    const Lock lock(mutex_);
    if (state_ != State::Queued && state_ != State::Running) return;
    best_ = end_of_it.best;
    review_ = end_of_it.review;
    end(lock, state);
    tickets.swap(tickets_);
}

void AnalysisJob::failed(const std::string& reason) {
    std::vector<std::unique_ptr<MovePicker::Ticket>> tickets;
    const Lock lock(mutex_);
    if (state_ != State::Queued && state_ != State::Running) return;
    reason_ = reason;
    end(lock, State::Failed);
    tickets.swap(tickets_);
}

AnalysisJobs::AnalysisJobs(MovePicker& picker, net::Loops& loops, const TimeSource& time,
                           RandomSource& random)
    : picker_(picker), loops_(loops), time_(time), random_(random) {}

AnalysisJobs::~AnalysisJobs() {
    for (const auto& [id, job] : jobs_) job->cancel();
}

Result<std::shared_ptr<AnalysisJob>, Refusal> AnalysisJobs::start(AnalysisRequest request) {
    std::shared_ptr<AnalysisJob> job;
    {
        const std::lock_guard lock(mutex_);
        std::size_t open = 0;
        for (const auto& [id, other] : jobs_)
            open += other->request().owner == request.owner && !other->over() ? 1 : 0;
        if (open >= kMostOpenPerOwner)
            return Error{Refusal{429, "too_many_analyses", "Wait until one of yours has ended."}};
        if (jobs_.size() >= kMostJobs)
            return Error{Refusal{503, "busy", "Too many analyses are open; try again."}};
        job = std::make_shared<AnalysisJob>(random_.id(), std::move(request), time_, loops_.next());
        jobs_[job->id()] = job;
    }
    std::optional<Refusal> refusal;
    if (desk_ != nullptr) {
        refusal = ask(job);
    } else if (!begin(job)) {
        refusal = Refusal{503, "busy", "The engine is busy; try again."};
    }
    if (!refusal) return job;
    const std::lock_guard lock(mutex_);
    jobs_.erase(job->id());
    return Error{std::move(*refusal)};
}

std::optional<Refusal> AnalysisJobs::ask(const std::shared_ptr<AnalysisJob>& job) {
    const AnalysisRequest& request = job->request();
    JobRecord record;
    record.id = job->id();
    record.kind = request.review ? kReviewKind : kAnalysisKind;
    record.owner = request.owner;
    record.payload = to_payload(request);
    try {
        const bool asked = desk_->submit(
            std::move(record),
            [this, weak = std::weak_ptr(job)](const JobRecord& news) {
                if (const auto self = weak.lock()) hear(*self, news);
            },
            kMostOpenPerOwner);
        if (!asked) return Refusal{429, "too_many_analyses", "Wait until one of yours has ended."};
    } catch (const StoreError&) {
        return Refusal{503, "busy", "The database cannot be reached; try again."};
    }
    job->hold(std::make_unique<DeskTicket>(*desk_, job->id()));
    return std::nullopt;
}

void AnalysisJobs::hear(AnalysisJob& job, const JobRecord& record) {
    if (record.state == JobState::Failed) return job.failed(record.result);
    if (record.state == JobState::Done) {
        const auto result = parse_analysis_result(record.result);
        if (!result) return job.failed("the answer of the worker makes no sense");
        job.heard(record.tries, result->news);
        return conclude(job, result->end);
    }
    if (record.progress.empty()) return;
    if (const auto news = parse_analysis_news(record.progress)) job.heard(record.tries, *news);
}

void AnalysisJobs::conclude(AnalysisJob& job, const AnalysisEnd& end) {
    // Kept before it is told, so that whoever hears of it can read it.
    if (keep_review && !end.review.empty() && !job.request().game_id.empty())
        keep_review(job.request().game_id, end.review);
    job.ended(end.cancelled ? AnalysisJob::State::Cancelled : AnalysisJob::State::Done, end);
}

bool AnalysisJobs::do_here(const std::string& id) {
    const auto job = find(id);
    return job && begin(job);
}

bool AnalysisJobs::begin(const std::shared_ptr<AnalysisJob>& job) {
    const auto with = [weak = std::weak_ptr(job)](auto&& tell) {
        if (const auto self = weak.lock()) tell(*self);
    };
    AnalysisListener listener;
    listener.on_begin = [with] { with([](AnalysisJob& self) { self.began(); }); };
    listener.on_line = [with](int rank, const std::string& line) {
        with([&](AnalysisJob& self) { self.thought(rank, line); });
    };
    listener.on_score = [with](const std::string& score) {
        with([&](AnalysisJob& self) { self.scored(score); });
    };
    listener.on_progress = [with](int done, int all) {
        with([&](AnalysisJob& self) { self.progressed(done, all); });
    };
    listener.on_end = [this, with](const AnalysisEnd& end) {
        with([&](AnalysisJob& self) { conclude(self, end); });
    };
    auto ticket = begin_analysis(picker_, job->request(), std::move(listener));
    if (!ticket) return false;
    job->hold(std::move(ticket));
    return true;
}

std::shared_ptr<AnalysisJob> AnalysisJobs::find(const std::string& id) {
    const std::lock_guard lock(mutex_);
    const auto found = jobs_.find(id);
    return found == jobs_.end() ? nullptr : found->second;
}

std::size_t AnalysisJobs::running() const {
    const std::lock_guard lock(mutex_);
    return static_cast<std::size_t>(std::count_if(
        jobs_.begin(), jobs_.end(), [](const auto& entry) { return !entry.second->over(); }));
}

void AnalysisJobs::sweep() {
    const Millis now = time_.now().wall;
    const std::lock_guard lock(mutex_);
    for (auto at = jobs_.begin(); at != jobs_.end();) {
        const bool old = at->second->over() && now - at->second->ended_at() > kKeptAfterEnd;
        at = old ? jobs_.erase(at) : std::next(at);
    }
    for (auto at = keys_.begin(); at != keys_.end();)
        at = jobs_.count(at->second.job->id()) == 0 ? keys_.erase(at) : std::next(at);
}

std::optional<AnalysisJobs::Known> AnalysisJobs::known(const std::string& key) const {
    const std::lock_guard lock(mutex_);
    const auto found = keys_.find(key);
    if (found == keys_.end()) return std::nullopt;
    return found->second;
}

void AnalysisJobs::remember(const std::string& key, const std::string& digest,
                            const std::shared_ptr<AnalysisJob>& job) {
    const std::lock_guard lock(mutex_);
    if (keys_.size() < kMostKeys) keys_[key] = {digest, job};
}

}  // namespace rokada::server
