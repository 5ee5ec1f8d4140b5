// SPDX-License-Identifier: GPL-3.0-or-later
#include "server/web/png.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace rokada::server {
namespace {

// Bits into bytes, the lowest first, as deflate wants them; Huffman codes come the other way round.
class BitWriter {
  public:
    void bits(std::uint32_t value, int count) {
        for (int i = 0; i < count; ++i) bit((value >> i) & 1U);
    }
    void code(std::uint32_t value, int count) {
        for (int i = count - 1; i >= 0; --i) bit((value >> i) & 1U);
    }
    std::string take() {
        if (used_ > 0) bytes_ += static_cast<char>(current_);
        return std::move(bytes_);
    }

  private:
    void bit(std::uint32_t value) {
        current_ |= value << used_;
        if (++used_ < 8) return;
        bytes_ += static_cast<char>(current_);
        current_ = 0;
        used_ = 0;
    }

    std::string bytes_;
    std::uint32_t current_ = 0;
    int used_ = 0;
};

// The codes of deflate's fixed table.
void symbol(BitWriter& out, std::uint32_t value) {
    if (value < 144) return out.code(0x30 + value, 8);
    if (value < 256) return out.code(0x190 + value - 144, 9);
    if (value < 280) return out.code(value - 256, 7);
    out.code(0xC0 + value - 280, 8);
}

constexpr std::size_t kShortest = 3, kLongest = 258;

// Groups of four codes with one more extra bit each; the longest length has a code of its own.
void length(BitWriter& out, std::size_t wanted) {
    if (wanted == kLongest) return symbol(out, 285);
    std::uint32_t code = 257, base = kShortest;
    for (int extra = 0;; ++code) {
        if (code >= 265) extra = static_cast<int>(code - 261) / 4;
        const std::uint32_t room = 1U << extra;
        if (wanted < base + room) {
            symbol(out, code);
            return out.bits(static_cast<std::uint32_t>(wanted) - base, extra);
        }
        base += room;
    }
}

void distance(BitWriter& out, std::size_t wanted) {
    std::uint32_t base = 1;
    for (std::uint32_t code = 0;; ++code) {
        const int extra = code < 4 ? 0 : static_cast<int>(code / 2) - 1;
        const std::uint32_t room = 1U << extra;
        if (wanted < base + room) {
            out.code(code, 5);
            return out.bits(static_cast<std::uint32_t>(wanted) - base, extra);
        }
        base += room;
    }
}

std::size_t repeats(std::string_view text, std::size_t at, std::size_t back) {
    if (back > at) return 0;
    std::size_t count = 0;
    while (count < kLongest && at + count < text.size() &&
           text[at + count] == text[at + count - back])
        ++count;
    return count;
}

std::uint32_t adler(std::string_view text) {
    std::uint32_t a = 1, b = 0;
    for (const char c : text) {
        a = (a + static_cast<unsigned char>(c)) % 65521;
        b = (b + a) % 65521;
    }
    return (b << 16) | a;
}

std::uint32_t crc(std::string_view text) {
    std::uint32_t value = ~0U;
    for (const char c : text) {
        value ^= static_cast<unsigned char>(c);
        for (int i = 0; i < 8; ++i) value = (value >> 1) ^ ((value & 1U) != 0 ? 0xEDB88320U : 0U);
    }
    return ~value;
}

std::string big_endian(std::uint32_t value) {
    return {static_cast<char>(value >> 24), static_cast<char>(value >> 16),
            static_cast<char>(value >> 8), static_cast<char>(value)};
}

// Matches reach back one byte (a run) or one row; nothing else repeats in a drawing.
std::string packed(std::string_view text, std::size_t row) {
    BitWriter out;
    out.bits(0x0178, 16);  // zlib's header
    out.bits(1, 1);        // the last block
    out.bits(1, 2);        // with fixed codes
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t run = repeats(text, at, 1), above = repeats(text, at, row);
        const std::size_t longer = std::max(run, above);
        if (longer < kShortest) {
            symbol(out, static_cast<unsigned char>(text[at++]));
            continue;
        }
        length(out, longer);
        distance(out, run == longer ? 1 : row);
        at += longer;
    }
    symbol(out, 256);
    return out.take() + big_endian(adler(text));
}

std::string chunk(std::string_view name, std::string_view content) {
    const std::string body = std::string(name) + std::string(content);
    return big_endian(static_cast<std::uint32_t>(content.size())) + body + big_endian(crc(body));
}

}  // namespace

std::string write_png(int width, int height, const std::vector<Rgb>& colours,
                      const std::vector<std::uint8_t>& pixels) {
    const auto row = static_cast<std::size_t>(width);
    std::string palette, rows;
    for (const Rgb colour : colours)
        palette += {static_cast<char>(colour.red), static_cast<char>(colour.green),
                    static_cast<char>(colour.blue)};
    for (std::size_t y = 0; y < static_cast<std::size_t>(height); ++y) {
        rows += '\0';  // no filter
        const auto begin = pixels.begin() + static_cast<std::ptrdiff_t>(y * row);
        rows.append(begin, begin + static_cast<std::ptrdiff_t>(row));
    }
    // Eight bits, palette, nothing special.
    const std::string header = big_endian(static_cast<std::uint32_t>(width)) +
                               big_endian(static_cast<std::uint32_t>(height)) +
                               std::string("\x08\x03\0\0\0", 5);
    return "\x89PNG\r\n\x1a\n" + chunk("IHDR", header) + chunk("PLTE", palette) +
           chunk("IDAT", packed(rows, row + 1)) + chunk("IEND", "");
}

}  // namespace rokada::server
