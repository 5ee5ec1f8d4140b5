// SPDX-License-Identifier: GPL-3.0-or-later
// Reads the body of POST /api/v1/games (schema NewGame) into settings and seats.
#pragma once

#include <string>
#include <vector>

#include "chess/position.hpp"
#include "chess/result.hpp"
#include "net/json.hpp"
#include "server/app/accounts.hpp"
#include "server/store/records.hpp"

namespace rokada::server {

struct NewGame {
    GameSettings settings;
    enum class Side { White, Random, Black } side = Side::Random;
    std::string username;  // the game is a challenge to this user
};

// True when castling would start from other than the usual squares.
bool needs_chess960(const Position& position);

// Reads the fields of a larger object; look at its complaints before using the result.
NewGame read_new_game_fields(net::ObjectReader& body, RandomSource& random);
Result<NewGame, std::vector<net::FieldError>> read_new_game(const net::json::value& body,
                                                            RandomSource& random);
// The record with the maker on the chosen side; the other side is open, the computer or the device.
GameRecord make_record(const NewGame& wanted, const Identity& maker, RandomSource& random);

}  // namespace rokada::server
