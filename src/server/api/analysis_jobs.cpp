// SPDX-License-Identifier: GPL-3.0-or-later
#include "server/api/analysis_jobs.hpp"

#include <algorithm>

#include "chess/notation/fen.hpp"
#include "chess/notation/uci_move.hpp"
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

void write_score(JsonText& json, std::optional<int> centipawns, std::optional<int> mate) {
    json.name("score").open_object();
    json.optional_field("cp", centipawns).optional_field("mate", mate).close_object();
}

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
    json.optional_field("bestmove", best_);
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

void AnalysisJob::cancel() {
    std::unique_ptr<MovePicker::Ticket> ticket;
    {
        const Lock lock(mutex_);
        ticket = std::move(ticket_);
    }
    // Dropping it gives the search up.
    ticket.reset();
    ended(State::Cancelled, nullptr, {});
}

void AnalysisJob::hold(std::unique_ptr<MovePicker::Ticket> ticket) {
    {
        const Lock lock(mutex_);
        if (state_ == State::Queued || state_ == State::Running) std::swap(ticket_, ticket);
    }
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

void AnalysisJob::thought(const Thought& thought) {
    JsonText json;
    json.open_object().field("line", thought.rank).field("depth", thought.depth);
    json.field("selective_depth", thought.selective_depth);
    write_score(json, thought.centipawns, thought.mate);
    json.field("nodes", thought.nodes).field("time_ms", thought.time).name("pv").open_array();
    for (const Move move : thought.line) json.value(to_uci(move));
    json.close_array().close_object();
    const Lock lock(mutex_);
    if (state_ == State::Queued) state_ = State::Running;
    if (state_ != State::Running) return;
    lines_[thought.rank].waiting = json.take();
    const auto now = net::Clock::now();
    for (auto& [rank, line] : lines_)
        if (now - line.sent >= kInfoInterval) flush(lock, rank);
}

void AnalysisJob::scored(std::size_t plies, std::optional<int> centipawns,
                         std::optional<int> mate) {
    JsonText json;
    json.open_object().field("ply", static_cast<std::int64_t>(plies));
    write_score(json, centipawns, mate);
    const Lock lock(mutex_);
    add(lock, "score", json.close_object().take());
}

void AnalysisJob::progressed(int done, int all) {
    const Lock lock(mutex_);
    if (state_ == State::Queued) state_ = State::Running;
    done_ = done;
    all_ = all;
    JsonText json;
    json.open_object().field("done", done).field("all", all).close_object();
    add(lock, "progress", json.take());
}

void AnalysisJob::ended(State state, const PickedMove* best, const std::string& review) {
    std::unique_ptr<MovePicker::Ticket> ticket;
    const Lock lock(mutex_);
    if (state_ != State::Queued && state_ != State::Running) return;
    state_ = state;
    ended_at_ = time_.now().wall;
    for (auto& [rank, line] : lines_) flush(lock, rank);
    if (best != nullptr && best->move) best_ = to_uci(best->move);
    review_ = review;
    JsonText json;
    json.open_object().field("state", word(state)).optional_field("bestmove", best_);
    if (!review_.empty()) json.name("review").raw(review_);
    add(lock, "done", json.close_object().take());
    ticket = std::move(ticket_);
}

AnalysisJobs::AnalysisJobs(MovePicker& picker, net::Loops& loops, const TimeSource& time,
                           RandomSource& random)
    : picker_(picker), loops_(loops), time_(time), random_(random) {}

AnalysisJobs::~AnalysisJobs() {
    for (const auto& [id, job] : jobs_) job->cancel();
}

Result<std::shared_ptr<AnalysisJob>, Refusal> AnalysisJobs::start(AnalysisRequest request) {
    std::shared_ptr<AnalysisJob> job;
    const bool review = request.review;
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
    if (review ? begin_review(job) : begin_search(job)) return job;
    const std::lock_guard lock(mutex_);
    jobs_.erase(job->id());
    return Error{Refusal{503, "busy", "The engine is busy; try again."}};
}

bool AnalysisJobs::begin_search(const std::shared_ptr<AnalysisJob>& job) {
    const AnalysisRequest& wanted = job->request();
    PickRequest request;
    request.start = wanted.game.start();
    for (const Game::Ply& ply : wanted.game.plies()) request.moves.push_back(ply.move);
    request.lines = wanted.lines;
    request.nodes = wanted.nodes;
    request.move_time = wanted.move_time;
    request.depth = wanted.depth;
    request.asked_by = wanted.owner;
    request.on_thought = [weak = std::weak_ptr(job)](const Thought& thought) {
        if (const auto self = weak.lock()) self->thought(thought);
    };
    auto ticket =
        picker_.pick(std::move(request), [weak = std::weak_ptr(job)](const PickedMove& picked) {
            const auto self = weak.lock();
            if (!self) return;
            self->ended(picked.cancelled ? AnalysisJob::State::Cancelled : AnalysisJob::State::Done,
                        &picked, {});
        });
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
