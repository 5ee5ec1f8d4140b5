// SPDX-License-Identifier: GPL-3.0-or-later
// A review as a job: src/review judges, here it is run in steps and its progress is told.
#include "review/json.hpp"
#include "review/reviewer.hpp"
#include "server/api/analysis_jobs.hpp"

namespace rokada::server {

bool AnalysisJobs::begin_review(const std::shared_ptr<AnalysisJob>& job) {
    auto ticket = picker_.run(job->request().owner, [this, weak = std::weak_ptr(job)](
                                                        const std::function<bool()>& go_on) {
        const auto self = weak.lock();
        if (!self) return;
        self->began();
        review::Budget budget;
        budget.nodes = self->request().nodes;
        review::EngineAnalyst analyst(budget);
        review::Listener listener;
        listener.on_progress = [&self](int done, int all) { self->progressed(done, all); };
        listener.on_score = [&self](std::size_t plies, engine::Score score) {
            self->scored(plies, score.is_mate() ? std::nullopt : std::optional(score.centipawns()),
                         score.is_mate() ? std::optional(score.moves_to_mate()) : std::nullopt);
        };
        listener.cancelled = [&go_on] { return !go_on(); };
        const auto review = review::review_game(self->request().game, analyst, {}, listener);
        if (!review) return self->ended(AnalysisJob::State::Cancelled, nullptr, {});
        const std::string text = review::to_json(*review);
        // Kept before it is told, so that whoever hears of it can read it.
        if (keep_review && !self->request().game_id.empty())
            keep_review(self->request().game_id, text);
        self->ended(AnalysisJob::State::Done, nullptr, text);
    });
    if (!ticket) return false;
    job->hold(std::move(ticket));
    return true;
}

}  // namespace rokada::server
