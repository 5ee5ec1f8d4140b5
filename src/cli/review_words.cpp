// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/review_words.hpp"

#include <fmt/format.h>

#include "chess/notation/san.hpp"

namespace rokada::cli {

namespace {

using review::Amount;
using review::Judgement;
using review::Motif;
using review::NamedPiece;
using review::Reason;
using review::ReasonKind;

std::string_view name(PieceType type) {
    constexpr std::string_view kNames[] = {"pawn",  "knight", "bishop", "rook",
                                           "queen", "king",   "piece"};
    return kNames[index(type)];
}

std::string place(NamedPiece named) {
    return fmt::format("the {} on {}", name(type_of(named.piece)), to_string(named.square));
}

std::string_view words(Amount amount) {
    constexpr std::string_view kWords[] = {"nothing", "a pawn",  "the exchange", "a piece",
                                           "a rook",  "a queen", "material"};
    return kWords[static_cast<std::size_t>(amount)];
}

// What the move `san` does, as the rest of a sentence.
std::string deed(const Position& from, const Reason& reason, const std::string& san) {
    const std::string_view won = words(reason.amount);
    switch (reason.motif) {
        case Motif::Mate:
            if (reason.mate_in == 1) return fmt::format("{} is mate", san);
            return fmt::format("{} forces mate in {}{}", san, reason.exact ? "" : "at most ",
                               reason.mate_in);
        case Motif::BackRankMate:
            if (reason.mate_in == 1) return fmt::format("{} is mate on the back rank", san);
            return fmt::format("{} forces mate on the back rank in {}", san, reason.mate_in);
        case Motif::HangingPiece:
            return fmt::format("{} takes {}, which nothing guards", san, place(reason.target));
        case Motif::Capture:
            return fmt::format("{} takes {} and wins {}", san, place(reason.target), won);
        case Motif::Fork:
            return fmt::format("{} forks {} and {} and wins {}", san, place(reason.target),
                               place(reason.other), won);
        case Motif::Pin:
            return fmt::format("{} wins {}, which is pinned to the king", san,
                               place(reason.target));
        case Motif::PinnedGuard:
            return fmt::format("{} takes {}; its guard, {}, is pinned", san, place(reason.target),
                               place(reason.other));
        case Motif::Skewer:
            return fmt::format("{} attacks {} and, behind it, {}, and wins {}", san,
                               place(reason.target), place(reason.other), won);
        case Motif::DiscoveredAttack:
            return fmt::format("{} uncovers the attack of {} on {} and wins {}", san,
                               place(reason.actor), place(reason.target), won);
        case Motif::TrappedPiece:
            return fmt::format("{} wins {}, which has no safe square", san, place(reason.target));
        case Motif::RemovedDefender:
            return fmt::format("{} takes {}, the guard of {}, and wins {}", san,
                               place(reason.target), place(reason.other), won);
        case Motif::Promotion:
            return reason.line.front().is_promotion()
                       ? fmt::format("{} promotes and wins {}", san, won)
                       : fmt::format("{} promotes the pawn by force", san);
        case Motif::Material:
            return fmt::format("{} wins {}", line_text(from, reason.line, 5), won);
        case Motif::Stalemate:
        case Motif::Repetition: break;
    }
    return san;
}

}  // namespace

std::string reason_text(const Position& before, Move played, const Reason& reason) {
    const std::string move = to_san(before, played);
    if (reason.motif == Motif::Stalemate) return move + " is stalemate: the game is drawn.";
    if (reason.motif == Motif::Repetition)
        return move + " repeats the position: the game is drawn.";
    Position from = before;
    if (reason.kind == ReasonKind::Allows) from.play(played);
    const std::string san = to_san(from, reason.line.front());
    const std::string what = deed(from, reason, san);
    return reason.kind == ReasonKind::Allows ? fmt::format("After {}, {}.", move, what)
                                             : fmt::format("Missed: {}.", what);
}

std::string_view judgement_mark(Judgement judgement) {
    switch (judgement) {
        case Judgement::Blunder: return "??";
        case Judgement::Mistake: return "?";
        case Judgement::Inaccuracy: return "?!";
        case Judgement::Great: return "!";
        default: return "";
    }
}

std::uint8_t judgement_glyph(Judgement judgement) {
    switch (judgement) {
        case Judgement::Blunder: return 4;
        case Judgement::Mistake: return 2;
        case Judgement::Inaccuracy: return 6;
        case Judgement::Great: return 1;
        default: return 0;
    }
}

std::string score_text(engine::Score white) {
    if (white.is_mate()) {
        const int moves = white.moves_to_mate();
        return moves < 0 ? fmt::format("-#{}", -moves) : fmt::format("#{}", moves);
    }
    return fmt::format("{:+.2f}", white.centipawns() / 100.0);
}

std::string line_text(Position position, const std::vector<Move>& line, std::size_t most) {
    std::string text;
    for (std::size_t i = 0; i < line.size() && i < most; ++i) {
        const bool white = position.turn() == Color::White;
        if (i > 0) text += ' ';
        if (white)
            text += fmt::format("{}. ", position.fullmove_number());
        else if (i == 0)
            text += fmt::format("{}... ", position.fullmove_number());
        text += to_san(position, line[i]);
        position.play(line[i]);
    }
    return text;
}

}  // namespace rokada::cli
