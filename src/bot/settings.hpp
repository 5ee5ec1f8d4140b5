// SPDX-License-Identifier: GPL-3.0-or-later
// Everything about the bot that its owner can choose, and the waits of its conversation with the server. Filled by `rokada lichess`;
// tests make the waits short.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace rokada::bot {

// Which challenges are accepted.
struct Policy {
    std::vector<std::string> variants{"standard", "chess960"};
    bool rated = true, casual = true;
    bool bots = true, people = true;
    int min_limit = 0, max_limit = 10800;  // seconds
    int min_increment = 0, max_increment = 60;
    bool correspondence = false;
    int games = 1;                 // at the same time, with a clock
    int correspondence_games = 5;  // besides those
};

// When to resign, to offer or accept a draw. Scores in centipawns from the bot's point of view.
struct Manners {
    bool resign = true;
    int resign_score = -900;
    int resign_moves = 4;  // that bad for so many own moves in a row
    bool draw = true;
    int draw_score = 10;  // at most so far from equal
    int draw_moves = 8;   // for so many own moves in a row
    int draw_from_ply = 70;
    std::chrono::milliseconds claim_patience{
        1'000};         // for the end of a game that a claim should end
    int takebacks = 0;  // granted to people per game
    std::string hello = "Good luck! I am Rokada, a chess engine.";
    std::string goodbye = "Thank you for the game.";
};

// Challenging other bots when there is nothing to do.
struct Matchmaking {
    bool on = false;
    int limit = 180, increment = 2;  // seconds
    bool rated = false;
    std::string variant = "standard";
    int per_day = 50;
    int rating_difference = 0;                           // 0: any opponent
    std::chrono::milliseconds idle{60'000};              // before the first, and between two
    std::chrono::milliseconds patience{20'000};          // for an answer
    std::chrono::milliseconds same_opponent{3'600'000};  // before asking the same again
};

struct Waits {
    std::chrono::milliseconds request{10'000};
    std::chrono::milliseconds silence{15'000};   // of a stream: two missed keep-alives
    std::chrono::milliseconds first_retry{100};  // doubled every time
    std::chrono::milliseconds longest_retry{30'000};
    std::chrono::milliseconds rate_limited{60'000};  // after 429 without Retry-After; doubled
    std::chrono::milliseconds longest_rate_limited{600'000};
    std::chrono::milliseconds first_move{60'000};  // of the opponent, before the game is aborted
    std::chrono::milliseconds correspondence{300'000};  // between two looks at such a game
    std::chrono::milliseconds farewell{
        2'000};  // for the last state of a game that is told to be over
};

struct Settings {
    std::string url = "https://lichess.org";
    std::string token;
    std::string ca_file;  // empty: the system's certificates
    Policy policy;
    Manners manners;
    Matchmaking matchmaking;
    Waits waits;
    std::string book;  // a Polyglot file
    int book_plies = 20;
    std::string ledger;  // a file; empty: none is kept
    int threads = 1;     // shared by all games
    int hash_megabytes = 64;
    int elo = 0;  // 0: full strength
    bool ponder = true;
    std::chrono::milliseconds correspondence_move{10'000};
    std::vector<std::pair<std::string, std::string>> engine_options;
    std::function<void(const std::string& line)> log;
};

}  // namespace rokada::bot
