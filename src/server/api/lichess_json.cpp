// SPDX-License-Identifier: GPL-3.0-or-later
#include "server/api/lichess_json.hpp"

#include <algorithm>

#include "chess/notation/fen.hpp"
#include "server/api/game_json.hpp"
#include "server/api/json_text.hpp"
#include "server/app/names.hpp"

namespace rokada::server::lichess {
namespace {

constexpr std::int64_t kNoClock = 2147483647;
// There are no ratings here; bots expect a number.
constexpr int kRating = 1500;

struct Word {
    int id;
    std::string_view name;
};

Word status_word(const GameRecord& game) {
    if (game.status == GameStatus::Waiting) return {10, "created"};
    if (game.status == GameStatus::Playing) return {20, "started"};
    if (game.status == GameStatus::Aborted) return {25, "aborted"};
    if (game.reason == "checkmate") return {30, "mate"};
    if (game.reason == "resignation") return {31, "resign"};
    if (game.reason == "stalemate") return {32, "stalemate"};
    if (game.reason == "abandonment") return {33, "timeout"};
    if (game.reason == "time" || game.reason == "time-against-bare-king") return {35, "outoftime"};
    if (game.reason == "adjudication") return {38, "unknownFinish"};
    return {34, "draw"};
}

std::string_view speed_word(const GameSettings& settings) {
    if (settings.clock == ClockMode::None) return "correspondence";
    const Millis length =
        std::max(settings.white_clock.initial_ms + 40 * settings.white_clock.increment_ms,
                 settings.black_clock.initial_ms + 40 * settings.black_clock.increment_ms);
    if (length < 30'000) return "ultraBullet";
    if (length < 180'000) return "bullet";
    if (length < 480'000) return "blitz";
    if (length < 1'500'000) return "rapid";
    return "classical";
}

std::string perf_name(const GameSettings& settings) {
    if (settings.chess960) return "Chess960";
    std::string name(speed_word(settings));
    name[0] = static_cast<char>(name[0] - 'a' + 'A');
    return name;
}

bool from_position(const GameSettings& settings) {
    return !settings.chess960 && settings.initial_fen != kStartFen;
}

void write_variant(JsonText& json, const GameSettings& settings) {
    json.name("variant").open_object();
    if (settings.chess960) {
        json.field("key", "chess960").field("name", "Chess960").field("short", "960");
    } else if (from_position(settings)) {
        json.field("key", "fromPosition").field("name", "From Position").field("short", "FEN");
    } else {
        json.field("key", "standard").field("name", "Standard").field("short", "Std");
    }
    json.close_object();
}

int ai_level(const GameSettings& settings) {
    if (settings.elo > 0) return std::clamp((settings.elo - 500) / 300, 1, 8);
    return settings.level == "Easy"     ? 1
           : settings.level == "Medium" ? 4
           : settings.level == "Hard"   ? 6
                                        : 8;
}

std::string_view shown_name(const SeatRecord& seat) {
    return seat.kind == SeatKind::Deleted ? std::string_view("deleted player") : seat.name;
}

void write_user(JsonText& json, std::string_view name, bool bot) {
    json.open_object().field("id", user_id(name)).field("name", name);
    json.name("title");
    if (bot) {
        json.value("BOT");
    } else {
        json.null();
    }
    json.field("rating", kRating).field("provisional", true).close_object();
}

void write_seat(JsonText& json, const SeatRecord& seat, const GameSettings& settings) {
    if (seat.kind == SeatKind::Computer) {
        json.open_object().field("aiLevel", ai_level(settings)).close_object();
    } else {
        write_user(json, shown_name(seat), seat.bot);
    }
}

void write_opponent(JsonText& json, const SeatRecord& seat, const GameSettings& settings) {
    json.name("opponent").open_object();
    if (seat.kind == SeatKind::Computer) {
        json.name("id").null();
        json.field("username", "Rokada level " + std::to_string(ai_level(settings)));
        json.field("ai", ai_level(settings));
    } else {
        const std::string_view name = shown_name(seat);
        json.field("id", user_id(name)).field("username", name).field("rating", kRating);
    }
    json.close_object();
}

void write_state(JsonText& json, const LiveGame& game, Millis steady) {
    const GameRecord& record = game.record();
    const GameSettings& settings = record.settings;
    json.open_object().field("type", "gameState");
    std::string moves;
    for (const std::string& uci : game.uci_moves()) moves += (moves.empty() ? "" : " ") + uci;
    json.field("moves", moves);
    const auto clocks = game.read_clocks(steady);
    json.field("wtime", clocks ? clocks->white_ms : kNoClock);
    json.field("btime", clocks ? clocks->black_ms : kNoClock);
    json.field("winc", settings.white_clock.increment_ms);
    json.field("binc", settings.black_clock.increment_ms);
    json.field("status", status_word(record).name);
    if (record.result == GameResult::WhiteWins) json.field("winner", "white");
    if (record.result == GameResult::BlackWins) json.field("winner", "black");
    if (record.draw_offer == "white") json.field("wdraw", true);
    if (record.draw_offer == "black") json.field("bdraw", true);
    if (record.takeback_offer == "white") json.field("wtakeback", true);
    if (record.takeback_offer == "black") json.field("btakeback", true);
    json.optional_field("rematch", record.rematch);
    if (const auto deadline = game.first_move_deadline()) {
        json.name("expiration").open_object().field("idleMillis", 0);
        json.field("millisToMove", std::max<Millis>(0, *deadline - steady)).close_object();
    }
    json.close_object();
}

void write_time_control(JsonText& json, const GameSettings& settings) {
    json.name("timeControl").open_object();
    if (settings.clock == ClockMode::None) {
        json.field("type", "unlimited");
    } else {
        const Millis limit = settings.white_clock.initial_ms / 1000;
        const Millis increment = settings.white_clock.increment_ms / 1000;
        json.field("type", "clock").field("limit", limit).field("increment", increment);
        const std::string minutes = limit % 60 == 0 ? std::to_string(limit / 60)
                                    : limit == 15   ? "¼"
                                    : limit == 30   ? "½"
                                    : limit == 45   ? "¾"
                                                    : std::to_string(limit) + "s";
        json.field("show", minutes + "+" + std::to_string(increment));
    }
    json.close_object();
}

void write_compat(JsonText& json) {
    json.name("compat").open_object().field("bot", true).field("board", false).close_object();
}

}  // namespace

std::string user_id(std::string_view name) {
    if (const auto parsed = parse_user_name(name)) return parsed->folded;
    std::string id(name);
    for (char& c : id) c = c == ' ' ? '-' : c;
    return id;
}

std::string game_state(const LiveGame& game, Millis steady) {
    JsonText json;
    write_state(json, game, steady);
    return json.take();
}

std::string game_full(const LiveGame& game, Millis steady) {
    const GameRecord& record = game.record();
    const GameSettings& settings = record.settings;
    JsonText json;
    json.open_object().field("type", "gameFull").field("id", record.id);
    write_variant(json, settings);
    json.field("speed", speed_word(settings));
    json.name("perf").open_object().field("name", perf_name(settings)).close_object();
    json.field("rated", false).field("createdAt", record.created_at);
    json.name("white");
    write_seat(json, record.white, settings);
    json.name("black");
    write_seat(json, record.black, settings);
    json.field("initialFen",
               settings.initial_fen == kStartFen ? std::string("startpos") : settings.initial_fen);
    if (settings.clock != ClockMode::None)
        json.name("clock")
            .open_object()
            .field("initial", settings.white_clock.initial_ms)
            .field("increment", settings.white_clock.increment_ms)
            .close_object();
    json.name("state");
    write_state(json, game, steady);
    return json.close_object().take();
}

std::string chat_line(std::string_view name, std::string_view text) {
    JsonText json;
    json.open_object().field("type", "chatLine").field("room", "player").field("username", name);
    return json.field("text", text).close_object().take();
}

std::string opponent_gone(std::optional<Millis> claim_in) {
    JsonText json;
    json.open_object().field("type", "opponentGone").field("gone", claim_in.has_value());
    if (claim_in) json.field("claimWinInSeconds", (*claim_in + 999) / 1000);
    return json.close_object().take();
}

std::string game_info(const LiveGame& game, std::string_view viewer, Millis steady) {
    const GameRecord& record = game.record();
    const Color side = game.seats_of(viewer).white ? Color::White : Color::Black;
    const Word status = status_word(record);
    JsonText json;
    json.open_object().field("fullId", record.id).field("gameId", record.id);
    json.field("id", record.id).field("fen", record.fen).field("color", word(side));
    json.field("lastMove", record.last_move).field("source", "friend");
    json.name("status").open_object().field("id", status.id).field("name", status.name);
    json.close_object();
    write_variant(json, record.settings);
    json.field("speed", speed_word(record.settings));
    json.field("perf", speed_word(record.settings)).field("rated", false);
    json.field("hasMoved", game.ply() > (side == Color::White ? 0 : 1));
    write_opponent(json, side == Color::White ? record.black : record.white, record.settings);
    json.field("isMyTurn", game.playing() && game.turn() == side);
    if (const auto clocks = game.read_clocks(steady))
        json.field("secondsLeft",
                   (side == Color::White ? clocks->white_ms : clocks->black_ms) / 1000);
    if (record.result == GameResult::WhiteWins) json.field("winner", "white");
    if (record.result == GameResult::BlackWins) json.field("winner", "black");
    write_compat(json);
    return json.close_object().take();
}

std::string game_event(std::string_view type, const LiveGame& game, std::string_view viewer,
                       Millis steady) {
    JsonText json;
    json.open_object().field("type", type).name("game").raw(game_info(game, viewer, steady));
    return json.close_object().take();
}

std::string challenge(const GameRecord& game, std::string_view viewer, std::string_view site,
                      std::string_view decline_reason) {
    const bool maker_is_white =
        game.white.kind != SeatKind::Open && game.white.player_id != game.invited;
    const SeatRecord& maker = maker_is_white ? game.white : game.black;
    const std::string_view status = game.status == GameStatus::Waiting   ? "created"
                                    : game.status == GameStatus::Playing ? "accepted"
                                    : game.reason == "declined"          ? "declined"
                                    : game.reason == "aborted"           ? "canceled"
                                                                         : "accepted";
    JsonText json;
    json.open_object().field("id", game.id).field("url", std::string(site) + "/game/" + game.id);
    json.field("status", status);
    json.name("challenger");
    write_user(json, shown_name(maker), maker.bot);
    json.name("destUser");
    write_user(json, game.invited_name, game.invited_bot);
    write_variant(json, game.settings);
    json.field("rated", false).field("speed", speed_word(game.settings));
    write_time_control(json, game.settings);
    const std::string_view color = maker_is_white ? "white" : "black";
    json.field("color", color).field("finalColor", color);
    json.name("perf").open_object().field("icon", "").field("name", perf_name(game.settings));
    json.close_object().field("direction", game.invited == viewer ? "in" : "out");
    if (from_position(game.settings)) json.field("initialFen", game.settings.initial_fen);
    if (status == "declined") {
        json.field("declineReason", decline_reason.empty() ? "generic" : decline_reason);
        std::string key(decline_reason.empty() ? "generic" : decline_reason);
        for (char& c : key) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
        json.field("declineReasonKey", key);
    }
    return json.close_object().take();
}

std::string challenge_event(std::string_view type, const GameRecord& game, std::string_view viewer,
                            std::string_view site, std::string_view decline_reason) {
    JsonText json;
    json.open_object().field("type", type);
    json.name("challenge").raw(challenge(game, viewer, site, decline_reason));
    write_compat(json);
    return json.close_object().take();
}

std::string account(std::string_view name, bool bot, Millis created_at,
                    const PlayerStatistics& count, std::string_view site) {
    JsonText json;
    json.open_object().field("id", user_id(name)).field("username", name);
    if (bot) json.field("title", "BOT");
    json.name("perfs").open_object();
    for (const char* perf :
         {"bullet", "blitz", "rapid", "classical", "correspondence", "chess960"}) {
        json.name(perf).open_object().field("games", 0).field("rating", kRating).field("rd", 500);
        json.field("prog", 0).field("prov", true).close_object();
    }
    json.close_object().field("createdAt", created_at).field("seenAt", created_at);
    json.name("playTime").open_object().field("total", 0).field("tv", 0).close_object();
    json.field("url", std::string(site) + "/user/" + std::string(name));
    json.name("count").open_object().field("all", count.finished).field("rated", 0);
    json.field("ai", count.computer.won + count.computer.drawn + count.computer.lost);
    json.field("win", count.people.won + count.computer.won);
    json.field("draw", count.people.drawn + count.computer.drawn);
    json.field("loss", count.people.lost + count.computer.lost);
    json.field("playing", count.playing).close_object();
    return json.close_object().take();
}

std::string error(std::string_view message) {
    return JsonText().open_object().field("error", message).close_object().take();
}

}  // namespace rokada::server::lichess
