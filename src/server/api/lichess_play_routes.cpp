// SPDX-License-Identifier: GPL-3.0-or-later
// What a bot does in a game: move, offers, endings, chat.
#include "net/json.hpp"
#include "server/api/chat_text.hpp"
#include "server/api/game_access.hpp"
#include "server/api/game_json.hpp"
#include "server/api/lichess_access.hpp"
#include "server/api/relay.hpp"
#include "server/app/settings.hpp"
#include "server/store/games_table.hpp"

namespace rokada::server::lichess {
namespace {

void act(ApiServices& api, const net::RequestPtr& request, const net::Responder& responder,
         std::function<StepResult(LiveGame&, const std::string& me, Moment)> action) {
    with_own_game(api, request, responder, Needs::BotAccount,
                  [&api, responder, action = std::move(action)](
                      const std::shared_ptr<GameActor>& actor, const Identity& me) {
                      if (api.relay != nullptr) api.relay->excuse(actor->id(), me.player_id);
                      actor->act([action, id = me.player_id](
                                     LiveGame& game, Moment now) { return action(game, id, now); },
                                 plain_answer(responder));
                  });
}

// A bot that did not hear the answer sends its move again: then it is the last one played.
int ply_of(const LiveGame& game, const std::string& me, const std::string& uci) {
    const int next = game.ply() + 1;
    if (game.ply() == 0 || game.seats_of(me).has(game.turn())) return next;
    const auto last = static_cast<std::size_t>(game.ply()) - 1;
    const auto again = parse_uci_move(game.game().position_after(last), uci);
    return again && *again == game.game().plies()[last].move ? game.ply() : next;
}

void move(ApiServices& api, const net::RequestPtr& request, const net::Responder& responder) {
    const Moment arrived = arrival(api, *request);
    const std::string uci(request->param("uci"));
    const bool draw = request->query_value("offeringDraw").value_or("false") == "true";
    act(api, request, responder,
        [uci, draw, arrived](LiveGame& game, const std::string& me, Moment) {
            return game.play(me, ply_of(game, me, uci), uci, draw, arrived, 0);
        });
}

std::optional<OfferAction> answer_of(const net::Request& request, const net::Responder& responder) {
    const std::string_view word = request.param("answer");
    if (word == "yes" || word == "true") return OfferAction::Offer;
    if (word == "no" || word == "false") return OfferAction::Decline;
    reply(responder, failure(400, "yes or no"));
    return std::nullopt;
}

void chat(ApiServices& api, const net::RequestPtr& request, const net::Responder& responder) {
    const auto form = read_form(*request);
    const auto text = form ? chat_text(value_of(*form, "text")) : std::nullopt;
    if (!text) return reply(responder, failure(400, "text: 1 to 140 characters"));
    if (value_of(*form, "room", "player") != "player")
        return reply(responder, failure(400, "There is only the players' chat here"));
    if (!api.settings->get().chat)
        return reply(responder, failure(400, "Chat is off on this server"));
    with_own_game(
        api, request, responder, Needs::BotAccount,
        [&api, responder, text](const std::shared_ptr<GameActor>& actor, const Identity& me) {
            if (!api.throttles->chat.take(me.player_id).allowed)
                return reply(responder, failure(429, "Too many messages"));
            actor->act([text, id = me.player_id](LiveGame& game,
                                                 Moment now) { return game.chat(id, *text, now); },
                       plain_answer(responder));
        });
}

void send_chat(ApiServices& api, const net::Responder& responder, const std::string& id) {
    on_pool(*api.workers, responder, [&api, responder, id] {
        const auto events = api.store->read_settled(
            [&id](Session& session) { return games_table::events_after(session, id, 0); });
        JsonText json;
        json.open_array();
        for (const EventRecord& event : events) {
            const auto line = net::parse_json(event.message);
            if (!line || line->at("kind") != "chat") continue;
            json.open_object().field("text", std::string(line->at("text").get_string()));
            json.field("user", std::string(line->at("name").get_string()));
            json.close_object();
        }
        reply(responder, net::Response::json_text(200, json.close_array().take()));
    });
}

void read_chat(ApiServices& api, const net::RequestPtr& request, const net::Responder& responder) {
    with_token(api, request, responder, Needs::BotAccount,
               [&api, request, responder](const Identity& me) {
                   api.games->look(std::string(request->param("id")),
                                   [&api, responder, me](const LiveGame* game, const GamePlace&,
                                                         const Refusal& refusal) {
                                       if (game == nullptr)
                                           return reply(responder, refused(refusal));
                                       if (!game->seats_of(me.player_id).any())
                                           return reply(responder, failure(404, "Not your game"));
                                       send_chat(api, responder, game->record().id);
                                   });
               });
}

}  // namespace

void add_play_routes(net::Router& router, ApiServices& api) {
    const std::string game = "/api/bot/game/{id}";
    const auto post = [&router, &api, &game](const char* path, auto handler) {
        router.post(
            game + path,
            [&api, handler](const net::RequestPtr& request, const net::Responder& responder) {
                handler(api, request, responder);
            },
            {4096});
    };
    post("/move/{uci}", move);
    post("/chat", chat);
    post("/resign", [](ApiServices& a, const net::RequestPtr& request, const net::Responder& r) {
        act(a, request, r, [](LiveGame& live, const std::string& me, Moment now) {
            return live.resign(me, std::nullopt, now);
        });
    });
    post("/abort", [](ApiServices& a, const net::RequestPtr& request, const net::Responder& r) {
        act(a, request, r,
            [](LiveGame& live, const std::string& me, Moment now) { return live.abort(me, now); });
    });
    post("/draw/{answer}",
         [](ApiServices& a, const net::RequestPtr& request, const net::Responder& r) {
             const auto action = answer_of(*request, r);
             if (!action) return;
             act(a, request, r, [action](LiveGame& live, const std::string& me, Moment now) {
                 return live.draw(me, *action, now);
             });
         });
    post("/takeback/{answer}",
         [](ApiServices& a, const net::RequestPtr& request, const net::Responder& r) {
             const auto action = answer_of(*request, r);
             if (!action) return;
             act(a, request, r, [action](LiveGame& live, const std::string& me, Moment now) {
                 return live.takeback(me, *action, now);
             });
         });
    for (const bool win : {true, false})
        post(win ? "/claim-victory" : "/claim-draw",
             [win](ApiServices& a, const net::RequestPtr& request, const net::Responder& r) {
                 act(a, request, r, [win](LiveGame& live, const std::string& me, Moment now) {
                     return live.claim(me, win, now);
                 });
             });
    router.get(game + "/chat",
               [&api](const net::RequestPtr& request, const net::Responder& responder) {
                   read_chat(api, request, responder);
               });
}

}  // namespace rokada::server::lichess
