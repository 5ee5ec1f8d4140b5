// SPDX-License-Identifier: GPL-3.0-or-later
// The motif detectors against the published themes of thousands of puzzles: what they name must be there. Prints precision
// and recall of each.
#include <cstdio>
#include <cstdlib>
#include <map>

#include <gtest/gtest.h>

#include "review/reasons.hpp"
#include "tests/review/puzzles.hpp"

namespace rokada::review {
namespace {

using testing_support::Puzzle;

struct Tally {
    int named = 0, right = 0, themed = 0, found = 0;
};

// The theme a motif corresponds to; none for motifs that have no theme of their own.
const char* theme_of(Motif motif) {
    switch (motif) {
        case Motif::HangingPiece: return "hangingPiece";
        case Motif::Fork: return "fork";
        case Motif::Pin:
        case Motif::PinnedGuard: return "pin";
        case Motif::Skewer: return "skewer";
        case Motif::DiscoveredAttack: return "discoveredAttack";
        case Motif::TrappedPiece: return "trappedPiece";
        case Motif::RemovedDefender: return "capturingDefender";
        case Motif::BackRankMate: return "backRankMate";
        case Motif::Promotion: return "promotion";
        case Motif::Mate: return "mate";
        default: return nullptr;
    }
}

std::string words(const std::vector<Move>& line) {
    std::string text = "|";
    for (const Move move : line) text += ' ' + to_uci(move);
    return text;
}

bool needs_sequel(Motif motif) {
    return motif != Motif::HangingPiece && motif != Motif::Mate && motif != Motif::BackRankMate;
}

TEST(Motifs, AgreeWithTheThemesOfPuzzles) {
    const bool complete = std::getenv("ROKADA_LONG") != nullptr;
    const auto puzzles = testing_support::read_puzzles(complete ? 1 : 40);
    if (puzzles.empty()) GTEST_SKIP() << "no puzzles here";
    const bool shows = std::getenv("ROKADA_SHOW") != nullptr;
    std::map<std::string, Tally> by_motif;
    std::map<std::string, Tally> by_theme;
    int wrong_lengths = 0;
    for (const Puzzle& puzzle : puzzles) {
        std::map<std::string, bool> themes_named;
        for (std::size_t ply = 1; ply < puzzle.moves.size(); ply += 2) {
            const Position& position = puzzle.positions[ply];
            const std::vector<Move> line(puzzle.moves.begin() + static_cast<std::ptrdiff_t>(ply),
                                         puzzle.moves.end());
            std::optional<Reason> reason;
            if (puzzle.has("mate")) {
                const int moves = static_cast<int>(line.size() + 1) / 2;
                if (moves > 5) continue;
                reason = find_mate(position, moves, 200'000);
                if (reason && reason->exact && reason->mate_in > moves) ++wrong_lengths;
            } else {
                reason = find_gain(position, line, &puzzle.positions[ply - 1], 200'000);
            }
            if (!reason) continue;
            const char* theme = theme_of(reason->motif);
            // That theme speaks of what the mistake left behind, not of what falls later.
            if (reason->motif == Motif::HangingPiece && ply > 1) continue;
            // Themes of several moves are not given for the last one: nothing follows that would show them.
            if (needs_sequel(reason->motif) && ply + 1 >= puzzle.moves.size()) continue;
            Tally& tally = by_motif[std::string(to_string(reason->motif))];
            ++tally.named;
            if (theme == nullptr) continue;
            themes_named[theme] = true;
            const bool right =
                puzzle.has(theme) || (reason->motif == Motif::DiscoveredAttack &&
                                      (puzzle.has("discoveredCheck") || puzzle.has("doubleCheck")));
            if (right)
                ++tally.right;
            else if (shows)
                std::printf("%s %s at ply %zu, points %d: %s %s %s\n", puzzle.id.c_str(),
                            std::string(to_string(reason->motif)).c_str(), ply, reason->points,
                            to_fen(position).c_str(), words(line).c_str(),
                            words(reason->line).c_str());
        }
        for (const std::string& theme : puzzle.themes) {
            ++by_theme[theme].themed;
            if (themes_named.count(theme) != 0) ++by_theme[theme].found;
        }
    }
    std::printf("%zu puzzles\n", puzzles.size());
    for (const auto& [motif, tally] : by_motif) {
        Motif code = Motif::Material;
        for (std::size_t i = 0; i < kMotifs; ++i)
            if (to_string(static_cast<Motif>(i)) == motif) code = static_cast<Motif>(i);
        const char* theme = theme_of(code);
        if (theme == nullptr) {
            std::printf("%-18s named %5d (no theme)\n", motif.c_str(), tally.named);
            continue;
        }
        const Tally& themed = by_theme[theme];
        std::printf("%-18s named %5d, precision %5.1f %%; theme %-18s %5d, recall %5.1f %%\n",
                    motif.c_str(), tally.named, 100.0 * tally.right / tally.named, theme,
                    themed.themed, 100.0 * themed.found / std::max(1, themed.themed));
        // Small samples get the room of a few.
        EXPECT_GE((tally.right + (complete ? 0 : 2)) * 100, tally.named * 95) << motif;
    }
    EXPECT_EQ(wrong_lengths, 0);
}

}  // namespace
}  // namespace rokada::review
