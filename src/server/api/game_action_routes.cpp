// SPDX-License-Identifier: GPL-3.0-or-later
// Everything that happens in a game: moves, offers, endings, taking a seat.
#include "net/json.hpp"
#include "server/api/api.hpp"
#include "server/api/chat_text.hpp"
#include "server/api/game_access.hpp"
#include "server/api/game_json.hpp"
#include "server/api/relay.hpp"
#include "server/app/settings.hpp"

namespace rokada::server {
namespace {

// 409 and the like carry the true state, so that a client can go on from there.
net::Response refusal_with_game(const Refusal& refusal, const LiveGame& game, const Identity& me,
                                Millis steady) {
    net::Problem problem;
    problem.status = refusal.status;
    problem.code = refusal.code;
    problem.title = std::string(net::reason_phrase(refusal.status));
    problem.detail = refusal.detail;
    if ((refusal.status == 409 || refusal.status == 422) && may_see(game, me)) {
        auto state = net::parse_json(game_json(game, me.player_id, steady));
        if (state) problem.extra["game"] = std::move(*state);
    }
    net::Response response = net::problem_response(problem);
    if (refusal.status == 503) response.headers.set("Retry-After", "2");
    return response;
}

GameActor::Answer answer_with_game(ApiServices& api, const net::Responder& responder,
                                   const Identity& me, const Finish& finish) {
    return
        [&api, responder, me, finish](const LiveGame& game, const std::optional<Refusal>& refusal) {
            const Millis steady = api.time->now().steady;
            reply(responder, finish(refusal ? refusal_with_game(*refusal, game, me, steady)
                                            : net::Response::json_text(
                                                  200, game_json(game, me.player_id, steady))));
        };
}

net::Response same(net::Response response) { return response; }

StepResult hidden() { return Error{Refusal{404, "not_found", "There is no such game."}}; }

// Answers with the game, or asks again if it turns out to be another server's.
GameActor::Answer answer_or_ask_again(ApiServices& api, const net::RequestPtr& request,
                                      const net::Responder& responder, const Identity& me,
                                      const Finish& finish) {
    auto answer = answer_with_game(api, responder, me, finish);
    if (api.relay == nullptr) return answer;
    return [&api, request, responder, answer = std::move(answer),
            since = net::Clock::now() - on_the_way(*request)](
               const LiveGame& game, const std::optional<Refusal>& refusal) {
        if (refusal && refusal->code == "elsewhere")
            return api.relay->again(request, responder, since);
        answer(game, refusal);
    };
}

void act(ApiServices& api, const net::RequestPtr& request, const net::Responder& responder,
         std::function<StepResult(LiveGame&, const Identity&, Moment)> action,
         std::function<void()> done = {}) {
    with_identity(
        api, request, responder,
        [&api, request, responder, action = std::move(action),
         done = std::move(done)](const Identity& me) {
            const auto go_on = [&api, request, responder, action, done,
                                me](const std::shared_ptr<GameActor>& actor) {
                if (api.relay != nullptr) api.relay->excuse(actor->id(), me.player_id);
                actor->act(
                    [action, me](LiveGame& game, Moment now) {
                        return may_see(game, me) ? action(game, me, now) : hidden();
                    },
                    [done, answer = answer_or_ask_again(api, request, responder, me, same)](
                        const LiveGame& game, const std::optional<Refusal>& refusal) {
                        if (done && !refusal) done();
                        answer(game, refusal);
                    });
            };
            with_actor(api, request, responder, std::string(request->param("id")), go_on);
        });
}

std::optional<OfferAction> read_action(const net::Request& request, const net::Responder& responder,
                                       bool with_claim) {
    std::string word;
    const bool fine = read_fields(request, responder, [&](net::ObjectReader& body) {
        word = (with_claim ? body.optional_choice("action", {"offer", "accept", "decline", "claim"})
                           : body.optional_choice("action", {"offer", "accept", "decline"}))
                   .value_or("offer");
    });
    if (!fine) return std::nullopt;
    return word == "accept"    ? OfferAction::Accept
           : word == "decline" ? OfferAction::Decline
           : word == "claim"   ? OfferAction::Claim
                               : OfferAction::Offer;
}

int read_ply(std::string_view text) {
    int ply = 0;
    if (text.empty() || text.size() > 5) return -1;
    for (const char c : text) {
        if (c < '0' || c > '9') return -1;
        ply = ply * 10 + (c - '0');
    }
    return ply;
}

void put_move(ApiServices& api, const net::RequestPtr& request, const net::Responder& responder) {
    // The clock stops when the move arrives, not when its turn in the queue comes.
    const Moment arrived = arrival(api, *request);
    const int ply = read_ply(request->param("ply"));
    if (ply < 1) return reply(responder, net::problem(404, "not_found", "Plies count from 1."));
    std::string uci;
    bool offer_draw = false;
    const bool fine = read_fields(*request, responder, [&](net::ObjectReader& body) {
        uci = body.text("uci", {.min_bytes = 4, .max_bytes = 5});
        offer_draw = body.optional_boolean("offer_draw").value_or(false);
    });
    if (!fine) return;
    act(
        api, request, responder,
        [ply, uci, offer_draw, arrived](LiveGame& game, const Identity& me, Moment) {
            return game.play(me.player_id, ply, uci, offer_draw, arrived, 0);
        },
        [&api, begun = net::Clock::now()] {
            api.metrics->move_acknowledged.add(net::Clock::now() - begun);
        });
}

void join(ApiServices& api, const net::RequestPtr& request, const net::Responder& responder) {
    const auto sit = [&api, request, responder](const std::shared_ptr<GameActor>& actor) {
        with_player(
            api, request, responder,
            [&api, request, responder, actor](const Identity& me, const Finish& finish) {
                actor->act(
                    [me](LiveGame& game, Moment now) -> StepResult {
                        if (!may_see(game, me) && game.record().status != GameStatus::Waiting)
                            return Error{Refusal{404, "not_found", "No such game."}};
                        return game.join(me.seat(), now);
                    },
                    answer_or_ask_again(api, request, responder, me, finish));
            });
    };
    with_actor(api, request, responder, std::string(request->param("id")), sit);
}

void rematch(ApiServices& api, const net::RequestPtr& request, const net::Responder& responder) {
    const auto action = read_action(*request, responder, false);
    if (!action) return;
    with_identity(api, request, responder, [&api, request, responder, action](const Identity& me) {
        with_actor(
            api, request, responder, std::string(request->param("id")),
            [&api, request, responder, action, me](const std::shared_ptr<GameActor>& actor) {
                actor->look(
                    [&api, request, responder, action, me, actor](const LiveGame& game) {
                        if (!may_see(game, me))
                            return reply(responder, refusal_response(hidden().error()));
                        api.games->rematch(actor, me.player_id, *action,
                                           answer_or_ask_again(api, request, responder, me, same));
                    },
                    [responder] { reply(responder, net::problem(503, "busy", "Try again.")); });
            });
    });
}

}  // namespace

bool may_see(const LiveGame& game, const Identity& who) {
    // Whoever has the link may take the open seat, and looks before that.
    const GameRecord& record = game.record();
    if (record.status == GameStatus::Waiting && record.settings.kind == GameKind::Person &&
        record.invited.empty())
        return true;
    return record.settings.visibility != Visibility::Private || who.admin ||
           game.seats_of(who.player_id).any() || game.invites(who.player_id);
}

Moment arrival(const ApiServices& api, const net::Request& request) {
    return earlier(api.time->now(), on_the_way(request).count());
}

void with_game(ApiServices& api, const net::RequestPtr& request, const net::Responder& responder,
               std::function<void(const LiveGame&, const Identity&)> next) {
    with_identity(api, request, responder,
                  [&api, request, responder, next = std::move(next)](const Identity& me) {
                      api.games->look(std::string(request->param("id")),
                                      [responder, me, next](const LiveGame* game, const GamePlace&,
                                                            const Refusal& refusal) {
                                          if (game == nullptr)
                                              return reply(responder, refusal_response(refusal));
                                          if (!may_see(*game, me))
                                              return reply(responder,
                                                           refusal_response(hidden().error()));
                                          next(*game, me);
                                      });
                  });
}

void with_actor(ApiServices& api, const net::RequestPtr& request, const net::Responder& responder,
                const std::string& id, std::function<void(const std::shared_ptr<GameActor>&)> next,
                RefusalResponse refused) {
    api.games->find(
        id, [&api, request, responder, id, next = std::move(next), refused](
                const std::shared_ptr<GameActor>& actor, const std::optional<Refusal>& refusal) {
            if (actor) return next(actor);
            if (refusal->owner.empty() || api.relay == nullptr)
                return reply(responder, refused(*refusal));
            api.relay->pass_on(request, responder, id, refusal->owner);
        });
}

void add_game_action_routes(net::Router& router, ApiServices& api) {
    const std::string game = "/api/v1/games/{id}";
    router.put(game + "/moves/{ply}",
               [&api](const net::RequestPtr& request, const net::Responder& responder) {
                   put_move(api, request, responder);
               });
    router.post(game + "/join",
                [&api](const net::RequestPtr& request, const net::Responder& responder) {
                    join(api, request, responder);
                });
    router.post(
        game + "/resign", [&api](const net::RequestPtr& request, const net::Responder& responder) {
            std::optional<std::string> side;
            if (!read_fields(*request, responder, [&](net::ObjectReader& body) {
                    side = body.optional_choice("side", {"white", "black"});
                }))
                return;
            act(api, request, responder, [side](LiveGame& g, const Identity& me, Moment now) {
                std::optional<Color> named;
                if (side) named = *side == "white" ? Color::White : Color::Black;
                return g.resign(me.player_id, named, now);
            });
        });
    router.post(game + "/decline",
                [&api](const net::RequestPtr& request, const net::Responder& responder) {
                    act(api, request, responder, [](LiveGame& g, const Identity& me, Moment now) {
                        return g.decline(me.player_id, now);
                    });
                });
    router.post(game + "/abort",
                [&api](const net::RequestPtr& request, const net::Responder& responder) {
                    act(api, request, responder, [](LiveGame& g, const Identity& me, Moment now) {
                        return g.abort(me.player_id, now);
                    });
                });
    router.post(
        game + "/draw", [&api](const net::RequestPtr& request, const net::Responder& responder) {
            const auto action = read_action(*request, responder, true);
            if (!action) return;
            act(api, request, responder, [action](LiveGame& g, const Identity& me, Moment now) {
                return g.draw(me.player_id, *action, now);
            });
        });
    router.post(game + "/takeback", [&api](const net::RequestPtr& request,
                                           const net::Responder& responder) {
        const auto action = read_action(*request, responder, false);
        if (!action) return;
        act(api, request, responder, [action](LiveGame& g, const Identity& me, Moment now) {
            return g.takeback(me.player_id, *action, now);
        });
    });
    router.post(game + "/assisted",
                [&api](const net::RequestPtr& request, const net::Responder& responder) {
                    act(api, request, responder, [](LiveGame& g, const Identity& me, Moment now) {
                        return g.mark_assisted(me.player_id, now);
                    });
                });
    router.post(
        game + "/claim", [&api](const net::RequestPtr& request, const net::Responder& responder) {
            std::string result;
            if (!read_fields(*request, responder, [&](net::ObjectReader& body) {
                    result = body.choice("result", {"win", "draw"});
                }))
                return;
            act(api, request, responder, [result](LiveGame& g, const Identity& me, Moment now) {
                return g.claim(me.player_id, result == "win", now);
            });
        });
    router.post(game + "/chat", [&api](const net::RequestPtr& request,
                                       const net::Responder& responder) {
        std::optional<std::string> text;
        if (!read_fields(*request, responder, [&](net::ObjectReader& body) {
                text = chat_text(body.text("text", {.min_bytes = 1, .max_bytes = 1024}));
                if (!text)
                    body.complain("text", "characters", "One line of at most 140 characters.");
            }))
            return;
        if (!api.settings->get().chat)
            return reply(responder, net::problem(403, "chat_off", "Chat is off on this server."));
        with_identity(
            api, request, responder, [&api, request, responder, text](const Identity& me) {
                // For each player, as on the live socket; counted once, where it comes in.
                if (!request->headers.has(kRelayed) && !request->headers.has(kOnTheWay)) {
                    const std::string key = me.known() ? me.player_id : request->remote.limit_key();
                    const auto verdict = api.throttles->chat.take(key);
                    if (!verdict.allowed) return reply(responder, too_many(verdict.retry_after));
                }
                act(api, request, responder, [text](LiveGame& g, const Identity& who, Moment now) {
                    return g.chat(who.player_id, *text, now);
                });
            });
    });
    router.post(game + "/mute",
                [&api](const net::RequestPtr& request, const net::Responder& responder) {
                    bool on = true;
                    if (!read_fields(*request, responder, [&](net::ObjectReader& body) {
                            on = body.optional_boolean("on").value_or(true);
                        }))
                        return;
                    act(api, request, responder, [on](LiveGame& g, const Identity& me, Moment now) {
                        return g.mute(me.player_id, on, now);
                    });
                });
    router.post(game + "/rematch",
                [&api](const net::RequestPtr& request, const net::Responder& responder) {
                    rematch(api, request, responder);
                });
}

}  // namespace rokada::server
