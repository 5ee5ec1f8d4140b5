// SPDX-License-Identifier: GPL-3.0-or-later
#include "lab/levels/conduct.hpp"

#include <algorithm>

#include "chess/attacks.hpp"
#include "chess/movegen.hpp"
#include "engine/search/see.hpp"

namespace rokada::lab {

namespace {

using engine::exchange_reaches;
using engine::exchange_value;

constexpr int kPiece = 300;          // centipawns
constexpr int kMostLoss = 1000;      // one blunder counts as one
constexpr std::size_t kPlies = 200;  // a game that goes on after that tells nothing new

bool is_minor_or_pawn(PieceType type) {
    return type == PieceType::Pawn || type == PieceType::Knight || type == PieceType::Bishop;
}

bool queen_in_danger(const Position& position) {
    const Color us = position.turn();
    for (const Square queen : position.pieces(us, PieceType::Queen))
        for (const Square s :
             position.attackers_to(queen, position.occupied()) & position.pieces(~us))
            if (is_minor_or_pawn(type_of(position.at(s)))) return true;
    return false;
}

void count(Conduct& conduct, int worth, int loss) {
    if (std::abs(worth) <= 300) {
        ++conduct.moves;
        conduct.loss += static_cast<std::uint64_t>(loss);
        const auto share = std::find_if(Conduct::kBounds.begin(), Conduct::kBounds.end(),
                                        [&](int bound) { return loss <= bound; });
        ++conduct.shares[static_cast<std::size_t>(share - Conduct::kBounds.begin())];
    }
    if (std::abs(worth) <= 100) {
        ++conduct.level_moves;
        conduct.level_loss += static_cast<std::uint64_t>(loss);
    }
    if (worth <= -300 && worth >= -600) {
        ++conduct.behind_moves;
        conduct.behind_loss += static_cast<std::uint64_t>(loss);
    }
}

}  // namespace

void Conduct::add(const Conduct& other) {
    games += other.games;
    moves += other.moves;
    loss += other.loss;
    for (std::size_t i = 0; i < shares.size(); ++i) shares[i] += other.shares[i];
    level_moves += other.level_moves;
    level_loss += other.level_loss;
    behind_moves += other.behind_moves;
    behind_loss += other.behind_loss;
    trivial += other.trivial;
    trivial_missed += other.trivial_missed;
    all_moves += other.all_moves;
    queens_given += other.queens_given;
}

bool is_trivial(const Position& before_last, Move last, const Position& position) {
    const bool queen_hit = queen_in_danger(position);
    const bool lost_piece = !last.none() && exchange_value(before_last.captured(last)) >= kPiece;
    for (const Move move : legal_moves(position)) {
        const bool takes = position.is_capture(move);
        if (takes && exchange_reaches(position, move, kPiece)) return true;
        if (takes && lost_piece && move.to() == last.to() && exchange_reaches(position, move, 0))
            return true;
        if (queen_hit && type_of(position.at(move.from())) == PieceType::Queen &&
            exchange_reaches(position, move, 0))
            return true;
    }
    return false;
}

bool gives_queen(const Position& before, Move move) {
    const Color us = before.turn();
    for (const Square queen : before.pieces(us, PieceType::Queen))
        if ((before.attackers_to(queen, before.occupied()) & before.pieces(~us)).any())
            return false;
    Position after = before;
    after.play(move);
    const int gained = exchange_value(before.captured(move));
    const int rook = exchange_value(PieceType::Rook);
    for (const Move reply : legal_moves(after)) {
        if (type_of(after.captured(reply)) != PieceType::Queen) continue;
        const int given = exchange_value(PieceType::Queen) - rook;
        if (exchange_reaches(after, reply, given + gained + 1)) return true;
    }
    return false;
}

Conduct play_and_judge(LevelPlayer& player, Judge& judge, std::uint64_t seed) {
    Conduct conduct;
    conduct.games = 1;
    Game game;
    std::vector<Move> moves;
    Judge::Verdict now = judge.of(game.start(), moves);
    while (!game.over() && moves.size() < kPlies) {
        const Position before = game.position();
        const Move move = player.answer(2 * seed + static_cast<std::uint64_t>(index(before.turn())),
                                        game.start(), moves);
        if (!game.play(move)) break;
        moves.push_back(move);
        Judge::Verdict next;
        if (!game.over())
            next = judge.of(game.start(), moves);
        else if (game.outcome()->winner)
            next.worth = -Judge::kDecided;  // mated
        const int loss = move == now.best ? 0 : std::clamp(now.worth + next.worth, 0, kMostLoss);
        count(conduct, now.worth, loss);
        ++conduct.all_moves;
        if (gives_queen(before, move)) ++conduct.queens_given;
        const std::size_t plies = moves.size();
        const bool trivial =
            plies >= 2 && is_trivial(game.position_after(plies - 2), moves[plies - 2], before);
        conduct.trivial += trivial ? 1 : 0;
        conduct.trivial_missed += trivial && loss >= kPiece ? 1 : 0;
        now = next;
    }
    return conduct;
}

}  // namespace rokada::lab
