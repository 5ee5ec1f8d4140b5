// SPDX-License-Identifier: GPL-3.0-or-later
// The rules of chess once more, slow and obvious: a board of 64 squares, moves tried out one by one, the king
// looked for afterwards. Shares nothing with the generator it checks but the plain types.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <utility>
#include <vector>

#include "chess/move.hpp"
#include "chess/setup.hpp"

namespace rokada::testing_support {

struct SlowMove {
    Move move;
    Setup after;  // its en passant square stands only where a legal capture exists
};

class SlowRules {
  public:
    static std::vector<SlowMove> legal_moves(const Setup& setup) {
        std::vector<SlowMove> moves = SlowRules(setup).safe_moves();
        for (SlowMove& move : moves)
            if (!en_passant_possible(move.after)) move.after.en_passant = Square::None;
        return moves;
    }

    static bool in_check(const Setup& setup, Color who) {
        for (int i = 0; i < 64; ++i)
            if (setup.board[square_at(i)] == make_piece(who, PieceType::King))
                return attacked(setup, i % 8, i / 8, ~who);
        return false;
    }

  private:
    static constexpr int kKnight[8][2] = {{1, 2},   {2, 1},   {2, -1}, {1, -2},
                                          {-1, -2}, {-2, -1}, {-2, 1}, {-1, 2}};
    static constexpr int kStraight[4][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
    static constexpr int kDiagonal[4][2] = {{1, 1}, {1, -1}, {-1, 1}, {-1, -1}};

    explicit SlowRules(const Setup& setup) : setup_(setup), us_(setup.turn) {}

    static bool on_board(int file, int rank) {
        return file >= 0 && file < 8 && rank >= 0 && rank < 8;
    }
    static Square at(int file, int rank) { return square_at(rank * 8 + file); }
    static bool is(const Setup& setup, int file, int rank, Color c, PieceType t) {
        return on_board(file, rank) && setup.board[at(file, rank)] == make_piece(c, t);
    }

    template <std::size_t N>
    static bool slider_sees(const Setup& setup, int file, int rank, Color by, PieceType type,
                            const int (&steps)[N][2]) {
        for (const auto& step : steps) {
            int f = file + step[0], r = rank + step[1];
            while (on_board(f, r) && setup.board[at(f, r)] == Piece::None) {
                f += step[0];
                r += step[1];
            }
            if (is(setup, f, r, by, type) || is(setup, f, r, by, PieceType::Queen)) return true;
        }
        return false;
    }

    static bool attacked(const Setup& setup, int file, int rank, Color by) {
        const int behind =
            by == Color::White ? -1 : 1;  // where a pawn that attacks this square stands
        if (is(setup, file - 1, rank + behind, by, PieceType::Pawn)) return true;
        if (is(setup, file + 1, rank + behind, by, PieceType::Pawn)) return true;
        for (const auto& step : kKnight)
            if (is(setup, file + step[0], rank + step[1], by, PieceType::Knight)) return true;
        for (int f = -1; f <= 1; ++f)
            for (int r = -1; r <= 1; ++r)
                if (is(setup, file + f, rank + r, by, PieceType::King)) return true;
        return slider_sees(setup, file, rank, by, PieceType::Rook, kStraight) ||
               slider_sees(setup, file, rank, by, PieceType::Bishop, kDiagonal);
    }

    static bool en_passant_possible(const Setup& setup) {
        if (setup.en_passant == Square::None) return false;
        for (const SlowMove& move : SlowRules(setup).safe_moves())
            if (move.move.is_en_passant()) return true;
        return false;
    }

    std::vector<SlowMove> safe_moves() {
        for (int rank = 0; rank < 8; ++rank) {
            for (int file = 0; file < 8; ++file) {
                const Piece piece = setup_.board[at(file, rank)];
                if (piece == Piece::None || color_of(piece) != us_) continue;
                switch (type_of(piece)) {
                    case PieceType::Pawn: pawn(file, rank); break;
                    case PieceType::Knight: steps(file, rank, kKnight, false); break;
                    case PieceType::Bishop: steps(file, rank, kDiagonal, true); break;
                    case PieceType::Rook: steps(file, rank, kStraight, true); break;
                    case PieceType::Queen:
                        steps(file, rank, kDiagonal, true);
                        steps(file, rank, kStraight, true);
                        break;
                    default:
                        steps(file, rank, kDiagonal, false);
                        steps(file, rank, kStraight, false);
                        castle(file, CastlingSide::King);
                        castle(file, CastlingSide::Queen);
                }
            }
        }
        return std::move(moves_);
    }

    template <std::size_t N>
    void steps(int file, int rank, const int (&directions)[N][2], bool far) {
        for (const auto& step : directions) {
            int f = file + step[0], r = rank + step[1];
            while (on_board(f, r)) {
                const Piece there = setup_.board[at(f, r)];
                if (there != Piece::None && color_of(there) == us_) break;
                add(Move(at(file, rank), at(f, r)));
                if (there != Piece::None || !far) break;
                f += step[0];
                r += step[1];
            }
        }
    }

    void pawn(int file, int rank) {
        const int up = us_ == Color::White ? 1 : -1;
        const int home = us_ == Color::White ? 1 : 6;
        const auto empty = [&](int r) { return setup_.board[at(file, r)] == Piece::None; };
        if (empty(rank + up)) {
            pawn_move(file, rank, file, rank + up);
            if (rank == home && empty(rank + 2 * up)) pawn_move(file, rank, file, rank + 2 * up);
        }
        for (const int side : {-1, 1}) {
            if (!on_board(file + side, rank + up)) continue;
            const Square to = at(file + side, rank + up);
            const Piece there = setup_.board[to];
            if (there != Piece::None && color_of(there) != us_)
                pawn_move(file, rank, file + side, rank + up);
            if (to == setup_.en_passant) add(Move::en_passant(at(file, rank), to));
        }
    }

    void pawn_move(int file, int rank, int to_file, int to_rank) {
        const Square from = at(file, rank), to = at(to_file, to_rank);
        if (to_rank != 0 && to_rank != 7) return add(Move(from, to));
        for (const PieceType t :
             {PieceType::Queen, PieceType::Rook, PieceType::Bishop, PieceType::Knight})
            add(Move::promotion(from, to, t));
    }

    void castle(int king_file, CastlingSide side) {
        const Square rook = setup_.castling.rook(us_, side);
        if (rook == Square::None) return;
        const int rank = us_ == Color::White ? 0 : 7;
        const int rook_file = index(rook) % 8;
        const int king_to = side == CastlingSide::King ? 6 : 2;
        const int rook_to = side == CastlingSide::King ? 5 : 3;
        // Nobody but the two themselves may stand where either of them passes.
        const auto free = [&](int from, int to) {
            for (int f = std::min(from, to); f <= std::max(from, to); ++f)
                if (f != king_file && f != rook_file && setup_.board[at(f, rank)] != Piece::None)
                    return false;
            return true;
        };
        if (!free(king_file, king_to) || !free(rook_file, rook_to)) return;
        for (int f = std::min(king_file, king_to); f <= std::max(king_file, king_to); ++f)
            if (attacked(setup_, f, rank, ~us_)) return;
        add(Move::castling(at(king_file, rank), rook));
    }

    void add(Move move) {
        Setup after = setup_;
        const Square from = move.from(), to = move.to();
        const Piece piece = setup_.board[from];
        const bool pawn_moves = type_of(piece) == PieceType::Pawn;
        const bool captures = !move.is_castling() && setup_.board[to] != Piece::None;
        after.board[from] = Piece::None;
        if (move.is_castling()) {
            const int rank = index(from) / 8;
            const bool king_side = index(to) > index(from);
            after.board[to] = Piece::None;
            after.board[at(king_side ? 6 : 2, rank)] = piece;
            after.board[at(king_side ? 5 : 3, rank)] = setup_.board[to];
        } else {
            after.board[to] = move.is_promotion() ? make_piece(us_, move.promoted()) : piece;
            if (move.is_en_passant())
                after.board[square_at(index(to) + (us_ == Color::White ? -8 : 8))] = Piece::None;
        }
        if (in_check(after, us_)) return;

        for (const Color c : kColors)
            for (const CastlingSide side : kCastlingSides)
                if (const Square rook = setup_.castling.rook(c, side);
                    rook == from || rook == to || (c == us_ && type_of(piece) == PieceType::King))
                    after.castling.set(c, side, Square::None);
        const bool twice = pawn_moves && std::abs(index(to) - index(from)) == 16;
        after.en_passant = twice ? square_at((index(from) + index(to)) / 2) : Square::None;
        after.halfmove_clock = pawn_moves || captures ? 0 : setup_.halfmove_clock + 1;
        after.fullmove_number = setup_.fullmove_number + (us_ == Color::Black ? 1 : 0);
        after.turn = ~us_;
        moves_.push_back({move, after});
    }

    const Setup& setup_;
    const Color us_;
    std::vector<SlowMove> moves_;
};

}  // namespace rokada::testing_support
