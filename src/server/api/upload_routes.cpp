// SPDX-License-Identifier: GPL-3.0-or-later
// Games that were played without the server: PUT under a name the client chose, as often as it likes.
#include "net/json.hpp"
#include "server/api/api.hpp"
#include "server/api/game_access.hpp"
#include "server/api/game_json.hpp"
#include "server/api/new_game.hpp"
#include "server/store/games_table.hpp"

namespace rokada::server {
namespace {

struct Upload {
    NewGame game;
    std::vector<std::string> moves;
    std::optional<LiveGame::Declared> declared;
    bool assisted = false;
};

bool valid_client_id(std::string_view id) {
    if (id.size() < 8 || id.size() > 64) return false;
    for (const char c : id)
        if (!((c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
              c == '-'))
            return false;
    return true;
}

std::optional<Upload> read_upload(ApiServices& api, const net::Request& request,
                                  const net::Responder& responder) {
    const auto value = net::parse_json(request.body);
    if (!value) {
        reply(responder, net::problem_for(value.error()));
        return std::nullopt;
    }
    net::ObjectReader body(*value);
    Upload upload;
    upload.game = read_new_game_fields(body, *api.random);
    if (upload.game.settings.kind != GameKind::Page &&
        upload.game.settings.kind != GameKind::Device)
        body.complain("opponent", "choice", "page or device");
    if (upload.game.side == NewGame::Side::Random && upload.game.settings.kind == GameKind::Page)
        body.complain("color", "choice", "white or black");
    upload.moves = body.texts("moves", 2000, {.min_bytes = 4, .max_bytes = 5});
    upload.assisted = body.optional_boolean("assisted").value_or(false);
    const auto result = body.optional_choice("result", {"1-0", "0-1", "1/2-1/2", "*"});
    const auto reason =
        body.optional_choice("reason", {"resignation", "agreement", "time", "abandonment",
                                        "aborted", "threefold-repetition", "fifty-moves"});
    if (result || reason) {
        upload.declared = LiveGame::Declared{result == "1-0"       ? GameResult::WhiteWins
                                             : result == "0-1"     ? GameResult::BlackWins
                                             : result == "1/2-1/2" ? GameResult::Draw
                                                                   : GameResult::None,
                                             reason.value_or("abandonment")};
        if (upload.declared->result == GameResult::None && upload.declared->reason != "aborted")
            body.complain("result", "missing", "An end needs a result.");
    }
    if (body.finish()) return upload;
    reply(responder, net::problem_for(body.errors()));
    return std::nullopt;
}

void apply_upload(ApiServices& api, const net::Responder& responder, const Identity& me,
                  const Finish& finish, const std::shared_ptr<GameActor>& actor,
                  const Upload& upload, int status) {
    actor->act(
        [me, upload](LiveGame& game, Moment now) {
            return game.upload(me.player_id, upload.moves, upload.declared, upload.assisted, now);
        },
        [&api, responder, me, finish, status](const LiveGame& game,
                                              const std::optional<Refusal>& refusal) {
            reply(responder, finish(refusal ? refusal_response(*refusal)
                                            : net::Response::json_text(
                                                  status, game_json(game, me.player_id,
                                                                    api.time->now().steady))));
        });
}

void find_or_create(ApiServices& api, const net::RequestPtr& request,
                    const net::Responder& responder, const Identity& me, const Finish& finish,
                    const std::string& client_id, const Upload& upload, bool may_create) {
    const auto known = api.store->read([&](Session& session) {
        return games_table::uploaded_game(session, me.player_id, client_id);
    });
    if (known) {
        return with_actor(
            api, request, responder, *known,
            [&api, responder, me, finish, upload](const std::shared_ptr<GameActor>& actor) {
                apply_upload(api, responder, me, finish, actor, upload, 200);
            });
    }
    if (!may_create) return reply(responder, finish(overloaded()));
    const auto verdict = api.throttles->new_game.take(me.player_id);
    if (!verdict.allowed) return reply(responder, too_many(verdict.retry_after));
    api.games->create(
        make_record(upload.game, me, *api.random),
        [&api, request, responder, me, finish, client_id, upload](
            const std::shared_ptr<GameActor>& actor, const std::optional<Refusal>& refusal) {
            if (!refusal) return apply_upload(api, responder, me, finish, actor, upload, 201);
            if (refusal->code != "exists")
                return reply(responder, finish(refusal_response(*refusal)));
            // The same upload arrived twice at the same time: the other one made the game.
            on_pool(
                *api.workers, responder, [&api, request, responder, me, finish, client_id, upload] {
                    find_or_create(api, request, responder, me, finish, client_id, upload, false);
                });
        },
        [me, client_id](Session& session, const std::string& game_id) {
            games_table::insert_upload(session, me.player_id, client_id, game_id);
        });
}

}  // namespace

void add_upload_routes(net::Router& router, ApiServices& api) {
    router.put("/api/v1/uploads/{client}", [&api](const net::RequestPtr& request,
                                                  const net::Responder& responder) {
        const std::string client_id(request->param("client"));
        if (!valid_client_id(client_id))
            return reply(responder,
                         net::problem(404, "not_found", "8 to 64 letters, digits and dashes."));
        const auto upload = read_upload(api, *request, responder);
        if (!upload) return;
        with_player(api, request, responder,
                    [&api, request, responder, client_id, upload = *upload](const Identity& me,
                                                                            const Finish& finish) {
                        on_pool(*api.workers, responder,
                                [&api, request, responder, me, finish, client_id, upload] {
                                    find_or_create(api, request, responder, me, finish, client_id,
                                                   upload, true);
                                });
                    });
    });
}

}  // namespace rokada::server
