// SPDX-License-Identifier: GPL-3.0-or-later
#include "server/web/position_picture.hpp"

#include "server/web/png.hpp"

// The drawings of the page as pixels, made by web/build/piece-pixels.mjs.
asm(".section .rodata\n"
    ".global rokada_piece_pixels\n"
    "rokada_piece_pixels:\n"
    ".incbin \"server/web/pieces.bin\"\n"
    ".previous\n");
extern "C" const unsigned char rokada_piece_pixels[];

namespace rokada::server {
namespace {

constexpr int kSquare = kPictureSize / 8;
constexpr int kLevels = 8;                  // of opacity, and of tone
constexpr int kShades = kLevels * kLevels;  // what a pixel of a piece can be
constexpr Rgb kLight{0xEF, 0xDC, 0xC0}, kDark{0xB0, 0x85, 0x58}, kMark{0x4C, 0xB3, 0xA5};
constexpr int kMarkPercent = 35;

constexpr std::uint8_t mix(int under, int over, int share, int whole) {
    return static_cast<std::uint8_t>((under * (whole - share) + over * share) / whole);
}

constexpr Rgb mix(Rgb under, Rgb over, int share, int whole) {
    return {mix(under.red, over.red, share, whole), mix(under.green, over.green, share, whole),
            mix(under.blue, over.blue, share, whole)};
}

// Each kind of square under each kind of pixel of a piece.
std::vector<Rgb> colours() {
    std::vector<Rgb> all;
    for (const Rgb square : {kLight, kDark, mix(kLight, kMark, kMarkPercent, 100),
                             mix(kDark, kMark, kMarkPercent, 100)})
        for (int shade = 0; shade < kShades; ++shade) {
            const auto tone = static_cast<std::uint8_t>(shade % kLevels * 255 / (kLevels - 1));
            all.push_back(mix(square, {tone, tone, tone}, shade / kLevels, kLevels - 1));
        }
    return all;
}

const unsigned char* drawing(Piece piece) {
    const int number = index(type_of(piece)) + (color_of(piece) == Color::White ? 0 : 6);
    return rokada_piece_pixels + number * kSquare * kSquare;
}

}  // namespace

std::string position_picture(const Position& position, Move last) {
    std::vector<std::uint8_t> pixels(static_cast<std::size_t>(kPictureSize) * kPictureSize);
    for (int i = 0; i < 64; ++i) {
        const int file = i % 8, rank = i / 8;
        const Square square = make_square(static_cast<File>(file), static_cast<Rank>(rank));
        const bool marked = last && (square == last.from() || square == last.to());
        const int kind = ((file + rank) % 2 == 0 ? 1 : 0) + (marked ? 2 : 0);
        const Piece piece = position.at(square);
        const unsigned char* shades = piece == Piece::None ? nullptr : drawing(piece);
        for (int y = 0; y < kSquare; ++y)
            for (int x = 0; x < kSquare; ++x) {
                const int shade = shades != nullptr ? shades[y * kSquare + x] : 0;
                const int at = ((7 - rank) * kSquare + y) * kPictureSize + file * kSquare + x;
                pixels[static_cast<std::size_t>(at)] =
                    static_cast<std::uint8_t>(kind * kShades + shade);
            }
    }
    return write_png(kPictureSize, kPictureSize, colours(), pixels);
}

}  // namespace rokada::server
