// SPDX-License-Identifier: GPL-3.0-or-later
// The letters that name pieces in written moves. English is the standard of every file format;
// figurines and other languages are for people. Used by the writers of SAN and long algebraic.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "chess/notation/parse_error.hpp"
#include "chess/result.hpp"
#include "chess/types.hpp"

namespace rokada {

// One to four bytes of UTF-8 per piece; pawns have no letter. A small value, kept without allocation.
class PieceLetters {
  public:
    // English.
    constexpr PieceLetters() : PieceLetters("N", "B", "R", "Q", "K") {}
    constexpr PieceLetters(std::string_view knight, std::string_view bishop, std::string_view rook,
                           std::string_view queen, std::string_view king)
        : letters_{Letter(knight), Letter(bishop), Letter(rook), Letter(queen), Letter(king)} {}

    // Any type but a pawn.
    constexpr std::string_view operator[](PieceType t) const {
        const Letter& letter = letters_[static_cast<std::size_t>(t) - 1];
        return {letter.bytes.data(), letter.size};
    }

  private:
    struct Letter {
        std::array<char, 4> bytes{};
        std::uint8_t size = 0;
        constexpr explicit Letter(std::string_view text) {
            for (; size < text.size() && size < bytes.size(); ++size) bytes[size] = text[size];
        }
    };
    std::array<Letter, 5> letters_;
};

inline constexpr PieceLetters kEnglishLetters{};
inline constexpr PieceLetters kFigurines{"\u2658", "\u2657", "\u2656", "\u2655", "\u2654"};

// Five characters of UTF-8 for knight, bishop, rook, queen and king, as "SLTDK" for German.
Result<PieceLetters, ParseError> parse_piece_letters(std::string_view text);

}  // namespace rokada
