// SPDX-License-Identifier: GPL-3.0-or-later
// Why a move is bad, as codes with arguments. Candidates come from the engine's lines; what is said about them is proved on the board with proof.hpp,
// against every defence. Used by review_game; silent when not sure.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "review/review.hpp"

namespace rokada::review {

// The move at that ply, judged and with its lines filled in. The main reason first, at most two.
std::vector<Reason> find_reasons(const Game& game, std::size_t ply, const ReviewedMove& judged,
                                 std::uint64_t proof_nodes);

// What the side to move wins by force with the first move of the line, and by which motif: the largest gain that can be proved. None if there
// is none. `before` is the position one move earlier if there was one: a recapture is not a hanging piece.
std::optional<Reason> find_gain(const Position& position, const std::vector<Move>& line,
                                const Position* before, std::uint64_t proof_nodes);

// A forced mate of the side to move in at most `longest` moves.
std::optional<Reason> find_mate(const Position& position, int longest, std::uint64_t proof_nodes);

}  // namespace rokada::review
