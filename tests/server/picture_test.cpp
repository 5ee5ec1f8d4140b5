// SPDX-License-Identifier: GPL-3.0-or-later
// The server's pictures, read back as any viewer does.
#include <vector>

#include <gtest/gtest.h>
#include <png.h>

#include "chess/notation/fen.hpp"
#include "chess/notation/uci_move.hpp"
#include "server/web/png.hpp"
#include "server/web/position_picture.hpp"

namespace rokada::server {
namespace {

struct Picture {
    unsigned width = 0, height = 0;
    std::vector<Rgb> pixels;

    Rgb at(unsigned x, unsigned y) const { return pixels[y * width + x]; }
};

Picture read_png(const std::string& png) {
    png_image image{};
    image.version = PNG_IMAGE_VERSION;
    EXPECT_NE(png_image_begin_read_from_memory(&image, png.data(), png.size()), 0) << image.message;
    image.format = PNG_FORMAT_RGB;
    Picture picture{image.width, image.height, {}};
    std::vector<std::uint8_t> bytes(PNG_IMAGE_SIZE(image));
    EXPECT_NE(png_image_finish_read(&image, nullptr, bytes.data(), 0, nullptr), 0) << image.message;
    for (std::size_t i = 0; i + 2 < bytes.size(); i += 3)
        picture.pixels.push_back({bytes[i], bytes[i + 1], bytes[i + 2]});
    return picture;
}

int brightness(Rgb colour) { return colour.red + colour.green + colour.blue; }
// The middle of a square, counted from a8; pieces are solid a little below it.
Rgb middle(const Picture& picture, unsigned column, unsigned row) {
    return picture.at(column * 60 + 30, row * 60 + 34);
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
