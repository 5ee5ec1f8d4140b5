// SPDX-License-Identifier: GPL-3.0-or-later
#include "server/api/live_out.hpp"

#include "server/api/game_json.hpp"
#include "server/api/json_text.hpp"

namespace rokada::server::live_out {
namespace {

std::string_view word_of(GameEvent::Kind kind) {
    switch (kind) {
        case GameEvent::Kind::Start: return "start";
        case GameEvent::Kind::Move: return "move";
        case GameEvent::Kind::Takeback: return "takeback";
        case GameEvent::Kind::Offer: return "offer";
        case GameEvent::Kind::End: return "end";
        case GameEvent::Kind::Rematch: return "rematch";
        case GameEvent::Kind::Clock: return "clock";
        case GameEvent::Kind::Chat: return "chat";
        case GameEvent::Kind::Mute: return "mute";
        case GameEvent::Kind::Assisted: return "assisted";
    }
    return "";
}

JsonText message(std::string_view kind) {
    JsonText json;
    json.open_object().field("t", kind);
    return json;
}

}  // namespace

std::string hello(const Identity& me, Millis wall) {
    JsonText json = message("hello");
    json.field("protocol", 1).name("me").open_object();
    json.field("kind", me.kind == Identity::Kind::User    ? "user"
                       : me.kind == Identity::Kind::Guest ? "guest"
                                                          : "anonymous");
    json.name("username");
    if (me.known()) {
        json.value(me.name);
    } else {
        json.null();
    }
    return json.close_object().field("time", wall).close_object().take();
}

std::string event(const GameEvent& event, std::string_view game_id, const GameSettings& settings) {
    JsonText json = message("event");
    json.field("game", game_id).field("version", event.version).field("ply", event.ply);
    json.field("key", KeyText(event.key).view())
        .field("at", event.at)
        .field("kind", word_of(event.kind));
    switch (event.kind) {
        case GameEvent::Kind::Start:
            json.name("white");
            write_player(json, event.white, settings, {});
            json.name("black");
            write_player(json, event.black, settings, {});
            break;
        case GameEvent::Kind::Move:
            json.field("uci", event.uci).field("san", event.san).field("fen", event.fen);
            json.optional_field("draw_offer", event.side);
            if (event.can_claim_draw) json.field("can_claim_draw", true);
            break;
        case GameEvent::Kind::Takeback:
            json.field("fen", event.fen).field("moves", event.taken_back);
            break;
        case GameEvent::Kind::Offer:
            json.field("what", event.what).field("side", event.side).field("action", event.action);
            break;
        case GameEvent::Kind::End:
            json.field("status", word(event.status));
            json.optional_field("result", word(event.result)).field("reason", event.reason);
            break;
        case GameEvent::Kind::Rematch: json.field("next", event.next); break;
        case GameEvent::Kind::Clock: json.field("reason", event.reason); break;
        case GameEvent::Kind::Chat:
            json.field("name", event.name).field("text", event.text);
            json.optional_field("side", event.side);
            break;
        case GameEvent::Kind::Mute: json.field("side", event.side).field("on", event.on); break;
        case GameEvent::Kind::Assisted: break;
    }
    if (event.clocks) {
        json.name("clocks");
        write_clocks(json, *event.clocks);
    }
    return json.close_object().take();
}

std::string snapshot(const LiveGame& game, std::string_view viewer, Millis steady) {
    JsonText json = message("snapshot");
    json.field("game", game.record().id).field("version", game.record().version);
    return json.name("state").raw(game_json(game, viewer, steady)).close_object().take();
}

std::string watching(const LiveGame& game, Millis steady) {
    JsonText json = message("watching");
    json.field("game", game.record().id).field("version", game.record().version);
    if (const auto clocks = game.read_clocks(steady)) {
        json.name("clocks");
        write_clocks(json, *clocks);
    }
    return json.close_object().take();
}

std::string presence(const LiveGame& game, Millis steady, int watchers) {
    JsonText json = message("presence");
    json.field("game", game.record().id);
    int players = 0;
    for (const Color side : kColors) {
        json.field(word(side), game.connected(side));
        players += game.connected(side) ? 1 : 0;
    }
    json.field("watchers", std::max(0, watchers - players));
    for (const Color side : kColors) {
        const auto wait = game.claim_in(side, steady);
        if (!wait) continue;
        json.name("gone").open_object().field("side", word(side)).field("claim_ms", *wait);
        json.close_object();
        break;
    }
    return json.close_object().take();
}

std::string ack(std::string_view id, const LiveGame& game, int ply, Millis steady) {
    JsonText json = message("ack");
    json.field("id", id).field("game", game.record().id).field("ply", ply);
    json.field("version", game.record().version);
    if (const auto clocks = game.read_clocks(steady)) {
        json.name("clocks");
        write_clocks(json, *clocks);
    }
    return json.close_object().take();
}

std::optional<std::string> ack(std::string_view id, std::string_view game, int ply,
                               std::string_view event) {
    constexpr std::string_view kVersion = "\"version\":", kClocks = ",\"clocks\":";
    const std::size_t at = event.find(kVersion);
    if (!event.starts_with(R"({"t":"event",)") || at == std::string_view::npos ||
        event.back() != '}' || event.find(R"("kind":"move")") == std::string_view::npos)
        return std::nullopt;
    const std::string_view rest = event.substr(at + kVersion.size());
    JsonText json = message("ack");
    json.field("id", id).field("game", game).field("ply", ply);
    json.name("version").raw(rest.substr(0, rest.find_first_not_of("0123456789")));
    // As they stood when the move was made, which is how they stand now.
    if (const std::size_t clocks = event.rfind(kClocks); clocks != std::string_view::npos) {
        const std::size_t begin = clocks + kClocks.size();
        json.name("clocks").raw(event.substr(begin, event.size() - 1 - begin));
    }
    return json.close_object().take();
}

std::string held(std::string_view id, std::string_view game, int ply) {
    return message("held")
        .field("id", id)
        .field("game", game)
        .field("ply", ply)
        .close_object()
        .take();
}

std::string error(std::string_view id, std::string_view game, std::string_view code,
                  std::string_view detail) {
    JsonText json = message("error");
    json.optional_field("id", id).optional_field("game", game);
    return json.field("code", code).field("detail", detail).close_object().take();
}

std::string pong(std::int64_t n, Millis wall) {
    return message("pong").field("n", n).field("time", wall).close_object().take();
}

std::string games_changed(const GameRecord& game, std::string_view viewer) {
    JsonText json = message("games");
    json.name("changed").open_array();
    write_game_summary(json, game, viewer);
    json.close_array().name("removed").open_array().close_array();
    return json.close_object().take();
}

std::string game_removed(std::string_view game_id) {
    JsonText json = message("games");
    json.name("changed").open_array().close_array();
    json.name("removed").open_array().value(game_id).close_array();
    return json.close_object().take();
}

}  // namespace rokada::server::live_out
