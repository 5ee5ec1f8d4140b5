// SPDX-License-Identifier: GPL-3.0-or-later
// The work of an analysis, apart from who waits for it: begun with a MovePicker here or, as a job of
// the database, by a worker elsewhere. What it tells is the same JSON in both cases.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "chess/game.hpp"
#include "chess/result.hpp"
#include "server/app/job_worker.hpp"
#include "server/app/move_picker.hpp"

namespace rokada::server {

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

struct AnalysisEnd {
    bool cancelled = false;
    std::string best;    // UCI, of a position
    std::string review;  // JSON, of a game
};

// From the engine's threads. The texts are JSON objects.
struct AnalysisListener {
    std::function<void()> on_begin;
    std::function<void(int rank, const std::string& line)> on_line;
    std::function<void(const std::string& score)> on_score;  // of one position of a game
    std::function<void(int done, int all)> on_progress;
    std::function<void(const AnalysisEnd&)> on_end;  // once, unless the ticket was dropped before
};

// Nothing when too many wait already. Dropping the ticket gives it up.
std::unique_ptr<MovePicker::Ticket> begin_analysis(MovePicker& picker,
                                                   const AnalysisRequest& request,
                                                   AnalysisListener listener);

// As a job: its kind, what a worker has to know, what it tells and its result.
inline constexpr std::string_view kAnalysisKind = "analysis", kReviewKind = "review";
std::string to_payload(const AnalysisRequest& request);
Result<AnalysisRequest, std::string> from_payload(std::string_view kind, std::string_view payload);

struct AnalysisNews {
    std::int64_t number = 0;  // grows
    std::vector<std::pair<int, std::string>> lines;
    std::vector<std::string> scores;  // in the order they were found
    int done = 0, all = 0;
};
std::string to_text(const AnalysisNews& news);
std::optional<AnalysisNews> parse_analysis_news(std::string_view text);
struct AnalysisResult {
    AnalysisNews news;  // the last
    AnalysisEnd end;
};
std::optional<AnalysisResult> parse_analysis_result(std::string_view text);

// What a worker does with such a job.
JobHandler analysis_handler(MovePicker& picker);

}  // namespace rokada::server
