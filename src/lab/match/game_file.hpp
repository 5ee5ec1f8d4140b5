// SPDX-License-Identifier: GPL-3.0-or-later
// The PGN file of a tournament as its memory: every game is appended in one piece, and what is
// complete can be counted again. A game cut off by a crash is cut away, and nothing else ever.
#pragma once

#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "chess/result.hpp"
#include "lab/match/openings.hpp"

namespace rokada::lab {

struct StoredGame {
    int number = 0;
    std::string white, black, result, termination;
    PerColor<std::string> time_control, move_limits;
    std::string variant;  // empty: standard chess
    Opening opening;
    bool has_own_moves = false;  // of the engines, after those of the opening
};

class GameFile {
  public:
    ~GameFile();
    GameFile() = default;
    GameFile(const GameFile&) = delete;
    GameFile& operator=(const GameFile&) = delete;

    // Reads what is there and opens for appending. A game that was cut off goes with the next append, when
    // whoever resumes has seen that the file is the right one; any other text is a reason to refuse the file.
    Result<std::vector<StoredGame>, std::string> resume(const std::string& path);
    // A new file; one that exists and holds games is not overwritten.
    std::optional<std::string> create(const std::string& path);
    // On disk when this returns. The error is a sentence.
    std::optional<std::string> append(const std::string& pgn);

  private:
    int descriptor_ = -1;
    std::optional<std::uint64_t> cut_at_;  // what lies behind is no complete game
    std::string path_;
    std::mutex mutex_;
};

}  // namespace rokada::lab
