// SPDX-License-Identifier: GPL-3.0-or-later
#include "server/web/page_head.hpp"

#include "server/api/game_access.hpp"
#include "server/api/game_json.hpp"
#include "server/store/games_table.hpp"
#include "server/web/api_page.hpp"

namespace rokada::server {
namespace {

std::string player(const SeatRecord& seat) {
    switch (seat.kind) {
        case SeatKind::Computer: return "Rokada";
        case SeatKind::Deleted: return "deleted player";
        case SeatKind::Open:
        case SeatKind::Device: return "?";
        default: return seat.name;
    }
}

std::string describe(const LiveGame& game) {
    const GameRecord& record = game.record();
    const std::string moves = std::to_string((game.ply() + 1) / 2) + " moves";
    if (record.status == GameStatus::Waiting)
        return record.invited.empty() ? "An invitation to a game of chess." : "A challenge.";
    if (record.status == GameStatus::Playing)
        return "A game of chess in progress, " + moves + " so far.";
    const std::string result(word(record.result));
    return (result.empty() ? "A game of chess" : result) +
           (record.reason.empty() ? "" : ", " + record.reason) + " after " + moves + ".";
}

net::Response page(const net::Asset& index, std::string_view title, std::string_view description) {
    return net::Response::html(200, with_head(*index.identity, title, description))
        .with("Cache-Control", "no-cache");
}

void game_page(ApiServices& api, const net::RequestPtr& request, const net::Responder& responder,
               const net::Asset& index) {
    // Whoever may not see the game gets the plain page, which says so.
    const auto plain = [request, responder, &index] {
        reply(responder, net::asset_response(*request, index));
    };
    api.games->find(std::string(request->param("id")), [responder, plain, &index](
                                                           const std::shared_ptr<GameActor>& actor,
                                                           const std::optional<Refusal>& refusal) {
        if (refusal) return plain();
        actor->look([responder, plain, &index](const LiveGame& game) {
            if (!may_see(game, Identity{})) return plain();
            const GameRecord& record = game.record();
            reply(responder,
                  page(index, player(record.white) + " - " + player(record.black), describe(game)));
        });
    });
}

void user_page(ApiServices& api, const net::RequestPtr& request, const net::Responder& responder,
               const net::Asset& index) {
    on_pool(*api.workers, responder, [&api, request, responder, &index] {
        const auto user = api.accounts->find_user(std::string(request->param("name")));
        if (!user) return reply(responder, net::asset_response(*request, index));
        const PlayerStatistics s = api.store->read(
            [&user](Session& session) { return games_table::statistics(session, user->id); });
        reply(responder, page(index, user->name,
                              user->name + " plays chess here: " + std::to_string(s.finished) +
                                  " finished games, " + std::to_string(s.people.won) +
                                  " won against people."));
    });
}

}  // namespace

std::string with_head(std::string_view page, std::string_view title, std::string_view description) {
    std::string text(page);
    const auto replace = [&text](std::string_view from, std::string_view to,
                                 std::string_view with) {
        const std::size_t begin = text.find(from);
        if (begin == std::string::npos) return;
        const std::size_t end = text.find(to, begin + from.size());
        if (end == std::string::npos) return;
        text.replace(begin + from.size(), end - begin - from.size(), html_escaped(with));
    };
    replace("<title>", "</title>", std::string(title) + " - Rokada");
    replace("<meta name=\"description\" content=\"", "\"", description);
    return text;
}

void add_page_heads(net::Router& router, ApiServices& api,
                    const std::shared_ptr<const net::AssetStore>& assets) {
    const net::Asset* index = assets->find("/index.html");
    if (index == nullptr || !index->identity) return;
    router.get("/game/{id}", [&api, assets, index](const net::RequestPtr& request,
                                                   const net::Responder& responder) {
        game_page(api, request, responder, *index);
    });
    router.get("/user/{name}", [&api, assets, index](const net::RequestPtr& request,
                                                     const net::Responder& responder) {
        user_page(api, request, responder, *index);
    });
}

}  // namespace rokada::server
