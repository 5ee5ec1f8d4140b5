// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/syzygy/root_ranking.hpp"

#include <algorithm>

#include "chess/movegen.hpp"

namespace rokada::engine {

namespace {

// A sure result, then one that needs the opponent's help with the fifty-move rule, then a draw.
constexpr int kSureRank = 10000, kUnsureRank = 5000;
constexpr Value kUnsureValue = 50;  // at most: a hope, no more

struct Situation {
    int clock;      // plies since the last capture or pawn move
    bool repeated;  // the game has come back to an earlier position: time to make progress
    bool fifty_move_rule;
};

RankedMove ranked(Move move, int distance, const Situation& now) {
    RankedMove result;
    result.move = move;
    result.distance = distance;
    if (distance == 0) return result;
    const int plies = std::abs(distance);
    const bool in_time = !now.fifty_move_rule || plies + now.clock <= 99;
    int rank = 0;
    if (in_time) {
        rank = kSureRank;
        // A winner who has gone in circles takes the shortest way.
        if (distance > 0 && now.repeated) rank -= std::min(plies, 4000);
        result.value = kTablebaseWin - std::min(plies, kMaxPly);
    } else {
        rank = kUnsureRank - std::min(plies + now.clock, 4000);
        result.value = std::max(1, kUnsureValue - (plies + now.clock) / 10);
    }
    if (distance < 0) {
        rank = -rank;
        result.value = -result.value;
    }
    result.rank = rank;
    return result;
}

std::optional<int> distance_after(const Tablebases& tables, const Position& position, Move move,
                                  const std::vector<Key>& past_keys) {
    Position next = position;
    next.play(move);
    if (is_zeroing(position, move)) {
        const auto result = tables.result(next);
        if (!result) return std::nullopt;
        return distance_of_zeroing(-*result);
    }
    if (next.in_check() && !has_legal_move(next)) return 1;
    // The third time is a draw.
    if (std::count(past_keys.begin(), past_keys.end(), next.key()) >= 2) return 0;
    const auto below = tables.distance(next);
    if (!below) return std::nullopt;
    return *below > 0 ? -*below - 1 : *below < 0 ? -*below + 1 : 0;
}

RankedMove ranked_by_result(Move move, TableResult result, bool fifty_move_rule) {
    RankedMove ranked;
    ranked.move = move;
    const bool cursed = result == TableResult::CursedWin || result == TableResult::BlessedLoss;
    const int sign = result > TableResult::Draw ? 1 : result < TableResult::Draw ? -1 : 0;
    ranked.rank = sign * (cursed && fifty_move_rule ? kUnsureRank : kSureRank);
    ranked.value = value_of(result, 1, fifty_move_rule);
    return ranked;
}

}  // namespace

Value value_of(TableResult result, int ply, bool fifty_move_rule) {
    const int number = static_cast<int>(result);
    if (number == 0) return kDraw;
    // By the rule these are draws, with a shade of hope or fear.
    if (std::abs(number) == 1 && fifty_move_rule) return kDraw + 2 * number;
    return number > 0 ? kTablebaseWin - ply - 1 : ply + 1 - kTablebaseWin;
}

RootRanking rank_root_moves(const Tablebases& tables, const Position& position,
                            const std::vector<Key>& past_keys, const std::vector<Move>& moves,
                            bool fifty_move_rule) {
    RootRanking ranking;
    if (position.castling().any() || position.occupied().count() > tables.largest()) return ranking;
    std::vector<Key> seen = past_keys;
    std::sort(seen.begin(), seen.end());
    Situation now{position.halfmove_clock(), false, fifty_move_rule};
    now.repeated = std::binary_search(seen.begin(), seen.end(), position.key()) ||
                   std::adjacent_find(seen.begin(), seen.end()) != seen.end();

    ranking.by_distance = true;
    for (const Move move : moves) {
        const auto distance = distance_after(tables, position, move, past_keys);
        if (!distance) {
            ranking.by_distance = false;
            break;
        }
        ranking.moves.push_back(ranked(move, *distance, now));
    }
    if (!ranking.by_distance) {
        ranking.moves.clear();
        for (const Move move : moves) {
            Position next = position;
            next.play(move);
            const bool third = std::count(past_keys.begin(), past_keys.end(), next.key()) >= 2;
            const auto result = third ? std::optional(TableResult::Draw) : tables.result(next);
            if (!result) return {};
            ranking.moves.push_back(ranked_by_result(move, -*result, fifty_move_rule));
        }
    }
    std::stable_sort(ranking.moves.begin(), ranking.moves.end(),
                     [](const RankedMove& a, const RankedMove& b) {
                         return a.rank != b.rank ? a.rank > b.rank : a.distance < b.distance;
                     });
    return ranking;
}

}  // namespace rokada::engine
