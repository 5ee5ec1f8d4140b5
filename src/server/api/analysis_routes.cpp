// SPDX-License-Identifier: GPL-3.0-or-later
// Analyses and reviews over HTTP: start one, read it, follow its events as SSE or NDJSON, end it.
#include <charconv>

#include "chess/movegen.hpp"
#include "chess/notation/fen.hpp"
#include "chess/notation/game_pgn.hpp"
#include "chess/notation/pgn_game_reader.hpp"
#include "chess/notation/uci_move.hpp"
#include "net/json.hpp"
#include "net/url.hpp"
#include "server/api/analysis_jobs.hpp"
#include "server/api/api.hpp"
#include "server/api/game_access.hpp"
#include "server/api/json_text.hpp"
#include "server/store/games_table.hpp"

namespace rokada::server {
namespace {

using JobPtr = std::shared_ptr<AnalysisJob>;

struct Wish {
    AnalysisRequest request;
    std::string game_id;  // to be looked up
};

void read_board(net::ObjectReader& body, Game& game) {
    const auto fen = body.optional_text("fen", {.min_bytes = 1, .max_bytes = 128});
    Position start;
    if (fen) {
        const auto position = parse_position(*fen);
        if (!position) return body.complain("fen", "position", position.error().to_string());
        start = *position;
    }
    game = Game(start, DrawRule::Claim);
    if (!body.has("moves")) return;
    for (const std::string& text : body.texts("moves", 2000, {.min_bytes = 4, .max_bytes = 5})) {
        const auto move = parse_uci_move(game.position(), text);
        if (!move) return body.complain("moves", "illegal", text + ": " + move.error().message);
        if (!game.play(*move)) return body.complain("moves", "over", "The game was over before.");
    }
}

void read_pgn(net::ObjectReader& body, const std::string& text, Game& game) {
    const PgnGames read = parse_pgn(text, {{}, std::size_t{16} << 20});
    if (read.games.empty()) return body.complain("pgn", "empty", "There is no game in this text.");
    for (const PgnProblem& problem : read.problems)
        if (problem.game == 1 && problem.severity == PgnSeverity::Broken)
            return body.complain(
                "pgn", "illegal",
                "line " + std::to_string(problem.where.line) + ": " + problem.message);
    auto first = to_game(read.games.front());
    if (!first) return body.complain("pgn", "illegal", first.error());
    game = std::move(*first);
}

std::optional<Wish> read_wish(const net::Request& request, const net::Responder& responder) {
    const auto value = net::parse_json(request.body);
    if (!value) {
        reply(responder, net::problem_for(value.error()));
        return std::nullopt;
    }
    net::ObjectReader body(*value);
    Wish wish;
    AnalysisRequest& wanted = wish.request;
    wanted.review =
        body.optional_choice("kind", {"position", "review"}).value_or("position") == "review";
    // A review is worth having afterwards; thinking aloud is not.
    wanted.live = body.optional_boolean("live").value_or(!wanted.review);
    const auto most = wanted.review ? AnalysisJobs::kMostReviewNodes : AnalysisJobs::kMostNodes;
    if (const auto nodes = body.optional_integer("nodes", 1, static_cast<std::int64_t>(most)))
        wanted.nodes = static_cast<std::uint64_t>(*nodes);
    if (wanted.review) {
        wish.game_id = body.optional_text("game", {.min_bytes = 10, .max_bytes = 10}).value_or("");
        const auto pgn = body.optional_text("pgn", {.min_bytes = 1, .max_bytes = 256 * 1024});
        if (wish.game_id.empty() == !pgn.has_value())
            body.complain("game", "missing", "Either a game of this server or pgn.");
        if (pgn) read_pgn(body, *pgn, wanted.game);
    } else {
        read_board(body, wanted.game);
        wanted.lines = static_cast<int>(body.optional_integer("lines", 1, 5).value_or(1));
        wanted.move_time = body.optional_integer("movetime", 1, 60'000);
        if (const auto depth = body.optional_integer("depth", 1, 60))
            wanted.depth = static_cast<int>(*depth);
        if (!wanted.nodes && !wanted.move_time && !wanted.depth) wanted.move_time = 10'000;
        if (!has_legal_move(wanted.game.position()))
            body.complain("fen", "over", "There is no legal move in this position.");
    }
    if (body.finish()) return wish;
    reply(responder, net::problem_for(body.errors()));
    return std::nullopt;
}

net::Response created(const JobPtr& job) {
    return net::Response::json_text(201, job->json())
        .with("Location", "/api/v1/analyses/" + job->id());
}

net::Response refusal_with_retry(const Refusal& refusal) {
    net::Response response = refusal_response(refusal);
    if (refusal.status == 429 || refusal.status == 503) response.headers.set("Retry-After", "5");
    return response;
}

void start(ApiServices& api, const net::Responder& responder, const std::string& key,
           const std::string& digest, AnalysisRequest request) {
    const auto work = [&api, responder, key, digest, request = std::move(request)] {
        const auto job = api.analyses->start(request);
        if (!job) return reply(responder, refusal_with_retry(job.error()));
        if (!key.empty()) api.analyses->remember(key, digest, *job);
        reply(responder, created(*job));
    };
    api.analyses->may_block() ? on_pool(*api.workers, responder, work) : work();
}

// The game must be over: nobody is told the best move while it is played.
void start_review_of(ApiServices& api, const net::Responder& responder, const Identity& me,
                     const std::string& key, const std::string& digest, const Wish& wish) {
    api.games->look(
        wish.game_id, [&api, responder, me, key, digest, wish](
                          const LiveGame* game, const GamePlace&, const Refusal& refusal) {
            if (game == nullptr) return reply(responder, refusal_response(refusal));
            if (!may_see(*game, me)) return reply(responder, net::problem(404, "not_found"));
            if (!game->over())
                return reply(responder,
                             net::problem(409, "game_running", "The game is still going on."));
            AnalysisRequest request = wish.request;
            request.game = game->game();
            request.game_id = wish.game_id;
            start(api, responder, key, digest, std::move(request));
        });
}

void post_analysis(ApiServices& api, const net::RequestPtr& request,
                   const net::Responder& responder) {
    const auto wish = read_wish(*request, responder);
    if (!wish) return;
    const std::string_view given = request->header("Idempotency-Key");
    if (given.size() > 128)
        return reply(responder, net::problem(400, "bad_key", "At most 128 characters."));
    with_identity(
        api, request, responder,
        [&api, request, responder, wish = *wish, given = std::string(given)](const Identity& me) {
            // Anybody can be many guests: they share what their address may have, and its turn.
            const std::string address = request->remote.limit_key();
            const std::string owner = me.kind == Identity::Kind::User ? me.player_id : address;
            const std::string key =
                given.empty() ? "" : (me.known() ? me.player_id : address) + " " + given;
            const std::string digest = given.empty() ? "" : token_hash(request->body);
            if (!key.empty()) {
                if (const auto known = api.analyses->known(key)) {
                    if (known->digest != digest)
                        return reply(responder,
                                     net::problem(422, "key_reused",
                                                  "This key was used for another request."));
                    return reply(responder, created(known->job));
                }
            }
            const auto verdict = api.throttles->engine_address.take(request->remote.limit_key(), 2);
            if (!verdict.allowed) return reply(responder, too_many(verdict.retry_after));
            Wish mine = wish;
            mine.request.owner = owner;
            // A token for the engine only sees what everybody sees.
            if (!mine.game_id.empty())
                return start_review_of(api, responder, me.covers(Scope::Read) ? me : Identity{},
                                       key, digest, mine);
            start(api, responder, key, digest, std::move(mine.request));
        },
        Scope::Engine);
}

JobPtr find_job(ApiServices& api, const net::Request& request, const net::Responder& responder) {
    JobPtr job = api.analyses->find(std::string(request.param("id")));
    if (!job) reply(responder, net::problem(404, "not_found", "There is no such analysis."));
    return job;
}

std::int64_t last_event_id(const net::Request& request) {
    std::string_view text = request.header("Last-Event-ID");
    if (text.empty()) text = request.query_value("after").value_or("");
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc{} && end == text.data() + text.size() ? number : 0;
}

std::string ndjson_line(const AnalysisEvent& event) {
    JsonText json;
    json.open_object().field("id", event.number).field("type", event.type);
    return json.name("data").raw(event.text).close_object().take() + "\n";
}

void send_events(ApiServices& api, const net::RequestPtr& request,
                 const net::Responder& responder) {
    const JobPtr job = find_job(api, *request, responder);
    if (!job) return;
    const std::string accept(request->header("Accept"));
    const auto lines = accept.empty() ? 0 : net::quality(accept, "application/x-ndjson");
    const auto events = accept.empty() ? 1 : net::quality(accept, "text/event-stream");
    if (!lines && !events)
        return reply(responder, net::problem(406, "not_acceptable",
                                             "text/event-stream or application/x-ndjson"));
    const bool sse = events.value_or(0) >= lines.value_or(0);
    const net::Stream stream = responder.stream(
        net::Response(200)
            .with("Content-Type", sse ? "text/event-stream; charset=utf-8" : "application/x-ndjson")
            .with("X-Accel-Buffering", "no"));
    stream.keep_alive(net::Milliseconds(15'000), sse ? ": \n\n" : "\n");
    const int watcher =
        job->watch(last_event_id(*request), [stream, sse](const AnalysisEvent& event) {
            stream.write(sse ? net::sse_event(event.text, event.type, std::to_string(event.number))
                             : ndjson_line(event));
            if (event.type == "done") stream.close();
        });
    stream.on_closed([job, watcher] { job->leave(watcher); });
    // Somebody who has heard everything is not kept waiting.
    if (job->over()) stream.close();
}

void send_review(ApiServices& api, const net::RequestPtr& request,
                 const net::Responder& responder) {
    with_game(api, request, responder, [&api, responder](const LiveGame& game, const Identity&) {
        on_pool(*api.workers, responder, [&api, responder, id = game.record().id] {
            auto review = api.store->read(
                [&id](Session& session) { return games_table::review_of(session, id); });
            reply(responder,
                  review ? net::Response::json_text(200, std::move(*review))
                         : net::problem(404, "no_review", "This game has not been reviewed."));
        });
    });
}

}  // namespace

void add_analysis_routes(net::Router& router, ApiServices& api) {
    router.post("/api/v1/analyses",
                [&api](const net::RequestPtr& request, const net::Responder& responder) {
                    post_analysis(api, request, responder);
                },
                {512 * 1024});
    router.get("/api/v1/analyses/{id}",
               [&api](const net::RequestPtr& request, const net::Responder& responder) {
                   if (const JobPtr job = find_job(api, *request, responder))
                       reply(responder, net::Response::json_text(200, job->json()));
               });
    router.del("/api/v1/analyses/{id}",
               [&api](const net::RequestPtr& request, const net::Responder& responder) {
                   const JobPtr job = find_job(api, *request, responder);
                   if (!job) return;
                   job->cancel();
                   reply(responder, net::Response::json_text(200, job->json()));
               },
               {0});
    router.get("/api/v1/analyses/{id}/events",
               [&api](const net::RequestPtr& request, const net::Responder& responder) {
                   send_events(api, request, responder);
               });
    router.get("/api/v1/games/{id}/review",
               [&api](const net::RequestPtr& request, const net::Responder& responder) {
                   send_review(api, request, responder);
               });
}

}  // namespace rokada::server
