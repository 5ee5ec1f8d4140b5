// SPDX-License-Identifier: GPL-3.0-or-later
#include "chess/notation/game_pgn.hpp"

#include <cstdio>

#include "chess/notation/pgn_writer.hpp"
#include "server/api/game_json.hpp"

namespace rokada::server {
namespace {

std::string player_name(const SeatRecord& seat, const GameSettings& settings) {
    switch (seat.kind) {
        case SeatKind::Computer:
            return "Rokada " + (settings.elo > 0 ? std::to_string(settings.elo) : settings.level);
        case SeatKind::Device:
        case SeatKind::Open: return "?";
        case SeatKind::Deleted: return "deleted player";
        default: return seat.name;
    }
}

std::string seconds_text(Millis time) {
    char text[32];
    std::snprintf(text, sizeof text, "%.10g", static_cast<double>(time) / 1000);
    return text;
}

// Of what the standard has (9.6.1) one word fits: base and increment, or the base alone as sudden death, which
// a delay is, because it adds nothing to the clock. A delay has no word there and gets a tag of its own.
std::string control(const ClockSide& side, ClockMode mode) {
    const std::string base = seconds_text(side.initial_ms);
    return mode == ClockMode::Increment ? base + "+" + seconds_text(side.increment_ms) : base;
}

std::string delay(const ClockSide& side, ClockMode mode) {
    return (mode == ClockMode::Bronstein ? "bronstein " : "simple ") +
           seconds_text(side.increment_ms);
}

// The standard knows one control for both. Where they differ each has its own tag, as other programs do it.
void set_time_control(PgnGame& pgn, const GameSettings& settings) {
    const ClockSide &white = settings.white_clock, &black = settings.black_clock;
    if (settings.clock == ClockMode::None) return pgn.set_tag("TimeControl", "-");
    const bool delays = settings.clock != ClockMode::Increment;
    if (white.initial_ms == black.initial_ms && white.increment_ms == black.increment_ms) {
        pgn.set_tag("TimeControl", control(white, settings.clock));
        if (delays) pgn.set_tag("Delay", delay(white, settings.clock));
        return;
    }
    pgn.set_tag("TimeControl", "?");
    pgn.set_tag("WhiteTimeControl", control(white, settings.clock));
    pgn.set_tag("BlackTimeControl", control(black, settings.clock));
    if (!delays) return;
    pgn.set_tag("WhiteDelay", delay(white, settings.clock));
    pgn.set_tag("BlackDelay", delay(black, settings.clock));
}

std::string termination(const GameRecord& record) {
    if (record.reason == "time" || record.reason == "time-against-bare-king") return "time forfeit";
    if (record.reason == "abandonment" || record.reason == "aborted") return "abandoned";
    if (record.reason == "adjudication") return "adjudication";
    return record.reason.empty() ? "unterminated" : "normal";
}

}  // namespace

std::string game_pgn(const LiveGame& game, std::string_view site) {
    const GameRecord& record = game.record();
    const GameSettings& settings = record.settings;
    Game timed(game.game().start(), game.game().draw_rule());
    for (std::size_t i = 0; i < game.moves().size(); ++i) {
        const bool white = timed.position().turn() == Color::White;
        const MoveRecord& row = game.moves()[i];
        std::optional<Game::Milliseconds> clock;
        if (settings.clock != ClockMode::None)
            clock = Game::Milliseconds(white ? row.white_ms : row.black_ms);
        timed.play(game.game().plies()[i].move, clock);
    }
    PgnGame pgn = to_pgn_game(timed);
    if (settings.kind == GameKind::Import) {
        for_each_tag(record.tags, [&pgn](std::string_view name, std::string_view value) {
            pgn.set_tag(name, value);
        });
        pgn.set_result(parse_pgn_result(word(record.result)));
        return to_pgn(pgn);
    }
    const std::string started = time_text(record.created_at);
    std::string date = started.substr(0, 10);
    for (char& c : date)
        if (c == '-') c = '.';
    pgn.set_tag("Event", "Casual game");
    pgn.set_tag("Site", std::string(site) + "/game/" + record.id);
    pgn.set_tag("Date", date);
    pgn.set_tag("Round", "-");
    pgn.set_tag("White", player_name(record.white, settings));
    pgn.set_tag("Black", player_name(record.black, settings));
    pgn.set_tag("UTCDate", date);
    pgn.set_tag("UTCTime", started.substr(11, 8));
    set_time_control(pgn, settings);
    if (settings.chess960) pgn.set_tag("Variant", "Chess960");
    // Ends that the board does not show are known to the record only.
    pgn.set_tag("Termination", termination(record));
    pgn.set_result(parse_pgn_result(word(record.result)));
    return to_pgn(pgn);
}

}  // namespace rokada::server
