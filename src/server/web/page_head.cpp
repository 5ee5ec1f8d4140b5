// SPDX-License-Identifier: GPL-3.0-or-later
#include "server/web/page_head.hpp"

#include <array>
#include <functional>

#include "server/api/game_access.hpp"
#include "server/api/game_json.hpp"
#include "server/store/games_table.hpp"
#include "server/web/api_page.hpp"
#include "server/web/position_picture.hpp"

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

net::Response page(const net::Asset& index, const PageHead& head) {
    return net::Response::html(200, with_head(*index.identity, head))
        .with("Cache-Control", "no-cache");
}

// Reads the game of the path as a stranger would; `hidden` for one that strangers may not see.
void with_public_game(ApiServices& api, const net::RequestPtr& request,
                      const std::function<void(const LiveGame&)>& next,
                      const std::function<void()>& hidden) {
    api.games->look(std::string(request->param("id")),
                    [next, hidden](const LiveGame* game, const GamePlace&, const Refusal&) {
                        if (game != nullptr && may_see(*game, Identity{}))
                            next(*game);
                        else
                            hidden();
                    });
}

void game_page(ApiServices& api, const net::RequestPtr& request, const net::Responder& responder,
               const net::Asset& index) {
    with_public_game(
        api, request,
        [request, responder, &index](const LiveGame& game) {
            const GameRecord& record = game.record();
            // The number of moves makes it another picture for those who keep them.
            reply(responder,
                  page(index, {player(record.white) + " - " + player(record.black), describe(game),
                               visited_address(*request) + "/game/" + record.id +
                                   "/picture.png?ply=" + std::to_string(game.ply())}));
        },
        // Whoever may not see the game gets the plain page, which says so.
        [request, responder, &index] { reply(responder, net::asset_response(*request, index)); });
}

void game_picture(ApiServices& api, const net::RequestPtr& request,
                  const net::Responder& responder) {
    with_public_game(
        api, request,
        [responder](const LiveGame& game) {
            const auto& plies = game.game().plies();
            const Move last = plies.empty() ? Move() : plies.back().move;
            reply(responder, net::Response::bytes(200, "image/png",
                                                  position_picture(game.game().position(), last))
                                 .with("Cache-Control", "no-cache"));
        },
        [responder] { reply(responder, net::Response::text(404, "no such game\n")); });
}

void user_page(ApiServices& api, const net::RequestPtr& request, const net::Responder& responder,
               const net::Asset& index) {
    on_pool(*api.workers, responder, [&api, request, responder, &index] {
        const auto user = api.accounts->find_user(std::string(request->param("name")));
        if (!user) return reply(responder, net::asset_response(*request, index));
        const PlayerStatistics s = api.store->read(
            [&user](Session& session) { return games_table::statistics(session, user->id); });
        reply(responder, page(index, {user->name,
                                      user->name + " plays chess here: " +
                                          std::to_string(s.finished) + " finished games, " +
                                          std::to_string(s.people.won) + " won against people.",
                                      visited_address(*request) + "/icon-512.png"}));
    });
}

}  // namespace

std::string with_head(std::string_view page, const PageHead& head) {
    std::string text(page);
    const auto replace = [&text](std::string_view from, std::string_view to,
                                 std::string_view with) {
        const std::size_t begin = text.find(from);
        if (begin == std::string::npos) return;
        const std::size_t end = text.find(to, begin + from.size());
        if (end == std::string::npos) return;
        text.replace(begin + from.size(), end - begin - from.size(), html_escaped(with));
    };
    replace("<title>", "</title>", head.title + " - Rokada");
    replace("<meta name=\"description\" content=\"", "\"", head.description);
    using Words = std::pair<std::string_view, std::string_view>;
    const std::array words{Words{"og:title", head.title}, Words{"og:description", head.description},
                           Words{"og:image", head.picture}, Words{"og:site_name", "Rokada"}};
    std::string preview;
    for (const auto& [name, content] : words)
        preview += "<meta property=\"" + std::string(name) + "\" content=\"" +
                   html_escaped(content) + "\">";
    if (const std::size_t end = text.find("</head>"); end != std::string::npos)
        text.insert(end, preview);
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
    router.get("/game/{id}/picture.png",
               [&api](const net::RequestPtr& request, const net::Responder& responder) {
                   game_picture(api, request, responder);
               });
    router.get("/user/{name}", [&api, assets, index](const net::RequestPtr& request,
                                                     const net::Responder& responder) {
        user_page(api, request, responder, *index);
    });
}

}  // namespace rokada::server
