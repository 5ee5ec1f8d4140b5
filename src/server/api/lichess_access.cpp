// SPDX-License-Identifier: GPL-3.0-or-later
#include "server/api/lichess_access.hpp"

#include "net/json.hpp"
#include "net/url.hpp"
#include "server/api/game_access.hpp"

namespace rokada::server::lichess {

net::Response failure(int status, std::string_view message) {
    return net::Response::json_text(status, error(message));
}

net::Response refused(const Refusal& refusal) {
    // Theirs are 400 for whatever the game does not allow, 404 for games of others.
    if (refusal.status == 404) return failure(404, "No such game");
    if (refusal.status == 403) return failure(404, "Not your game");
    net::Response response = failure(refusal.status >= 500 ? refusal.status : 400, refusal.detail);
    if (refusal.status == 503) response.headers.set("Retry-After", "2");
    return response;
}

net::Response fine() { return net::Response::json_text(200, kOk); }

void with_token(ApiServices& api, const net::RequestPtr& request, const net::Responder& responder,
                Needs needs, std::function<void(const Identity&)> next) {
    const Visit visit = visit_of(*request);
    if (!visit.bearer) return reply(responder, failure(401, "Missing authorization header"));
    const auto go_on = [responder, needs, next = std::move(next)](const Identity& me) {
        if (!me.known()) return reply(responder, failure(401, "No such token"));
        const bool plays = me.allows("bot:play") || me.allows("play");
        if (needs == Needs::BotAccount && !me.allows("bot:play"))
            return reply(responder, failure(403, "Missing scope: bot:play"));
        if (needs == Needs::TokenToRead && !me.covers(Scope::Read))
            return reply(responder, failure(403, "Missing scope: read, play or bot:play"));
        if (needs == Needs::TokenToPlay && !plays)
            return reply(responder, failure(403, "Missing scope: bot:play or play"));
        if (needs == Needs::BotAccount && !me.bot)
            return reply(responder,
                         failure(400, "This endpoint can only be used with a bot account"));
        next(me);
    };
    if (const auto known = api.accounts->recall(visit)) return go_on(*known);
    on_pool(*api.workers, responder,
            [&api, visit, go_on] { go_on(api.accounts->identify(visit)); });
}

void with_own_game(ApiServices& api, const net::RequestPtr& request,
                   const net::Responder& responder, Needs needs,
                   std::function<void(const std::shared_ptr<GameActor>&, const Identity&)> next) {
    with_token(api, request, responder, needs,
               [&api, request, responder, next = std::move(next)](const Identity& me) {
                   with_actor(
                       api, request, responder, std::string(request->param("id")),
                       [me, next](const std::shared_ptr<GameActor>& actor) { next(actor, me); },
                       refused);
               });
}

GameActor::Answer plain_answer(const net::Responder& responder) {
    return [responder](const LiveGame&, const std::optional<Refusal>& refusal) {
        reply(responder, refusal ? refused(*refusal) : fine());
    };
}

std::optional<net::Pairs> read_form(const net::Request& request) {
    if (request.body.empty()) return net::Pairs{};
    if (request.header("Content-Type").rfind("application/json", 0) != 0)
        return net::parse_query(request.body);
    const auto value = net::parse_json(request.body);
    if (!value || !value->is_object()) return std::nullopt;
    net::Pairs pairs;
    for (const auto& field : value->get_object()) {
        const net::json::value& content = field.value();
        if (content.is_null()) continue;
        pairs.emplace_back(std::string(field.key()), content.is_string()
                                                         ? std::string(content.get_string())
                                                         : net::to_text(content));
    }
    return pairs;
}

std::string value_of(const net::Pairs& form, std::string_view name, std::string_view fallback) {
    const std::string* found = net::find(form, name);
    return found != nullptr ? *found : std::string(fallback);
}

void DeclineReasons::set(const std::string& game, std::string reason) {
    constexpr std::size_t kMost = 1000;
    const std::lock_guard lock(mutex_);
    if (reasons_.size() >= kMost) reasons_.clear();
    reasons_[game] = std::move(reason);
}

std::string DeclineReasons::get(const std::string& game) const {
    const std::lock_guard lock(mutex_);
    const auto found = reasons_.find(game);
    return found == reasons_.end() ? "generic" : found->second;
}

}  // namespace rokada::server::lichess

namespace rokada::server {

void add_lichess_routes(net::Router& router, ApiServices& api) {
    const auto reasons = std::make_shared<lichess::DeclineReasons>();
    lichess::add_account_routes(router, api);
    lichess::add_stream_routes(router, api, reasons);
    lichess::add_play_routes(router, api);
    lichess::add_challenge_routes(router, api, reasons);
}

}  // namespace rokada::server
