// SPDX-License-Identifier: GPL-3.0-or-later
// The server's pictures: a PNG as any viewer reads it, unpacked here by an inflate of its own that knows the fixed codes only.
#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>

#include "chess/notation/fen.hpp"
#include "chess/notation/uci_move.hpp"
#include "server/web/png.hpp"
#include "server/web/position_picture.hpp"

namespace rokada::server {
namespace {

class BitReader {
  public:
    explicit BitReader(std::string_view bytes) : bytes_(bytes) {}
    unsigned bits(int count) {
        unsigned value = 0;
        for (int i = 0; i < count; ++i) value |= bit() << i;
        return value;
    }
    unsigned bit() {
        if (at_ >= bytes_.size() * 8) throw std::runtime_error("the data ends too early");
        const auto byte = static_cast<unsigned char>(bytes_[at_ / 8]);
        return static_cast<unsigned>(byte >> (at_++ % 8)) & 1U;
    }

  private:
    std::string_view bytes_;
    std::size_t at_ = 0;
};

// RFC 1951, 3.2.6.
unsigned fixed_symbol(BitReader& in) {
    unsigned code = 0;
    for (int length = 1; length <= 9; ++length) {
        code = code * 2 + in.bit();
        if (length == 7 && code < 24) return 256 + code;
        if (length == 8 && code >= 48 && code < 192) return code - 48;
        if (length == 8 && code >= 192 && code < 200) return 280 + code - 192;
        if (length == 9 && code >= 400) return 144 + code - 400;
    }
    throw std::runtime_error("no such code");
}

std::string inflate(std::string_view zlib) {
    static constexpr unsigned lengths[] = {3,  4,  5,  6,   7,   8,   9,   10,  11, 13,
                                           15, 17, 19, 23,  27,  31,  35,  43,  51, 59,
                                           67, 83, 99, 115, 131, 163, 195, 227, 258};
    static constexpr int length_bits[] = {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2,
                                          2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0};
    static constexpr unsigned distances[] = {1,  2,  3,  4,  5,   7,   9,   13,  17,  25,
                                             33, 49, 65, 97, 129, 193, 257, 385, 513, 769};
    static constexpr int distance_bits[] = {0, 0, 0, 0, 1, 1, 2, 2, 3, 3,
                                            4, 4, 5, 5, 6, 6, 7, 7, 8, 8};
    BitReader in(zlib.substr(2));
    EXPECT_EQ(in.bits(3), 3U) << "one block with fixed codes";
    std::string out;
    for (;;) {
        const unsigned symbol = fixed_symbol(in);
        if (symbol == 256) return out;
        if (symbol < 256) {
            out += static_cast<char>(symbol);
            continue;
        }
        const unsigned length = lengths[symbol - 257] + in.bits(length_bits[symbol - 257]);
        unsigned code = 0;
        for (int i = 0; i < 5; ++i) code = code * 2 + in.bit();
        const std::size_t back = distances[code] + in.bits(distance_bits[code]);
        if (back > out.size()) throw std::runtime_error("looks back too far");
        for (unsigned i = 0; i < length; ++i) out += out[out.size() - back];
    }
}

unsigned number(std::string_view png, std::size_t at) {
    unsigned value = 0;
    for (std::size_t i = 0; i < 4; ++i)
        value = value * 256 + static_cast<unsigned char>(png[at + i]);
    return value;
}

struct Picture {
    unsigned width = 0, height = 0;
    std::string palette, rows;

    Rgb at(unsigned x, unsigned y) const {
        const auto entry = static_cast<unsigned char>(rows[y * (width + 1) + 1 + x]);
        const auto part = [this, entry](std::size_t i) {
            return static_cast<std::uint8_t>(palette[entry * std::size_t{3} + i]);
        };
        return {part(0), part(1), part(2)};
    }
};

Picture read_png(std::string_view png) {
    Picture picture;
    EXPECT_EQ(png.substr(0, 8), "\x89PNG\r\n\x1a\n");
    for (std::size_t at = 8; at + 12 <= png.size();) {
        const unsigned size = number(png, at);
        const std::string_view name = png.substr(at + 4, 4), content = png.substr(at + 8, size);
        if (name == "IHDR") {
            picture.width = number(content, 0);
            picture.height = number(content, 4);
        }
        if (name == "PLTE") picture.palette = content;
        if (name == "IDAT") picture.rows = inflate(content);
        at += 12 + size;
    }
    EXPECT_EQ(picture.rows.size(), (picture.width + std::size_t{1}) * picture.height);
    return picture;
}

int brightness(Rgb colour) { return colour.red + colour.green + colour.blue; }
// The middle of a square, counted from a8; pieces are solid a little below it.
Rgb middle(const Picture& picture, unsigned column, unsigned row) {
    return picture.at(column * 60 + 30, row * 60 + 40);
}

TEST(Png, KeepsEveryPixelOfRunsRowsAndNoise) {
    std::vector<Rgb> colours;
    for (int i = 0; i < 256; ++i)
        colours.push_back({static_cast<std::uint8_t>(i), static_cast<std::uint8_t>(255 - i), 7});
    std::vector<std::uint8_t> pixels;
    unsigned state = 1;
    for (int y = 0; y < 90; ++y)
        for (int x = 0; x < 700; ++x) {
            state = state * 1664525 + 1013904223;
            pixels.push_back(y < 30   ? static_cast<std::uint8_t>(y)
                             : y < 60 ? static_cast<std::uint8_t>(x)
                                      : static_cast<std::uint8_t>(state >> 24));
        }
    const Picture picture = read_png(write_png(700, 90, colours, pixels));
    ASSERT_EQ(picture.width, 700U);
    for (unsigned y = 0; y < 90; ++y)
        for (unsigned x = 0; x < 700; ++x) ASSERT_EQ(picture.at(x, y).red, pixels[y * 700 + x]);
}

TEST(PositionPicture, ShowsPiecesWhereTheyStandAndTheLastMove) {
    Position position;
    const auto move = parse_uci_move(position, "e2e4");
    ASSERT_TRUE(move);
    position.play(*move);
    const std::string png = position_picture(position, *move);
    EXPECT_LT(png.size(), 40'000U) << "previews give up on large pictures";
    const Picture picture = read_png(png);
    ASSERT_EQ(picture.width, 480U);
    ASSERT_EQ(picture.height, 480U);
    EXPECT_GT(brightness(middle(picture, 4, 4)), 600) << "a white pawn on e4";
    EXPECT_LT(brightness(middle(picture, 4, 0)), 250) << "the black king on e8";
    EXPECT_GT(brightness(middle(picture, 0, 7)), 600) << "a white rook on a1";
    // Corners of squares are never covered: plain and marked ones differ.
    const Rgb light = picture.at(2 * 60 + 2, 4 * 60 + 2),
              marked = picture.at(4 * 60 + 2, 6 * 60 + 2);
    EXPECT_EQ(brightness(picture.at(2, 2)), brightness(picture.at(2 * 60 + 2, 2)));
    EXPECT_LT(marked.red, light.red);
}

}  // namespace
}  // namespace rokada::server
