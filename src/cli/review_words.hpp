// SPDX-License-Identifier: GPL-3.0-or-later
// Reasons of a review in English sentences, for the analyse command. The page has its own catalogue in each language.
#pragma once

#include <string>
#include <string_view>

#include "review/review.hpp"

namespace rokada::cli {

// The move was played in that position.
std::string reason_text(const Position& before, Move played, const review::Reason& reason);

// "??", "?", "?!", "!" or nothing; and the number of the same mark in a PGN file, 0 for none.
std::string_view judgement_mark(review::Judgement judgement);
std::uint8_t judgement_glyph(review::Judgement judgement);

// From White's point of view: "+0.35", "-#4".
std::string score_text(engine::Score white);

// Numbered moves: "12... Qc7 13. Nf3".
std::string line_text(Position position, const std::vector<Move>& line, std::size_t most);

}  // namespace rokada::cli
