// SPDX-License-Identifier: GPL-3.0-or-later
// What a lichess-compatible server says, line by line, as values. Reading is tolerant: unknown kinds and unknown fields are passed
// over, missing ones have defaults, and any bytes are safe. Used by the bot only.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rokada::bot {

using Milliseconds = std::chrono::milliseconds;

struct Person {
    std::string id, name;
    std::string title;  // "BOT", "GM", ...
    int rating = 0;     // 0: unknown
    int computer = 0;   // the level of the server's own computer, 0 for others

    bool is_bot() const { return title == "BOT"; }
};

struct Challenge {
    std::string id, status;
    Person challenger;
    std::string opponent;  // the id of the one challenged; empty: open
    std::string variant = "standard";
    bool rated = false;
    std::optional<int> limit, increment;  // seconds; none: no clock
    std::optional<int> days;
    std::string decline_reason;
};

struct GameState {
    std::vector<std::string> moves;
    Milliseconds white_time{0}, black_time{0}, white_increment{0}, black_increment{0};
    std::string status = "started";
    std::string winner;  // "white", "black" or empty
    bool white_draw = false, black_draw = false;
    bool white_takeback = false, black_takeback = false;

    bool running() const { return status == "started" || status == "created"; }
};

struct GameFull {
    std::string id, variant = "standard", speed, initial_fen = "startpos";
    bool rated = false;
    bool has_clock = false;
    Person white, black;
    GameState state;
};

struct OpponentGone {
    bool gone = false;
    std::optional<int> claim_in_seconds;
};

struct ChatLine {
    std::string room, user, text;
};

// A line of the event stream. `kind` is empty for what cannot be read.
struct Event {
    std::string
        kind;  // gameStart, gameFinish, challenge, challengeCanceled, challengeDeclined, ...
    std::string game_id;  // of the two about games
    Challenge challenge;
};
Event parse_event(std::string_view line);

// A line of a game stream; at most one of them is set.
struct GameLine {
    std::optional<GameFull> full;
    std::optional<GameState> state;
    std::optional<OpponentGone> gone;
    std::optional<ChatLine> chat;
};
GameLine parse_game_line(std::string_view line);

struct Account {
    Person person;
    std::string error;  // of the server, instead
};
Account parse_account(std::string_view body);
// One account per line, as the list of bots online has them.
std::vector<Person> parse_people(std::string_view body);

struct Complaint {
    std::string error;
    std::optional<int> seconds;  // how long its limit lasts
};
Complaint parse_complaint(std::string_view body);
// The id of a challenge just made.
std::string parse_challenge_id(std::string_view body);

}  // namespace rokada::bot
