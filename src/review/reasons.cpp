// SPDX-License-Identifier: GPL-3.0-or-later
#include "review/reasons.hpp"

#include <algorithm>

#include "chess/movegen.hpp"
#include "review/material.hpp"
#include "review/metrics.hpp"
#include "review/motifs.hpp"
#include "review/proof.hpp"

namespace rokada::review {

namespace {

constexpr int kLongestMate = 5;
constexpr int kProofPlies[] = {1, 3, 5};
constexpr std::size_t kLineLimit = 12;  // plies of an engine line that are believed

Position after_line(const Position& position, const std::vector<Move>& line,
                    std::size_t most = kLineLimit) {
    Position end = position;
    const std::size_t plies = std::min(line.size(), most);
    for (std::size_t i = 0; i < plies; ++i) end.play(line[i]);
    return end;
}

// What `side` is ahead at the quiet end of a line, played out where the line stops short.
std::optional<int> settled_for(const Position& position, const std::vector<Move>& line, Color side,
                               std::size_t most = kLineLimit) {
    const Position end = after_line(position, line, most);
    const auto value = settled_balance(end);
    if (!value) return std::nullopt;
    return end.turn() == side ? *value : -*value;
}

// A gain in the words of players: what the winner has more at the end of the line, if it is worth what was proved.
Amount amount_of(const Position& from, const Position& to, Color winner, int points_won) {
    const MaterialChange change = material_change(from, to, winner);
    const auto only_gain = [&](PieceType type) {
        if (change.gained[type] != 1) return false;
        for (const PieceType t : kPieceTypes)
            if (change.lost[t] != 0 || (t != type && change.gained[t] != 0)) return false;
        return true;
    };
    if (change.net() == points_won) {
        if (only_gain(PieceType::Pawn)) return Amount::Pawn;
        if (only_gain(PieceType::Knight) || only_gain(PieceType::Bishop)) return Amount::Piece;
        if (only_gain(PieceType::Rook)) return Amount::Rook;
        if (only_gain(PieceType::Queen)) return Amount::Queen;
        const int minors = change.lost[PieceType::Knight] + change.lost[PieceType::Bishop];
        if (points_won == 2 && change.gained[PieceType::Rook] == 1 && minors == 1)
            return Amount::Exchange;
    }
    switch (points_won) {
        case 1: return Amount::Pawn;
        case 3: return Amount::Piece;
        case 5: return Amount::Rook;
        case 9: return Amount::Queen;
        default: return Amount::Material;
    }
}

// The first move and the longest defence, down to the mate.
std::vector<Move> mate_line(const Position& position, const Mate& mate, std::uint64_t nodes) {
    std::vector<Move> line{mate.first};
    Position now = position;
    now.play(mate.first);
    for (int left = mate.moves - 1; left > 0; --left) {
        std::optional<Mate> longest;
        Move defence;
        for (const Move reply : legal_moves(now)) {
            Position next = now;
            next.play(reply);
            const auto answer = shortest_mate(next, left, nodes);
            if (!answer) return line;  // proved before, too large to show now
            if (!longest || answer->moves > longest->moves) {
                longest = answer;
                defence = reply;
            }
        }
        if (!longest) break;
        line.push_back(defence);
        line.push_back(longest->first);
        now.play(defence);
        now.play(longest->first);
        left = longest->moves;
    }
    return line;
}

bool is_stalemate(const Position& position) {
    return !position.in_check() && !has_legal_move(position);
}

bool mates(engine::Score score) { return score.is_mate() && score.moves_to_mate() > 0; }
bool is_mated(engine::Score score) { return score.is_mate() && score.moves_to_mate() <= 0; }

class Finder {
  public:
    Finder(const Game& game, std::size_t ply, const ReviewedMove& judged, std::uint64_t nodes)
        : game_(game),
          ply_(ply),
          judged_(judged),
          nodes_(nodes),
          before_(game.position_after(ply)),
          after_(game.position_after(ply + 1)),
          us_(judged.mover) {}

    std::vector<Reason> run() {
        if (ends_game()) return std::move(found_);
        if (!has_legal_move(after_)) return {};
        allows_mate();
        misses_mate();
        if (found_.empty()) {
            allows_gain();
            misses_gain();
            // The larger matter first; of equal ones what the opponent can do.
            std::stable_sort(found_.begin(), found_.end(), [](const Reason& a, const Reason& b) {
                return a.points >= b.points + 2;
            });
        }
        return std::move(found_);
    }

  private:
    bool ends_game() {
        if (judged_.win_before < 60) return false;
        Reason reason;
        reason.kind = ReasonKind::Ends;
        reason.line = {judged_.move};
        if (is_stalemate(after_)) {
            reason.motif = Motif::Stalemate;
        } else if (repeats()) {
            reason.motif = Motif::Repetition;
        } else {
            return false;
        }
        found_.push_back(reason);
        return true;
    }

    // The game ended here by the third occurrence of the position.
    bool repeats() const {
        if (ply_ + 1 != game_.plies().size()) return false;
        int times = 0;
        for (std::size_t i = 0; i <= ply_ + 1; ++i)
            if (game_.position_after(i).key() == after_.key()) ++times;
        return times >= 3;
    }

    void allows_mate() {
        if (is_mated(judged_.best)) return;  // it could not be avoided
        const bool expected = is_mated(judged_.played);
        const int longest = expected ? std::min(kLongestMate, -judged_.played.moves_to_mate()) : 0;
        if (longest == 0) return;
        if (auto reason = find_mate(after_, longest, nodes_)) {
            reason->kind = ReasonKind::Allows;
            found_.push_back(std::move(*reason));
        }
    }

    void misses_mate() {
        if (!mates(judged_.best) || mates(judged_.played)) return;
        const int longest = std::min(kLongestMate, judged_.best.moves_to_mate());
        if (auto reason = find_mate(before_, longest, nodes_)) {
            reason->kind = ReasonKind::Misses;
            found_.push_back(std::move(*reason));
        }
    }

    const Position* earlier(std::size_t plies) const {
        return plies == 0 ? nullptr : &game_.position_after(plies - 1);
    }

    void allows_gain() {
        if (judged_.refutation.empty()) return;
        auto reason = find_gain(after_, judged_.refutation, &before_, nodes_);
        if (!reason) return;
        // Told against what stood before the move, and against what the best move keeps.
        const int kept = balance(after_, us_) - reason->points;
        const int lost = balance(before_, us_) - kept;
        if (lost < 1) return;
        if (!judged_.better.empty()) {
            const auto best = settled_for(before_, judged_.better, us_, reason->line.size() + 3);
            if (!best || *best < kept + 1) return;
            // If the best move gives up most of it as well, the rest does not explain what the move costs.
            if (*best < balance(before_, us_) && (*best - kept) * 2 < lost) return;
        }
        if (lost != reason->points) {
            reason->points = lost;
            reason->amount = amount_of(before_, after_line(after_, reason->line), ~us_, lost);
        }
        reason->kind = ReasonKind::Allows;
        found_.push_back(std::move(*reason));
    }

    void misses_gain() {
        if (judged_.better.empty() || judged_.better.front() == judged_.move) return;
        auto reason = find_gain(before_, judged_.better, earlier(ply_), nodes_);
        if (!reason) return;
        // Winning it another way, or a little later, is not missing it.
        const int could = balance(before_, us_) + reason->points;
        std::vector<Move> line{judged_.move};
        line.insert(line.end(), judged_.refutation.begin(), judged_.refutation.end());
        const auto got = settled_for(before_, line, us_, reason->line.size() + 3);
        if (!got || *got > could - 1) return;
        reason->kind = ReasonKind::Misses;
        found_.push_back(std::move(*reason));
    }

    const Game& game_;
    std::size_t ply_;
    const ReviewedMove& judged_;
    std::uint64_t nodes_;
    const Position& before_;
    const Position& after_;
    Color us_;
    std::vector<Reason> found_;
};

}  // namespace

std::optional<Reason> find_mate(const Position& position, int longest, std::uint64_t proof_nodes) {
    const auto mate = shortest_mate(position, longest, proof_nodes);
    if (!mate) return std::nullopt;
    Reason reason;
    reason.motif =
        forces_back_rank_mate(position, mate->first, std::min(mate->moves, 2)) && mate->moves <= 2
            ? Motif::BackRankMate
            : Motif::Mate;
    reason.mate_in = mate->moves;
    reason.exact = mate->exact;
    reason.line = mate_line(position, *mate, proof_nodes);
    return reason;
}

std::optional<Reason> find_gain(const Position& position, const std::vector<Move>& line,
                                const Position* before, std::uint64_t proof_nodes) {
    if (line.empty()) return std::nullopt;
    const Color us = position.turn();
    // More than the line ever brings is not to be expected; less is tried until it can be proved.
    int expected = 0;
    for (std::size_t plies = 1; plies <= std::min(line.size(), kLineLimit); plies += 2) {
        const std::vector<Move> part(line.begin(),
                                     line.begin() + static_cast<std::ptrdiff_t>(plies));
        if (const auto end = settled_for(position, part, us))
            expected = std::max(expected, std::min(*end - balance(position, us), 12));
    }
    for (int points_won = expected; points_won >= 1; --points_won)
        for (const int plies : kProofPlies) {
            GainProof proof =
                gain_proof(position, line.front(), points_won, plies, proof_nodes / 4, line);
            if (proof.verdict != Verdict::Proved) continue;
            Gain gain{position, std::move(proof.line), points_won, before, line};
            Reason reason;
            name_motif(gain, reason);
            reason.points = points_won;
            reason.amount = amount_of(position, after_line(position, gain.line), us, points_won);
            reason.line = std::move(gain.line);
            return reason;
        }
    return std::nullopt;
}

std::vector<Reason> find_reasons(const Game& game, std::size_t ply, const ReviewedMove& judged,
                                 std::uint64_t proof_nodes) {
    return Finder(game, ply, judged, proof_nodes).run();
}

}  // namespace rokada::review
