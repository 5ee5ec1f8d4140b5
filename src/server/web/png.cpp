// SPDX-License-Identifier: GPL-3.0-or-later
#include "server/web/png.hpp"

#include <stdexcept>

#include <png.h>

namespace rokada::server {

std::string write_png(int width, int height, const std::vector<Rgb>& colours,
                      const std::vector<std::uint8_t>& pixels) {
    std::vector<std::uint8_t> map;
    for (const Rgb colour : colours) map.insert(map.end(), {colour.red, colour.green, colour.blue});

    png_image image{};
    image.version = PNG_IMAGE_VERSION;
    image.width = static_cast<png_uint_32>(width);
    image.height = static_cast<png_uint_32>(height);
    image.format = PNG_FORMAT_RGB_COLORMAP;
    image.colormap_entries = static_cast<png_uint_32>(colours.size());
    image.flags = PNG_IMAGE_FLAG_FAST;

    png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(image);
    std::string file(size, '\0');
    if (png_image_write_to_memory(&image, file.data(), &size, 0, pixels.data(), width,
                                  map.data()) == 0)
        throw std::runtime_error(std::string("no picture: ") + image.message);
    file.resize(size);
    return file;
}

}  // namespace rokada::server
