// SPDX-License-Identifier: GPL-3.0-or-later
#include <cstdio>

#include "chess/notation/fen.hpp"
#include "server/api/game_json.hpp"

namespace rokada::server {
namespace {

std::string escaped(std::string_view text) {
    std::string result;
    for (const char c : text) {
        if (c == '"' || c == '\\') result += '\\';
        result += c;
    }
    return result;
}

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

std::string clock_text(Millis left) {
    char text[32];
    std::snprintf(text, sizeof text, "%lld:%02lld:%02lld.%lld",
                  static_cast<long long>(left / 3'600'000), static_cast<long long>(left / 60'000 % 60),
                  static_cast<long long>(left / 1000 % 60), static_cast<long long>(left / 100 % 10));
    return text;
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
    std::string text;
    const auto tag = [&text](std::string_view name, std::string_view value) {
        text += "[" + std::string(name) + " \"" + escaped(value) + "\"]\n";
    };
    const std::string started = time_text(record.created_at);
    std::string date = started.substr(0, 10);
    for (char& c : date)
        if (c == '-') c = '.';
    const std::string result =
        record.result == GameResult::None ? "*" : std::string(word(record.result));
    tag("Event", "Casual game");
    tag("Site", std::string(site) + "/game/" + record.id);
    tag("Date", date);
    tag("Round", "-");
    tag("White", player_name(record.white, settings));
    tag("Black", player_name(record.black, settings));
    tag("Result", result);
    tag("UTCDate", date);
    tag("UTCTime", started.substr(11, 8));
    if (settings.clock == ClockMode::None) {
        tag("TimeControl", "-");
    } else {
        tag("TimeControl", seconds_text(settings.white_clock.initial_ms) + "+" +
                               seconds_text(settings.white_clock.increment_ms));
    }
    tag("Termination", termination(record));
    if (settings.chess960) tag("Variant", "Chess960");
    if (settings.initial_fen != kStartFen) {
        tag("SetUp", "1");
        tag("FEN", settings.initial_fen);
    }
    text += '\n';

    std::size_t column = 0;
    const auto put = [&text, &column](const std::string& token) {
        if (column + token.size() + 1 > 80) {
            text += '\n';
            column = 0;
        } else if (column > 0) {
            text += ' ';
            ++column;
        }
        text += token;
        column += token.size();
    };
    const std::vector<std::string> moves = game.san_moves();
    for (std::size_t i = 0; i < moves.size(); ++i) {
        const Position& before = game.game().position_after(i);
        const std::string number = std::to_string(before.fullmove_number());
        const bool white = before.turn() == Color::White;
        const bool clocks = settings.clock != ClockMode::None;
        // After a comment Black's move needs its number again.
        if (white) {
            put(number + ".");
        } else if (i == 0 || clocks) {
            put(number + "...");
        }
        put(moves[i]);
        if (clocks) {
            put("{");
            put("[%clk");
            put(clock_text(white ? game.moves()[i].white_ms : game.moves()[i].black_ms) + "]");
            put("}");
        }
    }
    put(result);
    return text + "\n";
}

}  // namespace rokada::server
