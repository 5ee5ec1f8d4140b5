// SPDX-License-Identifier: GPL-3.0-or-later
// Everything a client may say over the live socket (docs/live-protocol.md), read strictly.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "chess/result.hpp"
#include "chess/types.hpp"
#include "server/app/live_game.hpp"

namespace rokada::server {

struct LiveMessage {
    enum class Kind {
        Watch,
        Leave,
        Move,
        Premove,
        Resign,
        Abort,
        Draw,
        Takeback,
        Rematch,
        Claim,
        Chat,
        Mute,
        Games,
        Ping
    };
    Kind kind = Kind::Ping;
    std::string source;  // as it came, where it may have to be passed on; not filled by the reader
    std::string id, game, uci, text;
    int ply = 0;
    std::optional<std::int64_t> version;  // Watch
    bool draw = false;                    // Move: with a draw offer
    bool on = true;                       // Games, Mute
    bool win = false;                     // Claim
    std::int64_t n = 0;                   // Ping
    OfferAction action = OfferAction::Offer;
    std::optional<Color> side;  // Resign
};

struct LiveMessageError {
    std::string id;  // of the message, when it could be read
    std::string detail;
};

Result<LiveMessage, LiveMessageError> read_live_message(std::string_view text);
// The same without the short cut for moves (plain_move.hpp).
Result<LiveMessage, LiveMessageError> read_live_json(std::string_view text);

}  // namespace rokada::server
