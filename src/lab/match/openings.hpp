// SPDX-License-Identifier: GPL-3.0-or-later
// Openings for a tournament, from EPD or FEN lines, from the games of a PGN file or from a Polyglot
// book. Only the places in the file are kept in memory; an opening is read when its turn comes.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "chess/position.hpp"
#include "chess/result.hpp"

namespace rokada::lab {

struct Opening {
    Position start;
    std::vector<Move> moves;
};

struct OpeningSettings {
    std::string path;    // empty: the usual start position
    int plies = 0;       // at most so many of a game; 0: all there are (of a book: 8)
    bool random = true;  // a fixed shuffle of the file by the seed
    std::uint64_t seed = 1;
    bool chess960 = false;  // without a file: a start position by lot
};

class OpeningBook {
  public:
    virtual ~OpeningBook() = default;
    // The n-th opening of the tournament, the same every time; after the last one it starts over.
    virtual Result<Opening, std::string> opening(std::uint64_t n) const = 0;
    virtual std::size_t size() const = 0;

    static Result<std::unique_ptr<OpeningBook>, std::string> open(const OpeningSettings& settings);
};

}  // namespace rokada::lab
