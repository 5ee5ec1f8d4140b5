// SPDX-License-Identifier: GPL-3.0-or-later
#include "server/api/analysis_work.hpp"

#include <algorithm>
#include <condition_variable>
#include <mutex>

#include "chess/notation/fen.hpp"
#include "chess/notation/uci_move.hpp"
#include "net/json.hpp"
#include "review/json.hpp"
#include "review/reviewer.hpp"
#include "server/api/json_text.hpp"

namespace rokada::server {
namespace {

constexpr std::size_t kReviewDepth = 32;  // of the JSON of a review, at most

void write_score(JsonText& json, std::optional<int> centipawns, std::optional<int> mate) {
    json.name("score").open_object();
    json.optional_field("cp", centipawns).optional_field("mate", mate).close_object();
}

std::string line_text(const Thought& thought) {
    JsonText json;
    json.open_object().field("line", thought.rank).field("depth", thought.depth);
    json.field("selective_depth", thought.selective_depth);
    write_score(json, thought.centipawns, thought.mate);
    json.field("nodes", thought.nodes).field("time_ms", thought.time).name("pv").open_array();
    for (const Move move : thought.line) json.value(to_uci(move));
    return json.close_array().close_object().take();
}

std::string score_text(std::size_t plies, engine::Score score) {
    JsonText json;
    json.open_object().field("ply", static_cast<std::int64_t>(plies));
    write_score(json, score.is_mate() ? std::nullopt : std::optional(score.centipawns()),
                score.is_mate() ? std::optional(score.moves_to_mate()) : std::nullopt);
    return json.close_object().take();
}

using TicketPtr = std::unique_ptr<MovePicker::Ticket>;

TicketPtr begin_search(MovePicker& picker, const AnalysisRequest& wanted,
                       AnalysisListener listener) {
    PickRequest request;
    request.start = wanted.game.start();
    for (const Game::Ply& ply : wanted.game.plies()) request.moves.push_back(ply.move);
    request.lines = wanted.lines;
    request.nodes = wanted.nodes;
    request.move_time = wanted.move_time;
    request.depth = wanted.depth;
    request.asked_by = wanted.owner;
    request.on_thought = [on_line = std::move(listener.on_line)](const Thought& thought) {
        on_line(thought.rank, line_text(thought));
    };
    return picker.pick(std::move(request),
                       [on_end = std::move(listener.on_end)](const PickedMove& picked) {
                           on_end({picked.cancelled, picked.move ? to_uci(picked.move) : "", ""});
                       });
}

// src/review judges, here it is run in steps and its progress is told.
TicketPtr begin_review(MovePicker& picker, const AnalysisRequest& request,
                       AnalysisListener listener) {
    return picker.run(request.owner, [listener = std::move(listener), nodes = request.nodes,
                                      game = request.game](const std::function<bool()>& go_on) {
        listener.on_begin();
        review::Budget budget;
        budget.nodes = nodes;
        review::EngineAnalyst analyst(budget);
        review::Listener steps;
        steps.on_progress = listener.on_progress;
        steps.on_score = [&listener](std::size_t plies, engine::Score score) {
            listener.on_score(score_text(plies, score));
        };
        steps.cancelled = [&go_on] { return !go_on(); };
        const auto review = review::review_game(game, analyst, {}, steps);
        listener.on_end({!review, "", review ? review::to_json(*review) : ""});
    });
}

void write_news(JsonText& json, const AnalysisNews& news) {
    json.field("n", news.number).field("done", news.done).field("all", news.all);
    json.name("lines").open_array();
    for (const auto& [rank, line] : news.lines) json.raw(line);
    json.close_array().name("scores").open_array();
    for (const std::string& score : news.scores) json.raw(score);
    json.close_array();
}

// The worker's side of one job: what the engine says goes to the task, in one piece.
class Account {
  public:
    explicit Account(JobTask& task) : task_(&task) {}

    template <class Change>
    void note(Change&& change) {
        const std::lock_guard lock(mutex_);
        if (task_ == nullptr) return;
        std::forward<Change>(change)(news_);
        ++news_.number;
        task_->tell(to_text(news_));
    }
    void end(AnalysisEnd end) {
        {
            const std::lock_guard lock(mutex_);
            end_ = std::move(end);
        }
        ended_.notify_all();
    }
    // Waits; nothing if it was given up.
    std::optional<std::string> result() {
        std::unique_lock lock(mutex_);
        while (!end_ && task_->go_on()) ended_.wait_for(lock, std::chrono::milliseconds(50));
        task_ = nullptr;  // the engine may have something more to say, but nobody listens
        if (!end_ || end_->cancelled) return std::nullopt;
        JsonText json;
        json.open_object();
        write_news(json, news_);
        json.optional_field("bestmove", end_->best);
        if (!end_->review.empty()) json.name("review").raw(end_->review);
        return json.close_object().take();
    }

  private:
    std::mutex mutex_;
    std::condition_variable ended_;
    JobTask* task_;
    AnalysisNews news_;
    std::optional<AnalysisEnd> end_;
};

}  // namespace

TicketPtr begin_analysis(MovePicker& picker, const AnalysisRequest& request,
                         AnalysisListener listener) {
    return request.review ? begin_review(picker, request, std::move(listener))
                          : begin_search(picker, request, std::move(listener));
}

std::string to_payload(const AnalysisRequest& request) {
    const Game& game = request.game;
    JsonText json;
    json.open_object().field("fen", to_fen(game.start()));
    json.field("claim", game.draw_rule() == DrawRule::Claim);
    json.name("moves").open_array();
    for (const Game::Ply& ply : game.plies()) json.value(to_uci(ply.move));
    json.close_array();
    if (game.outcome()) json.field("end", to_string(game.outcome()->reason));
    json.field("lines", request.lines).optional_field("nodes", request.nodes);
    json.optional_field("movetime", request.move_time).optional_field("depth", request.depth);
    return json.close_object().take();
}

Result<AnalysisRequest, std::string> from_payload(std::string_view kind, std::string_view payload) {
    const auto value = net::parse_json(payload);
    if (!value) return Error{"not a job: " + value.error().message};
    net::ObjectReader body(*value);
    AnalysisRequest request;
    request.live = false;
    request.review = kind == kReviewKind;
    const auto start = parse_position(body.text("fen", {.min_bytes = 1, .max_bytes = 128}));
    const bool claim = body.boolean("claim");
    if (!start) return Error{"not a position: " + start.error().to_string()};
    request.game = Game(*start, claim ? DrawRule::Claim : DrawRule::Automatic);
    for (const std::string& text : body.texts("moves", 100'000, {.min_bytes = 4, .max_bytes = 5})) {
        const auto move = parse_uci_move(request.game.position(), text);
        if (!move || !request.game.play(*move)) return Error{"not a move: " + text};
    }
    const std::string end = body.optional_text("end").value_or("");
    // A review needs to know of a draw that was claimed; how else a game ended is all the same to it.
    if (!request.game.over() && (end == to_string(EndReason::ThreefoldRepetition) ||
                                 end == to_string(EndReason::FiftyMoves)))
        request.game.claim_draw();
    constexpr std::int64_t kMost = std::int64_t{1} << 40;
    request.lines = static_cast<int>(body.integer("lines", 1, 500));
    if (const auto nodes = body.optional_integer("nodes", 1, kMost))
        request.nodes = static_cast<std::uint64_t>(*nodes);
    request.move_time = body.optional_integer("movetime", 1, kMost);
    if (const auto depth = body.optional_integer("depth", 1, 1000))
        request.depth = static_cast<int>(*depth);
    if (!body.finish()) return Error{"not a job: " + body.errors().front().message};
    return request;
}

std::string to_text(const AnalysisNews& news) {
    JsonText json;
    json.open_object();
    write_news(json, news);
    return json.close_object().take();
}

std::optional<AnalysisResult> parse_analysis_result(std::string_view text) {
    const auto value = net::parse_json(text, kReviewDepth);
    if (!value) return std::nullopt;
    net::ObjectReader body(*value);
    AnalysisResult result;
    constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();
    result.news.number = body.integer("n", 0, kMost);
    result.news.done = static_cast<int>(body.integer("done", 0, kMost));
    result.news.all = static_cast<int>(body.integer("all", 0, kMost));
    if (const auto* lines = body.optional_array("lines", 500))
        for (const net::json::value& line : *lines) {
            const auto* fields = line.if_object();
            const auto* rank = fields != nullptr ? fields->if_contains("line") : nullptr;
            if (rank == nullptr || !rank->is_int64()) return std::nullopt;
            result.news.lines.emplace_back(static_cast<int>(rank->get_int64()), net::to_text(line));
        }
    if (const auto* scores = body.optional_array("scores", 100'000))
        for (const net::json::value& score : *scores)
            result.news.scores.push_back(net::to_text(score));
    result.end.best = body.optional_text("bestmove", {.max_bytes = 5}).value_or("");
    if (const auto* review = body.optional_value("review"))
        result.end.review = net::to_text(*review);
    if (!body.finish()) return std::nullopt;
    return result;
}

std::optional<AnalysisNews> parse_analysis_news(std::string_view text) {
    auto result = parse_analysis_result(text);
    if (!result) return std::nullopt;
    return std::move(result->news);
}

JobHandler analysis_handler(MovePicker& picker) {
    return [&picker](JobTask& task) -> Result<std::string, std::string> {
        auto request = from_payload(task.job().kind, task.job().payload);
        if (!request) return Error{request.error()};
        request->owner = task.job().owner;
        const auto account = std::make_shared<Account>(task);
        AnalysisListener listener;
        listener.on_begin = [] {};
        listener.on_line = [account](int rank, const std::string& line) {
            account->note([&](AnalysisNews& news) {
                const auto found =
                    std::find_if(news.lines.begin(), news.lines.end(),
                                 [rank](const auto& known) { return known.first == rank; });
                if (found != news.lines.end()) {
                    found->second = line;
                } else {
                    news.lines.emplace_back(rank, line);
                }
            });
        };
        listener.on_score = [account](const std::string& score) {
            account->note([&](AnalysisNews& news) { news.scores.push_back(score); });
        };
        listener.on_progress = [account](int done, int all) {
            account->note([&](AnalysisNews& news) {
                news.done = done;
                news.all = all;
            });
        };
        listener.on_end = [account](const AnalysisEnd& end) { account->end(end); };
        const TicketPtr ticket = begin_analysis(picker, *request, std::move(listener));
        if (!ticket) return Error{std::string("the engine is busy")};
        auto result = account->result();
        if (!result) return Error{std::string("given up")};
        return std::move(*result);
    };
}

}  // namespace rokada::server
