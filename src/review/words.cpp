// SPDX-License-Identifier: GPL-3.0-or-later
// The stable words of a review's JSON form.
#include "review/review.hpp"

namespace rokada::review {

std::string_view to_string(Judgement judgement) {
    constexpr std::string_view kWords[] = {"forced", "book",       "best",    "great",
                                           "good",   "inaccuracy", "mistake", "blunder"};
    static_assert(std::size(kWords) == kJudgements);
    return kWords[static_cast<std::size_t>(judgement)];
}

std::string_view to_string(Phase phase) {
    constexpr std::string_view kWords[] = {"opening", "middlegame", "endgame"};
    static_assert(std::size(kWords) == kPhases);
    return kWords[static_cast<std::size_t>(phase)];
}

std::string_view to_string(ReasonKind kind) {
    constexpr std::string_view kWords[] = {"ends", "allows", "misses"};
    return kWords[static_cast<std::size_t>(kind)];
}

std::string_view to_string(Motif motif) {
    constexpr std::string_view kWords[] = {"stalemate",
                                           "repetition",
                                           "mate",
                                           "back-rank-mate",
                                           "hanging-piece",
                                           "capture",
                                           "fork",
                                           "pin",
                                           "pinned-guard",
                                           "skewer",
                                           "discovered-attack",
                                           "trapped-piece",
                                           "removed-defender",
                                           "promotion",
                                           "material"};
    static_assert(std::size(kWords) == kMotifs);
    return kWords[static_cast<std::size_t>(motif)];
}

std::string_view to_string(Amount amount) {
    constexpr std::string_view kWords[] = {"none", "pawn",  "exchange", "piece",
                                           "rook", "queen", "material"};
    return kWords[static_cast<std::size_t>(amount)];
}

}  // namespace rokada::review
