// SPDX-License-Identifier: GPL-3.0-or-later
// Challenges as bots send and answer them. A challenge is a waiting game with a seat kept for one user,
// so its id becomes the id of the game.
#include <charconv>

#include "net/json.hpp"
#include "server/api/game_access.hpp"
#include "server/api/json_text.hpp"
#include "server/api/lichess_access.hpp"
#include "server/api/new_game.hpp"
#include "server/store/games_table.hpp"

namespace rokada::server::lichess {
namespace {

// A challenge with a clock is for now; those who wait longer keep the stream open.
constexpr std::chrono::seconds kPatience{20};

std::optional<std::int64_t> number_of(const net::Pairs& form, std::string_view name) {
    const std::string text = value_of(form, name);
    if (text.empty()) return std::nullopt;
    std::int64_t value = -1;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
    return problem == std::errc{} && end == text.data() + text.size() ? value : -1;
}

// Their form in the words of our own interface; the rest is checked there.
Result<NewGame, std::string> read_challenge(const net::Pairs& form, const std::string& username,
                                            RandomSource& random) {
    net::json::object body;
    if (username.empty()) {
        body["opponent"] = "computer";
        constexpr int kElo[] = {800, 1100, 1400, 1700, 2000, 2300, 2700};
        const std::int64_t level = number_of(form, "level").value_or(8);
        if (level < 1 || level > 8) return Error{std::string("level: 1 to 8")};
        if (level == 8) {
            body["level"] = "Full";
        } else {
            body["elo"] = kElo[level - 1];
        }
    } else {
        body["opponent"] = "user";
        body["username"] = username;
    }
    body["color"] = value_of(form, "color", "random");
    const auto limit = number_of(form, "clock.limit");
    const auto increment = number_of(form, "clock.increment");
    if (limit || increment) {
        const std::int64_t seconds = limit.value_or(0), added = increment.value_or(0);
        if (seconds < 0 || seconds > 10800 || added < 0 || added > 60)
            return Error{std::string("clock.limit: 0 to 10800, clock.increment: 0 to 60")};
        body["clock"] = {{"initial", seconds}, {"increment", added}};
    }
    const std::string variant = value_of(form, "variant", "standard");
    if (variant == "chess960") {
        body["chess960"] = true;
    } else if (variant != "standard" && variant != "fromPosition") {
        return Error{"variant: " + variant + " is not played here"};
    }
    if (const std::string fen = value_of(form, "fen"); !fen.empty()) body["fen"] = fen;
    auto wanted = read_new_game(body, random);
    if (wanted) return std::move(*wanted);
    const net::FieldError& first = wanted.error().front();
    return Error{first.field + ": " + first.message};
}

void give_up_later(ApiServices& api, const std::shared_ptr<GameActor>& actor) {
    const auto timer = std::make_shared<net::Timer>(api.loops->next());
    timer->start(kPatience, [timer, actor] {
        actor->act([](LiveGame& game, Moment now) { return game.withdraw(now); },
                   [](const LiveGame&, const std::optional<Refusal>&) {});
    });
}

// Waits for the answer: one line with the challenge, one with how it went. Closing it withdraws.
void stream_challenge(ApiServices& api, const net::Responder& responder,
                      const std::shared_ptr<GameActor>& actor, const std::string& line) {
    const net::Stream stream =
        responder.stream(net::Response(200).with("Content-Type", "application/x-ndjson"));
    stream.keep_alive(net::Milliseconds(5000), "\n");
    stream.write(line + "\n");
    const auto done = [stream](const LiveGame& game) {
        const GameRecord& record = game.record();
        if (record.status == GameStatus::Waiting) return;
        const char* word = record.status == GameStatus::Playing ? "accepted"
                           : record.reason == "declined"        ? "declined"
                                                                : "canceled";
        stream.write(std::string(R"({"done":")") + word + "\"}\n");
        stream.close();
    };
    std::shared_ptr<EventBus::Subscription> subscription =
        api.bus->subscribe(actor->id(), [actor, done](const BusMessage&) { actor->look(done); });
    stream.on_closed([subscription, actor]() mutable {
        subscription.reset();
        actor->act([](LiveGame& game, Moment now) { return game.withdraw(now); },
                   [](const LiveGame&, const std::optional<Refusal>&) {});
    });
    actor->look(done);
}

void create(ApiServices& api, const net::RequestPtr& request, const net::Responder& responder) {
    const auto form = read_form(*request);
    if (!form) return reply(responder, failure(400, "Send a form"));
    const std::string name(request->param("name"));
    const bool computer = name == "ai";
    const auto wanted = read_challenge(*form, computer ? "" : name, *api.random);
    if (!wanted) return reply(responder, failure(400, wanted.error()));
    const bool waits = value_of(*form, "keepAliveStream") == "true";
    const auto created = [&api, request, responder, waits, computer](
                             const Identity& me, const std::shared_ptr<GameActor>& actor) {
        actor->look([&api, request, responder, waits, computer, me, actor](const LiveGame& game) {
            if (computer)
                return reply(responder,
                             net::Response::json_text(
                                 201, game_info(game, me.player_id, api.time->now().steady)));
            const std::string line =
                challenge(game.record(), me.player_id, visited_address(*request));
            if (waits) return stream_challenge(api, responder, actor, line);
            if (game.record().settings.clock != ClockMode::None) give_up_later(api, actor);
            reply(responder, net::Response::json_text(200, line));
        });
    };
    with_token(
        api, request, responder, Needs::TokenToPlay,
        [&api, responder, created, wanted = *wanted](const Identity& me) {
            const auto verdict = api.throttles->new_game.take(me.player_id);
            if (!verdict.allowed)
                return reply(responder,
                             failure(429, "Too many challenges").with("Retry-After", "60"));
            on_pool(*api.workers, responder, [&api, responder, created, wanted, me] {
                GameRecord record = make_record(wanted, me, *api.random);
                if (!wanted.username.empty()) {
                    const auto refusal = invite(api, record, me, wanted.username);
                    if (refusal)
                        return reply(responder,
                                     failure(refusal->status == 404 ? 404 : 400, refusal->detail));
                }
                api.games->create(std::move(record),
                                  [responder, created, me](const std::shared_ptr<GameActor>& actor,
                                                           const std::optional<Refusal>& refusal) {
                                      if (refusal) return reply(responder, refused(*refusal));
                                      created(me, actor);
                                  });
            });
        });
}

using ChallengeAction = std::function<StepResult(LiveGame&, const Identity&, Moment)>;

void answer(ApiServices& api, const net::RequestPtr& request, const net::Responder& responder,
            ChallengeAction action, std::function<void(const std::string& id)> before = {}) {
    with_token(api, request, responder, Needs::TokenToPlay,
               [&api, request, responder, action = std::move(action),
                before = std::move(before)](const Identity& me) {
                   const std::string id(request->param("name"));
                   const auto go_on = [responder, action, before, me,
                                       id](const std::shared_ptr<GameActor>& actor) {
                       actor->act(
                           [action, before, me, id](LiveGame& game, Moment now) -> StepResult {
                               if (game.record().invited.empty())
                                   return Error{Refusal{404, "not_found", "No such game."}};
                               if (before && game.invites(me.player_id)) before(id);
                               return action(game, me, now);
                           },
                           plain_answer(responder));
                   };
                   with_actor(api, request, responder, id, go_on, refused);
               });
}

void decline(ApiServices& api, const net::RequestPtr& request, const net::Responder& responder,
             const std::shared_ptr<DeclineReasons>& reasons) {
    const auto form = read_form(*request);
    std::string reason = form ? value_of(*form, "reason", "generic") : "generic";
    if (reason.size() > 20 ||
        reason.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQR"
                                 "STUVWXYZ") != std::string::npos)
        reason = "generic";
    answer(
        api, request, responder,
        [](LiveGame& game, const Identity& me, Moment now) {
            return game.decline(me.player_id, now);
        },
        [reasons, reason](const std::string& id) { reasons->set(id, reason); });
}

void list(ApiServices& api, const net::RequestPtr& request, const net::Responder& responder) {
    with_token(
        api, request, responder, Needs::Token, [&api, request, responder](const Identity& me) {
            on_pool(*api.workers, responder, [&api, request, responder, me] {
                const auto found = api.store->read([&me](Session& session) {
                    return games_table::challenges_of(session, me.player_id);
                });
                JsonText json;
                json.open_object();
                for (const bool in : {true, false}) {
                    json.name(in ? "in" : "out").open_array();
                    for (const GameRecord& game : found)
                        if ((game.invited == me.player_id) == in)
                            json.raw(challenge(game, me.player_id, visited_address(*request)));
                    json.close_array();
                }
                reply(responder, net::Response::json_text(200, json.close_object().take()));
            });
        });
}

}  // namespace

void add_challenge_routes(net::Router& router, ApiServices& api,
                          const std::shared_ptr<DeclineReasons>& reasons) {
    constexpr net::RouteOptions kSmall{4096};
    router.get("/api/challenge",
               [&api](const net::RequestPtr& request, const net::Responder& responder) {
                   list(api, request, responder);
               });
    router.post(
        "/api/challenge/{name}",
        [&api](const net::RequestPtr& request, const net::Responder& responder) {
            create(api, request, responder);
        },
        kSmall);
    router.post(
        "/api/challenge/{name}/accept",
        [&api](const net::RequestPtr& request, const net::Responder& responder) {
            answer(api, request, responder, [](LiveGame& game, const Identity& me, Moment now) {
                return game.join(me.seat(), now);
            });
        },
        kSmall);
    router.post(
        "/api/challenge/{name}/decline",
        [&api, reasons](const net::RequestPtr& request, const net::Responder& responder) {
            decline(api, request, responder, reasons);
        },
        kSmall);
    router.post(
        "/api/challenge/{name}/cancel",
        [&api](const net::RequestPtr& request, const net::Responder& responder) {
            answer(api, request, responder, [](LiveGame& game, const Identity& me, Moment now) {
                return game.abort(me.player_id, now);
            });
        },
        kSmall);
}

}  // namespace rokada::server::lichess
