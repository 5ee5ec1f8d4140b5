// SPDX-License-Identifier: GPL-3.0-or-later
// Writes PNG files of pictures with few colours: one byte a pixel, at most 256 colours.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace rokada::server {

struct Rgb {
    std::uint8_t red = 0, green = 0, blue = 0;
};

// `pixels` row by row from the top, width * height of them, each less than `colours.size()`.
std::string write_png(int width, int height, const std::vector<Rgb>& colours,
                      const std::vector<std::uint8_t>& pixels);

}  // namespace rokada::server
