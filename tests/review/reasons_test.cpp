// SPDX-License-Identifier: GPL-3.0-or-later
// Reasons must be true. Every one found in real games and puzzles is put to the independent checker, which must not find fault with any;
// and most blunders must get one. The long form looks at 500 blunders of games, the short one at a few.
#include "review/reasons.hpp"

#include <cstdio>
#include <cstdlib>
#include <map>

#include <gtest/gtest.h>

#include "chess/notation/pgn_game_reader.hpp"
#include "chess/notation/san.hpp"
#include "review/reviewer.hpp"
#include "tests/review/checker.hpp"
#include "tests/review/puzzles.hpp"

namespace rokada::review {
namespace {

using testing_support::complaint;
using testing_support::Puzzle;

bool is_long() { return std::getenv("ROKADA_LONG") != nullptr; }
bool shows() { return std::getenv("ROKADA_SHOW") != nullptr; }

std::string code(const Reason& reason) {
    return std::string(to_string(reason.kind)) + '-' + std::string(to_string(reason.motif));
}

std::string describe(const Position& before, Move played, const Reason& reason) {
    std::string text = to_fen(before) + ' ' + to_san(before, played) + ": " + code(reason) +
                       ", points " + std::to_string(reason.points) + ", " +
                       std::string(to_string(reason.amount)) + ", mate " +
                       std::to_string(reason.mate_in) + ", line";
    Position position = before;
    if (reason.kind == ReasonKind::Allows) position.play(played);
    for (const Move move : reason.line) {
        text += ' ' + to_san(position, move);
        position.play(move);
    }
    for (const NamedPiece named : {reason.actor, reason.target, reason.other})
        if (named)
            text += std::string(", ") + to_char(named.piece) + rokada::to_string(named.square);
    return text;
}

TEST(Reasons, OfPuzzlesAreTrue) {
    const auto puzzles = testing_support::read_puzzles(is_long() ? 4 : 80);
    if (puzzles.empty()) GTEST_SKIP() << "no puzzles here";
    int found = 0;
    for (const Puzzle& puzzle : puzzles) {
        const Position& position = puzzle.positions[1];
        const std::vector<Move> line(puzzle.moves.begin() + 1, puzzle.moves.end());
        auto reason = puzzle.has("mate") ? find_mate(position, 4, 200'000)
                                         : find_gain(position, line, &puzzle.positions[0], 200'000);
        if (!reason) continue;
        ++found;
        // The proof counts from the position of the first move; so does a missed chance.
        reason->kind = ReasonKind::Misses;
        const std::string wrong = complaint(position, line.front(), *reason);
        EXPECT_EQ(wrong, "") << puzzle.id << ' ' << describe(position, line.front(), *reason);
    }
    std::printf("%d reasons in %zu puzzles\n", found, puzzles.size());
    EXPECT_GT(found * 10, static_cast<int>(puzzles.size()) * 6);
}

TEST(Reasons, OfBlundersInGamesAreTrueAndFrequent) {
    const auto folder = testing_support::shared_data("pgn");
    if (folder.empty()) GTEST_SKIP() << "no games here";
    const std::string text = testing_support::read_file(folder / "lichess_db_1000k.pgn");
    StringSource source(text);
    PgnGameReader reader(source);
    Budget budget;
    budget.nodes = 10'000;
    EngineAnalyst analyst(budget);
    const int wanted = is_long() ? 500 : 20;
    int games = 0, blunders = 0, explained = 0, reasons = 0;
    std::map<std::string, int> codes;
    while (blunders < wanted) {
        const auto pgn = reader.next();
        if (!pgn) break;
        Game game(pgn->start(), DrawRule::Claim);
        for (const PgnGame::Node node : pgn->main_line())
            if (!game.play(pgn->move(node))) break;
        const auto review = review_game(game, analyst);
        ASSERT_TRUE(review);
        ++games;
        for (std::size_t ply = 0; ply < review->moves.size(); ++ply) {
            const ReviewedMove& judged = review->moves[ply];
            const Position& before = game.position_after(ply);
            if (judged.judgement == Judgement::Blunder) {
                ++blunders;
                if (!judged.reasons.empty()) ++explained;
            }
            for (const Reason& reason : judged.reasons) {
                ++reasons;
                ++codes[code(reason)];
                const std::string wrong = complaint(before, judged.move, reason);
                EXPECT_EQ(wrong, "") << describe(before, judged.move, reason);
                if (shows()) std::printf("%s\n", describe(before, judged.move, reason).c_str());
            }
            if (shows() && judged.judgement == Judgement::Blunder && judged.reasons.empty()) {
                std::printf("silent: %s %s loss %.0f; better", to_fen(before).c_str(),
                            to_san(before, judged.move).c_str(), judged.loss);
                Position position = before;
                for (const Move move : judged.better) {
                    std::printf(" %s", to_san(position, move).c_str());
                    position.play(move);
                }
                std::printf("; then");
                position = game.position_after(ply + 1);
                for (const Move move : judged.refutation) {
                    std::printf(" %s", to_san(position, move).c_str());
                    position.play(move);
                }
                std::printf("\n");
            }
        }
    }
    std::printf("%d games, %d blunders, %d explained (%.1f %%), %d reasons\n", games, blunders,
                explained, 100.0 * explained / std::max(1, blunders), reasons);
    for (const auto& [name, count] : codes) std::printf("  %-28s %d\n", name.c_str(), count);
    // A few blunders may happen to be deep ones.
    EXPECT_GE(explained * 10, blunders * (is_long() ? 6 : 3));
}

}  // namespace
}  // namespace rokada::review
