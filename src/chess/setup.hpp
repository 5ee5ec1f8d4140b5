// SPDX-License-Identifier: GPL-3.0-or-later
// A position as somebody wrote it down, perhaps illegal; and all the reasons why it is.
// Reading notation gives a Setup, only a legal Setup becomes a Position.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "chess/bitboard.hpp"
#include "chess/castling.hpp"

namespace rokada {

struct Setup {
    PerSquare<Piece> board;
    Color turn = Color::White;
    CastlingRights castling;
    Square en_passant = Square::None;
    int halfmove_clock = 0;   // plies since the last capture or pawn move
    int fullmove_number = 1;  // counts from 1, up after Black's move

    Setup() {
        for (Piece& p : board) p = Piece::None;
    }
    Bitboard pieces(Color c) const;
    Bitboard pieces(Color c, PieceType t) const;

    static Setup standard();            // the usual start position
    static Setup chess960(int number);  // 0 to 959; 518 is the usual one

    friend bool operator==(const Setup& a, const Setup& b) {
        return a.board == b.board && a.turn == b.turn && a.castling == b.castling &&
               a.en_passant == b.en_passant && a.halfmove_clock == b.halfmove_clock &&
               a.fullmove_number == b.fullmove_number;
    }
};

// Why a setup is no legal position. Several can hold at once.
enum class SetupError : std::uint16_t {
    KingCount = 1 << 0,
    PawnOnBackRank = 1 << 1,
    TooManyPawns = 1 << 2,
    TooManyPieces = 1 << 3,
    OpponentInCheck = 1 << 4,
    TooManyCheckers = 1 << 5,
    CastlingRight = 1 << 6,
    EnPassantSquare = 1 << 7,
    EnPassantCheck = 1 << 8,
};

class SetupErrors {
  public:
    void add(SetupError e) { bits_ = static_cast<std::uint16_t>(bits_ | static_cast<unsigned>(e)); }
    bool has(SetupError e) const { return (bits_ & static_cast<unsigned>(e)) != 0; }
    bool any() const { return bits_ != 0; }
    std::vector<std::string> codes() const;     // stable words: "king-count", ...
    std::vector<std::string> messages() const;  // one sentence each, in the same order
    std::string message() const;                // all of them, joined by "; "

  private:
    std::uint16_t bits_ = 0;
};

// Everything that makes the setup illegal; none if it is legal.
SetupErrors check(const Setup& setup);

}  // namespace rokada
