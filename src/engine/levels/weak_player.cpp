// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/levels/weak_player.hpp"

#include <algorithm>

#include "engine/levels/tables.hpp"
#include "engine/levels/weak_evaluation.hpp"
#include "engine/levels/weak_search.hpp"

namespace rokada::engine {

namespace {

constexpr int kWin = WeakSearch::kWin;
// Players of about 1500 and of about 2200 have learned these mates.
constexpr int kBishopsMateDial = 430, kKnightMateDial = 630;

bool is_mate(const Position& p) { return p.in_check() && !has_legal_move(p); }

// Whether the opponent could mate at once after the move.
bool allows_mate(const Position& p, Move m) {
    Position next = p;
    next.play(m);
    for (const Move reply : legal_moves(next)) {
        Position after = next;
        after.play(reply);
        if (is_mate(after)) return true;
    }
    return false;
}

// Moves that look odd to anybody: not played as one of several that seem equal, only as the best.
bool is_odd(const WeakGame& game, Move m) {
    const Position& p = game.position;
    const PieceType type = type_of(p.at(m.from()));
    const Square to = m.to();
    if (p.in_check() || p.is_capture(m) || m.is_castling()) return false;
    // Back to where it has just come from.
    if (game.own_last && game.own_last.from() == to && game.own_last.to() == m.from()) return true;
    if (type != PieceType::Pawn &&
        (pawn_attacks(~p.turn(), p.pieces(~p.turn(), PieceType::Pawn)).contains(to)))
        return true;
    if (p.fullmove_number() > 12) return false;
    // In the opening: a hole beside the king, giving up castling, a knight at the edge, a piece back to
    // the first rank, a rook before its pawn.
    if (type == PieceType::Pawn)
        return p.fullmove_number() <= 6 && file_of(to) == File::F &&
               relative(p.turn(), rank_of(to)) == Rank::R3;
    Position next = p;
    next.play(m);
    if (p.castling().any(p.turn()) && next.castling() != p.castling()) return true;
    const Rank rank = relative(p.turn(), rank_of(to));
    if (type == PieceType::Knight && (file_of(to) == File::A || file_of(to) == File::H))
        return true;
    if (type == PieceType::Rook && rank != Rank::R1) return true;
    return type != PieceType::Rook && rank == Rank::R1 &&
           relative(p.turn(), rank_of(m.from())) != Rank::R1;
}

// A pawn or a minor piece attacks the queen.
bool queen_attacked(const Position& p) {
    const Color us = p.turn();
    const Bitboard lesser =
        p.pieces(~us, PieceType::Knight, PieceType::Bishop) | p.pieces(~us, PieceType::Pawn);
    for (const Square queen : p.pieces(us, PieceType::Queen))
        if ((p.attackers_to(queen, p.occupied()) & lesser).any()) return true;
    return false;
}

enum Purpose : std::uint64_t {
    kOwnMate = 1,
    kPreventMate,
    kStalemate,
    kBudget,
    kChoice,
    kQueenAttacked
};

// Thinking time varies from move to move: between 0.7 and 1.4 of the usual.
int budget_for(const Position& p, const Profile& profile, const Perception& perception) {
    constexpr int factors[8] = {724, 800, 883, 975, 1076, 1188, 1311, 1448};
    return profile.nodes * factors[perception.draw(p, kBudget) & 7] / 1024;
}

}  // namespace

bool knows_mate(const Position& position, const Profile& profile) {
    switch (basic_mate(position)) {
        case BasicMate::Major: return true;
        case BasicMate::Bishops: return profile.dial >= kBishopsMateDial;
        case BasicMate::BishopAndKnight: return profile.dial >= kKnightMateDial;
        case BasicMate::None: break;
    }
    return false;
}

WeakMove choose_weak_move(const WeakGame& game, const Profile& profile, const MoveList& allowed) {
    const Position& position = game.position;
    Perception perception(profile, game.seed);
    const bool technique = knows_mate(position, profile);
    if (technique || position.fullmove_number() < 4) perception.open_eyes();
    if (queen_attacked(position) &&
        perception.lucky(position, profile.notice_queen, kQueenAttacked))
        perception.mind_the_queen();

    // Mate in one is found, or not even looked for.
    if (technique || perception.lucky(position, profile.own_mate, kOwnMate))
        for (const Move m : allowed) {
            Position next = position;
            next.play(m);
            if (is_mate(next)) return {m, kWin - 1, 0, 1, allowed.size()};
        }

    // What is seen at all; of that, what does not fail at once in a way the player would notice.
    std::vector<WeakSearch::RootMove> moves;
    for (const Move m : allowed)
        if (perception.sees(position, m, 0, game.last, game.own_last)) moves.push_back({m});
    if (moves.empty()) moves.push_back({allowed[0]});
    const auto drop = [&](auto bad) {
        std::vector<WeakSearch::RootMove> kept;
        for (const auto& root : moves)
            if (!bad(root.move)) kept.push_back(root);
        if (!kept.empty()) moves = kept;
    };
    if (perception.lucky(position, profile.prevent_mate, kPreventMate)) {
        // Knowing of the threat, the player looks at every move for a defence.
        std::vector<WeakSearch::RootMove> safe;
        for (const Move m : allowed)
            if (!allows_mate(position, m)) safe.push_back({m});
        drop([&](Move m) { return allows_mate(position, m); });
        if (!safe.empty() && allows_mate(position, moves.front().move)) moves = safe;
    }
    if (technique || perception.lucky(position, profile.avoid_stalemate, kStalemate))
        drop([&](Move m) {
            Position next = position;
            next.play(m);
            return !next.in_check() && !has_legal_move(next);
        });

    const int budget = technique ? std::max(profile.nodes, kTechniqueNodes)
                                 : budget_for(position, profile, perception);
    WeakSearch search(game, profile, perception, budget);
    // Wide enough for everything the cap may allow.
    const int depth = search.run(moves, technique ? 0 : 30 + profile.cap / 3);

    const WeakSearch::RootMove best = *std::max_element(
        moves.begin(), moves.end(), [](const auto& a, const auto& b) { return a.score < b.score; });
    WeakMove result{best.move, best.score, 0, depth, search.nodes()};
    // A mate that is seen is played, a basic technique not varied.
    if (technique || best.score > kWin - 100) return result;

    // Choose among what looks nearly equal; when lost, with half the freedom: people resist.
    const int top = win_chance(best.score);
    const int temperature = top < 1500 ? profile.temperature / 2 : profile.temperature;
    std::int64_t sum = 0;
    std::vector<std::pair<const WeakSearch::RootMove*, int>> weights;
    for (const auto& root : moves) {
        const int loss = top - win_chance(root.score);
        if (loss > profile.cap || weights.size() >= 8) continue;
        // Nor is a piece left standing because the game is decided anyway.
        if (best.score - root.score > profile.cap / 5) continue;
        if (root.move != best.move && is_odd(game, root.move)) continue;
        weights.emplace_back(&root, decay_16(loss, temperature));
        sum += weights.back().second;
    }
    if (sum <= 0) return result;
    auto pick = static_cast<std::int64_t>(perception.draw(position, kChoice) >> 2) % sum;
    for (const auto& [root, weight] : weights) {
        if ((pick -= weight) < 0) {
            result.move = root->move;
            result.score = root->score;
            result.perceived_loss = top - win_chance(root->score);
            break;
        }
    }
    return result;
}

}  // namespace rokada::engine
