// SPDX-License-Identifier: GPL-3.0-or-later
// One game between two engines with a strict referee, and its record as PGN.
#pragma once

#include <array>
#include <functional>
#include <string>
#include <vector>

#include "chess/game.hpp"
#include "engine/syzygy/tablebases.hpp"
#include "lab/match/adjudication.hpp"
#include "lab/match/engine_spec.hpp"
#include "lab/match/openings.hpp"

namespace rokada::lab {

// Why a game ended, in words of its own where the rules of chess have none.
enum class Ending {
    Rules,  // mate, stalemate, repetition, ...: see the outcome
    Resignation,
    Agreement,
    Adjudication,
    TimeLoss,
    IllegalMove,
    Crash,
    Hang,
    Garbage,
    FalseClaim,
    StartFailure,
    Cancelled,  // does not count
};

struct PlayedMove {
    Move move;
    bool book = false;
    std::optional<engine::Score> score;  // from the mover
    int depth = 0;
    std::uint64_t nodes = 0;
    std::chrono::nanoseconds elapsed{0};
    std::optional<std::chrono::nanoseconds> clock;  // left after the move
};

struct GameRecord {
    int number = 0, round = 1;
    PerColor<std::string> names;
    PerColor<GameTerms> terms;
    Position start;
    bool chess960 = false;
    std::vector<PlayedMove> moves;
    std::optional<Color> winner;
    Ending ending = Ending::Cancelled;
    std::string reason;  // a sentence: "Black resigns", "White loses on time", ...
    std::chrono::system_clock::time_point begun;
    PerColor<std::chrono::nanoseconds> thinking{};

    int white_points() const { return !winner ? 1 : *winner == Color::White ? 2 : 0; }
    std::string_view result() const;  // "1-0", "0-1", "1/2-1/2", "*"
    // The colour whose engine misbehaved and needs a new process.
    std::optional<Color> culprit;
};

struct PlaySettings {
    AdjudicationSettings adjudication;
    std::shared_ptr<const engine::Tablebases> tablebases;  // none: games are played out
    std::string tablebase_folders;  // where they come from, for games played elsewhere
    std::chrono::milliseconds hang_patience{60'000};  // for a move without a clock
    std::chrono::milliseconds flag_grace{5'000};      // how long to listen after the flag fell
    std::function<void(int ply)> on_ply;              // after every move, from the game's thread
};

struct Seat {
    protocol::EngineDriver* driver = nullptr;
    const EngineSpec* spec = nullptr;
};

GameRecord play_game(const PerColor<Seat>& seats, const Opening& opening, bool chess960,
                     const PlaySettings& settings);

// The kind of ending behind the sentence in a record, as far as failures go.
Ending ending_from_reason(std::string_view reason);

std::string to_pgn(const GameRecord& record, std::string_view event);

}  // namespace rokada::lab
