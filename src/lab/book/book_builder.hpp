// SPDX-License-Identifier: GPL-3.0-or-later
// Builds a small opening book in the Polyglot format from games or opening lines. Used by
// `rokada lab book`.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "chess/position.hpp"

namespace rokada::lab {

struct BookSettings {
    int plies = 16;             // how far into each game
    int least_games = 2;        // a move played less often is left out
    double least_share = 0.03;  // of the games in its position
    std::size_t most_bytes = 64 * 1024;
};

class BookBuilder {
  public:
    explicit BookBuilder(BookSettings settings) : settings_(settings) {}

    // PGN games; a game's points for the mover count as weight. Empty if all is well.
    std::string add_pgn(const std::string& path);
    // Opening lines as tab-separated code, name and moves in SAN.
    std::string add_lines(const std::string& path);
    void add_move(const Position& position, Move move, double points);

    // The entries sorted as the format wants them, the most played ones if not all fit.
    std::vector<std::uint8_t> bytes() const;
    std::uint64_t games() const { return games_; }
    std::size_t positions() const { return moves_.size(); }

  private:
    struct Count {
        std::uint64_t games = 0;
        double points = 0;
    };
    BookSettings settings_;
    std::uint64_t games_ = 0;
    std::map<Key, std::map<std::uint16_t, Count>> moves_;  // by the move as the format writes it
};

}  // namespace rokada::lab
