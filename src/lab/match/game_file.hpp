// SPDX-License-Identifier: GPL-3.0-or-later
// The PGN file of a tournament as its memory: every game is appended in one piece, and what is
// complete can be counted again. A game cut off by a crash is cut away.
#pragma once

#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "chess/result.hpp"

namespace rokada::lab {

struct StoredGame {
    int number = 0;
    std::string white, black, result, termination;
};

class GameFile {
  public:
    ~GameFile();
    GameFile() = default;
    GameFile(const GameFile&) = delete;
    GameFile& operator=(const GameFile&) = delete;

    // Reads what is there, cuts an incomplete end away, and opens for appending.
    Result<std::vector<StoredGame>, std::string> resume(const std::string& path);
    // A new file; one that exists and holds games is not overwritten.
    std::optional<std::string> create(const std::string& path);
    // On disk when this returns. The error is a sentence.
    std::optional<std::string> append(const std::string& pgn);

  private:
    int descriptor_ = -1;
    std::string path_;
    std::mutex mutex_;
};

}  // namespace rokada::lab
