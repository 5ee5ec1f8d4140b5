// SPDX-License-Identifier: GPL-3.0-or-later
#include "server/api/game_json.hpp"

#include <cstdio>

#include "chess/notation/fen.hpp"

namespace rokada::server {
namespace {

std::string_view word(ClockMode mode) {
    switch (mode) {
        case ClockMode::Delay: return "delay";
        case ClockMode::Bronstein: return "bronstein";
        default: return "increment";
    }
}

std::string_view word(Visibility visibility) {
    switch (visibility) {
        case Visibility::Public: return "public";
        case Visibility::Link: return "link";
        case Visibility::Private: return "private";
    }
    return "private";
}

std::string_view word(SeatKind kind) {
    switch (kind) {
        case SeatKind::User: return "user";
        case SeatKind::Guest: return "guest";
        case SeatKind::Computer: return "computer";
        case SeatKind::Device: return "device";
        case SeatKind::Open: return "open";
        case SeatKind::Deleted: return "deleted";
        case SeatKind::Named: return "named";
    }
    return "deleted";
}

void write_seconds(JsonText& json, const ClockSide& side) {
    json.field("initial", static_cast<double>(side.initial_ms) / 1000);
    json.field("increment", static_cast<double>(side.increment_ms) / 1000);
}

void write_clock_settings(JsonText& json, const GameSettings& settings) {
    json.name("clock");
    if (settings.clock == ClockMode::None) {
        json.null();
        return;
    }
    json.open_object();
    write_seconds(json, settings.white_clock);
    json.field("mode", word(settings.clock));
    if (settings.white_clock.initial_ms != settings.black_clock.initial_ms ||
        settings.white_clock.increment_ms != settings.black_clock.increment_ms) {
        json.name("black").open_object();
        write_seconds(json, settings.black_clock);
        json.close_object();
    }
    json.close_object();
}

void write_seat(JsonText& json, bool white, bool black) {
    json.name("seat");
    if (white && black) {
        json.value("both");
    } else if (white || black) {
        json.value(white ? "white" : "black");
    } else {
        json.null();
    }
}

void write_players(JsonText& json, const GameRecord& game, std::string_view viewer) {
    json.name("white");
    write_player(json, game.white, game.settings, viewer);
    json.name("black");
    write_player(json, game.black, game.settings, viewer);
}

void write_invited(JsonText& json, const GameRecord& game, std::string_view viewer) {
    if (game.invited.empty()) return;
    json.name("invited").open_object().field("name", game.invited_name);
    if (game.invited == viewer) json.field("me", true);
    if (game.invited_bot) json.field("bot", true);
    json.close_object();
}

void write_tags(JsonText& json, const GameRecord& game) {
    if (game.tags.empty()) return;
    json.name("tags").open_object();
    for_each_tag(game.tags, [&json](std::string_view name, std::string_view value) {
        json.field(name, value);
    });
    json.close_object();
}

void write_end(JsonText& json, const GameRecord& game) {
    json.field("status", rokada::server::word(game.status));
    json.optional_field("result", rokada::server::word(game.result));
    json.optional_field("reason", game.reason);
}

std::string_view turn_of_fen(std::string_view fen) {
    const std::size_t space = fen.find(' ');
    return space != std::string_view::npos && fen.substr(space, 3) == " b " ? "black" : "white";
}

}  // namespace

void for_each_tag(std::string_view tags,
                  const std::function<void(std::string_view, std::string_view)>& use) {
    while (!tags.empty()) {
        const std::string_view line = tags.substr(0, tags.find('\n'));
        tags.remove_prefix(std::min(tags.size(), line.size() + 1));
        const std::size_t tab = line.find('\t');
        if (tab != std::string_view::npos) use(line.substr(0, tab), line.substr(tab + 1));
    }
}

std::string_view word(GameStatus status) {
    switch (status) {
        case GameStatus::Waiting: return "waiting";
        case GameStatus::Playing: return "playing";
        case GameStatus::Finished: return "finished";
        case GameStatus::Aborted: return "aborted";
    }
    return "aborted";
}

std::string_view word(GameResult result) {
    switch (result) {
        case GameResult::None: return "";
        case GameResult::WhiteWins: return "1-0";
        case GameResult::BlackWins: return "0-1";
        case GameResult::Draw: return "1/2-1/2";
    }
    return "";
}

std::string_view word(GameKind kind) {
    switch (kind) {
        case GameKind::Computer: return "computer";
        case GameKind::Person: return "person";
        case GameKind::Device: return "device";
        case GameKind::Page: return "page";
        case GameKind::Import: return "import";
    }
    return "person";
}

std::string_view word(Color side) { return side == Color::White ? "white" : "black"; }

KeyText::KeyText(Key key) {
    constexpr std::string_view kDigits = "0123456789abcdef";
    for (std::size_t i = digits_.size(); i-- > 0; key >>= 4) digits_[i] = kDigits[key & 15];
}

void write_player(JsonText& json, const SeatRecord& seat, const GameSettings& settings,
                  std::string_view viewer) {
    json.open_object().field("kind", word(seat.kind));
    switch (seat.kind) {
        case SeatKind::Computer: json.field("name", "Rokada"); break;
        case SeatKind::Device: json.field("name", ""); break;
        case SeatKind::Open: json.field("name", ""); break;
        case SeatKind::Deleted: json.field("name", "deleted player"); break;
        default: json.field("name", seat.name);
    }
    if (seat.kind == SeatKind::Computer) {
        json.optional_field("level", settings.level);
        if (settings.elo > 0) json.field("elo", settings.elo);
        json.field("evaluation", settings.classical ? "classical" : "network");
    }
    if (!viewer.empty() && seat.player_id == viewer && seat.kind != SeatKind::Named)
        json.field("me", true);
    if (seat.bot) json.field("bot", true);
    json.close_object();
}

void write_clocks(JsonText& json, const ClockReading& clocks) {
    json.open_object().field("white_ms", clocks.white_ms).field("black_ms", clocks.black_ms);
    json.name("running");
    if (clocks.running) {
        json.value(word(*clocks.running));
    } else {
        json.null();
    }
    json.close_object();
}

std::string game_json(const LiveGame& game, std::string_view viewer, Millis steady) {
    const GameRecord& record = game.record();
    const Seats seats = game.seats_of(viewer);
    JsonText json;
    json.open_object().field("id", record.id).field("opponent", word(record.settings.kind));
    write_players(json, record, viewer);
    // In the page one plays one side; the other one is the page's computer.
    const bool page = record.settings.kind == GameKind::Page;
    const bool import = record.settings.kind == GameKind::Import;
    write_seat(json, !import && seats.white && !(page && record.white.kind == SeatKind::Computer),
               !import && seats.black && !(page && record.black.kind == SeatKind::Computer));
    write_end(json, record);
    write_invited(json, record, viewer);
    json.field("initial_fen", record.settings.initial_fen);
    json.field("chess960", record.settings.chess960);
    json.field("moves", game.uci_moves());
    json.field("san", game.san_moves());
    json.field("fen", record.fen);
    json.field("ply", game.ply());
    json.field("turn", word(game.turn()));
    json.field("key", KeyText(game.game().position().key()).view());
    json.field("version", record.version);
    write_clock_settings(json, record.settings);
    json.name("clocks");
    if (const auto clocks = game.read_clocks(steady)) {
        write_clocks(json, *clocks);
    } else {
        json.null();
    }
    json.name("offers").open_object();
    json.optional_field("draw", record.draw_offer);
    json.optional_field("takeback", record.takeback_offer);
    json.optional_field("rematch", record.rematch_offer);
    json.close_object();
    if (game.can_claim_draw()) json.field("can_claim_draw", true);
    if (const auto deadline = game.first_move_deadline())
        json.field("first_move_ms", std::max<Millis>(0, *deadline - steady));
    if (!record.muted.empty()) json.field("muted", record.muted);
    write_tags(json, record);
    json.field("auto_draw", record.settings.auto_draw);
    json.field("assisted", record.assisted);
    json.field("visibility", word(record.settings.visibility));
    json.optional_field("rematch", record.rematch);
    json.optional_field("rematch_of", record.rematch_of);
    json.field("created_at", time_text(record.created_at));
    json.field("updated_at", time_text(record.updated_at));
    if (record.ended_at != 0) json.field("ended_at", time_text(record.ended_at));
    return json.close_object().take();
}

void write_game_summary(JsonText& json, const GameRecord& game, std::string_view viewer) {
    json.open_object().field("id", game.id).field("opponent", word(game.settings.kind));
    write_players(json, game, viewer);
    const bool seated = !viewer.empty() && game.settings.kind != GameKind::Import;
    write_seat(json, seated && game.white.player_id == viewer,
               seated && game.black.player_id == viewer);
    write_end(json, game);
    write_invited(json, game, viewer);
    json.field("fen", game.fen).optional_field("last_move", game.last_move);
    json.field("ply", game.ply).field("turn", turn_of_fen(game.fen));
    json.field("chess960", game.settings.chess960).field("assisted", game.assisted);
    if (!game.settings.chess960 && game.settings.initial_fen != kStartFen)
        json.field("from_position", true);
    write_clock_settings(json, game.settings);
    json.field("created_at", time_text(game.created_at));
    json.field("updated_at", time_text(game.updated_at));
    json.close_object();
}

}  // namespace rokada::server
