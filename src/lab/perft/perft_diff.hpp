// SPDX-License-Identifier: GPL-3.0-or-later
// Two engines count the same trees of legal moves; where they disagree the tree is descended to the
// one position and move that they see differently. Used by `rokada lab perft-diff`.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "chess/position.hpp"
#include "chess/result.hpp"
#include "protocol/driver/uci_driver.hpp"

namespace rokada::lab {

// A UCI engine as a counter of moves.
class PerftEngine {
  public:
    using Division = std::map<std::string, std::uint64_t>;  // move in UCI's words -> leaves below

    static Result<std::unique_ptr<PerftEngine>, std::string> start(
        const std::vector<std::string>& command, bool chess960);

    const std::string& name() const { return driver_->name(); }
    // The count below each move after these moves from the position; depth at least 1.
    Result<Division, std::string> divide(const std::string& fen,
                                         const std::vector<std::string>& moves, int depth,
                                         std::chrono::seconds patience);

  private:
    protocol::LinkGroup group_;
    std::unique_ptr<protocol::EngineDriver> driver_;
    protocol::UciDriver* uci_ = nullptr;  // the same object
};

struct PerftDifference {
    std::string start;               // FEN where the comparison began
    std::vector<std::string> moves;  // from there to the position that is seen differently
    std::string position;            // its FEN; empty if a move on the way is illegal by our rules
    std::string move;                // the move that only one side has
    bool ours = false;               // true: only the first engine has it
};

// None if all counts agree.
Result<std::optional<PerftDifference>, std::string> find_difference(PerftEngine& first,
                                                                    PerftEngine& second,
                                                                    const std::string& fen,
                                                                    int depth,
                                                                    std::chrono::seconds patience);

// Positions from games of random moves, the same for the same seed: all kinds of material, checks,
// en passant, castling half lost.
std::vector<Position> random_positions(std::size_t count, std::uint64_t seed, bool chess960);

}  // namespace rokada::lab
