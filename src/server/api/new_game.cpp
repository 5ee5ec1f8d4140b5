// SPDX-License-Identifier: GPL-3.0-or-later
#include "server/api/new_game.hpp"

#include <cmath>
#include <cstdlib>

#include "chess/game.hpp"
#include "chess/notation/fen.hpp"

namespace rokada::server {
namespace {

constexpr int kLowestElo = 400, kHighestElo = 3200;

ClockSide side_from_seconds(double initial, double increment) {
    return {std::llround(initial * 1000), std::llround(increment * 1000)};
}

// "5+3", "0.5+0": minutes and seconds.
bool read_clock_text(const std::string& text, GameSettings& settings) {
    const std::size_t plus = text.find('+');
    if (plus == 0 || plus == std::string::npos || plus > 6 || text.size() > 10) return false;
    if (text.find_first_not_of("0123456789.+") != std::string::npos) return false;
    char* end = nullptr;
    const double minutes = std::strtod(text.c_str(), &end);
    if (*end != '+') return false;
    const double seconds = std::strtod(end + 1, &end);
    if (*end != '\0' || minutes > 1440 || seconds > 600) return false;
    settings.clock = ClockMode::Increment;
    settings.white_clock = settings.black_clock = side_from_seconds(minutes * 60, seconds);
    return true;
}

void read_clock(net::ObjectReader& body, GameSettings& settings) {
    const net::json::value* value = body.optional_value("clock");
    if (value == nullptr || value->is_null()) return;
    if (value->is_string()) {
        if (!read_clock_text(std::string(value->get_string()), settings))
            body.complain("clock", "format", "Write the clock like 5+3: minutes and seconds.");
        return;
    }
    net::ObjectReader clock(*value, "clock");
    const double initial = clock.number("initial", 0, 86'400);
    const double increment = clock.optional_number("increment", 0, 600).value_or(0);
    const std::string mode =
        clock.optional_choice("mode", {"increment", "delay", "bronstein"}).value_or("increment");
    settings.clock = mode == "delay"       ? ClockMode::Delay
                     : mode == "bronstein" ? ClockMode::Bronstein
                                           : ClockMode::Increment;
    settings.white_clock = settings.black_clock = side_from_seconds(initial, increment);
    if (auto black = clock.optional_object("black")) {
        const double black_initial = black->number("initial", 0, 86'400);
        const double black_increment = black->optional_number("increment", 0, 600).value_or(0);
        settings.black_clock = side_from_seconds(black_initial, black_increment);
        clock.absorb(std::move(*black));
    }
    if (clock.ok() && initial <= 0 && increment <= 0)
        clock.complain("initial", "range", "A clock needs some time.");
    body.absorb(std::move(clock));
}

void read_position(net::ObjectReader& body, GameSettings& settings, RandomSource& random) {
    settings.initial_fen = std::string(kStartFen);
    if (const net::json::value* value = body.optional_value("chess960");
        value != nullptr && !value->is_null()) {
        int number = -1;
        if (value->is_bool()) {
            if (value->get_bool()) number = static_cast<int>(random.below(960));
        } else if (value->is_int64() && value->get_int64() >= 0 && value->get_int64() < 960) {
            number = static_cast<int>(value->get_int64());
        } else {
            body.complain("chess960", "range", "True, false or a number from 0 to 959.");
        }
        if (number >= 0) {
            settings.chess960 = true;
            settings.initial_fen = to_fen(Setup::chess960(number));
        }
    }
    const auto fen = body.optional_text("fen", {.min_bytes = 1, .max_bytes = 128});
    if (!fen) return;
    const auto position = parse_position(*fen);
    if (!position) {
        body.complain("fen", "position", position.error().to_string());
    } else if (Game(*position).over()) {
        body.complain("fen", "over", "The game is over in this position.");
    } else {
        settings.initial_fen = to_fen(*position);
        // Castling from other squares can only be written as king takes rook.
        if (needs_chess960(*position)) settings.chess960 = true;
    }
}

void read_computer(net::ObjectReader& body, GameSettings& settings) {
    const auto level = body.optional_choice("level", {"Easy", "Medium", "Hard", "Full"});
    const auto elo = body.optional_integer("elo", kLowestElo, kHighestElo);
    const auto evaluation = body.optional_choice("evaluation", {"network", "classical"});
    if (settings.kind != GameKind::Computer && settings.kind != GameKind::Page) return;
    if (elo) {
        settings.elo = static_cast<int>(*elo);
    } else {
        settings.level = level.value_or("Medium");
    }
    settings.classical = evaluation == "classical";
}

}  // namespace

bool needs_chess960(const Position& position) {
    for (const Color side : kColors)
        for (const CastlingSide wing : kCastlingSides) {
            const Square rook = position.castling().rook(side, wing);
            if (rook == Square::None) continue;
            const Square usual =
                relative(side, wing == CastlingSide::King ? Square::H1 : Square::A1);
            if (rook != usual || position.king(side) != relative(side, Square::E1)) return true;
        }
    return false;
}

NewGame read_new_game_fields(net::ObjectReader& body, RandomSource& random) {
    NewGame wanted;
    GameSettings& settings = wanted.settings;
    const std::string opponent =
        body.choice("opponent", {"computer", "link", "user", "device", "page"});
    settings.kind = opponent == "link"     ? GameKind::Person
                    : opponent == "user"   ? GameKind::Person
                    : opponent == "device" ? GameKind::Device
                    : opponent == "page"   ? GameKind::Page
                                           : GameKind::Computer;
    if (opponent == "user")
        wanted.username = body.text("username", {.min_bytes = 1, .max_bytes = 96});
    read_computer(body, settings);
    const std::string color =
        body.optional_choice("color", {"white", "random", "black"}).value_or("random");
    wanted.side = color == "white"   ? NewGame::Side::White
                  : color == "black" ? NewGame::Side::Black
                                     : NewGame::Side::Random;
    read_position(body, settings, random);
    read_clock(body, settings);
    const bool person = settings.kind == GameKind::Person;
    settings.auto_draw = body.optional_boolean("auto_draw").value_or(!person);
    const std::string visibility = body.optional_choice("visibility", {"public", "link", "private"})
                                       .value_or(person ? "link" : "public");
    settings.visibility = visibility == "public" ? Visibility::Public
                          : visibility == "link" ? Visibility::Link
                                                 : Visibility::Private;
    return wanted;
}

Result<NewGame, std::vector<net::FieldError>> read_new_game(const net::json::value& value,
                                                            RandomSource& random) {
    net::ObjectReader body(value);
    NewGame wanted = read_new_game_fields(body, random);
    if (!body.finish()) return Error{body.errors()};
    return wanted;
}

GameRecord make_record(const NewGame& wanted, const Identity& maker, RandomSource& random) {
    GameRecord record;
    record.settings = wanted.settings;
    SeatRecord mine = maker.seat();
    SeatRecord other;
    switch (wanted.settings.kind) {
        case GameKind::Computer:
        case GameKind::Page: other.kind = SeatKind::Computer; break;
        case GameKind::Device:
            mine.kind = SeatKind::Device;
            other = mine;
            break;
        case GameKind::Import:
        case GameKind::Person: other.kind = SeatKind::Open; break;
    }
    const bool white = wanted.side == NewGame::Side::White ||
                       (wanted.side == NewGame::Side::Random && random.below(2) == 0);
    record.white = white ? mine : other;
    record.black = white ? other : mine;
    return record;
}

}  // namespace rokada::server
