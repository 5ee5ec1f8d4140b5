// SPDX-License-Identifier: GPL-3.0-or-later
#include "review/motifs.hpp"

#include <algorithm>

#include "chess/movegen.hpp"
#include "review/material.hpp"
#include "review/proof.hpp"

namespace rokada::review {

namespace {

constexpr int kKingWorth = 99;

int worth(PieceType type) { return type == PieceType::King ? kKingWorth : points(type); }
int worth(Piece piece) { return worth(type_of(piece)); }

bool is_slider(PieceType type) {
    return type == PieceType::Bishop || type == PieceType::Rook || type == PieceType::Queen;
}

// All squares a piece attacks from where it stands.
Bitboard reach(const Position& position, Square square, Bitboard occupied) {
    const Piece piece = position.at(square);
    if (type_of(piece) == PieceType::Pawn) return pawn_attacks(color_of(piece), square);
    return piece_attacks(type_of(piece), square, occupied);
}
Bitboard reach(const Position& position, Square square) {
    return reach(position, square, position.occupied());
}

// No piece of its side attacks the square, also not through another of its own that would take first.
bool is_unguarded(const Position& position, Square square) {
    const Color owner = color_of(position.at(square));
    if ((position.attackers_to(square, position.occupied()) & position.pieces(owner)).any())
        return false;
    // A slider of the owner behind the attacker guards as soon as the attacker has taken.
    Bitboard attackers =
        position.attackers_to(square, position.occupied()) & position.pieces(~owner);
    for (const Square from : attackers) {
        const Bitboard without = position.occupied().without(Bitboard{from});
        if ((position.attackers_to(square, without) & position.pieces(owner)).any()) return false;
    }
    return true;
}

// Whether the piece there is attacked, and unguarded or by one worth less.
bool is_loose(const Position& position, Square square) {
    const Piece piece = position.at(square);
    const Bitboard attackers =
        position.attackers_to(square, position.occupied()) & position.pieces(~color_of(piece));
    if (attackers.empty()) return false;
    if (is_unguarded(position, square)) return true;
    for (const Square from : attackers)
        if (worth(position.at(from)) < worth(piece)) return true;
    return false;
}

// Whether the side to move, by that capture, has the gain in hand: nothing is won back afterwards.
bool keeps(const Position& position, Move capture, int needed) {
    const int wanted = needed - balance(position, position.turn());
    return gain_proof(position, capture, wanted, 1).verdict == Verdict::Proved;
}

class Namer {
  public:
    Namer(const Gain& gain, Reason& reason)
        : gain_(gain),
          reason_(reason),
          us_(gain.position.turn()),
          move_(gain.line.front()),
          needed_(balance(gain.position, us_) + gain.points),
          after_(gain.position) {
        after_.play(move_);
        stands_ = move_.is_castling() ? Square::None : move_.to();
    }

    void run() {
        reason_.motif = Motif::Material;
        if (promotion() || hanging() || pinned_guard() || removed_defender()) return;
        // What is won by taking at once needs no pattern that wins it later.
        if (keeps(at(), move_, needed_)) {
            capture();
            return;
        }
        if (skewer() || fork() || discovered() || trapped() || pin()) return;
    }

  private:
    const Position& at() const { return gain_.position; }

    NamedPiece moved() const { return {after_.at(stands_), stands_}; }

    // For every reply there is a capture that `good` accepts and that keeps the gain.
    template <class Good>
    bool every_reply(Good good, bool must_exist = true) const {
        const MoveList replies = legal_moves(after_);
        if (replies.empty()) return !must_exist;
        for (const Move reply : replies) {
            Position next = after_;
            next.play(reply);
            bool answered = false;
            for (const Move answer : legal_moves(next)) {
                if (!good(next, reply, answer) || !keeps(next, answer, needed_)) continue;
                answered = true;
                break;
            }
            if (!answered) return false;
        }
        return true;
    }

    bool name(Motif motif, NamedPiece actor, NamedPiece target, NamedPiece other = {}) {
        reason_.motif = motif;
        reason_.actor = actor;
        reason_.target = target;
        reason_.other = other;
        return true;
    }

    bool promotion() {
        if (move_.is_promotion()) {
            if (gain_.points < points(move_.promoted()) - 1) return false;
            return name(Motif::Promotion, {make_piece(us_, PieceType::Pawn), move_.from()}, {});
        }
        if (stands_ == Square::None || type_of(after_.at(stands_)) != PieceType::Pawn) return false;
        const bool forced = every_reply([&](const Position&, Move, Move answer) {
            return answer.from() == stands_ && answer.is_promotion();
        });
        return forced && name(Motif::Promotion, moved(), {});
    }

    bool hanging() {
        const Piece taken = at().captured(move_);
        if (taken == Piece::None || move_.is_en_passant()) return false;
        const PieceType type = type_of(taken);
        if (type == PieceType::Pawn || gain_.points < points(type)) return false;
        if (!is_unguarded(at(), move_.to()) || just_traded(type)) return false;
        if (!keeps(at(), move_, balance(at(), us_) + points(type))) return false;
        return name(Motif::HangingPiece, moved(), {taken, move_.to()});
    }

    // What stands there has only just taken something worth as much.
    bool just_traded(PieceType type) const {
        if (gain_.before == nullptr) return false;
        const Piece there = gain_.before->at(move_.to());
        return there != Piece::None && color_of(there) == us_ && worth(there) >= worth(type);
    }

    bool pinned_guard() {
        const Piece taken = at().captured(move_);
        if (taken == Piece::None || move_.is_en_passant() || stands_ == Square::None) return false;
        if (gain_.points < std::max(2, worth(taken))) return false;
        if (!keeps(at(), move_, balance(at(), us_) + worth(taken))) return false;
        for (const Move reply : legal_moves(after_))
            if (reply.to() == stands_ && !reply.is_castling()) return false;
        if (after_.in_check()) return false;
        // The men that would take back if they could. One of them must be pinned, and no other may look there.
        const Bitboard guards = after_.attackers_to(stands_, after_.occupied()) &
                                after_.pieces(~us_).without(after_.pieces(PieceType::King));
        if (!guards.single() || !after_.pinned().contains(guards.first())) return false;
        const Square guard = guards.first();
        const Square king = after_.king(~us_);
        const Square slider = pinner(king, guard);
        if (slider == Square::None || slider == stands_) return false;
        // Taking back must be worth it.
        const bool supported =
            (after_.attackers_to(stands_, after_.occupied()) & after_.pieces(us_)).any();
        if (supported && worth(after_.at(stands_)) <= worth(after_.at(guard))) return false;
        return name(Motif::PinnedGuard, {after_.at(slider), slider}, {taken, move_.to()},
                    {after_.at(guard), guard});
    }

    // The piece of ours that pins theirs on `square` to their king.
    Square pinner(Square king, Square square) const {
        const Bitboard line = line_through(king, square);
        for (const Square from : after_.pieces(us_) & line) {
            if (!is_slider(type_of(after_.at(from)))) continue;
            const Bitboard middle = between(king, from);
            if (!middle.contains(square)) continue;
            if ((middle & after_.occupied()) != Bitboard{square}) continue;
            if (reach(after_, from).contains(square)) return from;
        }
        return Square::None;
    }

    bool removed_defender() {
        const Piece guard = at().captured(move_);
        const std::vector<Move>& line = gain_.line.size() < 3 ? gain_.expected : gain_.line;
        if (guard == Piece::None || move_.is_en_passant() || line.size() < 3) return false;
        if (at().in_check()) return false;
        const Move last = line[2];
        const Square square = last.to();
        if (square == move_.to() || last.is_castling() || last.from() == stands_) return false;
        const Piece victim = at().at(square);
        if (victim == Piece::None || color_of(victim) == us_) return false;
        if (line[1].to() == square || type_of(victim) == PieceType::Pawn) return false;
        if (!reach(at(), move_.to()).contains(square)) return false;
        if (after_.in_check() || legal_swap(at(), square) >= gain_.points) return false;
        // Before the last capture nobody guards it any more.
        Position next = after_;
        next.play(line[1]);
        if (next.at(square) != victim || !is_unguarded(next, square)) return false;
        if (worth(at().at(last.from())) < worth(victim)) return false;
        if (legal_swap(at(), move_.to()) >= gain_.points) return false;
        // Whatever they reply: taking back gives up what was guarded, anything else the guard itself.
        for (const Move reply : legal_moves(after_)) {
            Position now = after_;
            now.play(reply);
            bool holds = false;
            if (reply.to() == stands_) {
                for (const Move answer : legal_moves(now))
                    holds = holds || (answer.to() == square && keeps(now, answer, needed_));
            } else {
                const auto settled = settled_balance(now);
                holds = settled && *settled >= needed_;
            }
            if (!holds) return false;
        }
        return name(Motif::RemovedDefender, moved(), {guard, move_.to()}, {victim, square});
    }

    bool fork() {
        if (stands_ == Square::None) return false;
        const Piece forker = after_.at(stands_);
        if (type_of(forker) == PieceType::King || gain_.points < 2) return false;
        // A forker that could be taken but for a pin is a longer story than a fork.
        if (is_loose(after_, stands_)) return false;
        std::vector<Square> targets;
        const Bitboard hits = reach(after_, stands_) & after_.pieces(~us_);
        for (const Square square : hits) {
            const Piece piece = after_.at(square);
            if (type_of(piece) == PieceType::Pawn) continue;
            const bool free =
                is_unguarded(after_, square) && !reach(after_, square).contains(stands_);
            if (worth(piece) > worth(forker) || free) targets.push_back(square);
        }
        if (targets.size() < 2) return false;
        std::stable_sort(targets.begin(), targets.end(), [&](Square a, Square b) {
            return worth(after_.at(a)) > worth(after_.at(b));
        });
        // Every reply loses something to the forker, and neither of the two named stands there for show.
        Bitboard taken;
        const bool forced = every_reply([&](const Position& next, Move reply, Move answer) {
            if (answer.from() != stands_ || !next.is_capture(answer)) return false;
            // A target that went elsewhere and is taken there was hit all the same.
            const Square was = answer.to() == reply.to() ? reply.from() : answer.to();
            if (std::find(targets.begin(), targets.end(), was) == targets.end()) return false;
            if (keeps(next, answer, needed_)) taken |= Bitboard{was};
            return true;
        });
        if (!forced) return false;
        std::vector<Square> real;
        for (const Square square : targets)
            if (type_of(after_.at(square)) == PieceType::King || taken.contains(square))
                real.push_back(square);
        if (real.size() < 2) return false;
        return name(Motif::Fork, moved(), {after_.at(real[0]), real[0]},
                    {after_.at(real[1]), real[1]});
    }

    bool skewer() {
        if (stands_ == Square::None || gain_.points < 2) return false;
        const Piece slider = after_.at(stands_);
        if (!is_slider(type_of(slider))) return false;
        for (const Square front : reach(after_, stands_) & after_.pieces(~us_)) {
            const Bitboard behind =
                reach(after_, stands_, after_.occupied().without(Bitboard{front})) &
                line_through(stands_, front) & after_.pieces(~us_);
            for (const Square rear : behind.without(reach(after_, stands_))) {
                const Piece first = after_.at(front), second = after_.at(rear);
                if (worth(first) <= worth(second) || type_of(second) == PieceType::Pawn) continue;
                // The best defence, too, must be to step aside and leave what is behind.
                const std::vector<Move>& line = gain_.expected;
                if (line.size() > 2 && (line[1].from() != front || line[2].to() != rear)) continue;
                // What is behind falls for good: guarded and worth no more, it would be a trade.
                if (line.size() > 2) {
                    Position aside = after_;
                    aside.play(line[1]);
                    if (!is_loose(aside, rear)) continue;
                }
                bool rear_falls = false;
                const bool forced = every_reply([&](const Position& next, Move reply, Move answer) {
                    if (answer.from() != stands_ || !next.is_capture(answer)) return false;
                    if (answer.to() == rear && reply.from() == front && is_loose(next, rear) &&
                        keeps(next, answer, needed_))
                        rear_falls = true;
                    return answer.to() == rear || answer.to() == front ||
                           (answer.to() == reply.to() && reply.from() != rear);
                });
                if (forced && rear_falls)
                    return name(Motif::Skewer, moved(), {first, front}, {second, rear});
            }
        }
        return false;
    }

    bool discovered() {
        if (move_.is_castling() || gain_.points < 2) return false;
        for (const Square slider : after_.pieces(us_)) {
            if (slider == stands_ || !is_slider(type_of(after_.at(slider)))) continue;
            const Bitboard fresh =
                reach(after_, slider).without(reach(at(), slider)) & after_.pieces(~us_);
            for (const Square target : fresh) {
                if (target == stands_ || !between(slider, target).contains(move_.from())) continue;
                const Piece piece = after_.at(target);
                if (type_of(piece) == PieceType::Pawn) continue;
                const bool check = type_of(piece) == PieceType::King;
                bool unveiled = false;
                const bool forced = every_reply([&](const Position& next, Move reply, Move answer) {
                    if (!next.is_capture(answer)) return false;
                    if (check) return answer.from() == stands_ || answer.from() == slider;
                    if (answer.from() == slider && answer.to() == target) {
                        if (reply.to() != target && keeps(next, answer, needed_)) unveiled = true;
                        return true;
                    }
                    return answer.from() == stands_;
                });
                if (forced && (check || unveiled))
                    return name(Motif::DiscoveredAttack, {after_.at(slider), slider},
                                {piece, target}, moved());
            }
        }
        return false;
    }

    // The piece of theirs the shown line ends up taking, where it stands after the first move.
    Square fallen() const {
        if (gain_.line.size() < 3 || gain_.line[2].is_castling()) return Square::None;
        const Square square =
            gain_.line[1].to() == gain_.line[2].to() ? gain_.line[1].from() : gain_.line[2].to();
        const Piece piece = after_.at(square);
        if (piece == Piece::None || color_of(piece) == us_) return Square::None;
        return square;
    }

    bool trapped() {
        const Square square = fallen();
        if (square == Square::None || gain_.points < 2 || after_.in_check()) return false;
        const Piece piece = after_.at(square);
        if (worth(piece) < 3 || type_of(piece) == PieceType::King) return false;
        if (after_.pinned().contains(square)) return false;
        // It is lost where it stands, and on every square it can reach; it has to have somewhere to try.
        Position stays = after_;
        stays.pass();
        if (legal_swap(stays, square) < 2) return false;
        int tries = 0;
        for (const Move move : legal_moves(after_)) {
            if (move.from() != square || move.is_castling()) continue;
            ++tries;
            const Piece taken = after_.captured(move);
            const int got = taken == Piece::None ? 0 : worth(taken);
            if (got >= worth(piece)) return false;
            Position next = after_;
            next.play(move);
            if (legal_swap(next, move.to()) - got < 2) return false;
        }
        const bool forced =
            tries > 0 && every_reply([&](const Position& next, Move reply, Move answer) {
                if (!next.is_capture(answer)) return false;
                return answer.to() == (reply.from() == square ? reply.to() : square);
            });
        return forced && name(Motif::TrappedPiece, moved(), {piece, square});
    }

    bool pin() {
        const Square square = fallen();
        if (square == Square::None || gain_.points < 2) return false;
        if (!after_.pinned().contains(square) || after_.in_check()) return false;
        const Square king = after_.king(~us_);
        const Square slider = pinner(king, square);
        if (slider == Square::None) return false;
        const Piece piece = after_.at(square);
        if (type_of(piece) == PieceType::Pawn) return false;
        // The pin must be what keeps it there, and what attacks it must gain by it.
        if (!reach(after_, square).without(line_through(king, square) | after_.pieces(~us_)).any())
            return false;
        const bool free = is_unguarded(after_, square) && !reach(after_, square).contains(slider);
        if (worth(piece) <= worth(after_.at(slider)) && !free) return false;
        const bool forced = every_reply([&](const Position& next, Move reply, Move answer) {
            return next.is_capture(answer) &&
                   answer.to() == (reply.from() == square ? reply.to() : square);
        });
        return forced && name(Motif::Pin, {after_.at(slider), slider}, {piece, square},
                              {after_.at(king), king});
    }

    bool capture() {
        const Piece taken = at().captured(move_);
        if (taken == Piece::None || stands_ == Square::None) return false;
        // On that square alone; what needs captures elsewhere is told as a line.
        if (legal_swap(at(), move_.to()) < gain_.points) return false;
        const Square square = move_.is_en_passant()
                                  ? make_square(file_of(move_.to()), rank_of(move_.from()))
                                  : move_.to();
        return name(Motif::Capture, moved(), {taken, square});
    }

    const Gain& gain_;
    Reason& reason_;
    Color us_;
    Move move_;
    int needed_;
    Position after_;
    Square stands_ = Square::None;
};

}  // namespace

void name_motif(const Gain& gain, Reason& reason) { Namer(gain, reason).run(); }

bool is_back_rank_mate(const Position& position) {
    if (!position.in_check() || has_legal_move(position)) return false;
    const Color side = position.turn();
    const Square king = position.king(side);
    const Bitboard home{relative(side, Rank::R1)};
    if (!home.contains(king) || !position.checkers().single()) return false;
    const Square checker = position.checkers().first();
    const PieceType type = type_of(position.at(checker));
    if (type != PieceType::Rook && type != PieceType::Queen) return false;
    if (!home.contains(checker)) return false;
    // In front of the king stand its own men, and no one else takes these squares away.
    const Bitboard front = king_attacks(king) & Bitboard{relative(side, Rank::R2)};
    if (front.without(position.pieces(side)).any()) return false;
    for (const Square square : front)
        if (position.attacked_by(~side, square, position.occupied())) return false;
    return true;
}

bool forces_back_rank_mate(const Position& position, Move first, int moves) {
    Position after = position;
    after.play(first);
    if (moves == 1) return is_back_rank_mate(after);
    const MoveList replies = legal_moves(after);
    if (replies.empty()) return is_back_rank_mate(after);
    if (!after.in_check()) return false;
    for (const Move reply : replies) {
        Position next = after;
        next.play(reply);
        bool found = false;
        for (const Move answer : legal_moves(next))
            if (forces_back_rank_mate(next, answer, moves - 1)) {
                found = true;
                break;
            }
        if (!found) return false;
    }
    return true;
}

}  // namespace rokada::review
