// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/review/checker.hpp"

#include <algorithm>
#include <vector>

#include "chess/movegen.hpp"
#include "chess/notation/san.hpp"

namespace rokada::testing_support {

namespace {

using review::Motif;
using review::NamedPiece;
using review::Reason;
using review::ReasonKind;

constexpr int kWon = 500;  // more than any material

int value(PieceType type) {
    switch (type) {
        case PieceType::Pawn: return 1;
        case PieceType::Knight:
        case PieceType::Bishop: return 3;
        case PieceType::Rook: return 5;
        case PieceType::Queen: return 9;
        default: return 0;
    }
}

int material(const Position& position, Color side) {
    int sum = 0;
    for (int i = 0; i < 64; ++i) {
        const Piece piece = position.at(square_at(i));
        if (piece == Piece::None) continue;
        sum += color_of(piece) == side ? value(type_of(piece)) : -value(type_of(piece));
    }
    return sum;
}

std::vector<Move> moves_of(const Position& position) {
    std::vector<Move> moves;
    for (const Move move : legal_moves(position)) moves.push_back(move);
    return moves;
}

Position after(Position position, Move move) {
    position.play(move);
    return position;
}

bool is_mate(const Position& position) { return position.in_check() && moves_of(position).empty(); }

bool can_mate_at_once(const Position& position) {
    for (const Move move : moves_of(position))
        if (is_mate(after(position, move))) return true;
    return false;
}

// ---- mates, by trying everything

bool mates_within(const Position& position, int moves);

bool mated_within(const Position& position, int moves) {
    const auto replies = moves_of(position);
    if (replies.empty()) return position.in_check();
    if (moves == 0) return false;
    for (const Move reply : replies)
        if (!mates_within(after(position, reply), moves)) return false;
    return true;
}

bool mates_within(const Position& position, int moves) {
    auto tries = moves_of(position);
    // Order only: checks are tried first.
    std::stable_sort(tries.begin(), tries.end(), [&](Move a, Move b) {
        return after(position, a).in_check() && !after(position, b).in_check();
    });
    for (const Move move : tries) {
        const Position next = after(position, move);
        if (moves == 1 && !next.in_check()) break;
        if (mated_within(next, moves - 1)) return true;
    }
    return false;
}

// ---- material

bool is_noisy(const Position& position, Move move) {
    return position.is_capture(move) || move.is_promotion();
}

constexpr int kPlayOutDepth = 16;

// Captures, promotions and answers to checks played out to the end; anybody may stop who is not in check. The attacker may begin with checks.
int play_out(const Position& position, Color attacker, int low, int high, int depth) {
    const bool maximise = position.turn() == attacker;
    const auto moves = moves_of(position);
    if (moves.empty()) {
        if (!position.in_check()) return 0;
        return maximise ? -kWon : kWon;
    }
    const int now = material(position, attacker);
    if (depth == 0) return now;
    int best = maximise ? -kWon : kWon;
    if (!position.in_check()) {
        best = now;
        (maximise ? low : high) = maximise ? std::max(low, now) : std::min(high, now);
    }
    for (const Move move : moves) {
        if (low >= high) break;
        if (!position.in_check() && !is_noisy(position, move)) {
            const bool tries_check = maximise && depth > kPlayOutDepth - 4;
            if (!tries_check || !after(position, move).in_check()) continue;
        }
        const int result = play_out(after(position, move), attacker, low, high, depth - 1);
        best = maximise ? std::max(best, result) : std::min(best, result);
        (maximise ? low : high) = maximise ? std::max(low, best) : std::min(high, best);
    }
    return best;
}

// Whether the attacker comes to `needed` whatever the defender does. The defender tries every move; the attacker anything forcing.
class Siege {
  public:
    Siege(Color attacker, int needed) : attacker_(attacker), needed_(needed) {}

    Move defence;  // the first one found that holds

    bool holds(const Position& position, int plies) {
        return position.turn() == attacker_ ? attack(position, plies) : defend(position, plies);
    }

  private:
    bool enough(const Position& position) const {
        return play_out(position, attacker_, needed_ - 1, needed_, kPlayOutDepth) >= needed_;
    }

    bool defend(const Position& position, int plies) {
        const auto replies = moves_of(position);
        if (replies.empty()) return position.in_check() || needed_ <= 0;
        if (plies == 0) return !can_mate_at_once(position) && enough(position);
        for (const Move reply : replies)
            if (!attack(after(position, reply), plies - 1)) {
                defence = reply;
                return false;
            }
        return true;
    }

    bool attack(const Position& position, int plies) {
        const auto moves = moves_of(position);
        if (moves.empty()) return !position.in_check() && needed_ <= 0;
        // Standing still is enough if the other side, to move twice in a row, wins nothing back.
        if (!position.in_check() && material(position, attacker_) >= needed_) {
            Position idle = position;
            idle.pass();
            if (!can_mate_at_once(idle) && enough(idle)) return true;
        }
        std::vector<std::pair<int, Move>> tries;
        for (const Move move : moves) {
            const Piece taken = position.captured(move);
            int promise = taken == Piece::None ? 0 : 1 + value(type_of(taken));
            if (move.is_promotion()) promise += value(move.promoted());
            if (promise == 0 && after(position, move).in_check()) promise = 1;
            // Quiet moves while there is time for their point.
            if (promise == 0 && plies < 1) continue;
            tries.emplace_back(promise, move);
        }
        std::stable_sort(tries.begin(), tries.end(),
                         [](const auto& a, const auto& b) { return a.first > b.first; });
        for (const auto& [promise, move] : tries)
            if (defend(after(position, move), std::max(0, plies - 1))) return true;
        return false;
    }

    Color attacker_;
    int needed_;
};

// ---- geometry, step by step

bool attacks(const Position& position, Square from, Square to) {
    const Piece piece = position.at(from);
    if (piece == Piece::None || from == to) return false;
    const int df = index(file_of(to)) - index(file_of(from));
    const int dr = index(rank_of(to)) - index(rank_of(from));
    const auto clear = [&] {
        const int sf = (df > 0) - (df < 0), sr = (dr > 0) - (dr < 0);
        int f = index(file_of(from)) + sf, r = index(rank_of(from)) + sr;
        while (square_at(r * 8 + f) != to) {
            if (position.at(square_at(r * 8 + f)) != Piece::None) return false;
            f += sf;
            r += sr;
        }
        return true;
    };
    const bool straight = df == 0 || dr == 0;
    const bool diagonal = std::abs(df) == std::abs(dr);
    switch (type_of(piece)) {
        case PieceType::Pawn:
            return std::abs(df) == 1 && dr == (color_of(piece) == Color::White ? 1 : -1);
        case PieceType::Knight: return std::abs(df * dr) == 2;
        case PieceType::Bishop: return diagonal && clear();
        case PieceType::Rook: return straight && clear();
        case PieceType::Queen: return (straight || diagonal) && clear();
        case PieceType::King: return std::abs(df) <= 1 && std::abs(dr) <= 1;
        default: return false;
    }
}

// `middle` lies on the straight way from one to the other.
bool lies_between(Square from, Square middle, Square to) {
    const auto file = [](Square s) { return index(file_of(s)); };
    const auto rank = [](Square s) { return index(rank_of(s)); };
    const int cross = (file(middle) - file(from)) * (rank(to) - rank(from)) -
                      (rank(middle) - rank(from)) * (file(to) - file(from));
    const auto inside = [](int a, int b, int c) {
        return std::min(a, c) <= b && b <= std::max(a, c);
    };
    return cross == 0 && middle != from && middle != to &&
           inside(file(from), file(middle), file(to)) && inside(rank(from), rank(middle), rank(to));
}

bool stands(const Position& position, NamedPiece named) {
    return named && position.at(named.square) == named.piece;
}

Position without(const Position& position, Square square) {
    Setup setup = position.to_setup();
    setup.board[square] = Piece::None;
    setup.castling = CastlingRights();
    setup.en_passant = Square::None;
    const auto changed = Position::from_setup(setup);
    return changed ? changed.value() : position;
}

bool back_rank(const Position& position) {
    if (!is_mate(position)) return false;
    const Color side = position.turn();
    const int home = side == Color::White ? 0 : 7, front = side == Color::White ? 1 : 6;
    Square king = Square::None;
    for (int i = 0; i < 64; ++i)
        if (position.at(square_at(i)) == make_piece(side, PieceType::King)) king = square_at(i);
    if (index(rank_of(king)) != home) return false;
    bool along = false;
    for (int file = 0; file < 8; ++file) {
        const Square square = square_at(home * 8 + file);
        const Piece piece = position.at(square);
        if (piece == Piece::None || color_of(piece) == side) continue;
        const PieceType type = type_of(piece);
        if ((type == PieceType::Rook || type == PieceType::Queen) &&
            attacks(position, square, king))
            along = true;
    }
    for (int file = index(file_of(king)) - 1; file <= index(file_of(king)) + 1; ++file) {
        if (file < 0 || file > 7) continue;
        const Piece piece = position.at(square_at(front * 8 + file));
        if (piece == Piece::None || color_of(piece) != side) return false;
    }
    return along;
}

class Check {
  public:
    Check(const Position& before, Move played, const Reason& reason)
        : reason_(reason),
          root_(reason.kind == ReasonKind::Allows ? after(before, played) : before),
          before_(before),
          us_(root_.turn()) {}

    std::string run() {
        if (reason_.line.empty()) return "no line";
        Position position = root_;
        for (const Move move : reason_.line) {
            if (!legal_moves(position).contains(move)) return "the line is not legal";
            position.play(move);
        }
        first_ = reason_.line.front();
        after_ = after(root_, first_);
        switch (reason_.motif) {
            case Motif::Stalemate:
                return moves_of(after_).empty() && !after_.in_check() ? "" : "no stalemate";
            case Motif::Repetition: return "";  // needs the game; checked where that is
            case Motif::Mate:
            case Motif::BackRankMate: return mate();
            default: break;
        }
        if (const std::string wrong = gain(); !wrong.empty()) return wrong;
        return pattern();
    }

  private:
    std::string mate() {
        const int moves = reason_.mate_in;
        if (moves < 1) return "no length";
        if (!mated_within(after_, moves - 1)) return "no mate";
        if (reason_.exact && moves > 1 && mates_within(root_, moves - 1)) return "a shorter mate";
        if (reason_.motif == Motif::Mate) return "";
        return ends_on_back_rank(root_, first_, moves) ? "" : "not on the back rank";
    }

    static bool ends_on_back_rank(const Position& position, Move move, int moves) {
        const Position next = after(position, move);
        if (is_mate(next)) return back_rank(next);
        if (moves == 1) return false;
        for (const Move reply : moves_of(next)) {
            const Position then = after(next, reply);
            bool found = false;
            for (const Move answer : moves_of(then))
                found = found || ends_on_back_rank(then, answer, moves - 1);
            if (!found) return false;
        }
        return !moves_of(next).empty();
    }

    std::string gain() {
        if (reason_.points < 1) return "nothing is won";
        // What is won is told against the position before the mistake.
        const int needed = material(before_, us_) + reason_.points;
        Move defence;
        for (const int plies : {0, 2, 4}) {
            Siege siege(us_, needed);
            if (siege.holds(after_, plies)) return "";
            defence = siege.defence;
        }
        return "the material is not won: " + to_san(after_, defence);
    }

    std::string pattern() {
        const NamedPiece actor = reason_.actor, target = reason_.target, other = reason_.other;
        const auto theirs = [&](NamedPiece named) { return named && color_of(named.piece) != us_; };
        switch (reason_.motif) {
            case Motif::Material: return "";
            case Motif::Promotion: return promotion();
            case Motif::HangingPiece:
            case Motif::Capture:
            case Motif::PinnedGuard:
            case Motif::RemovedDefender:
                if (!stands(root_, target) || !theirs(target)) return "the target is not there";
                if (root_.captured(first_) != target.piece) return "it is not taken";
                break;
            default:
                if (!stands(after_, target) || !theirs(target)) return "the target is not there";
                if (reason_.motif != Motif::TrappedPiece && !stands(after_, actor))
                    return "the actor is not there";
        }
        switch (reason_.motif) {
            case Motif::HangingPiece:
                for (const Move reply : moves_of(after_))
                    if (reply.to() == target.square && !reply.is_castling())
                        return "it can be taken back";
                return "";
            case Motif::Fork:
                if (!stands(after_, other) || !theirs(other) || other.square == target.square)
                    return "the second target is not there";
                if (actor.square != first_.to()) return "another piece moved";
                return attacks(after_, actor.square, target.square) &&
                               attacks(after_, actor.square, other.square)
                           ? ""
                           : "not both are attacked";
            case Motif::Skewer:
                if (!stands(after_, other) || !theirs(other)) return "nothing behind";
                if (!attacks(after_, actor.square, target.square)) return "not attacked";
                return lies_between(actor.square, target.square, other.square) ? "" : "no line";
            case Motif::Pin:
                if (!stands(after_, other) || type_of(other.piece) != PieceType::King)
                    return "no king behind";
                return pinned(target, actor, other) ? "" : "not pinned";
            case Motif::PinnedGuard: {
                if (!stands(after_, other) || !stands(after_, actor)) return "no guard";
                if (!attacks(after_, other.square, first_.to())) return "it guards nothing";
                for (const Move reply : moves_of(after_))
                    if (reply.to() == first_.to() && !reply.is_castling()) return "taken back";
                Square king = Square::None;
                for (int i = 0; i < 64; ++i)
                    if (after_.at(square_at(i)) == make_piece(~us_, PieceType::King))
                        king = square_at(i);
                return pinned(other, actor, {after_.at(king), king}) ? "" : "not pinned";
            }
            case Motif::DiscoveredAttack:
                if (attacks(root_, actor.square, target.square)) return "attacked before";
                if (!attacks(after_, actor.square, target.square)) return "not attacked";
                return lies_between(actor.square, first_.from(), target.square) ? "" : "no line";
            case Motif::TrappedPiece: return trapped();
            case Motif::RemovedDefender:
                if (!stands(root_, other) || !theirs(other)) return "nothing was guarded";
                return attacks(root_, target.square, other.square) ? "" : "it guarded nothing";
            default: return "";
        }
    }

    // Without the piece the slider would look at the king.
    bool pinned(NamedPiece piece, NamedPiece by, NamedPiece king) const {
        return attacks(after_, by.square, piece.square) &&
               lies_between(by.square, piece.square, king.square) &&
               attacks(without(after_, piece.square), by.square, king.square);
    }

    std::string trapped() const {
        const Square square = reason_.target.square;
        int tries = 0;
        for (const Move move : moves_of(after_)) {
            if (move.from() != square) continue;
            ++tries;
            const Position next = after(after_, move);
            bool caught = false;
            for (const Move answer : moves_of(next)) {
                if (answer.to() != move.to() || answer.is_castling()) continue;
                const Position then = after(next, answer);
                caught = caught || play_out(then, us_, -kWon, kWon, kPlayOutDepth) >=
                                       material(root_, us_) + 1;
            }
            if (!caught) return "it can get away";
        }
        return tries > 0 ? "" : "it has no move to try";
    }

    std::string promotion() const {
        if (first_.is_promotion()) return "";
        if (type_of(after_.at(first_.to())) != PieceType::Pawn) return "no pawn";
        for (const Move reply : moves_of(after_)) {
            bool queens = false;
            for (const Move answer : moves_of(after(after_, reply)))
                queens = queens || (answer.is_promotion() && answer.from() == first_.to());
            if (!queens) return "it can be stopped";
        }
        return "";
    }

    const Reason& reason_;
    Position root_, before_, after_;
    Color us_;
    Move first_;
};

}  // namespace

std::string complaint(const Position& before, Move played, const Reason& reason) {
    return Check(before, played, reason).run();
}

}  // namespace rokada::testing_support
