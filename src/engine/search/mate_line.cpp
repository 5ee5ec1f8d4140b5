// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/search/mate_line.hpp"

#include <algorithm>
#include <cstdlib>

#include "engine/search/mate_proof.hpp"

namespace rokada::engine {

namespace {

constexpr std::uint64_t kProofNodes = 50000;  // a report must not take long

bool mated(const Position& position) { return position.in_check() && !has_legal_move(position); }

// Exactly so many moves: no fewer, or the line would not fit the score.
std::vector<Move> exact_mate(MateProof& proof, const Position& position, int moves) {
    for (int fewer = 1; fewer < moves; ++fewer)
        if (proof.prove(position, fewer) != MateProof::Answer::None) return {};
    if (proof.prove(position, moves) != MateProof::Answer::Mate) return {};
    return proof.line(position, moves);
}

// The rest of the line, `plies` long; the side to move mates if that is odd.
std::vector<Move> prove_rest(const Position& position, int plies) {
    MateProof proof(1, [](std::uint64_t nodes) { return nodes >= kProofNodes; });
    if (plies % 2 != 0) return exact_mate(proof, position, (plies + 1) / 2);
    for (const Move move : legal_moves(position)) {
        Position next = position;
        next.play(move);
        std::vector<Move> rest = exact_mate(proof, next, plies / 2);
        if (rest.empty()) continue;
        rest.insert(rest.begin(), move);
        return rest;
    }
    return {};
}

}  // namespace

bool complete_mate_line(const Position& root, Value score, const TranspositionTable& table,
                        std::vector<Move>& line) {
    const auto plies = static_cast<std::size_t>(kMate - std::abs(score));
    if (line.size() > plies) return false;
    Position position = root;
    for (const Move move : line) position.play(move);
    std::vector<Move> longer = line;
    // What the table remembers, as long as it agrees with the score.
    while (longer.size() < plies) {
        const int ply = static_cast<int>(longer.size());
        TableEntry entry;
        if (!table.probe(position.key(), ply, entry) || !entry.move ||
            !position.is_legal(entry.move) || entry.value != (ply % 2 == 0 ? score : -score))
            break;
        longer.push_back(entry.move);
        position.play(entry.move);
    }
    if (longer.size() == plies && !mated(position)) {
        longer = line;
        position = root;
        for (const Move move : line) position.play(move);
    }
    if (longer.size() < plies) {
        const auto rest = prove_rest(position, static_cast<int>(plies - longer.size()));
        if (rest.empty()) return false;
        longer.insert(longer.end(), rest.begin(), rest.end());
    } else if (!mated(position)) {
        return false;
    }
    line = std::move(longer);
    return true;
}

}  // namespace rokada::engine
