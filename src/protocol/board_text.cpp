// SPDX-License-Identifier: GPL-3.0-or-later
#include "protocol/board_text.hpp"

namespace rokada::protocol {

namespace {

// Filled shapes for both sides where colour tells them apart, outlined ones for White elsewhere.
std::string_view symbol(Piece piece, bool colors) {
    static constexpr std::string_view kOutlined[] = {"♙", "♘", "♗", "♖", "♕", "♔"};
    static constexpr std::string_view kFilled[] = {"♟", "♞", "♝", "♜", "♛", "♚"};
    const auto type = static_cast<std::size_t>(index(type_of(piece)));
    return color_of(piece) == Color::White && !colors ? kOutlined[type] : kFilled[type];
}

std::string piece_text(Piece piece, const BoardStyle& style, bool light) {
    if (piece == Piece::None) return style.colors ? " " : light ? "." : ":";
    return style.unicode ? std::string(symbol(piece, style.colors)) : std::string{to_char(piece)};
}

std::string square_text(const Position& position, Square square, const BoardStyle& style) {
    const bool light = (index(file_of(square)) + index(rank_of(square))) % 2 == 1;
    const Piece piece = position.at(square);
    const std::string inside = piece_text(piece, style, light);
    if (!style.colors) return ' ' + inside;
    const bool marked = style.last && (style.last.from() == square || style.last.to() == square);
    const std::string_view background = marked ? (light ? "\x1b[48;5;186m" : "\x1b[48;5;143m")
                                               : (light ? "\x1b[48;5;180m" : "\x1b[48;5;137m");
    const bool white = piece != Piece::None && color_of(piece) == Color::White;
    const std::string_view ink = white ? "\x1b[1;38;5;231m" : "\x1b[38;5;16m";
    return std::string(background) + std::string(ink) + ' ' + inside + ' ';
}

}  // namespace

std::string draw_board(const Position& position, const BoardStyle& style) {
    std::string text;
    for (int row = 0; row < 8; ++row) {
        const Rank rank = static_cast<Rank>(style.flipped ? row : 7 - row);
        text += std::string(" ") + to_char(rank) + ' ';
        for (int column = 0; column < 8; ++column) {
            const File file = static_cast<File>(style.flipped ? 7 - column : column);
            text += square_text(position, make_square(file, rank), style);
        }
        text += style.colors ? "\x1b[0m\n" : "\n";
    }
    text += "\n   ";
    for (int column = 0; column < 8; ++column) {
        const File file = static_cast<File>(style.flipped ? 7 - column : column);
        text += std::string(" ") + to_char(file) + (style.colors ? " " : "");
    }
    text += '\n';
    return text;
}

}  // namespace rokada::protocol
